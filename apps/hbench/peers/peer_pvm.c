/* peer_pvm.c - messages and collective operations of PVM, for hbench (peer_cases.h).
 *
 *     hbench-pvmexec -n N hbench-pvm CASE:BYTES:WINDOW:WARM:COUNT ...
 *
 * PVM's sends return when the kernel has taken the data, so a window of them is a loop.
 * PVM has barrier, bcast, reduce, gather and scatter of a group.  The others are what its users
 * write with these: allreduce and allgather go to rank 0 and back, reduce_scatter is reduce and
 * scatter, alltoall is a message from each to each, and scans go from rank to rank.
 *
 * Errors end the task (pvm_world_check()), so the functions here return true. Data is sent with
 * PvmDataInPlace where PVM allows it: without conversion and without a copy into a buffer.
 */
#include "peer_cases.h"
#include "../numbers.h"
#include "pvm_world.h"

#include <pvm3.h>

#include <stdio.h>
#include <string.h>

enum { TAG = 2 };
/* PVM's functions take a char *, hence no const. */
static char group[] = "hbench";
static struct pvm_world world;

/* PVM's type of the elements, for calls that combine or place them. */
static int element(const struct ops_data *d)
{
    return d->doubles ? PVM_DOUBLE : PVM_BYTE;
}

/* Bytes of an element. */
static int width(const struct ops_data *d)
{
    return d->doubles ? (int)sizeof(double) : 1;
}

/* ---- messages between ranks 0 and 1 ---- */

/* pvm_send() returns when the kernel has the data. */
static bool put(struct pair *p, size_t bytes)
{
    pvm_world_send(&world, p->other, p->out, (int)bytes);
    return true;
}

static bool take(struct pair *p, size_t bytes)
{
    pvm_world_receive(&world, p->other, p->in, (int)bytes);
    return true;
}

static bool burst(struct pair *p, size_t bytes, int window)
{
    while (window-- > 0)
        put(p, bytes);
    /* The receiver's answer without data ends the window. */
    return take(p, 0);
}

static bool drain(struct pair *p, size_t bytes, int window)
{
    while (window-- > 0)
        take(p, bytes);
    return put(p, 0);
}

const struct wire peer_wire = {"pvm", put, take, burst, drain};

/* ---- the operations ---- */

/* Through PVM's group server, a task of its own. */
void ops_barrier(struct ops_data *d)
{
    pvm_world_check(pvm_barrier(group, d->size), "pvm_barrier");
}

/* Broadcasts so many bytes from rank 0. */
static void cast(struct ops_data *d, void *data, int bytes)
{
    if (d->rank > 0) {
        pvm_world_check(pvm_recv(world.tid[0], TAG), "pvm_recv");
        pvm_world_check(pvm_upkbyte(data, bytes, 1), "pvm_upkbyte");
        return;
    }
    /* pvm_bcast() sends to all members of the group but the caller. */
    pvm_world_check(pvm_initsend(PvmDataInPlace), "pvm_initsend");
    pvm_world_check(pvm_pkbyte(data, bytes, 1), "pvm_pkbyte");
    pvm_world_check(pvm_bcast(group, TAG), "pvm_bcast");
}

/* A broadcast has no sums, so an element is a byte. */
void ops_bcast(struct ops_data *d)
{
    cast(d, d->out, d->count);
}

/* PVM's results are its first argument. */
void ops_scatter(struct ops_data *d)
{
    pvm_world_check(pvm_scatter(d->out, d->in, d->count, element(d), TAG, group, 0), "pvm_scatter");
}

/* The root is rank 0, whose instance is 0 (join()). */
void ops_gather(struct ops_data *d)
{
    pvm_world_check(pvm_gather(d->out, d->in, d->count, element(d), TAG, group, 0), "pvm_gather");
}

static void add(struct ops_data *d, const void *to_add, void *sum)
{
    /* Bytes wrap around, as in hnow's sums of bytes. */
    for (int i = 0; i < d->count; i++)
        if (d->doubles)
            ((double *)sum)[i] += ((const double *)to_add)[i];
        else
            ((unsigned char *)sum)[i] += ((const unsigned char *)to_add)[i];
}

/* A function for pvm_reduce: PVM cannot sum bytes. */
static void sum(int *type, void *x, void *y, int *n, int *info)
{
    struct ops_data d = {.doubles = *type == PVM_DOUBLE, .count = *n};

    add(&d, y, x);
    /* The result is in x, as PVM expects it. */
    *info = PvmOk;
}

/* In place: rank 0's input becomes the result, which changes the data of the next call. That
 * does not matter for its time. */
void ops_reduce(struct ops_data *d)
{
    pvm_world_check(pvm_reduce(sum, d->in, d->count, element(d), TAG, group, 0), "pvm_reduce");
}

/* The sum is in rank 0's input, from where it is broadcast. */
void ops_allreduce(struct ops_data *d)
{
    ops_reduce(d);
    cast(d, d->in, d->count * width(d));
}

/* In PVM's gather only rank 0 has the result, which it then broadcasts. */
void ops_allgather(struct ops_data *d)
{
    ops_gather(d);
    cast(d, d->out, d->count * d->size);
}

/* All pieces are equal here, so nothing else is needed. */
void ops_allgatherv(struct ops_data *d)
{
    ops_allgather(d);
}

void ops_alltoall(struct ops_data *d)
{
    /* Direct messages: PVM has no such operation of a group. */
    char *in = d->in, *out = d->out;
    size_t bytes = (size_t)d->count;

    memcpy(out + (size_t)d->rank * bytes, in + (size_t)d->rank * bytes, bytes);
    /* Each task begins with its right neighbour, so that no task is the first target of all. */
    for (int i = 1; i < d->size; i++) {
        int to = (d->rank + i) % d->size;
        pvm_world_send(&world, to, in + (size_t)to * bytes, d->count);
    }
    for (int i = 1; i < d->size; i++) {
        int from = (d->rank + d->size - i) % d->size;
        pvm_world_receive(&world, from, out + (size_t)from * bytes, d->count);
    }
}

/* PVM has no such call; a program would reduce to one task and scatter from there. */
void ops_reduce_scatter(struct ops_data *d)
{
    /* The reduction is of the pieces of all tasks, and the scatter of one piece each. */
    int count = d->count;

    d->count *= d->size;
    ops_reduce(d);
    d->count = count;
    ops_scatter(d);
}

/* Linear in the number of tasks: a chain of messages. */
void ops_scan(struct ops_data *d)
{
    int bytes = d->count * width(d);

    /* The inclusive sum begins with the own data. */
    memcpy(d->out, d->in, (size_t)bytes);
    if (d->rank > 0) {
        pvm_world_receive(&world, d->rank - 1, d->out, bytes);
        add(d, d->in, d->out);
    }
    if (d->rank + 1 < d->size)
        pvm_world_send(&world, d->rank + 1, d->out, bytes);
}

/* A task sends the inclusive sum, and keeps the one that it received. */
void ops_exscan(struct ops_data *d)
{
    int bytes = d->count * width(d);

    if (d->rank > 0) {
        pvm_world_receive(&world, d->rank - 1, d->out, bytes);
        add(d, d->out, d->in);
    }
    if (d->rank + 1 < d->size)
        pvm_world_send(&world, d->rank + 1, d->in, bytes);
}

/* ---- numbers ---- */

int numbers_size(void)
{
    return world.size;
}

/* Unknown: each rank is asked for its clock. */
int numbers_clock(int rank)
{
    return rank;
}

bool numbers_send(int to, const int64_t *numbers, int n)
{
    pvm_world_send(&world, to, numbers, n * (int)sizeof *numbers);
    return true;
}

/* Bytes without conversion: peers of hbench run on hosts of one kind. */
bool numbers_receive(int from, int64_t *numbers, int n)
{
    pvm_world_receive(&world, from, numbers, n * (int)sizeof *numbers);
    return true;
}

/* Instances of a group are numbered in the order of joining, so members join one after the other.
 * Once the group is frozen, the group server is not asked any more. */
static void join(void)
{
    char turn = 0;

    if (world.rank > 0)
        pvm_world_receive(&world, world.rank - 1, &turn, 1);
    pvm_world_check(pvm_joingroup(group), "pvm_joingroup");
    /* Hands the turn to the next one. */
    if (world.rank + 1 < world.size)
        pvm_world_send(&world, world.rank + 1, &turn, 1);
    pvm_world_check(pvm_freezegroup(group, world.size), "pvm_freezegroup");
}

/* Without a case, executes only one barrier, which `hbench launch` times. */
int main(int argc, char **argv)
{
    pvm_world_open(&world, argv);
    if (argc > 1) {
        join();
        if (!peer_measure_all(world.rank, world.size, argc, argv))
            pvm_world_fail("it could not be measured");
    }
    /* The mark of a complete run, for hbench_peer.c. */
    if (world.rank == 0)
        printf("done\n");
    fflush(stdout);
    pvm_world_close(&world);
    return 0;
}

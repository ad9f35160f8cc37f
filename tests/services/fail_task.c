/* fail_task.c - groups whose members are killed, for the tests of services: fail_task OPERATION
 * [BYTES] [outlive|leave].
 *
 * All tasks carry out the operation again and again, with checked results; 30 ms later the member
 * of the middle rank is killed, wherever it then is. Every other member must get HN_EDEAD with its
 * name, also when it asks once more; then the group shrinks, and they go on without it, first in
 * peace and then until the next one is killed, down to two members. Each that is left prints
 * OPERATION.
 *
 * leave: the member calls hn_exit() instead, between two operations.
 * outlive: nobody kills itself; all wait for what the test does to some of them ("waiting" is
 * printed by rank 0), shrink until they are among themselves, and print "SIZE go on".
 */
#include "check.h"
#include "hnow_coll.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static int elements = 1000;

/* ---- the operations: HN_OK, and then with the right result, or their error ---- */

static int bcast(double *a, double *b, const hn_group *group, int rank, int size)
{
    int root = size - 1;
    (void)b;
    for (int i = 0; i < elements; i++)
        a[i] = rank == root ? i : -1;
    int error = hn_bcast(a, (size_t)elements, HN_DOUBLE, root, group);
    for (int i = 0; i < elements && !error; i++)
        CHECK(a[i] == i);
    return error;
}

static int allreduce(double *a, double *b, const hn_group *group, int rank, int size)
{
    for (int i = 0; i < elements; i++)
        a[i] = rank + i;
    int error = hn_allreduce(a, b, (size_t)elements, HN_DOUBLE, HN_SUM, group);
    for (int i = 0; i < elements && !error; i++)
        CHECK(b[i] == size * i + size * (size - 1) / 2);
    return error;
}

static int alltoall(double *a, double *b, const hn_group *group, int rank, int size)
{
    int each = elements / size;
    for (int i = 0; i < size; i++)
        a[i * each] = rank * 100 + i;
    int error = hn_alltoall(a, (size_t)each, b, HN_DOUBLE, group);
    for (int i = 0; i < size && !error; i++)
        CHECK(b[i * each] == i * 100 + rank);
    return error;
}

static int barrier(double *a, double *b, const hn_group *group, int rank, int size)
{
    (void)a, (void)b, (void)rank, (void)size;
    return hn_barrier(group);
}

static int scan(double *a, double *b, const hn_group *group, int rank, int size)
{
    (void)size;
    for (int i = 0; i < elements; i++)
        a[i] = rank;
    int error = hn_scan(a, b, (size_t)elements, HN_DOUBLE, HN_SUM, group);
    CHECK(error || b[elements - 1] == rank * (rank + 1) / 2);
    return error;
}

static int gatherv(double *a, double *b, const hn_group *group, int rank, int size)
{
    size_t counts[64], displs[64];
    for (int i = 0; i < size; i++) {
        counts[i] = (size_t)i;
        displs[i] = (size_t)(i * i);
    }
    a[0] = rank;
    int error = hn_gatherv(a, (size_t)rank, b, counts, displs, HN_DOUBLE, 1, group);
    CHECK(error || rank != 1 || b[(size - 1) * (size - 1)] == size - 1);
    return error;
}

static int split(double *a, double *b, const hn_group *group, int rank, int size)
{
    hn_group *half;
    (void)a, (void)b;
    int error = hn_group_split(group, rank % 2, 0, &half);
    if (error)
        return error;
    /* No operation on it: its other member may have heard before, and have no half. */
    CHECK(hn_group_size(half) == (size + 1 - rank % 2) / 2);
    hn_group_free(half);
    return HN_OK;
}

/* Two at the same time, ended in the other order: the result is that of the second. */
static int both(double *a, double *b, const hn_group *group, int rank, int size)
{
    hn_request *first, *second = NULL;
    size_t half = (size_t)elements / 2;
    for (int i = 0; i < elements; i++)
        a[i] = rank + i;
    int error = hn_iallreduce(a, b, half, HN_DOUBLE, HN_SUM, group, &first);
    if (error)
        return error;
    error = hn_ireduce(a + half, b + half, half, HN_DOUBLE, HN_MAX, size - 1, group, &second);
    if (!error)
        error = hn_wait(second, NULL);
    int before = hn_wait(first, NULL); /* its error text names the dead as well as the other's */
    CHECK(error || before || b[1] == size + size * (size - 1) / 2);
    CHECK(error || rank != size - 1 || b[half] == rank + (int)half);
    return before ? before : error;
}

/* Made anew for every group, started several times. */
static int lasting(double *a, double *b, const hn_group *group, int rank, int size)
{
    hn_request *request;
    int error = hn_scan_init(a, b, (size_t)elements, HN_DOUBLE, HN_SUM, group, &request);
    if (error)
        return error;
    for (int k = 0; k < 3 && !error; k++) {
        for (int i = 0; i < elements; i++)
            a[i] = rank;
        error = hn_start(request);
        if (!error)
            error = hn_wait(request, NULL);
        CHECK(error || b[elements - 1] == rank * (rank + 1) / 2);
    }
    char said[200]; /* freeing a request says nothing */
    snprintf(said, sizeof said, "%s", hn_error_text());
    CHECK(hn_request_free(request) == HN_OK && strcmp(said, hn_error_text()) == 0);
    (void)size;
    return error;
}

/* Several under way whose counts are sent round first, ended in the other order. */
static int uneven(double *a, double *b, const hn_group *group, int rank, int size)
{
    enum { MANY = 4 };
    hn_request *requests[MANY];
    size_t counts[64], displs[64];
    int count = 0, error = HN_OK;
    for (int i = 0; i < size; i++) {
        counts[i] = (size_t)(10 * i + 1);
        displs[i] = (size_t)(i * elements / size);
    }
    for (int i = 0; i < elements; i++)
        a[i] = rank;
    for (; count < MANY && !error; count += !error)
        error = hn_igatherv(a, counts[rank], b + count * elements, counts, displs, HN_DOUBLE,
                            count % size, group, &requests[count]);
    while (count-- > 0) {
        int own = hn_wait(requests[count], NULL);
        error = error ? error : own;
        for (int i = 0; i < size && !error && count % size == rank; i++)
            CHECK(b[(size_t)(count * elements) + displs[i] + counts[i] - 1] == i);
    }
    return error;
}

/* One that cannot be planned before those begun earlier are, which nobody has waited for. Who dies
 * comes late, so that it most often dies while the others are at that. */
static int behind(double *a, double *b, const hn_group *group, int rank, int size)
{
    hn_request *requests[3];
    size_t counts[64], displs[64];
    int begun = 0, error = HN_OK;
    for (int i = 0; i < size; i++) {
        counts[i] = 10;
        displs[i] = (size_t)i * 10;
    }
    for (int i = 0; i < 30; i++)
        a[i] = rank;
    if (rank == size / 2)
        nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
    for (; begun < 3 && !error; begun += !error)
        error = hn_igatherv(a, 10, b + begun * 10 * size, counts, displs, HN_DOUBLE, begun % size,
                            group, &requests[begun]);
    if (!error)
        error = hn_allgatherv(a, b + 30 * (size_t)size, counts, displs, HN_DOUBLE, group);
    for (int i = 0; i < size && !error; i++)
        CHECK(b[30 * (size_t)size + displs[i] + 9] == i);
    while (begun-- > 0) {
        int own = hn_wait(requests[begun], NULL);
        error = error ? error : own;
    }
    return error;
}

/* Blocks of types of their own, in place, again and again. */
static int typed(double *a, double *b, const hn_group *group, int rank, int size)
{
    hn_request *request;
    size_t counts[64], places[64];
    hn_type types[64];
    (void)b;
    for (int i = 0; i < size; i++) {
        counts[i] = 100;
        places[i] = (size_t)i * 100 * sizeof *a;
        types[i] = HN_DOUBLE;
    }
    int error =
        hn_alltoallw_init(HN_IN_PLACE, NULL, NULL, NULL, a, counts, places, types, group, &request);
    if (error)
        return error;
    for (int k = 0; k < 3 && !error; k++) {
        for (int i = 0; i < size; i++)
            a[i * 100 + 99] = rank;
        error = hn_start(request);
        if (!error)
            error = hn_wait(request, NULL);
        for (int i = 0; i < size && !error; i++)
            CHECK(a[i * 100 + 99] == i);
    }
    char said[200];
    snprintf(said, sizeof said, "%s", hn_error_text());
    CHECK(hn_request_free(request) == HN_OK && strcmp(said, hn_error_text()) == 0);
    return error;
}

static const struct {
    const char *name;
    int (*run)(double *in, double *out, const hn_group *group, int rank, int size);
} operations[] = {
    {"bcast", bcast},     {"allreduce", allreduce}, {"alltoall", alltoall}, {"barrier", barrier},
    {"scan", scan},       {"gatherv", gatherv},     {"split", split},       {"both", both},
    {"lasting", lasting}, {"uneven", uneven},       {"typed", typed},       {"behind", behind},
};

/* ---- dying ---- */

static bool leaves; /* instead of dying */

static void die(int signo)
{
    (void)signo;
    raise(SIGKILL);
}

static void die_soon(void)
{
    struct itimerval timer = {.it_value = {0, 30000}};
    signal(SIGALRM, die);
    CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

/* When all others have done what was in peace, the victim's time begins. */
static void begin_dying(const hn_group *group, hn_tid victim)
{
    hn_context before = hn_set_context(hn_group_context(group));
    if (hn_mytid() != victim)
        CHECK(hn_send(victim, 1, NULL, 0, HN_INT) == HN_OK);
    for (int i = 1; hn_mytid() == victim && i < hn_group_size(group); i++)
        CHECK(hn_recv(HN_ANY, 1, NULL, 0, HN_INT, NULL) == HN_OK);
    hn_set_context(before);
    if (hn_mytid() == victim && leaves)
        exit(0);
    if (hn_mytid() == victim)
        die_soon();
}

static void check_named(hn_tid victim)
{
    char name[40];
    snprintf(name, sizeof name, "task %d on host ", victim);
    CHECK(strstr(hn_error_text(), name));
}

/* ---- going on ---- */

static double *first, *second; /* buffers */
static int (*run)(double *in, double *out, const hn_group *group, int rank, int size);

static int run_on(const hn_group *group)
{
    return run(first, second, group, hn_group_rank(group, hn_mytid()), hn_group_size(group));
}

static int run_until_error(const hn_group *group)
{
    int error;
    do
        error = run_on(group);
    while (error == HN_OK);
    return error;
}

/* The next operation ends badly for everybody but the victim: because of its failure at once, or
 * because of its leaving when one of them shrinks the group. */
static void check_broken(const hn_group *group, hn_tid victim)
{
    CHECK(run_until_error(group) == HN_EDEAD);
    check_named(victim);
    if (leaves)
        return;
    CHECK(hn_group_dead(group) == victim && run_on(group) == HN_EDEAD);
    check_named(victim);
}

/* One member dies, the others see it and make a group of their own, instead of the old one. */
static hn_group *without_one(hn_group *old)
{
    const hn_group *group = old ? old : hn_world();
    int size = hn_group_size(group), rank = hn_group_rank(group, hn_mytid());
    hn_tid victim = hn_group_tid(group, size / 2);
    hn_group *smaller;
    for (int i = 0; i < 10; i++)
        CHECK(run_on(group) == HN_OK);
    begin_dying(group, victim);
    check_broken(group, victim);
    CHECK(hn_group_shrink(group, &smaller) == HN_OK);
    CHECK(hn_group_size(smaller) == size - 1 && hn_group_dead(smaller) == 0);
    CHECK(hn_group_rank(smaller, hn_mytid()) == rank - (rank > size / 2));
    hn_group_free(old);
    return smaller;
}

/* Members may be killed as soon as rank 0 has said that it waits: then the others can be in their
 * first operation still. */
static void outlive(void)
{
    hn_group *smaller;
    int begun = run_on(hn_world());
    CHECK(begun == HN_OK || (begun == HN_EDEAD && hn_rank() > 0));
    if (hn_rank() == 0)
        puts("waiting");
    fflush(stdout);
    CHECK(begun == HN_EDEAD || run_until_error(hn_world()) == HN_EDEAD);
    CHECK(hn_group_shrink(hn_world(), &smaller) == HN_OK);
    for (int good = 0; good < 10; good++)
        if (run_on(smaller) == HN_EDEAD) {
            hn_group *group = smaller;
            CHECK(hn_group_shrink(group, &smaller) == HN_OK);
            hn_group_free(group);
            good = 0;
        }
    printf("%d go on\n", hn_group_size(smaller));
}

int main(int argc, char **argv)
{
    hn_group *group = NULL;
    CHECK(argc >= 2 && hn_enrol() == HN_OK);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, argv[1]) == 0)
            run = operations[i].run;
    elements = argc > 2 ? atoi(argv[2]) / 8 : elements;
    first = calloc((size_t)elements + 100, sizeof *first);
    second = calloc(4 * (size_t)elements + 5000, sizeof *second);
    CHECK(run && first && second);
    leaves = argc > 3 && strcmp(argv[3], "leave") == 0;
    if (argc > 3 && !leaves) {
        outlive();
    } else {
        for (int size = hn_size(); size > 2; size--)
            group = without_one(group);
        puts(argv[1]);
    }
    free(first);
    free(second);
    return 0;
}

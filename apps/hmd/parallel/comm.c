/* comm.c - all message passing of hmd, see comm.h.
 *
 * A step of N atoms has one reduce-scatter of 3 N doubles (forces) and one allgatherv of somewhat
 * more than 3 N doubles (coordinates, energies).  CHARMM sends x, y and z separately; sending them
 * together saves two thirds of the start-up times.  With -decomp replicated the first is an
 * allreduce.
 */
#include "comm.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hnow_coll.h"
#include "mem.h"
#include "timers.h"

enum { COMM_FIRST = 1 };       /* tag of comm_await_first() */
enum { COMM_PATIENCE = 2000 }; /* ms */

/* `what` says in the message which step of the program failed. */
static int comm_check(const char *what, int code, struct err *e)
{
    if (code >= 0)
        return 0;
    return err_set(e, ERR_RUN, "%s failed: %s", what, hn_error_text());
}

/* Adds the time of an operation of a step that began at `begin`. */
static void comm_spent(struct comm *c, double begin)
{
    c->seconds += timers_now() - begin;
}

/* A job of one task needs no hrun. */
int comm_start(struct comm *c, struct err *e)
{
    memset(c, 0, sizeof *c);
    int code = hn_enrol();
    if (code < 0)
        return comm_check("joining the job", code, e);
    c->rank = hn_rank();
    c->size = hn_size();
    return 0;
}

/* Blocks until the others have received what was sent. */
void comm_stop(struct comm *c)
{
    hn_group_free(c->sums);
    mem_free(c->whole);
    hn_exit();
}

void comm_meet(struct comm *c)
{
    (void)c;
    hn_barrier(hn_world());
}

/* The others wait at most COMM_PATIENCE, since rank 0 may have ended without a message. */
void comm_await_first(struct comm *c)
{
    for (int r = 1; c->rank == 0 && r < c->size; r++)
        hn_send(hn_group_tid(hn_world(), r), COMM_FIRST, NULL, 0, HN_BYTE);
    if (c->rank)
        hn_recv_timeout(hn_group_tid(hn_world(), 0), COMM_FIRST, NULL, 0, HN_BYTE, COMM_PATIENCE,
                        NULL);
}

/* Splits NAME,NAME and returns the second name, which sums follow; the first remains for the
 * world's operations.  NULL: it is one name, whatever commas it contains
 * (gather+bcast:eco,star). */
static const char *comm_plan_cut(char *names)
{
    for (char *comma = strchr(names, ','); comma; comma = strchr(comma + 1, ',')) {
        *comma = 0;
        if (hn_set_plan(hn_world(), names) == HN_OK)
            return comma + 1;
        *comma = ',';
    }
    return NULL;
}

int comm_plan(struct comm *c, const char *plan, struct err *e)
{
    if (!plan)
        return 0;
    char *names = mem_new(strlen(plan) + 1, 1);
    strcpy(names, plan);
    /* A plan of its own for the sums needs a group of its own. */
    const char *sums = comm_plan_cut(names);
    int code =
        sums ? hn_group_split(hn_world(), 0, c->rank, &c->sums) : hn_set_plan(hn_world(), names);
    if (code == HN_OK && sums)
        code = hn_set_plan(c->sums, sums);
    mem_free(names);
    return code == HN_OK ? 0 : err_set(e, ERR_INPUT, "-plan %s: %s", plan, hn_error_text());
}

/* The group whose plans sums follow. */
static const hn_group *sums_group(const struct comm *c)
{
    return c->sums ? c->sums : hn_world();
}

/* The most bytes of an input file, which is held in memory: three times a PSF of ten million atoms.
 */
static const int64_t FILE_MOST = INT64_C(1) << 32;

/* comm_read() returns NOT_TEXT - L if line L has a byte 0: a binary file, or a device without an
 * end. */
static const int64_t NOT_TEXT = -(INT64_C(1) << 32);

/* Rank 0: returns the length of the file, NOT_TEXT - line, or -errno. The text grows by half each
 * time; one byte stays free for the terminating 0. A directory is opened by fopen(), but fread()
 * fails. */
static int64_t comm_read(const char *path, char **data)
{
    FILE *file = fopen(path, "rb");
    size_t room = 0, n = 0, got = 0;
    const char *zero = NULL;
    *data = NULL;
    if (!file)
        return -errno;
    do {
        n += got;
        mem_grow(data, &room, n + 65536, 1);
        got = fread(*data + n, 1, room - n - 1, file);
        zero = memchr(*data + n, 0, got);
    } while (got && !zero && (int64_t)n < FILE_MOST);
    /* A byte 0 means that it is no text: its line is returned. */
    int64_t result = zero ? NOT_TEXT - 1 : got ? -EFBIG : (int64_t)n;
    for (const char *c = *data; zero && c < zero; c++)
        result -= *c == '\n';
    if (ferror(file))
        result = errno ? -errno : -EIO;
    fclose(file);
    (*data)[n] = 0;
    return result;
}

/* The length is broadcast first, with errors as negative numbers, so that all tasks have the same
 * message. */
int comm_file(struct comm *c, const char *path, char **data, size_t *length, struct err *e)
{
    int64_t n = 0;
    *data = NULL;
    if (c->rank == 0)
        n = comm_read(path, data);
    int status = comm_check("broadcasting a file", hn_bcast(&n, 1, HN_INT64, 0, hn_world()), e);
    if (!status && n <= NOT_TEXT)
        status = err_set(e, ERR_INPUT, "%s:%" PRId64 ": a byte 0: this is not a text file", path,
                         NOT_TEXT - n);
    else if (!status && n < 0)
        status = err_set(e, ERR_INPUT, "%s: cannot be read: %s", path, strerror((int)-n));
    if (status)
        return status;
    *length = (size_t)n;
    /* One more byte for the terminating 0, which mem_new() clears. */
    if (c->rank)
        *data = mem_new(*length + 1, 1);
    return comm_check("broadcasting a file", hn_bcast(*data, *length, HN_BYTE, 0, hn_world()), e);
}

/* In place, on all tasks. */
int comm_sum(struct comm *c, double *v, size_t n, struct err *e)
{
    if (c->size == 1)
        return 0;
    double start = timers_now();
    int code = hn_allreduce(HN_IN_PLACE, v, n, HN_DOUBLE, HN_SUM, sums_group(c));
    comm_spent(c, start);
    return comm_check("summing over the tasks", code, e);
}

/* comm_reduce() by an allreduce. c->whole is kept for the next step. */
static int comm_reduce_to_all(struct comm *c, const double *in, double *out, const size_t *counts,
                              struct err *e)
{
    size_t all = 0, first = 0;
    for (int r = 0; r < c->size; r++) {
        first += r < c->rank ? counts[r] : 0;
        all += counts[r];
    }
    mem_grow(&c->whole, &c->whole_room, all, sizeof *c->whole);
    memcpy(c->whole, in, all * sizeof *in);
    int status = comm_sum(c, c->whole, all, e);
    memcpy(out, c->whole + first, counts[c->rank] * sizeof *out);
    return status;
}

/* Each task gets the sums of its own block. */
int comm_reduce(struct comm *c, const double *in, double *out, const size_t *counts, struct err *e)
{
    if (c->size == 1) {
        memcpy(out, in, counts[0] * sizeof *out);
        return 0;
    }
    if (c->replicated)
        return comm_reduce_to_all(c, in, out, counts, e);
    double start = timers_now();
    int code = hn_reduce_scatter(in, out, counts, HN_DOUBLE, HN_SUM, sums_group(c));
    comm_spent(c, start);
    return comm_check("summing forces", code, e);
}

int comm_broadcast(struct comm *c, double *v, size_t n, struct err *e)
{
    if (c->size == 1)
        return 0;
    return comm_check("broadcasting numbers", hn_bcast(v, n, HN_DOUBLE, 0, hn_world()), e);
}

/* `count` numbers for each task. */
int comm_transpose(struct comm *c, const double *in, double *out, size_t count, struct err *e)
{
    double start = timers_now();
    int code = hn_alltoall(in, count, out, HN_DOUBLE, hn_world());
    comm_spent(c, start);
    return comm_check("transposing the grid", code, e);
}

/* Each task's part is in its place already; the others' are filled in. */
int comm_gather(struct comm *c, double *v, const size_t *counts, const size_t *first, struct err *e)
{
    if (c->size == 1)
        return 0;
    double start = timers_now();
    int code = hn_allgatherv(HN_IN_PLACE, v, counts, first, HN_DOUBLE, hn_world());
    comm_spent(c, start);
    return comm_check("gathering coordinates", code, e);
}

/* Used for reports after a run, so it is not included in the times of steps. */
int comm_rows(struct comm *c, double *rows, size_t width, struct err *e)
{
    if (c->size == 1)
        return 0;
    int code = hn_allgather(HN_IN_PLACE, width, rows, HN_DOUBLE, hn_world());
    return comm_check("gathering times", code, e);
}

int comm_ring(struct comm *c, int *ring, struct err *e)
{
    hn_topology *topology;
    int code = hn_topology_ring(hn_world(), &topology);
    if (code < 0)
        return comm_check("laying the ring", code, e);
    for (int k = 0; k < c->size; k++)
        ring[k] = hn_group_rank(hn_world(), hn_group_tid(hn_topology_group(topology), k));
    hn_topology_free(topology);
    return 0;
}

/* comm.c - all message passing of hmd, see comm.h.
 *
 * Costs of a step of N atoms: one reduce-scatter of 3 N doubles (forces), one allgatherv of 3 N
 * doubles and some more (coordinates, energies).  CHARMM sends x, y and z one by one; here they go
 * together, which saves two thirds of the start-up times.
 */
#include "comm.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hnow_coll.h"
#include "mem.h"
#include "timers.h"

static int comm_check(const char *what, int code, struct err *e)
{
    if (code >= 0)
        return 0;
    return err_set(e, ERR_RUN, "%s failed: %s", what, hn_error_text());
}

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

void comm_stop(struct comm *c)
{
    (void)c;
    hn_exit();
}

int comm_plan(struct comm *c, const char *plan, struct err *e)
{
    (void)c;
    if (!plan || hn_set_plan(hn_world(), plan) == HN_OK)
        return 0;
    return err_set(e, ERR_INPUT, "-plan %s: %s", plan, hn_error_text());
}

/* Rank 0: the file as it is, or -errno. */
static int64_t comm_read(const char *path, char **data)
{
    FILE *file = fopen(path, "rb");
    size_t room = 0, n = 0, got = 0;
    *data = NULL;
    if (!file)
        return -errno;
    do {
        n += got;
        mem_grow(data, &room, n + 65536, 1);
        got = fread(*data + n, 1, room - n - 1, file);
    } while (got);
    int64_t result = ferror(file) ? -EIO : (int64_t)n;
    if (result == -EIO && errno)
        result = -errno;
    fclose(file);
    (*data)[n] = 0;
    return result;
}

int comm_file(struct comm *c, const char *path, char **data, size_t *length, struct err *e)
{
    int64_t n = 0;
    *data = NULL;
    if (c->rank == 0)
        n = comm_read(path, data);
    int status = comm_check("broadcasting a file", hn_bcast(&n, 1, HN_INT64, 0, hn_world()), e);
    if (!status && n < 0)
        status = err_set(e, ERR_INPUT, "%s: cannot be read: %s", path, strerror((int)-n));
    if (status)
        return status;
    *length = (size_t)n;
    if (c->rank)
        *data = mem_new(*length + 1, 1);
    return comm_check("broadcasting a file", hn_bcast(*data, *length, HN_BYTE, 0, hn_world()), e);
}

int comm_reduce(struct comm *c, const double *in, double *out, const size_t *counts, struct err *e)
{
    if (c->size == 1) {
        memcpy(out, in, counts[0] * sizeof *out);
        return 0;
    }
    double start = timers_now();
    int code = hn_reduce_scatter(in, out, counts, HN_DOUBLE, HN_SUM, hn_world());
    c->seconds += timers_now() - start;
    return comm_check("summing forces", code, e);
}

int comm_sum(struct comm *c, double *v, size_t n, struct err *e)
{
    if (c->size == 1)
        return 0;
    double start = timers_now();
    int code = hn_allreduce(HN_IN_PLACE, v, n, HN_DOUBLE, HN_SUM, hn_world());
    c->seconds += timers_now() - start;
    return comm_check("summing over the tasks", code, e);
}

int comm_transpose(struct comm *c, const double *in, double *out, size_t count, struct err *e)
{
    double start = timers_now();
    int code = hn_alltoall(in, count, out, HN_DOUBLE, hn_world());
    c->seconds += timers_now() - start;
    return comm_check("transposing the grid", code, e);
}

int comm_gather(struct comm *c, double *v, const size_t *counts, const size_t *first, struct err *e)
{
    if (c->size == 1)
        return 0;
    double start = timers_now();
    int code = hn_allgatherv(HN_IN_PLACE, v, counts, first, HN_DOUBLE, hn_world());
    c->seconds += timers_now() - start;
    return comm_check("gathering coordinates", code, e);
}

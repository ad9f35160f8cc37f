/* derive_machines.c - the cost of messages on a machine that several hosts share.
 *
 * Sets of co-located hosts send in rings, all at once.  If that takes longer than two hosts alone,
 * the machine is busy all the time: the cost of a message is the time divided by the number of
 * messages.  A line through several sizes separates the cost of a message from that of its bytes.
 * A machine that slows nobody down is no limit and gets no cost.  Its number of cores is always
 * written, because programs that plan computation share them.  Where all hosts send to all others
 * at once, a message costs less: its receiver is mostly awake.
 */
#include "derive/derivation.h"

#include <stdio.h>
#include <stdlib.h>

/* Message sizes of a machine that the fit uses; further ones are ignored. hprobe measures at most
 * three (measure_machines.c). */
enum { SIZES = 8 };

/* Which ranks share a machine. The first rank names the machine. */
struct rings {
    const struct samples *samples;
    int *machine; /* [rank]: the first host on its machine; -1: not shared */
};

/* 0: unknown. */
static int64_t cores_of(const struct rings *c, int machine)
{
    for (int i = 0; i < c->samples->count; i++) {
        const struct sample *s = &c->samples->sample[i];
        if (s->kind == SAMPLE_ON && s->from == machine)
            return s->bytes < HN_CORES_MOST ? s->bytes : 0;
    }
    return 0;
}

/* A rank is on the machine of the first rank there, which is listed with itself. */
static void find_machines(struct rings *c, int n)
{
    for (int rank = 0; rank < n; rank++)
        c->machine[rank] = -1;
    for (int i = 0; i < c->samples->count; i++) {
        const struct sample *s = &c->samples->sample[i];
        if (s->kind == SAMPLE_ON && s->from < n && s->to <= s->from)
            c->machine[s->from] = s->to;
    }
}

/* Messages per nanosecond, of all sets on a machine together; *most: what they would send alone. */
static double rate(const struct rings *c, enum sample_kind kind, int machine, int64_t bytes,
                   double *most)
{
    double sum = 0;
    *most = 0;
    for (int i = 0; i < c->samples->count; i++) {
        const struct sample *s = &c->samples->sample[i];
        if (s->kind != kind || !s->count || c->machine[s->from] != machine || s->bytes != bytes)
            continue;
        /* Sets send at the same time, so their rates add up. */
        sum += 1 / (double)s->median;
        *most += s->alone > 0 ? s->at_once / (double)s->alone : 0;
    }
    return sum;
}

/* The next larger size of a machine's sets; 0: none. */
static int64_t next_size(const struct rings *c, int machine, int64_t bytes)
{
    int64_t next = 0;
    for (int i = 0; i < c->samples->count; i++) {
        const struct sample *s = &c->samples->sample[i];
        if (s->kind == SAMPLE_RING && s->count && c->machine[s->from] == machine &&
            s->bytes > bytes && (next == 0 || s->bytes < next))
            next = s->bytes;
    }
    return next;
}

/* Cost of a one-byte message whose receiver is awake; 0: the same as others. */
static hn_time queued_of(const struct rings *c, int machine, hn_time message)
{
    double most, together = rate(c, SAMPLE_ALL, machine, 1, &most);
    hn_time queued = together > 0 ? (hn_time)(1000 / together) : 0;
    return queued < message ? queued : 0;
}

/* Fits a line through the sizes at which the machine is the bottleneck. If it is not for the
 * smallest messages, only bytes have a cost. Sizes at which the hosts' own networks are slower than
 * the machine show nothing about it. */
static hn_machine_cost cost_of(const struct rings *c, int machine)
{
    struct fit_point point[SIZES];
    int count = 0, sizes = 0;
    for (int64_t bytes = 0; sizes < SIZES && (bytes = next_size(c, machine, bytes)) > 0; sizes++) {
        double most, together = rate(c, SAMPLE_RING, machine, bytes, &most);
        if (most > MACHINE_SLOWER * together)
            point[count++] = (struct fit_point){bytes, (int64_t)(1 / together) + 1};
    }
    if (count == 0)
        return (hn_machine_cost){0};
    const struct fit_point *last = &point[count - 1];
    if (point[0].bytes > 1)
        return (hn_machine_cost){.per_byte = last->ns * 1000000 / last->bytes};
    struct fit_line line = fit_points(point, count);
    return (hn_machine_cost){.message = line.constant,
                             .per_byte = line.per_byte,
                             .queued = queued_of(c, machine, line.constant)};
}

/* Machines are numbered from m1 in the order of their first hosts. */
static int state_machines(hn_net *net, const int *host, int n, const struct rings *c, int *member)
{
    int number = 1, code = HN_OK;
    for (int first = 0; first < n && code == HN_OK; first++) {
        char name[16];
        int count = 0;
        if (c->machine[first] != first)
            continue;
        for (int rank = first; rank < n; rank++)
            if (c->machine[rank] == first)
                member[count++] = host[rank];
        hn_machine_cost cost = cost_of(c, first);
        cost.cores = cores_of(c, first);
        snprintf(name, sizeof name, "m%d", number);
        /* A machine about which nothing is known gets no line. */
        if (cost.message > 0 || cost.per_byte > 0 || cost.cores > 0) {
            code = hn_net_add_machine(net, name, cost, member, count);
            number++;
        }
    }
    return code;
}

int derive_machines(struct derivation *d)
{
    int n = d->n, *room = malloc(2 * (size_t)n * sizeof *room);
    if (!room)
        return error_set(HN_ENOMEM, "no memory for the machines of %d hosts", n);
    struct rings rings = {d->input.samples, room};
    net_forget_machines(d->input.net);
    find_machines(&rings, n);
    int code = state_machines(d->input.net, d->input.host, n, &rings, room + n);
    free(room);
    return code;
}

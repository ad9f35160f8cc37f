/* derive_machines.c - what messages take of a machine that several hosts share.
 *
 * When pairs of hosts that exchange messages all at once are slower than each alone, their machine
 * is busy all the time: what a message takes of it is the time over the number of messages.  One
 * byte gives the message's part, larger ones that of their bytes.  What does not slow anybody down
 * is no limit, and is not stated.
 */
#include "derivation.h"
#include "error.h"

#include <stdio.h>
#include <stdlib.h>

static const double slower = 1.25; /* less than that is noise */
/* In a series tasks and caches are awake; a message of an operation wakes its receiver.  Broadcasts
 * of 16 kB by 7, 14 and 28 messages among eight hosts on two cores took 23 to 27 us more for each
 * message, where a series had 9 to 11. */
static const double asleep = 2.5;

struct crowds {
    const struct samples *samples;
    int *machine; /* [rank]: the first one on its machine; -1: it has one of its own */
};

static void find_machines(struct crowds *c, int n)
{
    for (int rank = 0; rank < n; rank++)
        c->machine[rank] = -1;
    for (int i = 0; i < c->samples->count; i++) {
        const struct sample *s = &c->samples->sample[i];
        if (s->kind == SAMPLE_ON && s->from < n && s->to <= s->from)
            c->machine[s->from] = s->to;
    }
}

/* Rounds in a nanosecond, of all pairs on a machine together; *most: the largest message. */
static double rounds(const struct crowds *c, enum sample_kind kind, int machine, bool large,
                     int64_t *most)
{
    double sum = 0;
    for (int i = 0; i < c->samples->count; i++) {
        const struct sample *s = &c->samples->sample[i];
        if (s->kind != kind || !s->count || c->machine[s->from] != machine ||
            large != (s->bytes > DERIVATION_PAGE))
            continue;
        sum += 1 / (double)s->median;
        *most = s->bytes > *most ? s->bytes : *most;
    }
    return sum;
}

/* Nanoseconds that a message takes of a machine; 0: it is no limit. */
static double share(const struct crowds *c, int machine, bool large, int64_t *bytes)
{
    double alone = rounds(c, SAMPLE_ALONE, machine, large, bytes);
    double crowd = rounds(c, SAMPLE_CROWD, machine, large, bytes);
    return crowd > 0 && alone > slower * crowd ? 1 / (2 * crowd) : 0;
}

static hn_machine_cost cost_of(const struct crowds *c, int machine)
{
    int64_t bytes = 0;
    double small = share(c, machine, false, &bytes), large = share(c, machine, true, &bytes);
    double rest = large > small ? (large - small) / (double)bytes : 0;
    return (hn_machine_cost){(hn_time)(asleep * small * 1e3), (hn_per_byte)(rest * 1e6)};
}

static int state_machines(hn_net *net, const int *host, int n, const struct crowds *c, int *member)
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
        snprintf(name, sizeof name, "m%d", number);
        if (cost.message > 0 || cost.per_byte > 0) {
            code = hn_net_add_machine(net, name, cost, member, count);
            number++;
        }
    }
    return code;
}

int derive_machines(hn_net *net, const int *host, int n, const struct samples *samples)
{
    int *room = malloc(2 * (size_t)n * sizeof *room);
    if (!room)
        return error_set(HN_ENOMEM, "no memory for the machines of %d hosts", n);
    struct crowds crowds = {samples, room};
    net_forget_machines(net);
    find_machines(&crowds, n);
    int code = state_machines(net, host, n, &crowds, room + n);
    free(room);
    return code;
}

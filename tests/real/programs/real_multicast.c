/* real_multicast.c - messages to many, checked byte by byte:
 *
 *   reach MS            each rank says how many others its datagrams reach
 *   mix SEED ROUNDS MS  multicasts of changing roots to all or some, between ordinary messages
 *   stream COUNT BYTES  rank 0 multicasts so many messages of so many bytes
 *   stop COUNT BYTES    the same; after a quarter of them the last rank stops itself (SIGSTOP)
 *   coll bcast|all MS   broadcasts; barriers, allreduces, scans and allgathers, too
 *
 * MS: so many milliseconds are there for finding out who is reached, before anything else.
 * All ranks draw the same rounds from the seed, so that each knows what comes to it from whom, and
 * in which order.  Times are those of CLOCK_MONOTONIC, which all hosts of a bed have in common.
 */
#include "hnow.h"
#include "hnow_coll.h"
#include "timed.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64, LONGEST = 200000, TAG = 5, DONE = 6, REACH = 5000 };

static hn_tid tids[MOST];
static int rank, size;
static uint8_t *room, *wanted;

/* ---- contents ----------------------------------------------------------------------------------
 */

static void fill(uint8_t *p, size_t bytes, unsigned id)
{
    for (size_t k = 0; k < bytes; k++) {
        uint32_t x = ((uint32_t)k + 1) * 2654435761u ^ (id + 1) * 40503u;
        x = (x ^ x >> 15) * 2246822519u;
        p[k] = (uint8_t)(x >> 13);
    }
}

/* Takes a message and compares it with that one; false: it is another, of which it tells. */
static int is_received(hn_tid from, int tag, size_t bytes, unsigned id)
{
    hn_info info;
    int error = hn_recv(from, tag, room, LONGEST, HN_BYTE, &info);

    fill(wanted, bytes, id);
    if (!error && info.count == bytes && memcmp(room, wanted, bytes) == 0)
        return 1;
    printf("rank %d from %x: message %u: %s, %zu bytes of %zu\n", rank, (unsigned)from, id,
           error ? hn_error_text() : "wrong", info.count, bytes);
    return 0;
}

/* ---- who is reached ----------------------------------------------------------------------------
 */

static int reach(int milliseconds)
{
    char reached[MOST];
    int count = hn_multicast_reach(tids, size, milliseconds, reached), said = 0;

    for (int i = 0; i < size; i++)
        said += reached[i];
    printf("rank %d reaches %d of %d\n", rank, count, size - 1);
    fflush(stdout);
    return said == count && !reached[rank];
}

static int others(hn_tid *to)
{
    int n = 0;

    for (int i = 0; i < size; i++)
        if (i != rank)
            to[n++] = tids[i];
    return n;
}

/* ---- a mixture ---------------------------------------------------------------------------------
 */

struct step {
    int from, many; /* many: a multicast */
    uint64_t to;    /* the bits of the receivers */
    size_t bytes;
};

static uint64_t state;

static unsigned below(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

static size_t any_size(void)
{
    static const size_t sizes[] = {0, 1, 3000, 200000};
    unsigned one = below(16);

    return one == 0 ? sizes[3] : one == 1 ? below(60000) : sizes[one % 3];
}

static struct step draw(void)
{
    struct step s = {(int)below((unsigned)size), below(2) == 0, 0, any_size()};

    if (!s.many)
        s.to = 1u << below((unsigned)size);
    else if (below(3))
        s.to = (UINT64_C(1) << size) - 1 - (below(4) ? UINT64_C(1) << s.from : 0);
    else
        for (int i = 0; i < size; i++)
            s.to |= (uint64_t)below(2) << i;
    return s;
}

static int send_step(const struct step *s, unsigned id)
{
    hn_tid to[MOST];
    int n = 0;

    fill(room, s->bytes, id);
    for (int i = 0; i < size; i++)
        if (s->to >> i & 1)
            to[n++] = tids[i];
    return s->many ? hn_multicast(to, n, TAG, room, s->bytes, HN_BYTE)
                   : hn_send(to[0], TAG, room, s->bytes, HN_BYTE);
}

/* What comes to this rank from each other one: numbers of steps. */
struct queue {
    int *id, due, taken, count;
};

static struct queue *expect(const struct step *steps, int rounds)
{
    struct queue *q = calloc((size_t)size, sizeof *q);

    for (int i = 0; i < size; i++)
        q[i].id = malloc((size_t)rounds * sizeof *q[i].id);
    for (int r = 0; r < rounds; r++)
        if (steps[r].to >> rank & 1) {
            struct queue *from = &q[steps[r].from];
            from->id[from->count++] = r;
        }
    return q;
}

static int rank_of(hn_tid tid)
{
    int i = 0;

    while (i < size && tids[i] != tid)
        i++;
    return i;
}

/* The next message of that rank (-1: of whoever is first) is the one that must come. */
static int take_next(struct queue *q, const struct step *steps, int from)
{
    hn_info info;

    if (from < 0) {
        if (hn_probe(HN_ANY, TAG, &info))
            return 0;
        from = rank_of(info.from);
    }
    if (from == size || q[from].taken == q[from].count) {
        printf("rank %d: one message too many from %d\n", rank, from);
        return 0;
    }
    int id = q[from].id[q[from].taken++];
    return is_received(tids[from], TAG, steps[id].bytes, (unsigned)id);
}

/* Takes what has been sent so far: of one after the other, or as many as that as they come. */
static int take_due(struct queue *q, const struct step *steps, int in_order)
{
    int left = 0, good = 1;

    for (int i = 0; i < size; i++)
        left += q[i].due - q[i].taken;
    while (good && !in_order && left-- > 0)
        good = take_next(q, steps, -1);
    for (int i = 0; i < size && in_order; i++)
        while (good && q[i].taken < q[i].due)
            good = take_next(q, steps, i);
    return good;
}

static int mix(unsigned seed, int rounds)
{
    struct step *steps = malloc((size_t)rounds * sizeof *steps);
    struct queue *q;
    int good = 1, many = 0, messages = 0;

    state = seed;
    for (int r = 0; r < rounds; r++)
        steps[r] = draw();
    q = expect(steps, rounds);
    for (int r = 0; r < rounds && good; r++) {
        many += steps[r].many;
        if (steps[r].from == rank && send_step(&steps[r], (unsigned)r))
            good = 0;
        q[steps[r].from].due += steps[r].to >> rank & 1;
        if (good && (r % 32 == 7 || r == rounds - 1))
            good = take_due(q, steps, r % 64 == 7);
    }
    good = good && take_due(q, steps, 1);
    for (int i = 0; i < size; i++) {
        good = good && q[i].taken == q[i].count;
        messages += q[i].taken;
        free(q[i].id);
    }
    if (good)
        printf("rank %d took all %d messages, %d multicasts in all\n", rank, messages, many);
    else
        printf("rank %d: wrong with seed %u: %s\n", rank, seed, hn_error_text());
    free(q);
    free(steps);
    return good;
}

/* ---- many of one root --------------------------------------------------------------------------
 */

static int stream(int count, size_t bytes)
{
    hn_tid to[MOST];
    int n = others(to), good = 1;

    for (int i = 0; i < count && good; i++) {
        fill(room, bytes, (unsigned)i);
        good = !hn_multicast(to, n, TAG, room, bytes, HN_BYTE);
    }
    for (int i = 0; i < n && good; i++)
        good = is_received(to[i], DONE, 0, 0);
    return good;
}

static void stop(void)
{
    printf("stops %d %.0f\n", (int)getpid(), now());
    fflush(stdout);
    raise(SIGSTOP);
}

static int take_stream(int count, size_t bytes, int stops)
{
    int good = 1;

    for (int i = 0; i < count && good; i++) {
        if (i == count / 4 && stops)
            stop();
        good = is_received(tids[0], TAG, bytes, (unsigned)i);
    }
    if (good)
        printf("rank %d has all %.0f\n", rank, now());
    fflush(stdout);
    return good && !hn_send(tids[0], DONE, NULL, 0, HN_BYTE);
}

/* ---- collective operations ----------------------------------------------------------------------
 */

static int bcast(size_t bytes, int root)
{
    uint8_t *data = calloc(1, bytes), *right = malloc(bytes);
    unsigned id = (unsigned)bytes + (unsigned)root;

    fill(right, bytes, id);
    if (rank == root)
        memcpy(data, right, bytes);
    int good = !hn_bcast(data, bytes, HN_BYTE, root, hn_world()) && memcmp(data, right, bytes) == 0;
    if (!good)
        printf("rank %d: bcast of %zu from %d is wrong: %s\n", rank, bytes, root, hn_error_text());
    free(data);
    free(right);
    return good;
}

/* Nobody leaves it before all have come. */
static int barrier(void)
{
    double came, left, last[MOST];

    usleep((useconds_t)(rank * 1000));
    came = now();
    int good = !hn_barrier(hn_world());
    left = now();
    good = good && !hn_allgather(&came, 1, last, HN_DOUBLE, hn_world());
    for (int i = 0; i < size; i++)
        good = good && last[i] <= left;
    if (!good)
        printf("rank %d: barrier is wrong: %s\n", rank, hn_error_text());
    return good;
}

static int allreduce(size_t count)
{
    double *mine = malloc(count * sizeof *mine), *all = malloc(count * sizeof *all);
    int good;

    for (size_t i = 0; i < count; i++)
        mine[i] = rank + (double)(i % 97);
    good = !hn_allreduce(mine, all, count, HN_DOUBLE, HN_SUM, hn_world());
    for (size_t i = 0; i < count && good; i++)
        good = all[i] == size * (size - 1) / 2 + size * (double)(i % 97);
    if (!good)
        printf("rank %d: allreduce of %zu is wrong: %s\n", rank, count, hn_error_text());
    free(mine);
    free(all);
    return good;
}

static int scan(size_t count, int inclusive)
{
    double *mine = malloc(count * sizeof *mine), *prefix = calloc(count, sizeof *prefix);
    int good, first = inclusive ? 0 : 1, ranks = rank + inclusive;

    for (size_t i = 0; i < count; i++)
        mine[i] = rank + (double)(i % 97);
    good = !(inclusive ? hn_scan : hn_exscan)(mine, prefix, count, HN_DOUBLE, HN_SUM, hn_world());
    for (size_t i = 0; i < count && good && rank >= first; i++)
        good = prefix[i] == ranks * (ranks - 1) / 2 + ranks * (double)(i % 97);
    if (!good)
        printf("rank %d: scan of %zu is wrong: %s\n", rank, count, hn_error_text());
    free(mine);
    free(prefix);
    return good;
}

static int allgather(size_t count)
{
    double *mine = malloc(count * sizeof *mine), *all = calloc(count * (size_t)size, sizeof *all);
    int good;

    for (size_t i = 0; i < count; i++)
        mine[i] = rank * 1000 + (double)(i % 89);
    good = !hn_allgather(mine, count, all, HN_DOUBLE, hn_world());
    for (size_t i = 0; i < count * (size_t)size && good; i++)
        good = all[i] == (double)(i / count) * 1000 + (double)(i % count % 89);
    if (!good)
        printf("rank %d: allgather of %zu is wrong: %s\n", rank, count, hn_error_text());
    free(mine);
    free(all);
    return good;
}

static int collectives(int all)
{
    static const size_t sizes[] = {8, 16000, 1000000};
    int good = 1;

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            good = good && bcast(sizes[i], k % 2 ? size - 1 : 0);
    for (int k = 0; k < 3 && all; k++)
        good = good && barrier() && allreduce(1) && allreduce(1000) && allreduce(40000) &&
               scan(1, 1) && scan(1000, 0) && scan(20000, 1) && allgather(1) && allgather(500) &&
               allgather(20000);
    if (good)
        printf("rank %d: all is right\n", rank);
    return good;
}

/* ---- */

static int run(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    int number[3] = {0}, stops = strcmp(what, "stop") == 0, in_groups = strcmp(what, "coll") == 0;

    for (int i = 0; i < 3 && i + 2 < argc; i++)
        number[i] = atoi(argv[i + 2]);
    if (strcmp(what, "reach") == 0)
        return reach(number[0]) && !hn_barrier(hn_world());
    if (number[1] < 1 || number[1] > LONGEST)
        return 0;
    int waits = in_groups ? number[1] : strcmp(what, "mix") == 0 ? number[2] : REACH;
    if (!reach(waits) || hn_barrier(hn_world()))
        return 0;
    if (in_groups)
        return collectives(strcmp(argv[2], "all") == 0);
    if (strcmp(what, "mix") == 0)
        return mix((unsigned)number[0], number[1]);
    return rank == 0 ? stream(number[0], (size_t)number[1])
                     : take_stream(number[0], (size_t)number[1], stops && rank == size - 1);
}

int main(int argc, char **argv)
{
    if (hn_enrol() || hn_size() > MOST)
        return 2;
    rank = hn_rank();
    size = hn_size();
    room = malloc(LONGEST);
    wanted = malloc(LONGEST);
    for (int i = 0; i < size; i++)
        tids[i] = hn_group_tid(hn_world(), i);
    int good = run(argc, argv);
    fflush(stdout);
    free(room);
    free(wanted);
    return hn_exit() != HN_OK || !good;
}

/* real_multimulticast.c - random multiple multicasts, checked byte by byte:
 *
 *   mix SEED ROUNDS MS  for MS milliseconds the ranks look whom datagrams reach; then ROUNDS
 *                       operations, of which some are the same again, up to three at a time
 *   other SEED RANK     this rank lists a destination more than the others
 *
 * All ranks draw the same lists from the seed.
 */
#include "hnow.h"
#include "hnow_coll.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MESSAGES = 10, LONGEST = 60000, AT_ONCE = 3, AGAIN = 5 };

struct lists {
    int count;
    unsigned salt;
    hn_multicast_message message[MESSAGES];
    int to[MESSAGES][MOST];
};

static int rank, size;

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static void fill(uint8_t *p, size_t bytes, unsigned salt)
{
    for (size_t k = 0; k < bytes; k++)
        p[k] = (uint8_t)(((uint32_t)k + salt) * 2654435761u >> 24);
}

static void draw_lists(struct lists *l, unsigned seed)
{
    unsigned state = seed * 7919u + 1;
    l->count = 1 + (int)draw(&state, MESSAGES);
    l->salt = seed;
    for (int k = 0; k < l->count; k++) {
        hn_multicast_message *m = &l->message[k];
        *m = (hn_multicast_message){.source = (int)draw(&state, (unsigned)size),
                                    .to = l->to[k],
                                    .data = malloc(LONGEST),
                                    .count = draw(&state, draw(&state, 3) ? 500 : LONGEST)};
        for (int r = 0; r < size; r++)
            if (r != m->source && draw(&state, 2))
                l->to[k][m->n++] = r;
        memset(m->data, 0xee, m->count);
        if (m->source == rank)
            fill(m->data, m->count, l->salt + (unsigned)k);
    }
}

static int has(const struct lists *l, int k)
{
    for (int i = 0; i < l->message[k].n; i++)
        if (l->to[k][i] == rank)
            return 1;
    return l->message[k].source == rank;
}

/* What has come is right, and where nothing should have come, nothing has. */
static int end_lists(struct lists *l)
{
    static uint8_t wanted[LONGEST];
    int right = 1;
    for (int k = 0; k < l->count; k++) {
        const hn_multicast_message *m = &l->message[k];
        memset(wanted, 0xee, m->count);
        if (has(l, k))
            fill(wanted, m->count, l->salt + (unsigned)k);
        right &= memcmp(wanted, m->data, m->count) == 0;
        free(m->data);
    }
    return right;
}

static int mix(unsigned seed, int rounds, int milliseconds)
{
    static struct lists l[AT_ONCE];
    hn_request *requests[AT_ONCE];
    char reached[MOST];
    const hn_tid *tids;
    hn_siblings(&tids);
    hn_multicast_reach(tids, size, milliseconds, reached);
    for (int round = 0; round < rounds; round++) {
        int many = 1 + round % AT_ONCE;
        for (int i = 0; i < many; i++) {
            draw_lists(&l[i], seed + (unsigned)(round % 2 ? i : AGAIN + round * AT_ONCE + i));
            int error =
                hn_imultimulticast(l[i].message, l[i].count, HN_BYTE, hn_world(), &requests[i]);
            if (error)
                return printf("rank %d: %s\n", rank, hn_error_text()), 1;
        }
        for (int i = many - 1; i >= 0; i--) {
            int error = hn_wait(requests[i], NULL), right = end_lists(&l[i]);
            if (error || !right)
                return printf("rank %d, round %d: %s\n", rank, round,
                              error ? hn_error_text() : "wrong data"),
                       1;
        }
    }
    printf("rank %d: all is right\n", rank);
    return 0;
}

static int other(unsigned seed, int culprit)
{
    static struct lists l;
    draw_lists(&l, seed);
    hn_multicast_message *m = &l.message[0];
    m->source = 0;
    m->n = 1;
    l.to[0][0] = 1;
    l.to[0][1] = 2;
    m->n += rank == culprit;
    printf("rank %d: %d\n", rank, hn_multimulticast(l.message, l.count, HN_BYTE, hn_world()));
    m->n = 1;
    printf("rank %d then: %d\n", rank, hn_multimulticast(l.message, l.count, HN_BYTE, hn_world()));
    return 0;
}

int main(int argc, char **argv)
{
    if (hn_enrol())
        return 1;
    rank = hn_rank();
    size = hn_size();
    if (argc == 5 && size <= MOST && strcmp(argv[1], "mix") == 0)
        return mix((unsigned)atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    if (argc == 4 && size >= 3 && size <= MOST && strcmp(argv[1], "other") == 0)
        return other((unsigned)atoi(argv[2]), atoi(argv[3]));
    return 2;
}

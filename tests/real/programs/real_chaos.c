/* real_chaos.c - random traffic whose every byte is checked: real_chaos FIRST COUNT all|whole
 *
 * Plays the histories FIRST ... FIRST+COUNT-1. A history is a few rounds drawn from its seed, the
 * same ones at all members: messages between random pairs, multicasts, broadcasts to two
 * overlapping lists at the same time, collective operations. The test disturbs the job meanwhile.
 *
 * With `all`, nobody dies: any error ends the task with status 1. With `whole`, only operations of
 * the whole group are played. When a member dies, the others must get HN_EDEAD, shrink the group,
 * agree on the next round, and continue.
 *
 * Rank 0 prints "history N" when one begins; every member prints "played N" at the end.
 */
#include "hnow.h"
#include "hnow_coll.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32, ROUNDS = 30, LONGEST = 40000, BURST = 3, LIST_COUNT = 2 };

static const hn_group *group;
static int rank, size;
static uint64_t dice;
static bool dead; /* a member of the group has died */

static int draw(int sides)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((dice >> 33) % (uint64_t)sides);
}

static void fail(const char *what)
{
    fprintf(stderr, "real_chaos: rank %d: %s: %s\n", rank, what, hn_error_text());
    exit(1);
}

/* True: go on. False: a member has died. */
static bool good(int error, const char *what)
{
    dead = dead || error == HN_EDEAD;
    if (error && error != HN_EDEAD)
        fail(what);
    return !error;
}

/* ---- contents ---- */

static void fill(uint8_t *to, size_t bytes, uint32_t id)
{
    uint64_t state = id * 0x9e3779b97f4a7c15u + 1;
    for (size_t k = 0; k < bytes; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        to[k] = (uint8_t)(state >> 56);
    }
}

static void check(const uint8_t *got, size_t bytes, uint32_t id, const char *what)
{
    static uint8_t wanted[LONGEST];
    fill(wanted, bytes, id);
    if (memcmp(got, wanted, bytes) != 0) {
        fprintf(stderr, "real_chaos: WRONG BYTES at rank %d: %s\n", rank, what);
        exit(1);
    }
}

static void receive_checked(int from, int tag, size_t bytes, uint32_t id, const char *what)
{
    static uint8_t room[LONGEST];
    hn_info info;
    if (hn_recv(hn_group_tid(group, from), tag, room, LONGEST, HN_BYTE, &info))
        fail(what);
    if (info.count != bytes) {
        fprintf(stderr, "real_chaos: WRONG LENGTH at rank %d: %s\n", rank, what);
        exit(1);
    }
    check(room, bytes, id, what);
}

static size_t draw_length(void)
{
    static const int most[] = {1, 100, 3000, LONGEST};
    return (size_t)draw(most[draw(4)]);
}

/* ---- rounds ---- */

struct message {
    int from, to;
    size_t bytes;
};

/* Messages between random pairs: those of a pair arrive in their order. */
static void play_pairs(int tag)
{
    static uint8_t room[LONGEST];
    static struct message messages[MOST * MOST * BURST];
    int count = 0;
    for (int from = 0; from < size; from++)
        for (int to = 0; to < size; to++)
            for (int k = draw(BURST + 1); k > 0; k--)
                messages[count++] = (struct message){from, to, draw_length()};
    for (int i = 0; i < count; i++) {
        if (messages[i].from != rank)
            continue;
        fill(room, messages[i].bytes, (uint32_t)(tag * 10007 + i));
        if (hn_send(hn_group_tid(group, messages[i].to), tag, room, messages[i].bytes, HN_BYTE))
            fail("send");
    }
    for (int i = 0; i < count; i++)
        if (messages[i].to == rank)
            receive_checked(messages[i].from, tag, messages[i].bytes, (uint32_t)(tag * 10007 + i),
                            "a message");
}

/* Some members in random order, the root not among them. */
static int draw_list(int root, int *to)
{
    int n = 0;
    for (int i = 0; i < size; i++)
        if (i != root && draw(4) > 0)
            to[n++] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = draw(i + 1), other = to[i];
        to[i] = to[j];
        to[j] = other;
    }
    return n;
}

static bool is_in(const int *to, int n)
{
    for (int i = 0; i < n; i++)
        if (to[i] == rank)
            return true;
    return false;
}

static void play_multicasts(int tag)
{
    static uint8_t room[LONGEST];
    for (int k = 0; k < BURST; k++) {
        int root = draw(size), to[MOST], n = draw_list(root, to);
        size_t bytes = draw_length();
        uint32_t id = (uint32_t)(tag * 10007 + k);
        hn_tid tids[MOST];
        for (int i = 0; i < n; i++)
            tids[i] = hn_group_tid(group, to[i]);
        fill(room, bytes, id);
        if (root == rank && hn_multicast(tids, n, tag, room, bytes, HN_BYTE))
            fail("multicast");
        if (root != rank && is_in(to, n))
            receive_checked(root, tag, bytes, id, "a multicast");
    }
}

/* Broadcasts to overlapping lists, all under way at the same time. */
static void play_lists(int tag)
{
    static uint8_t room[LIST_COUNT][LONGEST];
    hn_request *requests[LIST_COUNT] = {0};
    size_t bytes[LIST_COUNT];
    int root = draw(size);
    for (int k = 0; k < LIST_COUNT; k++) {
        int to[MOST], n = draw_list(root, to);
        bytes[k] = draw_length();
        memset(room[k], 0, bytes[k]);
        if (root == rank)
            fill(room[k], bytes[k], (uint32_t)(tag * 10007 + k));
        else if (!is_in(to, n))
            continue;
        if (hn_ibcast_to(room[k], bytes[k], HN_BYTE, root, to, n, group, &requests[k]))
            fail("broadcast to a list");
    }
    for (int k = LIST_COUNT - 1; k >= 0; k--) {
        if (!requests[k])
            continue;
        if (hn_wait(requests[k], NULL))
            fail("end of a broadcast to a list");
        check(room[k], bytes[k], (uint32_t)(tag * 10007 + k), "a broadcast to a list");
    }
}

static void play_bcast(int tag)
{
    static uint8_t room[LONGEST];
    int root = draw(size);
    size_t bytes = draw_length();
    memset(room, 0, bytes);
    if (rank == root)
        fill(room, bytes, (uint32_t)tag);
    if (good(hn_bcast(room, bytes, HN_BYTE, root, group), "broadcast"))
        check(room, bytes, (uint32_t)tag, "a broadcast");
}

static void play_allreduce(int tag)
{
    static int64_t in[LONGEST / 8], out[LONGEST / 8];
    size_t count = draw_length() / 8 + 1;
    for (size_t k = 0; k < count; k++)
        in[k] = (int64_t)(tag + (int)k) * (rank + 1);
    if (!good(hn_allreduce(in, out, count, HN_INT64, HN_SUM, group), "allreduce"))
        return;
    int64_t ranks = (int64_t)size * (size + 1) / 2;
    for (size_t k = 0; k < count; k++)
        if (out[k] != (int64_t)(tag + (int)k) * ranks) {
            fprintf(stderr, "real_chaos: WRONG SUM at rank %d\n", rank);
            exit(1);
        }
}

static void play_alltoall(int tag)
{
    static uint8_t in[MOST * 1000], out[MOST * 1000];
    size_t each = (size_t)draw(1000);
    for (int to = 0; to < size; to++)
        fill(in + (size_t)to * each, each, (uint32_t)((tag * MOST + rank) * MOST + to));
    if (!good(hn_alltoall(in, each, out, HN_BYTE, group), "all-to-all"))
        return;
    for (int from = 0; from < size; from++)
        check(out + (size_t)from * each, each, (uint32_t)((tag * MOST + from) * MOST + rank),
              "an all-to-all");
}

static void (*const kinds[])(int tag) = {play_bcast, play_allreduce,  play_alltoall,
                                         play_pairs, play_multicasts, play_lists};
enum { KINDS = sizeof kinds / sizeof *kinds, WHOLE_KINDS = 3 };

/* ---- members that die ---- */

/* Until the living are among themselves; all continue with the round after the latest one. */
static int recover(int round)
{
    int latest = round, error;
    do {
        hn_group *smaller;
        if (hn_group_shrink(group, &smaller))
            fail("shrink");
        group = smaller;
        rank = hn_group_rank(group, hn_mytid());
        size = hn_group_size(group);
        error = hn_allreduce(&round, &latest, 1, HN_INT, HN_MAX, group);
        if (error && error != HN_EDEAD)
            fail("agreeing on a round");
    } while (error);
    dead = false;
    return latest;
}

int main(int argc, char **argv)
{
    if (argc != 4 || hn_enrol())
        return 2;
    int first = atoi(argv[1]), count = atoi(argv[2]);
    bool whole = strcmp(argv[3], "whole") == 0;
    group = hn_world();
    rank = hn_rank();
    size = hn_size();
    if (size > MOST)
        return 2;
    for (int round = 0; round < count * ROUNDS; round++) {
        if (round % ROUNDS == 0 && rank == 0) {
            printf("history %d\n", first + round / ROUNDS);
            fflush(stdout);
        }
        dice = (uint64_t)(first * ROUNDS + round) * 2654435761u + 1;
        kinds[draw(whole ? WHOLE_KINDS : KINDS)](round + 1);
        if (dead)
            round = recover(round);
    }
    /* Who has finished waits for those who still may notice that a member has died. */
    while (!good(hn_barrier(group), "the last barrier"))
        recover(0);
    printf("played %d\n", count);
    fflush(stdout);
    return hn_exit() != HN_OK;
}

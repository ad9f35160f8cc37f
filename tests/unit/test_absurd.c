/* test_absurd.c - counts that no buffer holds: every operation in every form refuses them before it
 * takes memory, all members are told, and the next operation is the next one everywhere; and how
 * memory.h finds out. */
#include "forms.h"
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "base/memory.h"
#include "watched.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { MEMBERS = 3, PAGE = 4096, MANY = 1 << 20 };

/* ---- what is mapped ----------------------------------------------------------------------------
 */

Test(absurd, buffers_that_are_there)
{
    static uint8_t here[4 * MANY];
    uint8_t *heap = malloc((size_t)200 * MANY);
    size_t length = (size_t)1 << 36;
    void *sparse =
        mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cr_assert(heap && sparse != MAP_FAILED);
    cr_expect(memory_spans(here, sizeof here, 1));
    cr_expect(memory_spans(heap, (size_t)200 * MANY / 8, 8));
    cr_expect(memory_spans(sparse, length / 16, 16));
    cr_expect(memory_spans(NULL, 0, 8));
    cr_expect(!memory_spans(sparse, length + ((size_t)1 << 46), 1));
    munmap((char *)sparse + length / 2, PAGE);
    cr_expect(!memory_spans(sparse, length / 2 + 1, 1), "the page behind its last is gone");
    cr_expect(memory_spans(sparse, length / 2, 1));
    munmap(sparse, length);
    free(heap);
}

Test(absurd, numbers_beyond_all_addresses)
{
    static uint8_t here[8];
    cr_expect(!memory_spans(here, SIZE_MAX, 1));
    cr_expect(!memory_spans(here, SIZE_MAX, 8));
    cr_expect(!memory_spans(here, ((size_t)1 << 61) + 1, 8));
    cr_expect(!memory_spans(here, PTRDIFF_MAX, 1));
    cr_expect(!memory_spans(here, (size_t)1 << 50, 8));
}

/* As a program has them: not touched so far. */
static void *on_a_stack(void *arg)
{
    static int yes;
    uint8_t large[6 * MANY], *volatile first = large;
    (void)arg;
    return memory_spans(first, sizeof large, 1) ? &yes : NULL;
}

Test(absurd, buffers_on_the_stack)
{
    pthread_t thread;
    void *there = NULL;
    cr_expect(on_a_stack(NULL), "of the first thread");
    cr_assert_eq(pthread_create(&thread, NULL, on_a_stack, NULL), 0);
    pthread_join(thread, &there);
    cr_expect(there, "of another one");
}

/* ---- operations --------------------------------------------------------------------------------
 */

enum kind {
    BCAST,
    BCAST_TO,
    SCATTER,
    SCATTERV,
    GATHER,
    GATHERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    REDUCE,
    ALLREDUCE,
    SCAN,
    EXSCAN,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    MULTIMULTICAST,
    ALLTOALLW,
    KINDS
};

static double in[8 * MEMBERS], out[8 * MEMBERS];

/* With counts `own` at this member; sane ones are 2. */
static int run(enum kind kind, enum form form, size_t own)
{
    static const int to[] = {1, 2};
    static const hn_type types[] = {HN_DOUBLE, HN_DOUBLE, HN_DOUBLE};
    static size_t counts[MEMBERS], displs[] = {0, 4, 8}, places[] = {0, 32, 64};
    const hn_group *all = hn_world();
    hn_type type = HN_DOUBLE;
    hn_multicast_message one = {0, to, 2, out, own};
    for (int i = 0; i < MEMBERS; i++)
        counts[i] = own;
    switch (kind) {
    case BCAST:
        return FORM(form, bcast, out, own, type, 0, all);
    case BCAST_TO:
        return FORM(form, bcast_to, out, own, type, 0, to, 2, all);
    case SCATTER:
        return FORM(form, scatter, in, own, out, type, 0, all);
    case SCATTERV:
        return FORM(form, scatterv, in, counts, displs, out, own, type, 0, all);
    case GATHER:
        return FORM(form, gather, in, own, out, type, 0, all);
    case GATHERV:
        return FORM(form, gatherv, in, own, out, counts, displs, type, 0, all);
    case ALLGATHER:
        return FORM(form, allgather, in, own, out, type, all);
    case ALLGATHERV:
        return FORM(form, allgatherv, in, out, counts, displs, type, all);
    case ALLTOALL:
        return FORM(form, alltoall, in, own, out, type, all);
    case ALLTOALLV:
        return FORM(form, alltoallv, in, counts, displs, out, counts, displs, type, all);
    case REDUCE:
        return FORM(form, reduce, in, out, own, type, HN_SUM, 0, all);
    case ALLREDUCE:
        return FORM(form, allreduce, in, out, own, type, HN_SUM, all);
    case SCAN:
        return FORM(form, scan, in, out, own, type, HN_SUM, all);
    case EXSCAN:
        return FORM(form, exscan, in, out, own, type, HN_SUM, all);
    case REDUCE_SCATTER:
        return FORM(form, reduce_scatter, in, out, counts, type, HN_SUM, all);
    case REDUCE_SCATTER_BLOCK:
        return FORM(form, reduce_scatter_block, in, out, own, type, HN_SUM, all);
    case MULTIMULTICAST:
        return FORM(form, multimulticast, &one, 1, type, all);
    default:
        return FORM(form, alltoallw, in, counts, places, types, out, counts, places, types, all);
    }
}

static void expect(int error, int wanted, enum kind kind, enum form form, const char *what)
{
    if (error != wanted)
        fprintf(stderr, "rank %d, %s, kind %d, form %d: %d, %s\n", hn_rank(), what, kind, form,
                error, hn_error_text());
    job_check(error == wanted);
}

static void limit_memory(void)
{
    struct rlimit room = {.rlim_cur = (rlim_t)2 << 30, .rlim_max = RLIM_INFINITY};
    if (!WATCHED_ADDRESS) /* which maps terabytes for itself */
        setrlimit(RLIMIT_AS, &room);
}

static _Bool all_are_absurd(void)
{
    static const int powers[] = {50, 40, 61, 63, 27};
    limit_memory();
    for (int kind = 0; kind < KINDS; kind++)
        for (int form = 0; form < FORMS; form++) {
            size_t count = (size_t)1 << powers[(kind + form) % 5];
            expect(run((enum kind)kind, (enum form)form, count), HN_EARG, (enum kind)kind,
                   (enum form)form, "absurd");
            expect(run((enum kind)kind, (enum form)form, 2), HN_OK, (enum kind)kind,
                   (enum form)form, "afterwards");
        }
    return 1;
}

Test(absurd, counts_at_all_members)
{
    cr_assert_eq(job_run(MEMBERS, 60, all_are_absurd), 0);
}

/* At the root alone, from which all have their data, or whose counts all need: nobody waits for it
 * for ever. */
static _Bool one_is_absurd(void)
{
    static const enum kind kinds[] = {BCAST,     SCATTERV,       GATHERV,
                                      ALLTOALLV, MULTIMULTICAST, ALLGATHER};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t count = hn_rank() == 0 ? (size_t)1 << 50 : 2;
        expect(run(kinds[i], BLOCKING, count), HN_EARG, kinds[i], BLOCKING, "one");
        expect(run(kinds[i], BLOCKING, 2), HN_OK, kinds[i], BLOCKING, "after one");
    }
    return 1;
}

Test(absurd, counts_at_one_member)
{
    cr_assert_eq(job_run(MEMBERS, 60, one_is_absurd), 0);
}

/* ---- messages ----------------------------------------------------------------------------------
 */

static _Bool messages(void)
{
    hn_request *request;
    hn_tid to[] = {hn_mytid(), hn_mytid()};
    for (int power = 27; power < 64; power += 4) {
        size_t count = (size_t)1 << power;
        job_check(hn_send(to[0], 1, in, count, HN_DOUBLE) == HN_EARG);
        job_check(hn_isend(to[0], 1, in, count, HN_DOUBLE, &request) == HN_EARG);
        job_check(hn_multicast(to, 2, 1, in, count, HN_DOUBLE) == HN_EARG);
        job_check(hn_recv(to[0], 1, in, count, HN_DOUBLE, NULL) == HN_EARG);
        job_check(hn_recv_timeout(HN_ANY, 1, in, count, HN_DOUBLE, 1, NULL) == HN_EARG);
        job_check(hn_irecv(HN_ANY, 1, in, count, HN_DOUBLE, &request) == HN_EARG);
    }
    return hn_iprobe(HN_ANY, HN_ANY, NULL) == 0;
}

Test(absurd, messages)
{
    cr_assert_eq(job_run(1, 10, messages), 0);
}

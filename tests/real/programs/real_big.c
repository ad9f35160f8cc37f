/* real_big.c - messages and operations of more than 2 GiB: real_big WHAT BYTES
 *     send        rank 0 sends so many bytes to rank 1 in one message; "going" when it has begun
 *     bcast       rank 0 to all
 *     allgather   each contributes BYTES / size
 *     alltoallv   each receives BYTES or less in all, the first ranks more than the last
 * Who has received prints "RANK: BYTES right", or where it is wrong.  BYTES is rounded down to
 * whole words.
 */
#include "hnow_coll.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1, MOST = 64 };

/* What stands at a place of the data that a rank has for another. */
static uint64_t word(size_t i, int from, int to)
{
    return (i + 1) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)(from * MOST + to);
}

static uint64_t *room(size_t words)
{
    uint64_t *data = malloc(words * sizeof *data);

    if (!data)
        fprintf(stderr, "real_big: no memory for %zu words\n", words);
    return data;
}

static void fill(uint64_t *data, size_t words, int from, int to)
{
    for (size_t i = 0; i < words; i++)
        data[i] = word(i, from, to);
}

static int is_right(const uint64_t *data, size_t words, int from, int to)
{
    for (size_t i = 0; i < words; i++)
        if (data[i] != word(i, from, to)) {
            printf("%d: wrong at byte %zu of rank %d's\n", hn_rank(), 8 * i, from);
            return 0;
        }
    return 1;
}

static int say(size_t words)
{
    printf("%d: %zu right\n", hn_rank(), words * sizeof(uint64_t));
    return 0;
}

/* An error of hnow's, said. */
static int failed(const char *call, int error)
{
    fprintf(stderr, "%s: %d: %s\n", call, error, hn_error_text());
    return 1;
}

static int big_send(uint64_t *data, size_t words)
{
    hn_tid other = hn_group_tid(hn_world(), 1 - hn_rank());
    hn_request *request;
    int error;

    if (hn_rank() == 1) {
        error = hn_recv(other, TAG, data, words, HN_UINT64, NULL);
        return error ? failed("hn_recv", error) : !is_right(data, words, 0, 1) || say(words);
    }
    fill(data, words, 0, 1);
    if ((error = hn_isend(other, TAG, data, words, HN_UINT64, &request)))
        return failed("hn_isend", error);
    printf("going\n");
    fflush(stdout);
    error = hn_wait(request, NULL);
    return error ? failed("hn_wait", error) : 0;
}

static int big_bcast(uint64_t *data, size_t words)
{
    int error;

    if (hn_rank() == 0)
        fill(data, words, 0, 0);
    error = hn_bcast(data, words, HN_UINT64, 0, hn_world());
    return error ? failed("hn_bcast", error) : !is_right(data, words, 0, 0) || say(words);
}

static int big_allgather(uint64_t *data, size_t words)
{
    int me = hn_rank(), error;
    size_t part = words / (size_t)hn_size();

    fill(data + (size_t)me * part, part, me, 0);
    error = hn_allgather(HN_IN_PLACE, part, data, HN_UINT64, hn_world());
    if (error)
        return failed("hn_allgather", error);
    for (int r = 0; r < hn_size(); r++)
        if (!is_right(data + (size_t)r * part, part, r, 0))
            return 1;
    return say(part * (size_t)hn_size());
}

/* Rank r sends each other so many words, and gets the same from it. */
static size_t share(size_t words, int a, int b)
{
    size_t n = (size_t)hn_size();

    return words / n / (2 * n) * (2 * n - (size_t)a - (size_t)b);
}

static int big_alltoallv(uint64_t *data, size_t words)
{
    int me = hn_rank(), n = hn_size(), error;
    size_t counts[MOST], displs[MOST], all = 0;
    uint64_t *in;

    for (int r = 0; r < n; r++) {
        counts[r] = share(words, me < r ? me : r, me < r ? r : me);
        displs[r] = all;
        all += counts[r];
    }
    in = room(all);
    if (!in || all > words)
        return 1;
    for (int r = 0; r < n; r++)
        fill(in + displs[r], counts[r], me, r);
    error = hn_alltoallv(in, counts, displs, data, counts, displs, HN_UINT64, hn_world());
    free(in);
    if (error)
        return failed("hn_alltoallv", error);
    for (int r = 0; r < n; r++)
        if (!is_right(data + displs[r], counts[r], r, me))
            return 1;
    return say(all);
}

static const struct {
    const char *name;
    int (*run)(uint64_t *data, size_t words);
} works[] = {{"send", big_send},
             {"bcast", big_bcast},
             {"allgather", big_allgather},
             {"alltoallv", big_alltoallv}};

int main(int argc, char **argv)
{
    uintmax_t bytes = argc == 3 ? strtoumax(argv[2], NULL, 10) : 0;
    size_t words = (size_t)(bytes / sizeof(uint64_t));
    uint64_t *data;
    int status = 2;

    if (hn_enrol() != HN_OK || hn_size() > MOST || words == 0)
        return 2;
    data = room(words);
    for (size_t i = 0; data && i < sizeof works / sizeof works[0]; i++)
        if (strcmp(works[i].name, argv[1]) == 0)
            status = works[i].run(data, words);
    free(data);
    fflush(stdout);
    return hn_exit() == HN_OK ? status : 1;
}

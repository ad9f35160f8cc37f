/* real_big.c - messages of more than 2 GiB: real_big send BYTES
 *
 * Rank 0 sends so many bytes to rank 1 in one message, and prints "going" when it has begun; rank 1
 * prints "1: BYTES right", or where it is wrong.  BYTES is rounded down to whole words.
 */
#include "hnow.h"

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

int main(int argc, char **argv)
{
    uintmax_t bytes = argc == 3 ? strtoumax(argv[2], NULL, 10) : 0;
    size_t words = (size_t)(bytes / sizeof(uint64_t));
    uint64_t *data;
    int status = 2;

    if (hn_enrol() != HN_OK || hn_size() > MOST || words == 0)
        return 2;
    data = room(words);
    if (data && strcmp(argv[1], "send") == 0)
        status = big_send(data, words);
    free(data);
    fflush(stdout);
    return hn_exit() == HN_OK ? status : 1;
}

/* real_directory.c - two tasks for tests of the directory: the first one sends, and watches how its
 * way drifts, until that is three times as slow as the network file says; then both refresh it.
 * The test makes the file that the argument names as soon as it has slowed the link down: what
 * was slow before that was the machine.
 *
 *     before SOURCE DRIFT      after the first messages: the test slows the link down
 *     drifted COUNT DRIFT      hn_directory_drifted(3), hn_way_info.drift
 *     refreshed SOURCE DRIFT   the same after hn_directory_refresh()
 *     clock OFFSET ERROR       of the other host's clock, nanoseconds
 */
#include "hnow_net.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BYTES = 262144, FIRST = 12, MOST = 400, TAG_DATA = 1, TAG_ACK, TAG_END };

static char buffer[BYTES];

static int failed(const char *what)
{
    fprintf(stderr, "real_directory: %s: %s\n", what, hn_error_text());
    return 1;
}

static bool exchange(hn_tid other)
{
    return hn_send(other, TAG_DATA, buffer, BYTES, HN_BYTE) == HN_OK &&
           hn_recv(other, TAG_ACK, NULL, 0, HN_BYTE, NULL) == HN_OK;
}

static int watch(hn_directory *directory, hn_tid other, const char *slowed)
{
    hn_tid drifted = 0;
    hn_way_info info;
    int count = 0;
    bool slow = false;
    for (int i = 0, after = 0; after < MOST && !count; i++, after += slow) {
        if (!exchange(other) || hn_directory_ask(directory, hn_mytid(), other, &info) != HN_OK)
            return failed("watch");
        if (i == FIRST) {
            printf("before %d %.3f\n", (int)info.source, info.drift);
            fflush(stdout);
        }
        slow = slow || (i > FIRST && access(slowed, F_OK) == 0);
        if (slow)
            count = hn_directory_drifted(directory, 3, &drifted, 1);
    }
    printf("drifted %d %.3f\n", drifted == other ? count : -1, info.drift);
    return hn_send(other, TAG_END, NULL, 0, HN_BYTE) == HN_OK ? 0 : failed("hn_send");
}

static int serve(hn_tid other)
{
    for (;;) {
        hn_info info;
        if (hn_probe(other, HN_ANY, &info) != HN_OK)
            return failed("hn_probe");
        if (hn_recv(other, info.tag, buffer, BYTES, HN_BYTE, NULL) != HN_OK)
            return failed("hn_recv");
        if (info.tag == TAG_END)
            return 0;
        if (hn_send(other, TAG_ACK, NULL, 0, HN_BYTE) != HN_OK)
            return failed("hn_send");
    }
}

int main(int argc, char **argv)
{
    hn_directory *directory;
    hn_way_info info;
    hn_clock clock = {0};
    if (argc != 2 || hn_enrol() != HN_OK || hn_directory_open(&directory) != HN_OK)
        return failed("start");
    hn_tid other = hn_group_tid(hn_world(), 1 - hn_rank());
    int status = hn_rank() == 0 ? watch(directory, other, argv[1]) : serve(other);
    if (status == 0 && (hn_directory_refresh(directory, other) != HN_OK ||
                        hn_directory_ask(directory, hn_mytid(), other, &info) != HN_OK ||
                        hn_clock_compare(other, &clock) != HN_OK))
        status = failed("refresh");
    if (status == 0 && hn_rank() == 0)
        printf("refreshed %d %.3f\nclock %lld %lld\n", (int)info.source, info.drift,
               (long long)clock.offset, (long long)clock.error);
    hn_directory_free(directory);
    return status;
}

/* hnowd.c - the agent that hrun starts on each host; see hnowd.h and guardian.h.
 *
 * Standard input and output are the control channel.  Users do not start it, so it has few options,
 * which only hrun uses.
 */
#include "hnowd/hnowd.h"
#include "hnowd/guardian.h"
#include "hnow.h"
#include "base/machine.h"
#include "base/options.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The command line. waits: an agent of the persistent machine, which gets its job later. */
struct hnowd_options {
    bool agent, direct, waits;
    long input;
    const char *cache;
};

static const struct option_row hnowd_rows[] = {
    {"agent", NULL, "be an agent: standard input and output are the channel to hrun",
     OPTION_SET(hnowd_options, agent)},
    {"direct", NULL, "it was started on hrun's own host, without ssh",
     OPTION_SET(hnowd_options, direct)},
    {"waits", NULL, "standard input is a socket, on which the standard streams come later",
     OPTION_SET(hnowd_options, waits)},
    {"input", "FD", "descriptor of hrun's standard input, for the task that gets it",
     OPTION_NUMBER(hnowd_options, input, 3, 1 << 20)},
    {"cache", "DIR", "directory for programs that hrun copies here",
     OPTION_TEXT(hnowd_options, cache)},
};

static const struct option_table hnowd_table = {
    .tool = "hnowd",
    .usage = "hnowd -agent [-direct] [-waits] [-input FD] [-cache DIR]",
    .about = "the agent of one host; hrun starts it, locally or over ssh",
    .row = hnowd_rows,
    .n = sizeof hnowd_rows / sizeof *hnowd_rows,
};

/* Receives the standard streams when a job begins.  False: the keeper has ended. Blocks until then;
 * the descriptors 0, 1 and 2 are replaced. */
static bool hnowd_await_streams(void)
{
    int streams[3] = {-1, -1, -1};
    char byte;
    if (machine_receive(STDIN_FILENO, &byte, 1, streams) != 1 || streams[2] < 0)
        return false;
    /* dup2() closes the socket to the keeper, which is descriptor 0. */
    for (int i = 0; i < 3; i++) {
        dup2(streams[i], i);
        close(streams[i]);
    }
    return true;
}

/* Order: options, then the guardian, before anything is opened that the guardian would keep.  An
 * agent that waits for its job receives the standard streams only then. Exit status: that of
 * hnowd_run(), 2 for a wrong use, 1 without a second process. */
int main(int argc, char **argv)
{
    struct hnowd_options options = {.input = -1};
    signals_begin();
    int first = options_parse(&hnowd_table, argc, argv, &options);
    if (first == OPTIONS_HELP) {
        options_help(&hnowd_table, stdout);
        return 0;
    }
    if (first == OPTIONS_VERSION) {
        puts("hnowd " HNOW_VERSION);
        return 0;
    }
    if (first < 0) {
        fprintf(stderr, "hnowd: %s\n", hn_error_text());
        return 2;
    }
    /* A terminal would be a user who has called the agent by hand. */
    if (!options.agent || first < argc || isatty(0)) {
        fprintf(stderr, "hnowd: this is started by hrun, not by hand: see hrun -help\n");
        return 2;
    }
    /* Returns in a new process, the agent; the first one stays as its guardian. */
    if (guardian_split()) {
        fprintf(stderr, "hnowd: no second process: %s\n", strerror(errno));
        return 1;
    }
    /* The keeper's end is no error: this agent was not used. */
    if (options.waits && !hnowd_await_streams())
        return 0;
    if (options.cache) /* records today's use in the cache */
        utimensat(AT_FDCWD, "/proc/self/exe", NULL, 0);
    return hnowd_run(0, 1, (int)options.input, options.direct, options.cache);
}

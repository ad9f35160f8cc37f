/* command.h - hbench's command line. */
#pragma once

#include "runtime/internal.h"
#include "peer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Numbers of a list, and words behind the options: more are an error. */
enum { COMMAND_SIZES = 64, COMMAND_FILES = 256 };

struct command {
    const char *bench;            /* NULL: none was named */
    int64_t bytes[COMMAND_SIZES]; /* -bytes; none: the benchmark's own list */
    int sizes;
    int64_t iters; /* -iters; 0: as many as fit into the time for a case */
    const char *plan;
    const char *hosts;         /* -hosts, of launch: hosts file; of report: network file */
    int64_t np[COMMAND_SIZES]; /* -np, of launch */
    int nps;
    struct peer_choice peer[PEERS_MOST]; /* -peer, of p2p, operations, mpi */
    int peers;
    int64_t table, steps, traffic;       /* -table, -steps, -traffic, of eco; 0: not given */
    const char *hmd;                     /* -hmd, of eco: hmd's options */
    const char *output;                  /* -o, of report */
    const char *file[COMMAND_FILES + 1]; /* words behind report or mpi; then NULL */
    int files;
    uint64_t seed;
    bool json;
};

/* Reads "BENCHMARK [OPTION]..."; options may stand before the benchmark, too.
 * Behind the program of mpi all words are the program's.  HN_OK, OPTIONS_HELP,
 * OPTIONS_VERSION, or HN_EARG: hn_error_text() says what is wrong. The texts belong to argv. */
int command_read(struct command *c, int argc, char *const *argv);
/* One line an option. */
void command_help(FILE *out);

/* An option that was given and is none of these words, between blanks; NULL: all are, or are
 * for all benchmarks. */
const char *command_stray(const struct command *c, const char *options);
/* The largest of n sizes. */
int64_t sizes_largest(const int64_t *bytes, int n);

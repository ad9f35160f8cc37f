/* command.h - hbench's command line. One struct for all benchmarks: each reads the fields that
 * it needs. Fields that were not given are 0 or NULL, and then the benchmark's own default
 * applies. */
#pragma once

#include "runtime/internal.h"
#include "peer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Maximum numbers of list items, and of words after the options; more are an error. */
enum { COMMAND_SIZES = 64, COMMAND_FILES = 256 };

struct command {
    const char *bench;            /* NULL: not given */
    int64_t bytes[COMMAND_SIZES]; /* -bytes; empty: the benchmark's own list */
    int sizes;
    int64_t iters; /* -iters; 0: as many as fit in the time of a case */
    /* As given; operation_read_plans() reads the list. */
    const char *plan;
    const char *hosts;         /* -hosts: for launch the hosts file, for report the network file */
    int64_t np[COMMAND_SIZES]; /* -np, for launch */
    int nps;
    struct peer_choice peer[PEERS_MOST]; /* -peer, for p2p, operations, mpi */
    int peers;
    int64_t table, steps, traffic;       /* -table, -steps, -traffic, for eco; 0: not given */
    const char *hmd;                     /* -hmd, for eco: hmd's options */
    const char *output;                  /* -o, for report */
    const char *file[COMMAND_FILES + 1]; /* words after report or mpi; NULL-terminated */
    int files;
    uint64_t seed;
    bool json;
};

/* Parses "BENCHMARK [OPTION]..."; options may also precede the benchmark.  All words after the
 * program of mpi belong to the program.  Returns HN_OK, OPTIONS_HELP, OPTIONS_VERSION, or HN_EARG
 * with hn_error_text().  The texts belong to argv. */
int command_read(struct command *c, int argc, char *const *argv);
/* Prints one line for each option. */
void command_help(FILE *out);

/* Returns a given option that is none of these blank-separated words; NULL: all are, or apply to
 * all benchmarks. */
const char *command_stray(const struct command *c, const char *options);
/* The largest of n sizes. */
int64_t sizes_largest(const int64_t *bytes, int n);

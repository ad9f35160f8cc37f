/* bench.h - hplan -bench: quality and speed of the planners, on random instances as in the papers.
 * Everything but the times is equal on every machine. The tables in docs/results/ come from here.
 * All instances depend on a seed of 1 alone. A table changes only with a planner, apart from
 * columns of times.
 *
 * Planners are called as a library: no network and no job is needed, and no host's load matters
 * except for the times.
 */
#pragma once

#include "coll/internal.h"

#include <stdio.h>

/* Prints the tables of one part, or of all parts for "all". Returns HN_OK or an error; HN_EARG: no
 * such part. A table is written row by row, as measured. */
int bench_run(const char *part, FILE *file);

/* The parts, each in a file. They return HN_OK or an error. They leave no memory allocated, also
 * after an error. */
int bench_broadcast(FILE *file);
int bench_multicast(FILE *file);
int bench_exchange(FILE *file);
int bench_segments(FILE *file);
int bench_ports(FILE *file);
int bench_long(FILE *file);
int bench_speed(FILE *file);
int bench_limited(FILE *file);

/* Prints the contribution of each planner to `auto` on the networks of these files ("FILE,FILE").
 * Returns HN_OK, or an error with a text (error.h). Changes nothing in the files. */
int bench_ablation(const char *nets, FILE *file);

/* Processor time of this process, in seconds. Of all threads together: with several of them it
 * advances faster than the clock on the wall. */
double bench_clock(void);

/* ---- random instances ------------------------------------------------------------------- */

enum bench_kind {
    BENCH_GUSTO,   /* one port, latencies and rates like GUSTO's (Bhat, Tables 1 and 2) */
    BENCH_GRID,    /* pLogP with local parts (Barchet, Table 2) */
    BENCH_CLUSTER, /* S, X and R by classes of nodes, two rates (Wu, section 6) */
    BENCH_KINDS
};
const char *bench_kind_name(enum bench_kind kind);

/* A uniform random number in [0, n). *state is the generator's whole state; the caller starts it
 * with a constant. */
int64_t bench_below(uint64_t *state, int64_t n);
/* Makes a table of costs in picoseconds for any number of bytes (BENCH_GRID: of one message). NULL:
 * out of memory. */
struct table *bench_table(enum bench_kind kind, int ranks, uint64_t *state);
/* Draws messages of random sources, destinations and lengths (512 bytes to 1.5 MB). `wants` has
 * room for count * nodes. A message of one node has no destination. */
void bench_messages(struct multicast_message *messages, bool *wants, int count, int nodes,
                    uint64_t *state);
/* Costs of a total exchange on BENCH_GUSTO: 1 kB, 1 MB, random mixture, or one fifth are
 * servers. cost has room for ranks * ranks; its diagonal is 0. */
enum { BENCH_EXCHANGES = 4 };
const char *bench_exchange_name(int kind);
int bench_costs(int kind, int ranks, uint64_t *state, hn_time *cost);

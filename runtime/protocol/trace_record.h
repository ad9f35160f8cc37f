/* trace_record.h - the format of a trace record (hrun -trace) about a message or a collective
 * operation, in the memory that task and agent share and in frames to hrun.
 *
 * The agent creates a memory file for every task and keeps it open; HNOW_TRACE_FD names it in the
 * task's environment.  The task maps it and writes records into it, and sends nothing while it
 * runs.  So the records of a task survive any end, even kill -9: the agent reads the file when the
 * process is gone.
 *
 *     0      u64  records dropped because the file was full
 *     64     contiguous records of TRACE_RECORD bytes; kind 0: none, or not finished
 *
 * A record, little-endian:
 *      0 u16 kind      2 u16 thread     4 u32 peer (tid)     8 i32 tag       12 i32 step
 *     16 u64 begin    24 u64 end (CLOCK_MONOTONIC of the host, ns)
 *     32 u64 bytes    40 u64 number of the message among those from its sender to its receiver
 *     48 char operation[24], plan[32]: of the collective operation that it belongs to, or ""
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    TRACE_HEAD = 64,         /* bytes before the first record */
    TRACE_RECORD = 104,      /* bytes */
    TRACE_RECORDS = 1 << 16, /* default number of records (HNOW_TRACE_EVENTS) */
    TRACE_MOST = 1 << 24,    /* records, 1.7 GB a task: a larger number is considered a mistake */
    TRACE_OPERATION = 24,    /* bytes; the longest name is neighbour_allgatherv */
    TRACE_PLAN = 32          /* bytes; longer names are truncated */
};

/* X(name, number, text) */
#define TRACE_KINDS(X)                                                                             \
    X(TRACE_SEND, 1, "send")             /* hn_send() */                                           \
    X(TRACE_ISEND, 2, "isend")           /* hn_isend() */                                          \
    X(TRACE_RECV, 3, "recv")             /* hn_recv(), from the call to the message */             \
    X(TRACE_WAIT, 4, "wait")             /* hn_wait() for a send or a receive */                   \
    X(TRACE_PROBE, 5, "probe")           /* hn_probe() */                                          \
    X(TRACE_HANDLER, 7, "handler")       /* the function that a message is given to */             \
    X(TRACE_COLLECTIVE, 6, "collective") /* a whole operation */

/* Numbers are part of the layout: they must not change. */
enum trace_kind {
#define X(name, number, text) name = number,
    TRACE_KINDS(X)
#undef X
};

/* A decoded record.  Unused characters of the names are 0. */
struct trace_record {
    uint16_t kind, thread;
    uint32_t peer;     /* 0: none */
    int32_t tag, step; /* -1: none */
    uint64_t begin, end;
    uint64_t bytes;
    uint64_t number; /* from 1; 0: no message was transferred */
    char operation[TRACE_OPERATION], plan[TRACE_PLAN];
};

/* Encodes a record, the kind last, so that a reader never sees a partial record. */
void trace_encode(const struct trace_record *record, uint8_t out[TRACE_RECORD]);
/* False: there is no record, or it is invalid. */
bool trace_decode(const uint8_t in[TRACE_RECORD], struct trace_record *record);
const char *trace_kind_name(unsigned kind);

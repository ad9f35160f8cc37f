/* trace.c - records of sends, receives, waits and collective operations (trace.h).
 *
 * The memory is a file that the agent has made.  It has TRACE_HEAD bytes, of which the first eight
 * count records without room, and an array of records.  Since the agent holds the file, the records
 * survive a crash of the task.
 */
#include "job/trace.h"

#include "base/bytes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* One for each traced task.  `next` also counts records that found no room. */
struct trace {
    uint8_t *memory;
    size_t size, room; /* bytes of the memory; number of records in it */
    atomic_size_t next;
    atomic_uint threads;
};

/* The current span of the calling thread, and the thread's number among traced ones (from 1). */
static _Thread_local struct trace_span current = {.step = -1};
static _Thread_local unsigned thread;

/* The agent has made the memory and reads it after the task's end.  A file that is too short is
 * ignored. */
struct trace *trace_open(void)
{
    const char *text = getenv("HNOW_TRACE_FD");
    int fd = text ? atoi(text) : -1;
    struct stat file;
    struct trace *trace;

    if (fd < 0 || fstat(fd, &file) || file.st_size < TRACE_HEAD + TRACE_RECORD)
        return NULL;
    /* the descriptor belongs to this task, not to programs that it starts */
    unsetenv("HNOW_TRACE_FD");
    trace = calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    trace->size = (size_t)file.st_size;
    trace->room = (trace->size - TRACE_HEAD) / TRACE_RECORD;
    trace->memory = mmap(NULL, trace->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (trace->memory != MAP_FAILED)
        return trace;
    free(trace);
    return NULL;
}

void trace_close(struct trace *trace)
{
    if (trace)
        munmap(trace->memory, trace->size);
    free(trace);
}

/* O(1) without a lock or a system call.  The fields of the span are those of the calling thread. */
static void note(struct trace *trace, struct trace_record *record)
{
    /* Threads reserve records without a lock. The agent reads them only after the task's end. */
    size_t at = atomic_fetch_add(&trace->next, 1);

    if (at >= trace->room) {
        bytes_put64(trace->memory, at - trace->room + 1);
        return;
    }
    if (thread == 0)
        thread = atomic_fetch_add(&trace->threads, 1) + 1;
    record->thread = (uint16_t)(thread - 1);
    record->step = current.step;
    if (current.operation)
        strncpy(record->operation, current.operation, TRACE_OPERATION - 1);
    if (current.plan)
        strncpy(record->plan, current.plan, TRACE_PLAN - 1);
    trace_encode(record, trace->memory + TRACE_HEAD + at * TRACE_RECORD);
}

/* One message: a send, a receive, a probe, or the wait for one of them. */
void trace_note(struct task *t, uint64_t begun, enum trace_kind kind, hn_tid peer,
                const hn_info *info, uint64_t number)
{
    if (!t->trace) /* another thread has called hn_exit() meanwhile */
        return;
    note(t->trace, &(struct trace_record){.kind = (uint16_t)kind,
                                          .peer = peer > 0 ? (uint32_t)peer : 0,
                                          .tag = info->tag,
                                          .begin = begun,
                                          .end = engine_now(),
                                          .bytes = info->count * hn_type_size(info->type),
                                          .number = number});
}

/* Spans nest: the result is the outer span, which trace_leave() restores. */
struct trace_span trace_enter(const char *operation, const char *plan)
{
    struct trace_span outer = current;

    outer.begun = trace_begin(task_get());
    if (outer.begun)
        current = (struct trace_span){.operation = operation, .plan = plan, .step = -1};
    return outer;
}

/* Steps count from 0 within the operation; -1 is outside of one. */
void trace_step(int step)
{
    current.step = step;
}

void trace_step_by(int steps)
{
    current.step += steps;
}

/* The operation itself is a record, too, without a peer. */
void trace_leave(const struct trace_span *outer)
{
    struct task *t = outer->begun ? task_get() : NULL;

    if (t && t->trace) {
        current.step = -1;
        note(t->trace,
             &(struct trace_record){
                 .kind = TRACE_COLLECTIVE, .tag = -1, .begin = outer->begun, .end = engine_now()});
    }
    current = *outer;
}

/* trace_file.c - writes trace events as JSON (format: trace_file.h).
 *
 * Events are written as they arrive and are never held.  After each batch a regular file gets its
 * end, over which the next batch is written.  So it is complete JSON even if hrun is killed
 * later.
 *
 * The position in the file is always behind the last event; the end that was written is beyond it.
 */
#include "hrun/diagnosis/trace_file.h"

#include "base/json.h"
#include "hnow.h"

#include <inttypes.h>
#include <string.h>

/* ---- events -------------------------------------------------------------------------------- */

/* Rows of further threads get numbers that are no tids.  The multiplier is Knuth's, 2^32 divided by
 * the golden ratio: neighbouring tasks get distant numbers. Two threads of different tasks may
 * collide, which only joins their rows. */
static uint32_t trace_row_number(uint32_t task, unsigned thread)
{
    return thread == 0 ? task : 0x80000000u | (task * 2654435761u + thread) >> 1;
}

/* Commas separate events; the first one has none. */
static void trace_begin_event(struct trace_file *trace)
{
    fputs(trace->some ? ",\n" : "\n", trace->file);
    trace->some = true;
}

/* Writes nanoseconds as microseconds. With three decimals, exactly. */
static void trace_time(FILE *file, const char *name, int64_t ns)
{
    int64_t size = ns < 0 ? -ns : ns;
    fprintf(file, ",\"%s\":%s%" PRId64 ".%03d", name, ns < 0 ? "-" : "", size / 1000,
            (int)(size % 1000));
}

/* A time on the row's host, converted to hrun's clock, since the trace began. Unsigned, as a record
 * may contain any time. */
static int64_t trace_since(const struct trace_file *trace, const struct trace_row *row, uint64_t at)
{
    return (int64_t)((uint64_t)timeline_own(row->timeline, (int64_t)at) - trace->begun);
}

/* `mark` is what precedes the next member: a brace for the first one, else a comma. The members
 * depend on the kind of record. */
static void trace_args(FILE *file, const struct trace_record *record)
{
    const char *mark = "{";
    fputs(",\"args\":", file);
    if (record->kind != TRACE_COLLECTIVE) {
        fprintf(file, "{\"peer\":%" PRIu32 ",\"tag\":%" PRId32 ",\"bytes\":%" PRIu64, record->peer,
                record->tag, record->bytes);
        mark = ",";
    }
    if (record->operation[0]) {
        fprintf(file, "%s\"operation\":", mark);
        json_text(file, record->operation);
        if (record->plan[0]) {
            fputs(",\"plan\":", file);
            json_text(file, record->plan);
        }
        mark = ",";
    }
    /* Messages outside of collective operations have no step. */
    if (record->step >= 0)
        fprintf(file, "%s\"step\":%" PRId32, mark, record->step);
    fputs(strcmp(mark, "{") ? "}" : "{}", file);
}

/* The ends of an arrow have the same category, name and id: the two tasks, and the number of the
 * message among those from one to the other.  Both sides know the message's number, so no messages
 * are needed to match them. line: the row of the thread. */
static void trace_flow(struct trace_file *trace, const struct trace_row *row,
                       const struct trace_record *record, uint32_t line)
{
    bool out = record->kind == TRACE_SEND || record->kind == TRACE_ISEND;
    uint32_t from = out ? row->task : record->peer, to = out ? record->peer : row->task;
    trace_begin_event(trace);
    fprintf(trace->file,
            "{\"ph\":\"%s\",\"cat\":\"message\",\"name\":\"%" PRIu32 " to %" PRIu32
            "\",\"id\":%" PRIu64 ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32,
            out ? "s" : "f", from, to, record->number, row->host, line);
    if (!out)
        fputs(",\"bp\":\"e\"", trace->file);
    /* An arrow must end inside its event, which does not include its last moment. */
    bool at_end = !out && record->kind != TRACE_HANDLER && record->end > record->begin;
    uint64_t at = at_end ? record->end - 1 : record->begin;
    trace_time(trace->file, "ts", trace_since(trace, row, at));
    putc('}', trace->file);
}

/* A record with a message number also draws one end of an arrow. A collective operation has no
 * peer, and so no arrow. */
void trace_file_record(struct trace_file *trace, const struct trace_row *row,
                       const struct trace_record *record)
{
    uint32_t line = trace_row_number(row->task, record->thread);
    int64_t begin = trace_since(trace, row, record->begin);
    bool whole = record->kind == TRACE_COLLECTIVE;
    trace_begin_event(trace);
    fprintf(trace->file,
            "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":", whole ? "collective" : "message");
    json_text(trace->file, whole ? record->operation : trace_kind_name(record->kind));
    fprintf(trace->file, ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, row->host, line);
    trace_time(trace->file, "ts", begin);
    trace_time(trace->file, "dur", trace_since(trace, row, record->end) - begin);
    trace_args(trace->file, record);
    putc('}', trace->file);
    if (record->number > 0 && record->peer > 0)
        trace_flow(trace, row, record, line);
}

/* ---- names --------------------------------------------------------------------------------- */

/* Perfetto shows a process for each host, in the order of their numbers. The number of a host is
 * from 1. */
void trace_file_name_host(struct trace_file *trace, uint32_t host, const char *name)
{
    trace_begin_event(trace);
    fprintf(
        trace->file,
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%" PRIu32 ",\"args\":{\"name\":", host);
    json_text(trace->file, name);
    fprintf(trace->file,
            "}},\n{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%" PRIu32
            ",\"args\":{\"sort_index\":%" PRIu32 "}}",
            host, host);
}

/* Perfetto shows a thread for each thread of a task. The row of the first thread has the tid as its
 * number. */
void trace_file_name_task(struct trace_file *trace, const struct trace_row *row, unsigned thread,
                          uint32_t rank, const char *program)
{
    char name[160];
    if (thread > 0)
        snprintf(name, sizeof name, "rank %" PRIu32 " thread %u (%s)", rank, thread, program);
    else
        snprintf(name, sizeof name, "rank %" PRIu32 " (%s)", rank, program);
    trace_begin_event(trace);
    fprintf(trace->file,
            "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
            ",\"args\":{\"name\":",
            row->host, trace_row_number(row->task, thread));
    json_text(trace->file, name);
    fputs("}}", trace->file);
}

/* ---- the file ------------------------------------------------------------------------------ */

/* now: hrun's clock; times in the file begin there. */
int trace_file_open(struct trace_file *trace, const char *path, uint64_t now)
{
    *trace = (struct trace_file){.begun = now};
    int code = replace_open(&trace->out, path);
    trace->file = trace->out.file;
    if (code)
        return code;
    trace->seekable = trace->out.target; /* not a pipe, and not shared with standard output */
    fputs("{\"traceEvents\":[", trace->file);
    return HN_OK;
}

/* A pipe gets an end only at the last call, since it cannot be overwritten. rest() is called each
 * time, as its content grows. */
int trace_file_end(struct trace_file *trace, bool last, void (*rest)(FILE *file, void *arg),
                   void *arg)
{
    off_t end = ftello(trace->file);
    if (!last && !trace->seekable)
        return HN_OK;
    fputs("\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{", trace->file);
    rest(trace->file, arg);
    fputs("}}\n", trace->file);
    int code = replace_commit(&trace->out);
    if (code == HN_OK && !last)
        fseeko(trace->file, end, SEEK_SET);
    return code;
}

/* A file that was committed stays; any other temporary file is removed. Called also when nothing
 * was written. */
void trace_file_close(struct trace_file *trace)
{
    replace_close(&trace->out, HN_EARG);
}

/* hnowd_trace.c - the agent's part in tracing: the records of its tasks, and its clock.
 *
 * A task writes records into memory that it shares with the agent (trace_record.h).  The agent
 * reads them when the process has ended, for whatever reason, and sends them to hrun before OVER.
 * The memory is read like a file, so its content cannot harm the agent.
 */
#include "hnowd/hnowd.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "protocol/trace_record.h"

#include <unistd.h>

enum { BATCH = 512 }; /* records in a frame */

/* Reads records from index `from` on, up to the last valid one; returns their number. A record
 * whose first 16 bits are 0 was not completed. */
static size_t hnowd_trace_read(int fd, size_t from, uint8_t records[BATCH * TRACE_RECORD])
{
    ssize_t n = pread(fd, records, BATCH * TRACE_RECORD, (off_t)(TRACE_HEAD + from * TRACE_RECORD));
    size_t count = n > 0 ? (size_t)n / TRACE_RECORD : 0;
    while (count > 0 && bytes_get16(records + (count - 1) * TRACE_RECORD) == 0)
        count--;
    return count;
}

/* Blocks are read until one has no record.  The number of dropped records is the same in each
 * frame. */
void hnowd_trace(struct hnowd_task *task)
{
    uint8_t head[8] = {0}, records[BATCH * TRACE_RECORD];
    struct channel *up = &task->agent->up;
    size_t from = 0, n;
    if (task->trace < 0)
        return;
    if (pread(task->trace, head, sizeof head, 0) < 0)
        bytes_put64(head, 0);
    do { /* at least one frame, so that hrun knows that nothing is missing */
        n = hnowd_trace_read(task->trace, from, records);
        channel_put(up, CONTROL_TRACE, task->tid, bytes_get64(head), (const void *)records,
                    n * TRACE_RECORD);
        from += BATCH;
    } while (n > 0);
    close(task->trace);
    task->trace = -1;
}

/* hrun's time of sending is returned with this host's time; hrun computes the offset from both. */
void hnowd_clock(struct hnowd *agent, struct unpack *in)
{
    channel_put(&agent->up, CONTROL_CLOCK, unpack_u64(in), (uint64_t)clock_now());
}

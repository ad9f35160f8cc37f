/* trace_record.c - encodes and decodes trace records (layout: trace_record.h). */
#include "protocol/trace_record.h"

#include "base/bytes.h"
#include "base/clock.h"

#include <stdatomic.h>
#include <string.h>

const char *trace_kind_name(unsigned kind)
{
    static const char *const names[] = {
#define X(name, number, text) [number] = text,
        TRACE_KINDS(X)
#undef X
    };
    return kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

void trace_encode(const struct trace_record *record, uint8_t out[TRACE_RECORD])
{
    bytes_put16(out + 2, record->thread);
    bytes_put32(out + 4, record->peer);
    bytes_put32(out + 8, (uint32_t)record->tag);
    bytes_put32(out + 12, (uint32_t)record->step);
    bytes_put64(out + 16, record->begin);
    bytes_put64(out + 24, record->end);
    bytes_put64(out + 32, record->bytes);
    bytes_put64(out + 40, record->number);
    memcpy(out + 48, record->operation, TRACE_OPERATION);
    memcpy(out + 48 + TRACE_OPERATION, record->plan, TRACE_PLAN);
    atomic_thread_fence(memory_order_release);
    bytes_put16(out, record->kind);
}

/* False: the record was not written completely, or its times are impossible. */
bool trace_decode(const uint8_t in[TRACE_RECORD], struct trace_record *record)
{
    *record = (struct trace_record){.kind = bytes_get16(in),
                                    .thread = bytes_get16(in + 2),
                                    .peer = bytes_get32(in + 4),
                                    .tag = (int32_t)bytes_get32(in + 8),
                                    .step = (int32_t)bytes_get32(in + 12),
                                    .begin = bytes_get64(in + 16),
                                    .end = bytes_get64(in + 24),
                                    .bytes = bytes_get64(in + 32),
                                    .number = bytes_get64(in + 40)};
    memcpy(record->operation, in + 48, TRACE_OPERATION - 1);
    memcpy(record->plan, in + 48 + TRACE_OPERATION, TRACE_PLAN - 1);
    return trace_kind_name(record->kind) && record->end >= record->begin &&
           record->end <= CLOCK_MOST;
}

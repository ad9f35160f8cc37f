/* name.c - the client of the name service (interface: hnow.h; rules: hrun/services/name_service.h).
 *
 * hrun stores the values, as message buffers.  Every call is a question, which takes a round trip
 * to hrun, so all tasks see the same order of events.
 */
#include "match/buffer.h"
#include "base/error.h"
#include "job/question.h"

#include <stdio.h>

/* An error is stored in the question, which is then not sent; so callers need no check of their
 * own. */
static void begin(struct question *q, enum control_kind kind, const char *name, int index)
{
    question_about(q, kind, name);
    if (!q->error && index < HN_ANY)
        q->error = error_set(HN_EARG, "%d is no index", index);
}

/* HN_ANY and other negative values: any index. */
static uint32_t pack_index(int index)
{
    return index < 0 ? UINT32_MAX : (uint32_t)index;
}

/* Returns the index under which hrun has stored the value, or an error. */
int hn_name_put(const char *name, int index, int flags, const hn_buffer *value)
{
    struct question q;

    begin(&q, CONTROL_PUT_ASK, name, index);
    if (!q.error && !value)
        q.error = error_set(HN_EARG, "no buffer");
    pack_u32(&q.out, pack_index(index));
    pack_u8(&q.out, (uint8_t)flags);
    if (value)
        pack_blob(&q.out, buffer_data(value), hn_buffer_bytes(value));
    return question_number(&q);
}

/* `value` and `info` may be NULL: the caller does not want them.  The value was stored by another
 * task, so it is validated. */
static int take_value(struct unpack *answer, const char *name, hn_buffer *value, hn_name_info *info)
{
    hn_name_info found = {.index = (int)unpack_u32(answer)};
    size_t n;

    found.owner = (hn_tid)unpack_u32(answer);
    found.flags = unpack_u8(answer);
    snprintf(found.name, sizeof found.name, "%s", name);
    const uint8_t *bytes = unpack_blob(answer, &n);
    if (info)
        *info = found;
    return value ? buffer_set(value, bytes, n) : HN_OK;
}

/* hrun waits for the value, if it must, so the time limit is part of the question. */
int hn_name_get(const char *name, int index, int flags, int milliseconds, hn_buffer *value,
                hn_name_info *info)
{
    struct question q;

    begin(&q, CONTROL_GET_ASK, name, index);
    pack_u32(&q.out, pack_index(index));
    pack_u8(&q.out, (uint8_t)flags);
    pack_u32(&q.out, milliseconds < 0 ? UINT32_MAX : (uint32_t)milliseconds);
    int result = question_ask(&q, CONTROL_VALUE);
    if (result == HN_OK)
        result = take_value(&q.answer, name, value, info);
    question_end(&q);
    return result;
}

int hn_name_delete(const char *name, int index)
{
    struct question q;

    begin(&q, CONTROL_DROP_ASK, name, index);
    pack_u32(&q.out, pack_index(index));
    return question_done(&q);
}

static void take_name(struct unpack *answer, void *entry)
{
    hn_name_info *info = entry;

    snprintf(info->name, sizeof info->name, "%s", unpack_str(answer));
    info->index = (int)unpack_u32(answer);
    info->owner = (hn_tid)unpack_u32(answer);
    info->flags = unpack_u8(answer);
}

int hn_name_list(const char *pattern, hn_name_info **list, int *n)
{
    REFUSE_NULL(pattern);
    REFUSE_NULL(list);
    REFUSE_NULL(n);

    struct question q;

    begin(&q, CONTROL_NAMES_ASK, pattern, HN_ANY);
    return question_list(&q, CONTROL_NAMES, sizeof **list, take_name, list, n);
}

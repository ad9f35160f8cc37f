/* name.c - the name service (interface: hnow.h; rules: hrun/name_service.h).
 *
 * hrun keeps the values, as message buffers: every call is a question, a round trip to hrun, and
 * several tasks see one order of events.
 */
#include "match/buffer.h"
#include "base/error.h"
#include "job/question.h"
#include "job/task.h"

#include <stdio.h>
#include <stdlib.h>

static void begin(struct question *q, enum control_kind kind, const char *name, int index)
{
    int error = !name            ? error_set(HN_EARG, "no name")
                : index < HN_ANY ? error_set(HN_EARG, "%d is no index", index)
                                 : question_begin(q, kind);

    if (error)
        *q = (struct question){.error = error};
    pack_str(&q->out, name);
}

static uint32_t pack_index(int index)
{
    return index < 0 ? UINT32_MAX : (uint32_t)index;
}

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
    int result = question_ask(&q, CONTROL_NUMBER);
    if (result == HN_OK)
        result = (int)unpack_u32(&q.answer);
    question_end(&q);
    return result;
}

static int take_value(struct unpack *answer, const char *name, hn_buffer *value, hn_name_info *info)
{
    hn_name_info found = {.index = (int)unpack_u32(answer)};
    const uint8_t *bytes;
    size_t n;

    found.owner = (hn_tid)unpack_u32(answer);
    found.flags = unpack_u8(answer);
    snprintf(found.name, sizeof found.name, "%s", name);
    bytes = unpack_blob(answer, &n);
    if (info)
        *info = found;
    return value ? buffer_set(value, bytes, n) : HN_OK;
}

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
    int result = question_ask(&q, CONTROL_DONE);
    question_end(&q);
    return result;
}

static int take_names(struct unpack *answer, hn_name_info **list, int *n)
{
    uint32_t count = unpack_u32(answer);
    hn_name_info *found = calloc((size_t)count + 1, sizeof *found);

    if (!found)
        return error_set(HN_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < count; i++) {
        snprintf(found[i].name, sizeof found[i].name, "%s", unpack_str(answer));
        found[i].index = (int)unpack_u32(answer);
        found[i].owner = (hn_tid)unpack_u32(answer);
        found[i].flags = unpack_u8(answer);
    }
    *list = found;
    *n = (int)count;
    return HN_OK;
}

int hn_name_list(const char *pattern, hn_name_info **list, int *n)
{
    REFUSE_NULL(pattern);
    REFUSE_NULL(list);
    REFUSE_NULL(n);

    struct question q;

    begin(&q, CONTROL_NAMES_ASK, pattern, HN_ANY);
    int result = question_ask(&q, CONTROL_NAMES);
    if (result == HN_OK)
        result = take_names(&q.answer, list, n);
    question_end(&q);
    return result;
}

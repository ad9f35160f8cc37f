/* keeper_message.c - packed messages between keepers; see keeper.h.
 *
 * All messages begin with a number, a request's id, stream, or status.  Words follow as strings;
 * bytes as one array.  Receiving checks counts and sizes, since a wrong one must not write outside
 * the receiver's arrays.
 */
#include "keeper.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void words_free(struct words *words)
{
    free(words->block);
    *words = (struct words){0};
}

int message_send(hn_tid to, int tag, int number, const char *const *words, int n)
{
    hn_buffer *buffer = hn_buffer_new();
    int32_t head[] = {number, n};
    int result = buffer ? hn_pack(buffer, head, 2, HN_INT32, 1) : HN_ENOMEM;

    for (int i = 0; i < n && result == HN_OK; i++)
        result = hn_pack_string(buffer, words[i]);
    if (result == HN_OK)
        result = hn_send_buffer(to, tag, buffer);
    hn_buffer_free(buffer);
    return result;
}

/* The texts cannot be longer than the whole message, so one block of its size has room for all of
 * them.  On an error the caller frees the block. */
static int unpack_words(hn_buffer *buffer, int n, struct words *words)
{
    size_t room = hn_buffer_bytes(buffer), used = 0, count;
    hn_type type;
    int result = HN_OK;

    words->block = malloc(room + 1);
    if (!words->block)
        return HN_ENOMEM;
    for (words->n = 0; words->n < n && result == HN_OK; words->n++) {
        result = hn_buffer_next(buffer, &type, &count);
        if (result == HN_OK)
            result = hn_unpack_string(buffer, words->block + used, room - used);
        if (result == HN_OK) {
            words->word[words->n] = words->block + used;
            used += count;
        }
    }
    return result;
}

/* *words needs no contents before, and is empty after an error. */
int message_receive(hn_tid source, int tag, int milliseconds, int *number, struct words *words,
                    hn_tid *from)
{
    hn_buffer *buffer = hn_buffer_new();
    int32_t head[2] = {0};
    hn_info info;
    int result = buffer ? hn_recv_buffer(source, tag, milliseconds, buffer, &info) : HN_ENOMEM;

    *words = (struct words){0};
    if (result == HN_OK)
        result = hn_unpack(buffer, head, 2, HN_INT32, 1);
    if (result == HN_OK)
        result =
            head[1] < 0 || head[1] > WORDS_MOST ? HN_EPROTO : unpack_words(buffer, head[1], words);
    hn_buffer_free(buffer);
    if (result != HN_OK) {
        words_free(words);
        return result;
    }
    *number = head[0];
    if (from)
        *from = info.from;
    return HN_OK;
}

/* n may be 0; then the message has no array, which means the end of a stream. */
int bytes_send(hn_tid to, int tag, int number, const void *data, size_t n)
{
    hn_buffer *buffer = hn_buffer_new();
    int32_t head = number;
    int result = buffer ? hn_pack(buffer, &head, 1, HN_INT32, 1) : HN_ENOMEM;

    if (result == HN_OK && n > 0)
        result = hn_pack(buffer, data, n, HN_BYTE, 1);
    if (result == HN_OK)
        result = hn_send_buffer(to, tag, buffer);
    hn_buffer_free(buffer);
    return result;
}

/* Blocks until the message arrives or the sender is lost. */
int bytes_receive(hn_tid from, int tag, int *number, char data[CHUNK])
{
    hn_buffer *buffer = hn_buffer_new();
    int32_t head = 0;
    size_t n = 0;
    hn_type type;
    int result = buffer ? hn_recv_buffer(from, tag, -1, buffer, NULL) : HN_ENOMEM;

    if (result == HN_OK)
        result = hn_unpack(buffer, &head, 1, HN_INT32, 1);
    if (result == HN_OK && hn_buffer_next(buffer, &type, &n) != HN_OK)
        n = 0;
    if (result == HN_OK && n > 0)
        result = n > CHUNK ? HN_EPROTO : hn_unpack(buffer, data, n, HN_BYTE, 1);
    hn_buffer_free(buffer);
    *number = head;
    return result == HN_OK ? (int)n : result;
}

bool write_all(int fd, const char *data, size_t n)
{
    while (n > 0) {
        ssize_t written = write(fd, data, n);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        n -= (size_t)written;
    }
    return true;
}

/* fuzz_link.c - any bytes on a connection between tasks: the frames are taken apart, messages
 * matched or kept, and the first bad frame ends it.  A receive for anything is always posted, so
 * that both kinds of messages occur: expected and unexpected ones. */
#include "play_link.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct hn_request receive(char *buffer, size_t room, int tag)
{
    struct hn_request r = {
        .from = HN_ANY, .tag = tag, .data = buffer, .count = room, .type = HN_BYTE};
    list_init(&r.node);
    return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char buffer[256];
    struct match match;
    struct link link;
    if (size < 1)
        return 0;
    struct hn_request tagged = receive(buffer, 128, 1), any = receive(buffer + 128, 128, HN_ANY);
    match_init(&match);
    link_init(&link, 1, &match);
    match_post(&match, &tagged);
    match_post(&match, &any);
    play_link(&link, data + 1, size - 1, 1 + data[0]);
    link_broken(&link);
    link_clear(&link, HN_EDEAD);
    match_clear(&match);
    if (!tagged.done || !any.done)
        abort();
    return 0;
}

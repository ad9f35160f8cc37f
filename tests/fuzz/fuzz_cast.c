/* fuzz_cast.c - any datagrams beside any bytes on a connection between tasks.  The input is steps:
 * a byte says what, two how many bytes follow.  Datagrams are closed here, so that their contents
 * get behind the mac, and opened as a task does; what is none without its mac is none.
 */
#include "base/bytes.h"
#include "multicast/datagram.h"
#include "play_link.h"

#include <stdlib.h>
#include <string.h>

enum { SELF = 2, OTHER = 1, STEP = 3, KINDS = 4 };
enum { A_DATAGRAM, AS_IT_IS, CONNECTION, BROKEN };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t key[DATAGRAM_KEY] = {1, 2, 3};

static struct hn_request receive(char *buffer, size_t room, int tag)
{
    struct hn_request r = {
        .from = HN_ANY, .tag = tag, .data = buffer, .count = room, .type = HN_BYTE};
    list_init(&r.node);
    return r;
}

static int take_datagram(struct link *link, uint8_t *in, size_t bytes, bool opens)
{
    struct datagram d;
    uint64_t position;
    size_t left;

    if ((datagram_parse(in, bytes, &d) && datagram_open(key, &d, in, bytes, &left)) != opens)
        abort();
    if (!opens || d.kind != DATAGRAM_FRAME || !datagram_position(in, &d, SELF, &position))
        return HN_OK;
    return link_receive_cast(link, position, in + datagram_before(&d), left);
}

/* A copy of its own, as large as it is: so that who reads beyond it is seen. */
static int play_datagram(struct link *link, const uint8_t *data, size_t size, bool closed)
{
    uint8_t *in = malloc(size + !size);
    struct datagram d;
    bool can;
    int code;

    if (!in)
        abort();
    memcpy(in, data, size);
    can = closed && datagram_parse(in, size, &d);
    if (can)
        datagram_close(key, &d, in, size - DATAGRAM_MAC - datagram_before(&d));
    code = take_datagram(link, in, size, can);
    free(in);
    return code;
}

static int play(struct link *link, unsigned kind, const uint8_t *data, size_t size)
{
    switch (kind % KINDS) {
    case BROKEN:
        link_broken(link);
        return link_resume(link, 0);
    case CONNECTION:
        return play_link(link, data, size, size);
    default:
        return play_datagram(link, data, size, kind % KINDS == A_DATAGRAM);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char buffer[256];
    struct match match;
    struct link link;
    struct hn_request tagged = receive(buffer, 128, 1), any = receive(buffer + 128, 128, HN_ANY);
    int code = HN_OK;

    match_init(&match);
    link_init(&link, OTHER, &match);
    match_post(&match, &tagged);
    match_post(&match, &any);
    while (size >= STEP && code == HN_OK) {
        size_t bytes = bytes_get16(data + 1);
        bytes = bytes < size - STEP ? bytes : size - STEP;
        code = play(&link, data[0], data + STEP, bytes);
        data += STEP + bytes;
        size -= STEP + bytes;
    }
    link_broken(&link);
    link_clear(&link, HN_EDEAD);
    match_clear(&match);
    if (!tagged.done || !any.done)
        abort();
    return 0;
}

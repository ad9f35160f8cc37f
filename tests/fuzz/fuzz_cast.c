/* fuzz_cast.c - any datagrams beside any bytes on a connection between tasks.  The input is steps:
 * a byte says what, two how many bytes follow.  Datagrams are sealed here, so that their contents
 * get behind the mac, and opened as a task does; what does not open without its seal is none.
 */
#include "bytes.h"
#include "datagram.h"
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

/* Whether it says a number of targets that it can have. */
static bool can_be_sealed(const uint8_t *in, size_t bytes)
{
    return bytes >= DATAGRAM_HEAD && in[3] >= 1 && in[3] <= DATAGRAM_TARGETS &&
           bytes >= DATAGRAM_HEAD + (size_t)in[3] * DATAGRAM_TARGET &&
           bytes_get16(in) == DATAGRAM_MAGIC;
}

static void seal(uint8_t *in, size_t bytes)
{
    size_t before = DATAGRAM_HEAD + (size_t)in[3] * DATAGRAM_TARGET;

    datagram_seal(key, in, in + before, bytes - before, NULL, 0);
}

static int take_datagram(struct link *link, const uint8_t *in, size_t bytes, bool opens)
{
    struct datagram d;
    uint64_t place;

    if (datagram_open(key, in, bytes, &d) != opens)
        abort();
    if (!opens || d.kind != DATAGRAM_FRAME || !datagram_place(in, &d, SELF, &place))
        return HN_OK;
    return link_take_cast(link, place, in + datagram_before(&d), bytes - datagram_before(&d));
}

/* A copy of its own, as large as it is: so that who reads beyond it is seen. */
static int play_datagram(struct link *link, const uint8_t *data, size_t size, bool sealed)
{
    uint8_t *in = malloc(size + !size);
    bool can = sealed && can_be_sealed(data, size);
    int code;

    if (!in)
        abort();
    memcpy(in, data, size);
    if (can)
        seal(in, size);
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

/* fuzz_control.c - any bytes on a control channel.  Fed at once and fed in pieces they must give
 * the same frames and the same end, and whatever comes out must have the payload that its kind has.
 */
#include "protocol/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes what is there and appends kinds, lengths and last bytes to text (as far as there is room).
 */
static int take(struct control_decoder *decoder, char text[TEXT])
{
    struct control_frame frame;
    int state;
    while ((state = control_next(decoder, &frame)) == 1) {
        size_t n = strlen(text);
        if (!control_name(frame.kind))
            abort();
        snprintf(text + n, TEXT - n, " %s %zu %d", control_name(frame.kind), frame.payload.length,
                 frame.payload.length ? frame.payload.data[frame.payload.length - 1] : 0);
    }
    return state;
}

/* Feeds the bytes in pieces of `piece`; returns how it ended. */
static int feed(const uint8_t *data, size_t size, size_t piece, char text[TEXT])
{
    struct control_decoder decoder = {0};
    int state = 0;
    text[0] = 0;
    for (size_t at = 0; at < size && state == 0; at += piece) {
        size_t part = piece < size - at ? piece : size - at;
        if (control_feed(&decoder, data + at, part) != 0)
            break;
        state = take(&decoder, text);
    }
    control_decoder_free(&decoder);
    return state;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char whole[TEXT], pieces[TEXT];
    if (size < 1)
        return 0;
    int end = feed(data + 1, size - 1, size, whole);
    if (feed(data + 1, size - 1, 1 + data[0] % 32, pieces) != end || strcmp(whole, pieces) != 0)
        abort();
    return 0;
}

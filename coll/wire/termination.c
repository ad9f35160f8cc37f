/* termination.c - the bytes of a termination notice (termination.h).
 *
 *      0  u64  all ones: no deflated message is as long once inflated (compress.c)
 *      8  u32  the task whose mistake it was
 *     12  u32  the error, negated
 */
#include "wire/termination.h"

#include "runtime/internal.h"

void termination_put(uint8_t bytes[TERMINATION_SIZE], hn_tid who, int error)
{
    bytes_put64(bytes, UINT64_MAX);
    bytes_put32(bytes + 8, (uint32_t)who);
    bytes_put32(bytes + 12, -(uint32_t)error);
}

bool termination_read(const uint8_t *bytes, size_t length, hn_tid *who, int *error)
{
    if (length != TERMINATION_SIZE || bytes_get64(bytes) != UINT64_MAX)
        return false;
    uint32_t code = bytes_get32(bytes + 12);
    *who = (hn_tid)bytes_get32(bytes + 8);
    *error = code > 0 && code <= INT32_MAX ? -(int)code : HN_EPROTO;
    return true;
}

/* test_parallel_token.c - which further sockets a connection of several takes: those that name it,
 * for a token of another connection may be from before the task was dialled again. */
#include "connect/peer.h"
#include "transport/parallel.h"

#include <criterion/criterion.h>

#define TOKEN UINT64_C(0x1122334455667788)

static struct peer p; /* so that what it has is found at the end */

static void begin(void)
{
    const uint8_t key[2][SEAL_KEY] = {{1}, {2}};
    p.transport = &transport_parallel;
    p.parallel = parallel_new(seal_new(key[0], key[1], false), TOKEN);
    cr_assert_not_null(p.parallel);
}

Test(parallel_token, its_own, .init = begin)
{
    cr_assert(parallel_takes(&p, TOKEN));
    cr_assert_eq(parallel_token(&p), TOKEN);
}

Test(parallel_token, one_bit_is_enough, .init = begin)
{
    for (int bit = 0; bit < 64; bit++)
        cr_assert_not(parallel_takes(&p, TOKEN ^ UINT64_C(1) << bit));
}

Test(parallel_token, other_transports, .init = begin)
{
    p.transport = &transport_socket;
    cr_assert_not(parallel_takes(&p, TOKEN));
    p.transport = &transport_parallel;
}

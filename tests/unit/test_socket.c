/* test_socket.c - from how many bytes on a socket counts as readable (socket_await()). */
#include "connect/peer.h"
#include "transport/socket.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PACKET = 1448, RECORD = 16 << 10 };

static struct peer peer;
static int other; /* the connection's other end */

/* A TCP connection to this process. */
static void connect_both(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    cr_assert_eq(bind(listener, (struct sockaddr *)&address, length), 0);
    cr_assert_eq(listen(listener, 1), 0);
    cr_assert_eq(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    other = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(connect(other, (struct sockaddr *)&address, length), 0);
    peer.fd = accept(listener, NULL, NULL);
    peer.receiving.awaits = 1;
    cr_assert_geq(peer.fd, 0);
    close(listener);
}

static void disconnect_both(void)
{
    close(other);
    close(peer.fd);
}

TestSuite(socket, .init = connect_both, .fini = disconnect_both);

static int awaited(void)
{
    int least = 0;
    socklen_t length = sizeof least;

    cr_assert_eq(getsockopt(peer.fd, SOL_SOCKET, SO_RCVLOWAT, &least, &length), 0);
    cr_assert_eq(least, peer.receiving.awaits);
    return least;
}

static bool is_readable(int ms)
{
    struct pollfd watched = {.fd = peer.fd, .events = POLLIN};

    return poll(&watched, 1, ms) == 1;
}

static void write_bytes(size_t bytes)
{
    static const char zeros[RECORD];

    cr_assert_eq(write(other, zeros, bytes), (ssize_t)bytes);
}

Test(socket, the_rest_of_a_record_wakes_its_reader_once)
{
    socket_await(&peer, PACKET, RECORD - PACKET);
    cr_assert_eq(awaited(), RECORD - PACKET);
    write_bytes(RECORD / 2);
    cr_assert(!is_readable(100));
    write_bytes(RECORD / 2 - PACKET);
    cr_assert(is_readable(-1));
    socket_await(&peer, RECORD - PACKET, 0);
    cr_assert_eq(awaited(), 1);
}

Test(socket, of_a_long_message_some_packets_are_awaited)
{
    socket_await(&peer, PACKET, 1 << 20);
    cr_assert_eq(awaited(), RECORD);
    socket_await(&peer, RECORD, 20000);
    cr_assert_eq(awaited(), RECORD);
    socket_await(&peer, RECORD, 5000);
    cr_assert_eq(awaited(), 5000);
}

Test(socket, a_fast_connection_is_read_as_it_comes)
{
    socket_await(&peer, RECORD, 1 << 20);
    cr_assert_eq(awaited(), 1);
    socket_await(&peer, PACKET, PACKET);
    cr_assert_eq(awaited(), 1);
}

Test(socket, the_end_of_the_stream_is_seen_before_the_awaited_bytes)
{
    socket_await(&peer, PACKET, RECORD);
    shutdown(other, SHUT_WR);
    cr_assert(is_readable(-1));
}

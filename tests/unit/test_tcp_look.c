/* test_tcp_look.c - a connection on loopback is found as a process's and by its ends. */
#include "base/tcp_look.h"
#include "base/tcp_traffic.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Both ends of a connection; the accepting socket is of IPv6, as sshd's may be. */
static void connect_both(int end[2], in_port_t port[2])
{
    struct sockaddr_in6 any = {.sin6_family = AF_INET6}, here;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof here;
    int off = 0, listener = socket(AF_INET6, SOCK_STREAM, 0);
    if (listener < 0)
        cr_skip_test("no IPv6 here");
    setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    cr_assert(bind(listener, (struct sockaddr *)&any, sizeof any) == 0 && listen(listener, 1) == 0);
    cr_assert(getsockname(listener, (struct sockaddr *)&here, &length) == 0);
    port[1] = ntohs(here.sin6_port);
    to.sin_port = here.sin6_port;
    end[0] = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(connect(end[0], (struct sockaddr *)&to, sizeof to) == 0);
    end[1] = accept(listener, NULL, NULL);
    length = sizeof to;
    cr_assert(end[1] >= 0 && getsockname(end[0], (struct sockaddr *)&to, &length) == 0);
    port[0] = ntohs(to.sin_port);
    close(listener);
}

static void need_netlink(void)
{
    int fd = socket(AF_NETLINK, SOCK_DGRAM, NETLINK_SOCK_DIAG);
    if (fd < 0)
        cr_skip_test("no sock_diag here");
    close(fd);
}

/* Nothing is under way and the handshake has just been acknowledged: the other end is silent, and
 * its host is not. */
Test(tcp_look, a_silent_connection)
{
    char text[TCP_LOOK_TEXT] = "", name[100];
    int end[2];
    in_port_t port[2];
    need_netlink();
    connect_both(end, port);
    snprintf(name, sizeof name, "127.0.0.1 %u 127.0.0.1 %u", port[0], port[1]);
    tcp_look_silent_sshd(name, false, text);
    cr_expect(strstr(text, "acknowledges"), "'%s'", text);
    snprintf(name, sizeof name, "127.0.0.1 %u 127.0.0.2 %u", port[0], port[1]);
    tcp_look_silent_sshd(name, false, text);
    cr_expect_str_eq(text, "", "no such connection");
    cr_assert(setpgid(0, 0) == 0 || getpgrp() == getpid());
    cr_expect_not(tcp_look_silent(getpgrp(), false, text), "nothing is lost");
    cr_expect(tcp_look_silent(getpgrp(), true, text), "on a busy host it may be");
    cr_expect(strstr(text, "acknowledges"), "'%s'", text);
}

/* An sshd of which only the line with its version comes; then more. */
Test(tcp_look, a_connection_that_has_begun)
{
    static const char banner[] = "SSH-2.0-x\r\n";
    char text[TCP_LOOK_TEXT], more[1000] = "";
    int end[2], ready[2];
    in_port_t port[2];
    need_netlink();
    connect_both(end, port);
    cr_assert_eq(pipe(ready), 0);
    pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        setpgid(0, 0);
        close(end[1]);
        close(ready[1]);
        pause();
        _exit(0);
    }
    setpgid(child, child);
    close(end[0]);
    close(ready[1]);
    cr_assert_eq(read(ready[0], more, 1), 0); /* the child has only its end */
    cr_expect_not(tcp_look_begun(child, text));
    cr_expect_str_eq(text, "", "nothing has come: %s", text);
    cr_assert(write(end[1], banner, sizeof banner - 1) > 0);
    cr_expect_not(tcp_look_begun(child, text));
    cr_expect(strstr(text, "only 11 bytes have arrived"), "'%s'", text);
    cr_assert(write(end[1], more, sizeof more) > 0);
    cr_expect_not(tcp_look_begun(child, text));
    cr_expect_str_eq(text, "", "%s", text);
    kill(child, SIGKILL);
}

Test(tcp_look, what_is_no_connection)
{
    static const char *const names[] = {NULL, "", "a", "1.2.3.4 5", "x 1 y 2", "1.2.3.4 a ::1 b"};
    char text[TCP_LOOK_TEXT];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tcp_look_silent_sshd(names[i], true, text);
        cr_expect_str_eq(text, "");
    }
}

Test(tcp_look, traffic_is_counted)
{
    int end[2];
    in_port_t port[2];
    struct tcp_traffic before = tcp_traffic_now();
    connect_both(end, port);
    struct tcp_traffic now = tcp_traffic_now();
    cr_expect_geq(now.in, before.in + 3, "a handshake has three segments");
    cr_expect_geq(now.out, before.out + 3);
    cr_expect_not(tcp_traffic_is_lossy(&before, &now), "too little to be sure");
}

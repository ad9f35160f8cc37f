/* strangers.c - knocks at the doors of a task: strangers WAY COUNT WHERE TID [SECRET] [KEEP]
 *
 * Connects COUNT times to WHERE (PORT of 127.0.0.1, ADDRESS:PORT, or @NAME of a UNIX socket), where
 * task TID listens, keeps the newest KEEP connections open (1 if not given), and prints how many
 * were answered.  COUNT 0: goes on until its standard input ends.  What it says is made by the
 * library's own handshake.c, so that it is of this version.
 *
 *     honest       the whole handshake, with the job's SECRET (64 digits): each must be successful
 *     distant      the same, with 200 ms before each message but the first, as if it came from afar
 *     silent       nothing                        hangup    nothing, and closes at once
 *     noise        200 random bytes               http      a question of HTTP
 *     hello        a HELLO with another secret    half      20 bytes of it
 *     version      a HELLO with the SECRET, of another version
 *     proof        a HELLO with the SECRET, as who has recorded one, and a PROOF with another
 *     slow         a HELLO with another secret, a byte at a time
 *     passing      a HELLO with the SECRET, two descriptors beside each byte, and then a PROOF
 *     flood        nothing, some 4000 a second, without waiting until it is connected
 *     any          one of silent, hangup, noise, http, hello, half; each time another one
 */
#include "base/bytes.h"
#include "connect/handshake.h"
#include "protocol/control.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 10000 /* ms, for an answer */, STRANGE = 1 << 16 /* serial of no task */ };

static struct {
    struct sockaddr_storage at;
    socklen_t length;
    hn_tid tid;
    uint8_t secret[CONTROL_SECRET];
    uint32_t last; /* of the tids that strangers make up */
} target;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void find_target(const char *where)
{
    struct sockaddr_un *name = (struct sockaddr_un *)&target.at;
    struct sockaddr_in *in = (struct sockaddr_in *)&target.at;
    const char *colon = strchr(where, ':');
    char address[INET_ADDRSTRLEN] = "127.0.0.1";

    if (*where == '@') {
        name->sun_family = AF_UNIX;
        memcpy(name->sun_path + 1, where + 1, strlen(where + 1));
        target.length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(where));
        return;
    }
    if (colon)
        snprintf(address, sizeof address, "%.*s", (int)(colon - where), where);
    in->sin_family = AF_INET;
    in->sin_port = htons((uint16_t)atoi(colon ? colon + 1 : where));
    if (inet_pton(AF_INET, address, &in->sin_addr) != 1)
        die(where);
    target.length = sizeof *in;
}

static int come(bool waits)
{
    int fd = socket(target.at.ss_family, SOCK_STREAM | (waits ? 0 : SOCK_NONBLOCK), 0);
    struct timeval patience = {.tv_sec = PATIENCE / 1000};

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&target.at, target.length) == 0 || errno == EINPROGRESS)
        return fd;
    close(fd);
    return -1;
}

static bool say(int fd, const void *bytes, size_t n)
{
    return send(fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n;
}

/* A HELLO from a task that nobody has heard of. */
static struct handshake hello(bool genuine)
{
    static const uint8_t other[CONTROL_SECRET] = {9};
    static const struct handshake_start start;
    struct handshake h;

    handshake_dial(&h, genuine ? target.secret : other, target.tid + STRANGE + (int)target.last++,
                   target.tid, &start, 0);
    return h;
}

/* Whether the task says anything before it closes. */
static bool hears(int fd)
{
    uint8_t byte;

    return recv(fd, &byte, 1, 0) == 1;
}

/* Until the dialler is done, or the other side will not have it. */
static bool shake_hands(int fd, struct handshake *h, long pause)
{
    uint8_t bytes[HANDSHAKE_LONGEST];

    while (h->state != HANDSHAKE_DONE) {
        size_t used;
        if (h->out_length > 0 && !say(fd, h->out, h->out_length))
            return false;
        h->out_length = 0;
        ssize_t n = recv(fd, bytes, handshake_need(h), 0);
        if (n <= 0 || handshake_feed(h, bytes, (size_t)n, &used) != HN_OK ||
            h->state == HANDSHAKE_BUSY)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    }
    return true;
}

static bool honest(int fd)
{
    struct handshake h = hello(true);

    return shake_hands(fd, &h, 0);
}

static bool distant(int fd)
{
    struct handshake h = hello(true);

    return shake_hands(fd, &h, 200000000);
}

static bool silent(int fd)
{
    (void)fd;
    return false;
}

static bool flood(int fd)
{
    struct linger at_once = {.l_onoff = 1};

    setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    return false;
}

static bool hangup(int fd)
{
    shutdown(fd, SHUT_RDWR);
    return false;
}

static bool noise(int fd)
{
    uint8_t bytes[200];

    randombytes_buf(bytes, sizeof bytes);
    return say(fd, bytes, sizeof bytes) && hears(fd);
}

static bool http(int fd)
{
    static const char text[] = "GET / HTTP/1.1\r\nHost: a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r\r\n"
                               "User-Agent: stranger\r\n\r\n";

    return say(fd, text, sizeof text - 1) && hears(fd);
}

static bool wrong_hello(int fd)
{
    struct handshake h = hello(false);

    return say(fd, h.out, h.out_length) && hears(fd);
}

static bool half(int fd)
{
    struct handshake h = hello(false);

    return say(fd, h.out, 20) && false;
}

static bool version(int fd)
{
    struct handshake h = hello(true);

    bytes_put16(h.out + 4, bytes_get16(h.out + 4) + 1);
    return say(fd, h.out, h.out_length) && hears(fd);
}

static bool proof(int fd)
{
    struct handshake h = hello(true);
    uint8_t answer[HANDSHAKE_ANSWER], made_up[HANDSHAKE_PROOF] = {0};

    return say(fd, h.out, h.out_length) && recv(fd, answer, sizeof answer, MSG_WAITALL) > 0 &&
           say(fd, made_up, sizeof made_up) && hears(fd);
}

static bool slow(int fd)
{
    struct handshake h = hello(false);

    for (unsigned i = 0; i < h.out_length; i++) {
        if (!say(fd, h.out + i, 1))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    return hears(fd);
}

static bool give_two(int fd, const uint8_t *byte)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(2 * sizeof(int))];
    } control = {.header = {.cmsg_len = CMSG_LEN(2 * sizeof(int)),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS}};
    struct iovec iov = {(void *)byte, 1};
    struct msghdr m = {.msg_iov = &iov,
                       .msg_iovlen = 1,
                       .msg_control = control.room,
                       .msg_controllen = sizeof control.room};
    int two[2] = {fd, fd};

    memcpy(CMSG_DATA(&control.header), two, sizeof two);
    return sendmsg(fd, &m, MSG_NOSIGNAL) == 1;
}

static bool passing(int fd)
{
    struct handshake h = hello(true);
    uint8_t answer[HANDSHAKE_ANSWER], made_up[HANDSHAKE_PROOF] = {0};
    bool answered = false;

    for (unsigned i = 0; i < h.out_length; i++)
        if (!give_two(fd, h.out + i))
            return false;
    answered = recv(fd, answer, sizeof answer, MSG_WAITALL) == sizeof answer;
    for (unsigned i = 0; answered && i < sizeof made_up; i++)
        if (!give_two(fd, made_up + i))
            break;
    return answered;
}

static bool any(int fd);

static const struct {
    const char *name;
    bool (*knock)(int fd); /* true: the task has answered */
} ways[] = {{"silent", silent},   {"hangup", hangup}, {"half", half},
            {"noise", noise},     {"http", http},     {"hello", wrong_hello},
            {"version", version}, {"proof", proof},   {"slow", slow},
            {"passing", passing}, {"honest", honest}, {"distant", distant},
            {"flood", flood},     {"any", any}};

static bool any(int fd)
{
    return ways[randombytes_uniform(6)].knock(fd);
}

static bool (*find_way(const char *name))(int)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, name) == 0)
            return ways[i].knock;
    fprintf(stderr, "strangers: %s is no way\n", name);
    exit(2);
}

static bool input_ended(void)
{
    struct pollfd p = {.fd = 0, .events = POLLIN};

    return poll(&p, 1, 0) != 0;
}

int main(int argc, char **argv)
{
    size_t length;
    long answered = 0, in_vain = 0;

    if (argc < 5 || sodium_init() < 0)
        return 2;
    bool (*knock)(int) = find_way(argv[1]);
    long count = atol(argv[2]), keep = argc > 6 ? atol(argv[6]) : 1;
    find_target(argv[3]);
    target.tid = atoi(argv[4]);
    if (argc > 5)
        sodium_hex2bin(target.secret, sizeof target.secret, argv[5], strlen(argv[5]), NULL, &length,
                       NULL);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)keep + 20, (rlim_t)keep + 20});
    int *kept = calloc((size_t)keep, sizeof *kept);
    for (long i = 0; count ? i < count : !input_ended(); i++) {
        int fd = come(knock != flood);
        if (kept[i % keep] > 0)
            close(kept[i % keep]);
        kept[i % keep] = fd;
        if (fd < 0)
            in_vain++;
        else
            answered += knock(fd);
    }
    printf("%ld answered, %ld not connected\n", answered, in_vain);
    free(kept);
    return (knock == honest || knock == distant) && answered < count ? 1 : 0;
}

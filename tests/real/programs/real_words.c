/* real_words.c - the words of hnow.h for messages and tasks, each between different hosts.
 *     messages      rank 0 and rank 1: every type, buffers, waiting and not, probes, contexts
 *     multicast     rank 0 to all, itself, too
 *     progress FILE a long message moves while its sender, and while its receiver, is outside the
 *                   library: each computes until the other one shows that it has all,
 *                   and for $HNOW_COMPUTE seconds
 *     flood FILE    a million messages that nobody asks for, and then somebody does
 *     spawn         rank 0 starts tasks at places of every kind, and has them tell where they are
 *     child TEXT    one of these
 * Every task prints its word at the end; what is wrong ends the job with a line (check.h).
 */
#include "../../services/check.h"

#include <complex.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { TAG = 7, MANY = 5, WAIT = 20000 /* ms: it comes, or something is wrong */ };

static hn_tid task(int rank)
{
    return hn_group_tid(hn_world(), rank);
}

/* ---- messages ---- */

/* Sends MANY elements of a type round, as they stand and packed with a stride; they come back. */
#define ROUND(type, name, first)                                                                   \
    do {                                                                                           \
        type out[MANY], in[2 * MANY];                                                              \
        for (int i = 0; i < MANY; i++)                                                             \
            out[i] = (type)((first) + i);                                                          \
        round_of(out, in, in + MANY, sizeof(type), name);                                          \
    } while (0)

static void round_of(const void *out, void *in, void *unpacked, size_t size, hn_type type)
{
    hn_tid other = task(1 - hn_rank());
    hn_buffer *buffer = hn_buffer_new();
    hn_info info;

    CHECK(size == hn_type_size(type));
    CHECK(hn_pack(buffer, out, (MANY + 1) / 2, type, 2) == HN_OK);
    CHECK(hn_send(other, TAG, out, MANY, type) == HN_OK);
    CHECK(hn_send_buffer(other, TAG, buffer) == HN_OK);
    CHECK(hn_recv(other, TAG, in, MANY, type, &info) == HN_OK);
    CHECK(info.from == other && info.tag == TAG && info.type == type && info.count == MANY);
    CHECK(memcmp(in, out, MANY * size) == 0);
    CHECK(hn_recv_buffer(other, TAG, WAIT, buffer, &info) == HN_OK && info.type == HN_PACKED);
    CHECK(hn_unpack(buffer, unpacked, (MANY + 1) / 2, type, 1) == HN_OK);
    for (size_t i = 0; i < (MANY + 1) / 2; i++)
        CHECK(memcmp((char *)unpacked + i * size, (const char *)out + 2 * i * size, size) == 0);
    CHECK(hn_unpack(buffer, unpacked, 1, type, 1) == HN_ETRUNC);
    hn_buffer_free(buffer);
}

static void every_type(void)
{
    ROUND(unsigned char, HN_BYTE, 250);
    ROUND(int8_t, HN_INT8, -2);
    ROUND(uint8_t, HN_UINT8, 250);
    ROUND(short, HN_SHORT, -30000);
    ROUND(unsigned short, HN_USHORT, 65530);
    ROUND(int, HN_INT, -2000000000);
    ROUND(unsigned, HN_UINT, 4294967290u);
    ROUND(long, HN_LONG, -4000000000L);
    ROUND(unsigned long, HN_ULONG, 4000000000uL);
    ROUND(long long, HN_LLONG, -4000000000LL);
    ROUND(unsigned long long, HN_ULLONG, 18446744073709551610uLL);
    ROUND(float, HN_FLOAT, 0.1f);
    ROUND(double, HN_DOUBLE, 0.1);
    ROUND(float complex, HN_COMPLEX, 0.1f + 2 * I);
    ROUND(double complex, HN_DOUBLE_COMPLEX, 0.1 + 2 * I);
}

/* A string, numbers and a buffer in a buffer. */
static void nested(void)
{
    hn_tid other = task(1 - hn_rank());
    hn_buffer *inner = hn_buffer_new(), *outer = hn_buffer_new(), *got = hn_buffer_new();
    char text[32];
    int number = 0;

    CHECK(hn_pack_string(inner, "within") == HN_OK);
    CHECK(hn_pack_string(outer, "") == HN_OK && hn_pack_buffer(outer, inner) == HN_OK);
    CHECK(hn_pack(outer, &(int){42}, 1, HN_INT, 1) == HN_OK);
    CHECK(hn_send_buffer(other, TAG, outer) == HN_OK);
    CHECK(hn_recv_buffer(other, HN_ANY, -1, got, NULL) == HN_OK);
    CHECK(hn_unpack_string(got, text, sizeof text) == HN_OK && strcmp(text, "") == 0);
    CHECK(hn_unpack_buffer(got, inner) == HN_OK);
    CHECK(hn_unpack(got, &number, 1, HN_INT, 1) == HN_OK && number == 42);
    CHECK(hn_unpack_string(inner, text, sizeof text) == HN_OK && strcmp(text, "within") == 0);
    hn_buffer_free(inner);
    hn_buffer_free(outer);
    hn_buffer_free(got);
}

/* Requests, limits of time, probes and wildcards.  Both sides go step by step: nothing is there
 * before the other one has been told that it is wanted. */
static void waiting(void)
{
    hn_tid other = task(1 - hn_rank());
    hn_request *in[2], *out;
    hn_info info;
    int numbers[3] = {0}, few, tested;

    CHECK(hn_iprobe(other, TAG, NULL) == 0);
    CHECK(hn_recv_timeout(HN_ANY, TAG, &few, 1, HN_INT, 1, NULL) == HN_ETIMEOUT);
    CHECK(hn_irecv(other, TAG, &numbers[0], 1, HN_INT, &in[0]) == HN_OK);
    CHECK(hn_irecv(HN_ANY, HN_ANY, &numbers[1], 2, HN_INT, &in[1]) == HN_OK);
    CHECK(hn_test(in[0], NULL) == 0);
    CHECK(hn_send(other, TAG + 1, NULL, 0, HN_INT) == HN_OK); /* "I have looked" */
    CHECK(hn_wait(in[1], &info) == HN_OK && info.count == 0 && info.tag == TAG + 1);
    CHECK(hn_isend(other, TAG, &(int){hn_rank()}, 1, HN_INT, &out) == HN_OK);
    CHECK(hn_wait(out, NULL) == HN_OK);
    while ((tested = hn_test(in[0], &info)) == 0)
        ;
    CHECK(tested == 1 && info.from == other && numbers[0] == 1 - hn_rank());

    CHECK(hn_send(other, TAG, (int[3]){1, 2, 3}, 3, HN_INT) == HN_OK);
    CHECK(hn_probe(HN_ANY, HN_ANY, &info) == HN_OK && info.from == other && info.count == 3);
    CHECK(hn_iprobe(other, TAG, NULL) == 1 && hn_iprobe(other, TAG + 1, NULL) == 0);
    CHECK(hn_recv(other, TAG, &few, 1, HN_INT, &info) == HN_ETRUNC && info.count == 3);
    CHECK(hn_recv(other, TAG, &few, 1, HN_FLOAT, NULL) == HN_ETYPE);
    CHECK(hn_recv(other, TAG, numbers, 3, HN_INT, NULL) == HN_OK && numbers[2] == 3);
}

/* A library's messages are not taken for the program's, though they come first. */
static void contexts(void)
{
    hn_tid other = task(1 - hn_rank());
    hn_context own;
    int got = 0;

    own = hn_set_context(0x12345);
    CHECK(own == 0);
    CHECK(hn_send(other, TAG, &(int){1}, 1, HN_INT) == HN_OK);
    hn_set_context(0);
    CHECK(hn_send(other, TAG, &(int){2}, 1, HN_INT) == HN_OK);
    CHECK(hn_recv(HN_ANY, HN_ANY, &got, 1, HN_INT, NULL) == HN_OK && got == 2);
    CHECK(hn_iprobe(HN_ANY, HN_ANY, NULL) != 1); /* it may have ended: HN_EDEAD */
    hn_set_context(0x12345);
    CHECK(hn_recv(HN_ANY, HN_ANY, &got, 1, HN_INT, NULL) == HN_OK && got == 1);
    hn_set_context(0);
}

static void messages(void)
{
    waiting();
    every_type();
    nested();
    contexts();
}

static void multicast(void)
{
    const hn_tid *all;
    int n = hn_siblings(&all), got[2] = {0};
    char text[16];
    hn_buffer *buffer = hn_buffer_new();

    if (hn_rank() == 0) {
        CHECK(hn_multicast(all, n, TAG, (int[2]){3, 4}, 2, HN_INT) == HN_OK);
        CHECK(hn_pack_string(buffer, "to all") == HN_OK);
        CHECK(hn_multicast_buffer(all, n, TAG, buffer) == HN_OK);
    }
    CHECK(hn_recv(all[0], TAG, got, 2, HN_INT, NULL) == HN_OK && got[1] == 4);
    CHECK(hn_recv_buffer(all[0], TAG, WAIT, buffer, NULL) == HN_OK);
    CHECK(hn_unpack_string(buffer, text, sizeof text) == HN_OK && strcmp(text, "to all") == 0);
    hn_buffer_free(buffer);
}

/* ---- what goes on without the program ---- */

enum { LONG = 16 << 20, FLOOD = 1000000, MEMORY = 100 << 10 /* KiB */ };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The hosts of a bed have one file system: a word past the library. */
static void show(const char *file)
{
    int fd = open(file, O_WRONLY | O_CREAT, 0600);

    CHECK(fd >= 0);
    close(fd);
}

/* Until when to compute, at least: $HNOW_COMPUTE seconds from now. */
static double computed(void)
{
    const char *seconds = getenv("HNOW_COMPUTE");

    return now() + (seconds ? atof(seconds) : 0);
}

static void compute_until(const char *file)
{
    for (double end = computed(); access(file, F_OK) != 0 || now() < end;)
        ;
}

static void progress(const char *file)
{
    hn_tid other = task(1 - hn_rank());
    char *data = calloc(1, LONG);
    hn_request *request;

    CHECK(data);
    if (hn_rank() == 0) {
        data[LONG - 1] = 1;
        CHECK(hn_isend(other, TAG, data, LONG, HN_BYTE, &request) == HN_OK);
        compute_until(file); /* rank 1 has all of it */
        CHECK(hn_wait(request, NULL) == HN_OK);
        CHECK(hn_recv(other, TAG, NULL, 0, HN_BYTE, NULL) == HN_OK);
        CHECK(hn_send(other, TAG, data, LONG, HN_BYTE) == HN_OK);
    } else {
        CHECK(hn_recv(other, TAG, data, LONG, HN_BYTE, NULL) == HN_OK);
        show(file);
        memset(data, 0, LONG);
        CHECK(hn_irecv(other, TAG, data, LONG, HN_BYTE, &request) == HN_OK);
        CHECK(hn_send(other, TAG, NULL, 0, HN_BYTE) == HN_OK);
        for (double end = computed(); !((volatile char *)data)[LONG - 1] || now() < end;)
            ;
        CHECK(hn_wait(request, NULL) == HN_OK);
    }
    free(data);
}

static void flood(const char *file)
{
    hn_tid other = task(1 - hn_rank());
    struct rusage used;

    for (int k = 0; hn_rank() == 0 && k < FLOOD; k++)
        CHECK(hn_send(other, TAG, &k, 1, HN_INT) == HN_OK);
    if (hn_rank() == 0) {
        show(file);
        return;
    }
    compute_until(file);
    for (int k = 0, got; k < FLOOD; k++)
        CHECK(hn_recv(other, HN_ANY, &got, 1, HN_INT, NULL) == HN_OK && got == k);
    CHECK(getrusage(RUSAGE_SELF, &used) == 0 && used.ru_maxrss < MEMORY);
}

/* ---- tasks ---- */

/* A child says: its argument, host, directory, what WORD is in its environment; and then waits to
 * be killed. */
static void child(const char *text)
{
    char line[512], wdir[256];
    const char *word = getenv("WORD");

    CHECK(getcwd(wdir, sizeof wdir));
    snprintf(line, sizeof line, "%s %s %s %s", text, hn_host_of(hn_mytid()), wdir,
             word ? word : "-");
    CHECK(hn_parent() > 0);
    CHECK(hn_send(hn_parent(), TAG, line, strlen(line) + 1, HN_CHAR) == HN_OK);
    hn_recv(hn_parent(), TAG, NULL, 0, HN_BYTE, NULL);
}

/* hrun may be informed that a task has enrolled after that task's first message has arrived. */
static void await_enrolled(hn_tid tid, hn_task_info *info)
{
    for (int i = 0; i < 1000; i++, usleep(10000)) {
        CHECK(hn_task_status(tid, info) == HN_OK);
        if (info->state == HN_ENROLLED)
            return;
    }
    CHECK(!"it never enrolled");
}

/* Starts count children there; they are on hosts that match one letter of `hosts` ("h" LETTER), and
 * end by a signal when they have told everything. */
static void start(const char *program, int count, const hn_place *place, const char *hosts)
{
    const char *argv[] = {"child", "argument", NULL};
    hn_tid tids[8];
    hn_task_info info;

    CHECK(hn_spawn(program, argv, count, place, tids) == count);
    CHECK(hn_notify(HN_TASK_EXIT, tids, count, TAG + 1) == HN_OK);
    for (int i = 0; i < count; i++) {
        char line[512], host[64], wdir[256], word[64];
        CHECK(hn_recv(tids[i], TAG, line, sizeof line, HN_CHAR, NULL) == HN_OK);
        CHECK(sscanf(line, "argument %63s %255s %63s", host, wdir, word) == 3);
        CHECK(strlen(host) == 2 && strchr(hosts, host[1]));
        CHECK(strcmp(host, hn_host_of(tids[i])) == 0);
        CHECK(!place || !place->wdir || strcmp(wdir, place->wdir) == 0);
        CHECK(strcmp(word, place && place->env ? "given" : "-") == 0);
        await_enrolled(tids[i], &info);
        CHECK(info.parent == hn_mytid() && info.rank == i);
        CHECK(hn_signal(tids[i], 0) == HN_OK);
        CHECK((i % 2 ? hn_kill(tids[i]) : hn_signal(tids[i], SIGKILL)) == HN_OK);
    }
    for (int i = 0, status; i < count; i++) {
        CHECK(hn_recv(tids[i], TAG + 1, &status, 1, HN_INT, NULL) == HN_OK);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == (i % 2 ? SIGTERM : SIGKILL));
        CHECK(hn_signal(tids[i], 0) == HN_EDEAD);
    }
}

static void spawn(const char *program)
{
    static const char *const env[] = {"WORD=given", NULL};
    hn_host_info *hosts;
    hn_tid tids[2];
    int n;

    CHECK(hn_hosts(&hosts, &n) == HN_OK && n == 4);
    for (int i = 0; i < n; i++)
        CHECK(hosts[i].slots == 1 && hosts[i].cores > 0 && *hosts[i].machine);
    start(program, 4, NULL, "1234");
    start(program, 2, &(hn_place){.host = "h3", .wdir = "/", .env = env}, "3");
    start(program, 1, &(hn_place){.host = "."}, "1");
    start(program, 3, &(hn_place){.host = ".", .other = 1}, "234");
    start(program, 2, &(hn_place){.host = "h[24]"}, "24");
    start(program, 4, &(hn_place){.machine = hosts[0].machine}, "1234");
    free(hosts);
    CHECK(hn_spawn(program, NULL, 1, &(hn_place){.host = "h9"}, tids) == HN_EARG);
    CHECK(hn_spawn("/no/such/program", NULL, 2, NULL, tids) == 0);
    CHECK(tids[0] == HN_ESTART && tids[1] == HN_ESTART);
    CHECK(hn_spawn(program, NULL, 1, &(hn_place){.host = "h2", .wdir = "/no/such"}, tids) == 0);
    CHECK(tids[0] == HN_ESTART && strstr(hn_error_text(), "/no/such"));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    CHECK(hn_enrol() == HN_OK);
    if (strcmp(what, "messages") == 0)
        messages();
    else if (strcmp(what, "multicast") == 0)
        multicast();
    else if (strcmp(what, "progress") == 0 && argc > 2)
        progress(argv[2]);
    else if (strcmp(what, "flood") == 0 && argc > 2)
        flood(argv[2]);
    else if (strcmp(what, "spawn") == 0)
        spawn(argv[0]);
    else if (strcmp(what, "child") == 0 && argc > 2)
        child(argv[2]);
    puts(what);
    return hn_exit() != HN_OK;
}

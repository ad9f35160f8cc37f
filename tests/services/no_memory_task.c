/* no_memory_task.c - every public function while memory runs out at its first, second, ...
 * allocation: it succeeds or says HN_ENOMEM, frees what it took, and the job goes on.
 *
 * Task 0 calls; task 1 answers its messages.  `calls`: what one task does by itself; `operations`:
 * what all members of a group do, of which task 0 alone has no memory. */
#include "check.h"
#include "hnow_coll.h"
#include "starve.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { LONG = 300000, NTH_MOST = 400, REPEATS = 6, ECHO = 1, GONE = 2, QUIT = 3, GO = 4 };
enum { CASE_TIME = 60 /* s */ };
/* The others notice after a second or two that task 0 takes no part: not at every allocation. */
enum { NTH_FACTOR = 4 };

static unsigned nth;
static bool on, starved;
static const char *current = "";
static char in[LONG], out[LONG];
static hn_tid self, partner;
static hn_group *alone; /* a group of this task */

/* Makes the call without memory; its result is in `result`, too. */
#define TRY(call) (starve_begin(nth, on), tried(&result, (call)))

static int tried(int *result, int value)
{
    starved |= starve_end();
    return *result = value;
}

/* ---- what one task does by itself --------------------------------------------------------- */

static int tasks(void)
{
    hn_task_info *list = NULL;
    int n, result;
    if (TRY(hn_tasks(&list, &n)) == HN_OK)
        free(list);
    return result;
}

static int task_status(void)
{
    hn_task_info info;
    int result;
    return TRY(hn_task_status(partner, &info));
}

static int hosts(void)
{
    hn_host_info *list = NULL;
    int n, result;
    if (TRY(hn_hosts(&list, &n)) == HN_OK)
        free(list);
    return result;
}

static int add_hosts(void)
{
    const char *names[] = {"no-such-host.invalid port=1 addr=127.0.0.1"};
    hn_host_outcome outcome;
    int result;
    TRY(hn_remove_hosts(names, 1, &outcome));
    return result >= 0 ? HN_OK : result;
}

static int spawn(void)
{
    hn_tid tid;
    int result;
    TRY(hn_spawn("/no/such/program", NULL, 1, NULL, &tid));
    return result >= 0 ? HN_OK : result;
}

static int signal_task(void)
{
    int result;
    return TRY(hn_signal(partner, 0));
}

static int host_of(void)
{
    int result;
    return TRY(hn_host_of(partner) ? HN_OK : HN_ENOMEM);
}

static int job_text(void)
{
    const char *text;
    size_t length;
    int result;
    return TRY(hn_job_text("hosts", &text, &length));
}

static int context_new(void)
{
    hn_context context;
    int result;
    return TRY(hn_context_new(&context));
}

static int send_short(void)
{
    int result;
    return TRY(hn_send(partner, GONE, out, 8, HN_BYTE));
}

static int send_long(void)
{
    int result;
    return TRY(hn_send(partner, GONE, out, LONG, HN_BYTE));
}

static int send_to_self(void)
{
    int result;
    if (TRY(hn_send(self, 1, out, 1000, HN_BYTE)) == HN_OK)
        CHECK(hn_recv(self, 1, in, LONG, HN_BYTE, NULL) == HN_OK);
    return result;
}

static int multicast(void)
{
    hn_tid to[] = {partner, self};
    int result;
    TRY(hn_multicast(to, 2, GONE, out, 100, HN_BYTE));
    while (hn_iprobe(self, GONE, NULL) == 1)
        CHECK(hn_recv(self, GONE, in, LONG, HN_BYTE, NULL) == HN_OK);
    return result;
}

static int multicast_reach(void)
{
    char reached;
    int result;
    TRY(hn_multicast_reach(&partner, 1, 10, &reached));
    return result >= 0 ? HN_OK : result;
}

/* The answer comes while there is no memory, or before. */
static int receive(size_t bytes, hn_tid from)
{
    int result;
    CHECK(hn_send(partner, ECHO, out, bytes, HN_BYTE) == HN_OK);
    if (TRY(hn_recv(from, ECHO, in, LONG, HN_BYTE, NULL)) == HN_ENOMEM)
        CHECK(hn_recv(from, ECHO, in, LONG, HN_BYTE, NULL) == HN_OK);
    return result;
}

static int receive_short(void)
{
    return receive(8, partner);
}

static int receive_long(void)
{
    return receive(LONG, HN_ANY);
}

/* A message for which no receive waits needs memory of ours. */
static int probe(void)
{
    int result;
    CHECK(hn_send(partner, ECHO, out, LONG, HN_BYTE) == HN_OK);
    TRY(hn_probe(partner, ECHO, NULL));
    CHECK(hn_recv(partner, ECHO, in, LONG, HN_BYTE, NULL) == HN_OK);
    return result;
}

static int receive_timeout(void)
{
    int result;
    TRY(hn_recv_timeout(partner, 77, in, LONG, HN_BYTE, 1, NULL));
    return result == HN_ETIMEOUT ? HN_OK : result;
}

static int nonblocking(void)
{
    hn_request *r[2] = {NULL, NULL};
    int result;
    TRY(hn_irecv(partner, ECHO, in, LONG, HN_BYTE, &r[0]));
    if (result != HN_OK)
        return result;
    CHECK(hn_isend(partner, ECHO, out, LONG, HN_BYTE, &r[1]) == HN_OK);
    CHECK(hn_waitall(r, 2, NULL, NULL) == HN_OK);
    return result;
}

static int nonblocking_send(void)
{
    hn_request *r;
    int result;
    if (TRY(hn_isend(partner, GONE, out, LONG, HN_BYTE, &r)) == HN_OK)
        CHECK(hn_wait(r, NULL) == HN_OK);
    return result;
}

static int wait_all(void)
{
    hn_request *r[2];
    int result;
    CHECK(hn_irecv(partner, ECHO, in, LONG, HN_BYTE, &r[0]) == HN_OK);
    CHECK(hn_isend(partner, ECHO, out, LONG, HN_BYTE, &r[1]) == HN_OK);
    return TRY(hn_waitall(r, 2, NULL, NULL));
}

static int wait_any(void)
{
    hn_request *r[1];
    int index, result;
    CHECK(hn_isend(partner, GONE, out, LONG, HN_BYTE, &r[0]) == HN_OK);
    return TRY(hn_waitany(r, 1, &index, NULL));
}

static int send_receive(void)
{
    int result;
    TRY(hn_sendrecv(partner, ECHO, out, 5000, HN_BYTE, partner, ECHO, in, LONG, HN_BYTE, NULL));
    while (hn_recv_timeout(partner, ECHO, in, LONG, HN_BYTE, 0, NULL) == HN_OK)
        continue;
    return result;
}

static int notify(void)
{
    int result;
    if (TRY(hn_notify(HN_TASK_EXIT, &partner, 1, 9)) == HN_OK)
        CHECK(hn_notify(HN_TASK_EXIT | HN_NOTIFY_CANCEL, NULL, 0, 9) == HN_OK);
    return result;
}

static int catch_output(void)
{
    int result;
    return TRY(hn_catch_output(NULL, 0, 9));
}

static int catch_output_file(void)
{
    int result;
    if (TRY(hn_catch_output_file(NULL, 0, stderr)) == HN_OK)
        CHECK(hn_catch_output_file(NULL, 0, NULL) == HN_OK);
    return result;
}

static int buffers(void)
{
    hn_buffer *b = NULL, *outer = NULL;
    int result;
    TRY((b = hn_buffer_new()) && (outer = hn_buffer_new()) ? HN_OK : HN_ENOMEM);
    if (result == HN_OK && TRY(hn_pack(b, out, 5000, HN_INT, 1)) == HN_OK &&
        TRY(hn_pack_string(b, "a string")) == HN_OK && TRY(hn_pack_buffer(outer, b)) == HN_OK)
        TRY(hn_unpack_buffer(outer, b));
    hn_buffer_free(b);
    hn_buffer_free(outer);
    return result;
}

static hn_buffer *filled_buffer(void)
{
    hn_buffer *b = hn_buffer_new();
    CHECK(b && hn_pack(b, out, 500, HN_INT, 1) == HN_OK);
    return b;
}

static int send_buffer(void)
{
    hn_buffer *b = filled_buffer();
    int result;
    TRY(hn_send_buffer(partner, GONE, b));
    hn_buffer_free(b);
    return result;
}

static int multicast_buffer(void)
{
    hn_buffer *b = filled_buffer();
    int result;
    TRY(hn_multicast_buffer(&partner, 1, GONE, b));
    hn_buffer_free(b);
    return result;
}

static int receive_buffer(void)
{
    hn_buffer *b = filled_buffer();
    int result;
    CHECK(hn_send_buffer(self, 5, b) == HN_OK);
    if (TRY(hn_recv_buffer(self, 5, -1, b, NULL)) == HN_ENOMEM)
        CHECK(hn_recv_buffer(self, 5, -1, b, NULL) == HN_OK);
    hn_buffer_free(b);
    return result;
}

static void count(const hn_info *info, hn_buffer *message, void *data)
{
    (void)info;
    (void)message;
    ++*(int *)data;
}

static int handler(void)
{
    int called = 0, result, number = TRY(hn_handler_add(self, 6, count, &called));
    if (number < 0)
        return result;
    CHECK(hn_send(self, 6, out, 8, HN_BYTE) == HN_OK && called == 1);
    TRY(hn_send(self, 6, out, 8, HN_BYTE));
    hn_iprobe(self, 6, NULL); /* serves what could not be served then */
    CHECK(hn_handler_remove(number) == HN_OK);
    return result;
}

static int group_from_tids(void)
{
    hn_group *g;
    int result;
    if (TRY(hn_group_from_tids(&self, 1, &g)) == HN_OK)
        hn_group_free(g);
    return result;
}

static int group_new(void)
{
    hn_context context;
    hn_group *g;
    int result;
    CHECK(hn_context_new(&context) == HN_OK);
    if (TRY(hn_group_new(&self, 1, context, &g)) == HN_OK)
        hn_group_free(g);
    return result;
}

static int group_shrink(void)
{
    hn_group *g;
    int result;
    if (TRY(hn_group_shrink(alone, &g)) == HN_OK)
        hn_group_free(g);
    return result;
}

static int group_split(void)
{
    hn_group *g;
    int result;
    if (TRY(hn_group_split(alone, 0, 0, &g)) == HN_OK)
        hn_group_free(g);
    return result;
}

static void nothing(void *thing)
{
    (void)thing;
}

static int group_keep(void)
{
    hn_group *g;
    int result;
    CHECK(hn_group_from_tids(&self, 1, &g) == HN_OK);
    TRY(hn_group_keep(g, &nth, &on, nothing));
    hn_group_free(g);
    return result;
}

static int join(void)
{
    int result;
    TRY(hn_join("a group"));
    if (result >= 0)
        CHECK(hn_leave("a group") == HN_OK);
    else
        hn_leave("a group"); /* hrun may have heard of it, or not */
    return result >= 0 ? HN_OK : result;
}

static int joined(void)
{
    hn_tid *tids;
    hn_group *g = NULL;
    int n, result;
    CHECK(hn_join("another") >= 0);
    if (TRY(hn_joined_members("another", &tids, &n)) == HN_OK)
        free(tids);
    if (result == HN_OK)
        TRY(hn_joined_barrier("another", 1));
    if (result == HN_OK)
        TRY(hn_joined_multicast("another", 1, out, 8, HN_BYTE));
    if (result == HN_OK && TRY(hn_joined_freeze("another", 1, &g)) == HN_OK)
        hn_group_free(g);
    CHECK(hn_leave("another") == HN_OK);
    return result;
}

static int name_put(void)
{
    hn_buffer *b = filled_buffer();
    int result;
    TRY(hn_name_put("a name", 0, 0, b));
    hn_buffer_free(b);
    return result >= 0 ? HN_OK : result;
}

static int name_get(void)
{
    hn_buffer *b = filled_buffer();
    hn_name_info *list;
    int n, result;
    CHECK(hn_name_put("a name", 0, 0, b) == 0);
    if (TRY(hn_name_get("a name", 0, 0, 0, b, NULL)) == HN_OK &&
        TRY(hn_name_list("*", &list, &n)) == HN_OK)
        free(list);
    if (result == HN_OK)
        TRY(hn_name_delete("a name", 0));
    hn_name_delete("a name", 0);
    hn_buffer_free(b);
    return result;
}

static void add(const void *left, const void *right, void *sum, size_t n, hn_type type, void *data)
{
    (void)type;
    (void)data;
    for (size_t i = 0; i < n; i++)
        ((int *)sum)[i] = ((const int *)left)[i] + ((const int *)right)[i];
}

static int op_new(void)
{
    hn_op op;
    int result;
    if (TRY(hn_op_new(add, NULL, 1, 1, &op)) == HN_OK)
        CHECK(hn_op_free(op) == HN_OK);
    return result;
}

static int topologies(void)
{
    hn_group *g; /* a new one: what a failed operation leaves behind stays with its group */
    hn_topology *t;
    int sizes[2] = {1, 1}, result;
    CHECK(hn_group_from_tids(&self, 1, &g) == HN_OK);
    if (TRY(hn_topology_ring(g, &t)) == HN_OK)
        hn_topology_free(t);
    if (result == HN_OK && TRY(hn_topology_mesh(g, 2, sizes, NULL, &t)) == HN_OK)
        hn_topology_free(t);
    if (result == HN_OK && TRY(hn_topology_graph(g, NULL, NULL, 0, &t)) == HN_OK)
        hn_topology_free(t);
    hn_group_free(g);
    return result;
}

static int forecast(void)
{
    hn_forecast f;
    int result;
    return TRY(hn_forecast_plan(hn_world(), "bcast", 1000, HN_INT, 0, "binomial", &f));
}

static int set_plan(void)
{
    hn_group *g;
    int result;
    CHECK(hn_group_from_tids(&self, 1, &g) == HN_OK);
    TRY(hn_set_plan(g, "chain"));
    if (result == HN_OK)
        TRY(hn_coll_adapt(g, 1));
    if (result == HN_OK)
        TRY(hn_coll_compress(g, 1));
    hn_group_free(g);
    return result;
}

static int persistent(void)
{
    hn_request *r = NULL;
    int result;
    TRY(hn_allreduce_init(in, out, 8, HN_INT, HN_SUM, alone, &r));
    if (result != HN_OK)
        return result;
    if (TRY(hn_start(r)) == HN_OK)
        result = hn_wait(r, NULL); /* it has begun, without memory for its steps */
    CHECK(result == HN_OK || result == HN_ENOMEM);
    CHECK(hn_request_free(r) == HN_OK);
    return result;
}

struct what {
    const char *name;
    int (*f)(void);
};
#define CASE(f)                                                                                    \
    {                                                                                              \
#f, f                                                                                      \
    }
static const struct what calls[] = {
    CASE(tasks),
    CASE(task_status),
    CASE(hosts),
    CASE(add_hosts),
    CASE(spawn),
    CASE(signal_task),
    CASE(host_of),
    CASE(job_text),
    CASE(context_new),
    CASE(send_short),
    CASE(send_long),
    CASE(send_to_self),
    CASE(multicast),
    CASE(multicast_reach),
    CASE(receive_short),
    CASE(receive_long),
    CASE(probe),
    CASE(receive_timeout),
    CASE(nonblocking),
    CASE(nonblocking_send),
    CASE(wait_all),
    CASE(wait_any),
    CASE(send_receive),
    CASE(notify),
    CASE(catch_output),
    CASE(catch_output_file),
    CASE(buffers),
    CASE(send_buffer),
    CASE(multicast_buffer),
    CASE(receive_buffer),
    CASE(handler),
    CASE(group_from_tids),
    CASE(group_new),
    CASE(group_shrink),
    CASE(group_split),
    CASE(group_keep),
    CASE(join),
    CASE(joined),
    CASE(name_put),
    CASE(name_get),
    CASE(op_new),
    CASE(topologies),
    CASE(forecast),
    CASE(set_plan),
    CASE(persistent),
};

/* Says which call hangs, or has ended the program. */
static void on_end(int signal_number)
{
    fprintf(stderr, "%s: allocation %u%s: signal %d\n", current, nth, on ? " and all later" : "",
            signal_number);
    _exit(1);
}

static bool good(int result)
{
    if (result == HN_OK || (result == HN_ENOMEM && starved))
        return true;
    fprintf(stderr, "%s: allocation %u%s: %d, %s\n", current, nth, on ? " and all later" : "",
            result, hn_error_text());
    return false;
}

/* Calls it often with the same allocation failing: it must keep nothing each time. */
static bool leaks(int (*f)(void))
{
    long before = starve_live(), after;
    for (int i = 0; i < REPEATS; i++)
        f();
    after = starve_live();
    if (after - before < REPEATS)
        return false;
    fprintf(stderr, "%s: allocation %u%s: %ld blocks leak in %d calls\n", current, nth,
            on ? " and all later" : "", after - before, REPEATS);
    return true;
}

static int starve_calls(const char *only)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        current = calls[i].name;
        if (only && strcmp(only, current) != 0)
            continue;
        for (int all = 0; all < 2; all++) {
            on = all == 1;
            for (nth = 1, starved = true; starved && nth < NTH_MOST && bad < 20; nth++) {
                alarm(CASE_TIME);
                starved = false;
                bad += !good(calls[i].f());
                bool once_more = starved;
                if (once_more)
                    bad += leaks(calls[i].f);
                starved = once_more;
            }
        }
    }
    return bad;
}

static void answer(void)
{
    hn_info info;
    do {
        CHECK(hn_recv(hn_group_tid(hn_world(), 0), HN_ANY, in, LONG, HN_BYTE, &info) == HN_OK);
        if (info.tag == ECHO)
            CHECK(hn_send(info.from, ECHO, in, info.count, HN_BYTE) == HN_OK);
    } while (info.tag != QUIT);
}

/* ---- what all members do ------------------------------------------------------------------ */

static hn_group *group;
enum { N = 40 };
static int a[3 * N], b[3 * N];

static int barrier(void)
{
    return hn_barrier(group);
}
static int bcast(void)
{
    return hn_bcast(a, N, HN_INT, 0, group);
}
static int scatter(void)
{
    return hn_scatter(a, N, b, HN_INT, 0, group);
}
static int gather(void)
{
    return hn_gather(a, N, b, HN_INT, 0, group);
}
static int allgather(void)
{
    return hn_allgather(a, N, b, HN_INT, group);
}
static int alltoall(void)
{
    return hn_alltoall(a, N, b, HN_INT, group);
}
static int reduce(void)
{
    return hn_reduce(a, b, N, HN_INT, HN_SUM, 0, group);
}
static int allreduce(void)
{
    return hn_allreduce(a, b, N, HN_INT, HN_SUM, group);
}
static int scan(void)
{
    return hn_scan(a, b, N, HN_INT, HN_SUM, group);
}
static int reduce_scatter(void)
{
    return hn_reduce_scatter_block(a, b, N, HN_INT, HN_SUM, group);
}
static int multimulticast(void)
{
    int to[] = {1, 2};
    hn_multicast_message m = {.source = 0, .to = to, .n = 2, .data = a, .count = N};
    return hn_multimulticast(&m, 1, HN_INT, group);
}
static int split(void)
{
    hn_group *g = NULL;
    int result = hn_group_split(group, 0, 0, &g);
    if (result == HN_OK)
        hn_group_free(g);
    return result;
}
static int ring(void)
{
    hn_topology *t = NULL;
    int result = hn_topology_ring(group, &t);
    if (result == HN_OK)
        hn_topology_free(t);
    return result;
}

static const struct what operations[] = {
    CASE(barrier),        CASE(bcast),  CASE(scatter),   CASE(gather), CASE(allgather),
    CASE(alltoall),       CASE(reduce), CASE(allreduce), CASE(scan),   CASE(reduce_scatter),
    CASE(multimulticast), CASE(split),  CASE(ring),
};

/* All make a new group and call the operation; only task 0 may lack memory.  The others may get an
 * error then, but they get something. */
static int together(int (*f)(void))
{
    int result, more = 0;
    starved = false;
    CHECK(hn_group_from_ranks(hn_world(), (int[]){0, 1, 2}, 3, &group) == HN_OK);
    if (hn_rank() == 0)
        TRY(f());
    else
        result = f();
    hn_group_free(group);
    if (hn_rank() > 0) {
        CHECK(hn_send(hn_group_tid(hn_world(), 0), GO, &result, 1, HN_INT) == HN_OK);
        CHECK(hn_recv(hn_group_tid(hn_world(), 0), GO, &more, 1, HN_INT, NULL) == HN_OK);
        return more;
    }
    more = starved && nth < NTH_MOST;
    for (int r = 1; r < hn_size(); r++) {
        int theirs;
        CHECK(hn_recv(hn_group_tid(hn_world(), r), GO, &theirs, 1, HN_INT, NULL) == HN_OK);
        if (theirs != HN_OK && result == HN_OK)
            fprintf(stderr, "%s: allocation %u: task %d has %d\n", current, nth, r, theirs);
        CHECK(theirs == HN_OK || result != HN_OK);
        CHECK(hn_send(hn_group_tid(hn_world(), r), GO, &more, 1, HN_INT) == HN_OK);
    }
    CHECK(good(result));
    return more;
}

static void starve_operations(const char *only)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        current = operations[i].name;
        if (only && strcmp(only, current) != 0)
            continue;
        for (int all = 0; all < 2; all++) {
            on = all == 1;
            nth = 1;
            do
                alarm(CASE_TIME);
            while (together(operations[i].f) && (nth *= NTH_FACTOR));
        }
    }
}

/* ---- the first call and the last ---------------------------------------------------------- */

/* In a process of its own: enrols, and leaves.  0: nothing failed; 1: it failed as it should. */
static int enrol_once(void)
{
    int result;
    starved = false;
    if (TRY(hn_enrol()) == HN_OK)
        TRY(hn_exit());
    return good(result) ? starved : 2;
}

static int starve_enrolling(void)
{
    current = "enrol";
    for (int all = 0; all < 2; all++) {
        int status = 1;
        on = all == 1;
        for (nth = 1; status == 1; nth++) {
            pid_t child = fork();
            if (child == 0) {
                alarm(CASE_TIME);
                _exit(enrol_once());
            }
            waitpid(child, &status, 0);
            status = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
        }
        if (status != 0)
            return status;
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *only = argc > 2 ? argv[2] : NULL;
    int bad = 0;

    signal(SIGALRM, on_end);
    signal(SIGABRT, on_end);
    signal(SIGSEGV, on_end);
    if (argc > 1 && strcmp(argv[1], "enrol") == 0)
        return starve_enrolling();
    if (argc < 2 || hn_enrol() != HN_OK)
        return 2;
    self = hn_mytid();
    if (strcmp(argv[1], "operations") == 0) {
        starve_operations(only);
    } else if (hn_rank() == 0) {
        partner = hn_group_tid(hn_world(), 1);
        CHECK(hn_group_from_tids(&self, 1, &alone) == HN_OK);
        bad = starve_calls(only);
        nth = 0;
        CHECK(hn_send(partner, QUIT, NULL, 0, HN_BYTE) == HN_OK);
    } else {
        answer();
    }
    CHECK(hn_exit() == HN_OK);
    return bad > 0;
}

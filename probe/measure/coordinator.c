/* coordinator.c - orders and reports.
 *
 * Normal case: order to the peers, order to the leader, the experiment, the leader's report.
 * Orders arrive in the order of the jobs, and every task carries out its own ones in sequence.  As
 * this order is the same for all tasks, their waits form no cycle.
 *
 * Failures.  The send of an order, or the missing report, shows that a task has ended.  If an
 * experiment fails otherwise (a peer waits in vain, or the leader's report is late), rank 0 asks
 * everyone who took part for a sign of life.  A task that does not answer may hang, or be in the
 * middle of a message that stalled because the route from its sender is cut.  A long message from
 * rank 0 distinguishes the two, because the library receives it if its host is alive.  If it is not
 * received, the task is lost: its host hangs, or cannot be reached from rank 0.  If it is, rank 0
 * waits until the runtime has dropped the stalled connection.  If both tasks of a pair answer, the
 * pair has failed.  It is tried once more at once; if it fails again, the route between the two is
 * cut.  Late reports carry the tag of their order and are discarded.
 */
#include "measure/coordinator.h"
#include "thresholds.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

/* Tags of messages between rank 0 and the others. Those of experiments begin at TAG_FIRST. */
enum { TAG_ORDER = 1, TAG_OUTCOME = 2, TAG_LONG = 3, TAG_FIRST = 16 };

/* Room for n tasks.  After an error nothing needs to be freed. */
int coordinator_begin(struct coordinator *c, int n, unsigned char *buffer, FILE *out)
{
    size_t hosts = (size_t)n;
    struct arena *room = &c->room;
    *c = (struct coordinator){.n = n, .buffer = buffer, .out = out, .tag = TAG_FIRST};
    ARENA_ARRAYS(room, hosts, c->presence, c->steal_time);
    ARENA_ARRAYS(room, hosts * hosts, c->failures, c->relayed);
    if (!room->failed)
        return HN_OK;
    arena_free(room);
    return HN_ENOMEM;
}

/* Routes are recorded for unordered pairs. */
static int64_t place_of(const struct coordinator *c, int64_t a, int64_t b)
{
    return a < b ? a * c->n + b : b * c->n + a;
}

static unsigned char *failures_of(const struct coordinator *c, int64_t a, int64_t b)
{
    return &c->failures[place_of(c, a, b)];
}

bool coordinator_is_cut(const struct coordinator *c, int64_t a, int64_t b)
{
    return *failures_of(c, a, b) >= COORDINATOR_CUT;
}

bool coordinator_is_present(const struct coordinator *c, int64_t rank)
{
    return c->presence[rank] == COORDINATOR_PRESENT;
}

static hn_tid task(int64_t rank)
{
    return hn_group_tid(hn_world(), (int)rank);
}

/* A task to which no order can be sent is lost from now on. */
static void give_order(struct coordinator *c, int64_t rank, struct experiment *order)
{
    if (rank != 0 && hn_send(task(rank), TAG_ORDER, order, EXPERIMENT_WORDS, HN_INT64) != HN_OK)
        c->presence[rank] = COORDINATOR_LOST;
}

/* Whether all tasks of a job are present, and no route to its leader is cut. */
static bool can_run(const struct coordinator *c, const struct job *job)
{
    for (int64_t i = 0; i < job->order.peers; i++)
        if (!coordinator_is_present(c, job->order.peer[i]) ||
            coordinator_is_cut(c, job->leader, job->order.peer[i]))
            return false;
    return coordinator_is_present(c, job->leader);
}

/* The order for a job's peers: the same, with the leader as their only peer, unless all of them
 * communicate with each other. */
static struct experiment following(const struct job *job)
{
    struct experiment order = job->order;
    if (order.kind == EXPERIMENT_ROUNDS)
        return order;
    order.peers = 1;
    order.peer[0] = job->leader;
    return order;
}

/* Appends the list of hosts to orders that have one (experiment.h). */
static void give_hosts(struct coordinator *c, const struct job *job)
{
    if (job->leader != 0 && hn_send(task(job->leader), (int)job->order.tag, job->hosts,
                                    (size_t)job->order.bytes, HN_BYTE) != HN_OK)
        c->presence[job->leader] = COORDINATOR_LOST;
}

/* The list of hosts reached comes before the leader's report. */
static bool take_hosts(const struct job *job, int64_t ms)
{
    return hn_recv_timeout(task(job->leader), (int)job->order.tag, job->hosts,
                           (size_t)job->order.bytes, HN_BYTE, (int)ms, NULL) == HN_OK;
}

/* Sends a job's orders. */
static void begin(struct coordinator *c, struct job *job)
{
    job->order.tag = c->tag++;
    job->order.leader = job->leader;
    struct experiment order = following(job);
    for (int64_t i = 0; i < job->order.peers; i++)
        give_order(c, job->order.peer[i], &order);
    give_order(c, job->leader, &job->order);
    if (job->hosts)
        give_hosts(c, job);
}

/* Carries out rank 0's own part, if it has one. */
static void take_part(struct coordinator *c, const struct job *job, struct outcome *own)
{
    struct experiment order = following(job);
    if (job->leader == 0)
        experiment_run(&job->order, job->hosts ? job->hosts : c->buffer, own);
    for (int64_t i = 0; i < job->order.peers; i++)
        if (job->order.peer[i] == 0)
            experiment_run(&order, c->buffer, own);
}

/* Receives the report on an order; false: none arrived in time. */
static bool fetch(int64_t rank, int64_t tag, int64_t ms, struct outcome *outcome)
{
    int64_t end = clock_now() / 1000000 + ms;
    do {
        int64_t left = end - clock_now() / 1000000;
        *outcome = (struct outcome){0};
        if (hn_recv_timeout(task(rank), TAG_OUTCOME, outcome, OUTCOME_WORDS, HN_INT64,
                            left > 0 ? (int)left : 0, NULL) != HN_OK)
            return false;
    } while (outcome->tag != tag);
    return true;
}

/* The longest time until a leader's report: its repetitions, one timeout, and as much again. A
 * leader may wait for a lost peer up to the patience, and its report may be as late again. */
static int64_t longest(const struct experiment *order)
{
    return order->budget_ns / 1000000 + 2 * order->patience_ms;
}

/* Stores the result in the sample and writes it. A job without a result has the count 0. */
static void finish(struct coordinator *c, struct job *job, const struct outcome *outcome)
{
    struct sample *sample = &job->sample;
    sample->best = outcome->best / job->parts;
    sample->median = outcome->median / job->parts;
    sample->count = (int)outcome->count;
    if (outcome->relayed)
        c->relayed[place_of(c, job->leader, job->order.peer[0])] = true;
    if (job->silent)
        return;
    sample_print(sample, c->out);
    if (job->order.kind == EXPERIMENT_OUT) {
        struct sample call = *sample;
        call.kind = SAMPLE_SEND;
        call.best = call.median = outcome->send;
        sample_print(&call, c->out);
    }
}

/* ---- presence ----------------------------------------------------------------------------- */

/* Asks a task for a sign of life. *tag: the tag of its answer. */
static void ask(struct coordinator *c, int64_t rank, int64_t *tag)
{
    struct experiment order = {.kind = EXPERIMENT_HERE, .tag = *tag = c->tag++, .leader = rank};
    give_order(c, rank, &order);
}

/* Returns the tag for rank 0; that of each other task is larger by its rank. */
static int64_t ask_all(struct coordinator *c)
{
    int64_t first = c->tag, tag;
    for (int64_t rank = 0; rank < c->n; rank++) {
        c->tag = first + rank;
        if (coordinator_is_present(c, rank))
            ask(c, rank, &tag);
    }
    c->tag = first + c->n;
    return first;
}

/* True if the library of a task receives messages, whatever the task itself does. */
static bool takes_messages(int64_t rank, int64_t ms)
{
    const struct timespec step = {.tv_nsec = 10000000};
    int64_t end = clock_now() / 1000000 + ms;
    void *message = calloc(1, COORDINATOR_LONG_BYTES);
    hn_request *request;
    int done = 0;
    if (!message || hn_isend(task(rank), TAG_LONG, message, COORDINATOR_LONG_BYTES, HN_BYTE,
                             &request) != HN_OK) {
        free(message);
        return false;
    }
    while (done == 0 && clock_now() / 1000000 < end) {
        done = hn_test(request, NULL);
        nanosleep(&step, NULL);
    }
    if (done)
        free(message); /* else it stays in progress until this task ends */
    return done == 1;
}

/* The answer to ask(); all 0: none. */
static struct outcome answer(struct coordinator *c, int64_t rank, int64_t tag, int64_t ms,
                             bool *held_up)
{
    struct outcome outcome = {0};
    *held_up = false;
    if (rank == 0)
        experiment_run(&(struct experiment){.kind = EXPERIMENT_HERE}, c->buffer, &outcome);
    else if (coordinator_is_present(c, rank) && !fetch(rank, tag, ms, &outcome)) {
        *held_up = takes_messages(rank, COORDINATOR_ANSWER_MS) &&
                   fetch(rank, tag, COORDINATOR_HELD_UP_MS, &outcome);
        if (!*held_up)
            c->presence[rank] = COORDINATOR_LOST;
    }
    return outcome;
}

void coordinator_roll_call(struct coordinator *c, int64_t *host, int64_t *machine, int64_t *cores)
{
    int64_t first = ask_all(c);
    for (int64_t rank = 0; rank < c->n; rank++) {
        bool held_up;
        struct outcome outcome = answer(c, rank, first + rank, COORDINATOR_ANSWER_MS, &held_up);
        host[rank] = outcome.best;
        machine[rank] = outcome.median;
        cores[rank] = outcome.send;
        c->steal_time[rank] = outcome.steal_time;
    }
}

/* The worst host decides, not the mean: a single stopped host spoils every pair that it is in. */
static void write_steal_time(struct coordinator *c)
{
    int64_t first = ask_all(c), worst = 0, most = 0;
    for (int64_t rank = 0; rank < c->n; rank++) {
        bool held_up;
        struct outcome outcome = answer(c, rank, first + rank, COORDINATOR_ANSWER_MS, &held_up);
        int64_t part = steal_time_part(&c->steal_time[rank], &outcome.steal_time);
        if (part > most) {
            most = part;
            worst = rank;
        }
    }
    if (most)
        fprintf(c->out, "stolen %d %d\n", (int)worst, (int)most);
}

static void check_route(struct coordinator *c, const struct job *job, int64_t peer);

/* Finds the cause of a failed job: a missing task, or the route between two.  All tasks are asked
 * before the first answer is awaited. The patience counts from here for all of them together, so
 * several lost tasks cost no more. */
static void find_cause(struct coordinator *c, const struct job *job)
{
    int64_t tag[EXPERIMENT_PEERS + 1], peers = job->order.peers;
    int64_t end = clock_now() / 1000000 + job->order.patience_ms + COORDINATOR_ANSWER_MS;
    bool held_up, any_held_up = false;
    for (int64_t i = 0; i <= peers; i++)
        ask(c, i < peers ? job->order.peer[i] : job->leader, &tag[i]);
    for (int64_t i = 0; i <= peers; i++) {
        int64_t left = end - clock_now() / 1000000;
        answer(c, i < peers ? job->order.peer[i] : job->leader, tag[i], left > 1000 ? left : 1000,
               &held_up);
        any_held_up |= held_up;
    }
    /* Both have answered, so the route between them is in question. */
    if (peers == 1 && can_run(c, job)) {
        unsigned char *failures = failures_of(c, job->leader, job->order.peer[0]);
        *failures = any_held_up ? COORDINATOR_CUT : *failures + 1;
        if (*failures < COORDINATOR_CUT)
            check_route(c, job, job->order.peer[0]);
        if (*failures < COORDINATOR_CUT && job->order.bytes <= COORDINATOR_SHORT_BYTES)
            *failures = 0; /* small messages arrive, so this one was only late */
    }
    /* With several peers each route is checked by itself. */
    for (int64_t i = 0; peers > 1 && i < peers; i++)
        check_route(c, job, job->order.peer[i]);
}

/* A route may be cut: the two tasks send one byte to each other. */
static void check_route(struct coordinator *c, const struct job *job, int64_t peer)
{
    struct job ping = {.leader = job->leader,
                       .order = {.kind = EXPERIMENT_PING,
                                 .bytes = 1,
                                 .reply = 1,
                                 .repeats = 1,
                                 .patience_ms = job->order.patience_ms,
                                 .peers = 1,
                                 .peer = {peer}},
                       .parts = 1,
                       .silent = true};
    coordinator_run(c, &ping, 1);
}

/* ---- experiments -------------------------------------------------------------------------- */

/* The report of a job that has begun; .count is 0 if it failed. */
static struct outcome report(const struct job *job)
{
    struct outcome outcome;
    if (!fetch(job->leader, job->order.tag, longest(&job->order), &outcome) ||
        (job->hosts && outcome.count && !take_hosts(job, COORDINATOR_ANSWER_MS)))
        outcome.count = 0;
    return outcome;
}

/* All orders are sent before rank 0 takes part in anything, so that the others need not wait for
 * it. Causes of failures are searched last: the questions would disturb experiments that still run.
 */
void coordinator_run(struct coordinator *c, struct job *job, int count)
{
    /* Orders of all jobs are in progress before the first report is awaited. */
    for (int i = 0; i < count; i++) {
        if (can_run(c, &job[i]))
            begin(c, &job[i]);
        else
            job[i].order.kind = EXPERIMENT_QUIT;
    }
    for (int i = 0; i < count; i++) { /* while rank 0 waits in one, the other tasks continue */
        struct outcome own = {0};
        if (job[i].order.kind != EXPERIMENT_QUIT)
            take_part(c, &job[i], &own);
        job[i].sample.count = 0;
        if (job[i].leader == 0)
            finish(c, &job[i], &own);
    }
    for (int i = 0; i < count; i++)
        if (job[i].leader != 0) {
            struct outcome outcome = {0};
            if (job[i].order.kind != EXPERIMENT_QUIT)
                outcome = report(&job[i]);
            finish(c, &job[i], &outcome);
        }
    fflush(c->out);
    for (int i = 0; i < count; i++)
        if (!job[i].sample.count && job[i].order.kind != EXPERIMENT_QUIT)
            find_cause(c, &job[i]);
}

void coordinator_dismiss(struct coordinator *c, int rank, int same)
{
    struct experiment quit = {.kind = EXPERIMENT_QUIT};
    give_order(c, rank, &quit);
    c->presence[rank] = COORDINATOR_DISMISSED;
    fprintf(c->out, "same %d %d\n", rank, same);
}

void coordinator_progress(struct coordinator *c, int done, int total, const char *what)
{
    fprintf(c->out, "progress %d %d %s\n", done, total, what);
    fflush(c->out);
}

/* Reports come in a fixed order, which hprobe reads until "end". */
void coordinator_end(struct coordinator *c)
{
    struct experiment quit = {.kind = EXPERIMENT_QUIT};
    write_steal_time(c);
    for (int rank = 1; rank < c->n; rank++)
        if (coordinator_is_present(c, rank))
            give_order(c, rank, &quit);
    for (int rank = 0; rank < c->n; rank++)
        if (c->presence[rank] == COORDINATOR_LOST)
            fprintf(c->out, "lost %d\n", rank);
    for (int a = 0; a < c->n; a++)
        for (int b = a + 1; b < c->n; b++)
            if (coordinator_is_cut(c, a, b) && coordinator_is_present(c, a) &&
                coordinator_is_present(c, b))
                fprintf(c->out, "cut %d %d\n", a, b);
            else if (c->relayed[place_of(c, a, b)])
                fprintf(c->out, "relayed %d %d\n", a, b);
    fputs("end\n", c->out);
    fflush(c->out);
    for (int rank = 1; rank < c->n; rank++) /* so that the job can end: a hanging task does not */
        if (c->presence[rank] == COORDINATOR_LOST)
            hn_signal(task(rank), SIGKILL);
    arena_free(&c->room);
}

/* 0: rank 0 has ended the measurement. 1: rank 0, or the connection to it, is lost. */
int coordinator_serve(unsigned char *buffer)
{
    struct experiment order;
    struct outcome outcome;
    for (;;) {
        if (hn_recv(task(0), TAG_ORDER, &order, EXPERIMENT_WORDS, HN_INT64, NULL) != HN_OK)
            return 1;
        if (order.kind == EXPERIMENT_QUIT)
            return 0;
        experiment_run(&order, buffer, &outcome);
        if (order.leader == hn_rank() &&
            hn_send(task(0), TAG_OUTCOME, &outcome, OUTCOME_WORDS, HN_INT64) != HN_OK)
            return 1;
    }
}

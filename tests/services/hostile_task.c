/* hostile_task.c - a member is killed at a bad moment: hostile_task WHAT [MILLISECONDS]
 *
 *     beside      in a long exchange that does not wait, while the others work in two more groups
 *     threads     while each task works in several groups, by a thread each
 *     between     between two starts of persistent operations
 *     neighbours  in exchanges between neighbours, in all forms
 *     making      while topologies are made
 *     again       and another one while the others shrink the group and split what is left
 *     late        after a split into halves, in one of which a member begins seconds later
 *     stopped     or rather stopped for so many milliseconds: then all go on
 *
 * Every other member must get HN_EDEAD with the name of the dead, and where it is in nothing with
 * that one, nothing but right results; then they make a group without it, which works, and each
 * prints WHAT.
 */
#include "check.h"
#include "hnow_coll.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { MOST = 64, LONG = 1 << 20, THREADS = 3, SUMS = 300 };

static const hn_group *world;
static int me, n, victim;
static int milliseconds = 30;

/* ---- dying ---- */

static void die(int signo)
{
    (void)signo;
    raise(SIGKILL);
}

/* Returns when all have called it; where one of them dies soon afterwards, it may fail. */
static void until_all_are_here(void)
{
    hn_barrier(world);
}

/* So many milliseconds from now. */
static void die_in(int time)
{
    struct itimerval timer = {.it_value = {time / 1000, time % 1000 * 1000}};
    signal(SIGALRM, die);
    CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

static void check_dead(int error, int rank)
{
    char name[40];
    snprintf(name, sizeof name, "task %d on host ", hn_group_tid(world, rank));
    if (error != HN_EDEAD || !strstr(hn_error_text(), name))
        fprintf(stderr, "rank %d: %d, not about %s\n", me, error, name);
    CHECK(error == HN_EDEAD && strstr(hn_error_text(), name));
}

static int sum_in(const hn_group *group)
{
    int64_t sum = 1;
    int error = hn_allreduce(HN_IN_PLACE, &sum, 1, HN_INT64, HN_SUM, group);
    CHECK(error || sum == hn_group_size(group));
    return error;
}

/* Those who are left work on. */
static void go_on_without(int dead)
{
    hn_group *smaller;
    CHECK(hn_group_shrink(world, &smaller) == HN_OK);
    CHECK(hn_group_size(smaller) == n - dead);
    for (int i = 0; i < 20; i++)
        CHECK(sum_in(smaller) == HN_OK);
    hn_group_free(smaller);
}

/* ---- beside other groups ---- */

static void beside(void)
{
    static char in[LONG], out[LONG];
    size_t counts[MOST], displs[MOST];
    hn_group *half;
    hn_request *request;
    int sums = 0;
    for (int i = 0; i < n; i++) {
        counts[i] = LONG / (size_t)n - (size_t)((me + i) % 7); /* alike from both sides */
        displs[i] = LONG / (size_t)n * (size_t)i;
    }
    CHECK(hn_group_split(world, me == victim ? -1 : me % 2, 0, &half) == HN_OK);
    /* Where a machine is busy, one has ended before another is through this. */
    int error = hn_barrier(world);
    if (me == victim)
        die_in(milliseconds);
    while (!error) {
        error = hn_ialltoallv(in, counts, displs, out, counts, displs, HN_BYTE, world, &request);
        for (int i = 0; i < 5 && half && sums < SUMS; i++, sums++)
            CHECK(sum_in(half) == HN_OK);
        error = error ? error : hn_wait(request, NULL);
    }
    check_dead(error, victim);
    for (; sums < SUMS; sums++) /* as many at all, whenever they have heard */
        CHECK(sum_in(half) == HN_OK);
    hn_group_free(half);
    go_on_without(1);
}

/* ---- several threads ---- */

static void *work(void *group)
{
    int error;
    while ((error = sum_in(group)) == HN_OK)
        ;
    check_dead(error, victim);
    return NULL;
}

static void threads(void)
{
    hn_group *groups[THREADS];
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        CHECK(hn_group_split(world, 0, 0, &groups[i]) == HN_OK);
    until_all_are_here();
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread[i], NULL, work, groups[i]) == 0);
    if (me == victim)
        die_in(milliseconds);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        hn_group_free(groups[i]);
    go_on_without(1);
}

/* ---- persistent ones ---- */

enum { REQUESTS = 5 };

static int start_all(hn_request **requests)
{
    int first = HN_OK, started = 0, error = HN_OK;
    while (started < REQUESTS && !error) {
        int which = (started + me) % REQUESTS; /* each in an order of its own */
        error = hn_start(requests[which]);
        started += !error;
    }
    if (error)
        check_dead(error, victim);
    for (int i = 0; i < started; i++) {
        int ended = hn_wait(requests[(i + me) % REQUESTS], NULL);
        if (ended)
            check_dead(ended, victim);
        first = first ? first : ended;
    }
    return error ? error : first;
}

static void between(void)
{
    static int64_t in[MOST * 100], out[REQUESTS][MOST * 100];
    size_t counts[MOST], displs[MOST];
    hn_request *requests[REQUESTS];
    hn_topology *ring;
    for (int i = 0; i < n; i++) {
        counts[i] = 100;
        displs[i] = (size_t)i * 100;
    }
    CHECK(hn_topology_ring(world, &ring) == HN_OK);
    CHECK(hn_allreduce_init(in, out[0], 100, HN_INT64, HN_SUM, world, &requests[0]) == HN_OK);
    CHECK(hn_alltoallv_init(in, counts, displs, out[1], counts, displs, HN_INT64, world,
                            &requests[1]) == HN_OK);
    CHECK(hn_neighbour_alltoall_init(in, 100, out[2], HN_INT64, ring, &requests[2]) == HN_OK);
    CHECK(hn_bcast_init(out[3], 100, HN_INT64, n - 1, world, &requests[3]) == HN_OK);
    CHECK(hn_scan_init(in, out[4], 100, HN_INT64, HN_MAX, world, &requests[4]) == HN_OK);
    for (int i = 0; i < 3; i++)
        CHECK(start_all(requests) == HN_OK);
    int met = hn_barrier(world);
    CHECK(met == HN_OK || met == HN_EDEAD);
    if (me == victim)
        raise(SIGKILL);
    if (me % 2) /* some know of it when they start */
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    CHECK(start_all(requests) == HN_EDEAD);
    CHECK(start_all(requests) == HN_EDEAD);
    for (int i = 0; i < REQUESTS; i++)
        CHECK(hn_request_free(requests[i]) == HN_OK);
    hn_topology_free(ring);
    go_on_without(1);
}

/* ---- topologies ---- */

static int exchange(const hn_topology *torus, hn_request *lasting, int round)
{
    int64_t in[4] = {me, me, me, me}, out[4];
    hn_request *request;
    if (round % 3 == 0)
        return hn_neighbour_alltoall(in, 1, out, HN_INT64, torus);
    if (round % 3 == 1) {
        int error = hn_start(lasting);
        return error ? error : hn_wait(lasting, NULL);
    }
    int error = hn_ineighbour_allgather(in, 1, out, HN_INT64, torus, &request);
    return error ? error : hn_wait(request, NULL);
}

/* Only the dead member's neighbours are in an exchange with it, but all hear. */
static void neighbours(void)
{
    static int64_t in[4 * LONG / 8], out[4 * LONG / 8];
    int sizes[2] = {0, 0}, periodic[2] = {1, 1}, error;
    hn_topology *torus = NULL;
    hn_request *lasting = NULL;
    CHECK(hn_mesh_sizes(n, 2, sizes) == HN_OK);
    /* Where a machine is busy, one has ended before another has its topology. */
    error = hn_topology_mesh(world, 2, sizes, periodic, &torus);
    CHECK(error ||
          hn_neighbour_alltoall_init(in, LONG / 8, out, HN_INT64, torus, &lasting) == HN_OK);
    if (me == victim)
        die_in(milliseconds);
    for (int round = 0; !error; round++)
        error = exchange(torus, lasting, round);
    check_dead(error, victim);
    CHECK(!lasting || hn_request_free(lasting) == HN_OK);
    hn_topology_free(torus);
    go_on_without(1);
}

static int make_one(int round)
{
    hn_topology *topology = NULL;
    int to[2] = {(me + 1) % n, (me + 3) % n};
    int error = round % 2 ? hn_topology_graph(world, to, NULL, 2, &topology)
                          : hn_topology_ring(world, &topology);
    CHECK(error || topology);
    hn_topology_free(topology);
    return error;
}

static void making(void)
{
    int error = HN_OK;
    if (me == victim)
        die_in(milliseconds);
    for (int round = 0; !error; round++)
        error = make_one(round);
    check_dead(error, victim);
    go_on_without(1);
}

/* ---- one after the other ---- */

/* Shrinks until the group holds, splits it, and works in the halves. */
static int settle(int left)
{
    hn_group *group, *smaller, *half;
    int error = hn_group_shrink(world, &group);
    CHECK(error == HN_OK);
    for (;;) {
        error = hn_group_split(group, me % 2, 0, &half);
        for (int i = 0; i < 20 && !error; i++)
            error = sum_in(half);
        hn_group_free(half);
        half = NULL;
        if (!error)
            error = sum_in(group); /* they decide in a group that holds them all */
        if (!error && hn_group_size(group) == left)
            break;
        CHECK(!error || error == HN_EDEAD);
        CHECK(hn_group_shrink(group, &smaller) == HN_OK);
        hn_group_free(group);
        group = smaller;
    }
    hn_group_free(group);
    return HN_OK;
}

static void again(void)
{
    int second = victim - 1, error;
    if (me == victim)
        die_in(milliseconds);
    while ((error = sum_in(world)) == HN_OK)
        ;
    check_dead(error, victim);
    if (me == second)
        die_in(1 + milliseconds % 5);
    settle(n - 2);
}

/* The half without the victim is not concerned, though one of it does nothing there for a while and
 * what was split is broken. */
static void late(void)
{
    hn_group *half;
    int error, slow = 0;
    CHECK(hn_group_split(world, me >= victim, 0, &half) == HN_OK);
    until_all_are_here();
    if (me == victim)
        die_in(milliseconds);
    if (me >= victim) {
        while ((error = sum_in(half)) == HN_OK)
            ;
        check_dead(error, victim);
    } else {
        if (me == slow)
            nanosleep(&(struct timespec){.tv_sec = 4}, NULL);
        CHECK(sum_in(half) == HN_OK);
    }
    hn_group_free(half);
    go_on_without(1);
}

/* ---- stopped ---- */

/* By a child of its own, which lets it go on. */
static void stop_for(int time)
{
    pid_t self = getpid();
    if (fork() == 0) {
        kill(self, SIGSTOP);
        nanosleep(&(struct timespec){time / 1000, time % 1000 * 1000000L}, NULL);
        kill(self, SIGCONT);
        _exit(0);
    }
}

static void stopped(void)
{
    static char data[LONG];
    hn_group *others;
    hn_request *request;
    CHECK(hn_group_split(world, me == victim ? -1 : 0, 0, &others) == HN_OK);
    for (int i = 0; i < 40; i++) {
        if (i == 20 && me == victim)
            stop_for(milliseconds);
        CHECK(hn_ibcast(data, LONG, HN_BYTE, i % n, world, &request) == HN_OK);
        if (others)
            CHECK(sum_in(others) == HN_OK);
        CHECK(hn_wait(request, NULL) == HN_OK);
        CHECK(sum_in(world) == HN_OK);
    }
    hn_group_free(others);
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {
    {"beside", beside}, {"threads", threads}, {"between", between}, {"neighbours", neighbours},
    {"making", making}, {"again", again},     {"late", late},       {"stopped", stopped},
};

int main(int argc, char **argv)
{
    bool known = false;
    CHECK(argc >= 2 && hn_enrol() == HN_OK);
    world = hn_world();
    me = hn_rank();
    n = hn_size();
    victim = n / 2;
    milliseconds = argc > 2 ? atoi(argv[2]) : milliseconds;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, argv[1]) == 0) {
            ways[i].run();
            known = true;
        }
    CHECK(known);
    puts(argv[1]);
    return 0;
}

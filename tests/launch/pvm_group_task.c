/* pvm_group_task.c - tasks that test PVM's groups: hrun -np 4 pvm_group_task WHAT.  All tasks of
 * the job do the same.
 */
#include "pvm_check.h"

#include <pthread.h>

enum { SIZE = 4 };

static char name[] = "group";

static int join(void)
{
    int mine = pvm_joingroup(name);

    CHECK(mine >= 0 && mine < SIZE && pvm_barrier(name, SIZE) == PvmOk);
    return mine;
}

/* A member that is alone sends nothing: the tag does not matter. */
static void alone(int mine)
{
    char own[] = "own 0";
    int value = 3, result = 0;

    own[4] += mine;
    CHECK(pvm_joingroup(own) == 0);
    CHECK(pvm_reduce(PvmSum, &value, 1, PVM_INT, -1, own, 0) == PvmOk && value == 3);
    CHECK(pvm_gather(&result, &value, 1, PVM_INT, -1, own, 0) == PvmOk && result == 3);
    CHECK(pvm_reduce(PvmSum, &value, 1, PVM_INT, -1, name, 0) == PvmBadParam);
    CHECK(pvm_lvgroup(own) == PvmOk);
}

static void membership(void)
{
    int mine = join(), others = 0, value, leaving = pvm_gettid(name, 1);

    CHECK(pvm_gsize(name) == SIZE && pvm_joingroup(name) == PvmDupGroup);
    CHECK(pvm_getinst(name, pvm_mytid()) == mine && pvm_gettid(name, mine) == pvm_mytid());
    CHECK(pvm_gettid(name, SIZE) == PvmNoInst && pvm_gettid(name, -1) == PvmNoInst);
    CHECK(pvm_getinst(name, 0x7fff) == PvmNotInGroup && pvm_gettid((char *)"no", 0) == PvmNoGroup);
    CHECK(pvm_gsize((char *)"no") == PvmNoGroup && pvm_lvgroup((char *)"no") == PvmNoGroup);
    CHECK(pvm_barrier((char *)"no", 1) == PvmNoGroup && pvm_barrier(name, 0) == PvmMismatch);
    CHECK(pvm_joingroup(NULL) == PvmNullGroup && pvm_joingroup((char *)"") == PvmNullGroup);
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkint(&mine, 1, 1) == PvmOk);
    CHECK(pvm_bcast((char *)"no", 1) == PvmNoGroup && pvm_bcast(name, -1) == PvmBadParam);
    CHECK(pvm_bcast(name, 1) == PvmOk);
    for (int i = 0; i < SIZE - 1; i++) {
        CHECK(pvm_recv(-1, 1) > 0 && pvm_upkint(&value, 1, 1) == PvmOk);
        others |= 1 << value;
    }
    CHECK(others == ((1 << SIZE) - 1 - (1 << mine)) && pvm_nrecv(-1, 1) == 0);
    CHECK(pvm_barrier(name, -1) == PvmOk);
    alone(mine);
    if (mine == 1) {
        CHECK(pvm_lvgroup(name) == PvmOk && pvm_barrier(name, 2) == PvmNotInGroup);
        CHECK(pvm_recv(-1, 2) > 0 && pvm_joingroup(name) == 1); /* the lowest that is free */
    } else {
        CHECK(pvm_barrier(name, SIZE - 1) == PvmOk);
        if (mine == 0)
            CHECK(pvm_send(leaving, 2) == PvmOk);
    }
    CHECK(pvm_barrier(name, SIZE) == PvmOk);
}

/* ---- operations --------------------------------------------------------------------------- */

/* The greatest values of the first half, and in the second one, where they come from. */
static void greatest_place(int *type, void *x, void *y, int *count, int *info)
{
    float *a = x;
    const float *b = y;

    CHECK(*type == PVM_FLOAT && *count == 4);
    for (int i = 0; i < 2; i++)
        if (b[i] > a[i]) {
            a[i] = b[i];
            a[i + 2] = b[i + 2];
        }
    *info = PvmOk;
}

static void refuses(int *type, void *x, void *y, int *count, int *info)
{
    (void)type;
    (void)x;
    (void)y;
    (void)count;
    *info = PvmOverflow;
}

/* Each member gives 1 + instance, and instance - 1: a function's two results at the root. */
#define REDUCE(function, ctype, type, first, second)                                               \
    do {                                                                                           \
        ctype v[2] = {(ctype)(mine + 1), (ctype)(mine - 1)};                                       \
        CHECK(pvm_reduce(function, v, 2, type, 5, name, root) == PvmOk);                           \
        CHECK(mine != root || (v[0] == (ctype)(first) && v[1] == (ctype)(second)));                \
    } while (0)
#define REDUCE_ALL(ctype, type)                                                                    \
    do {                                                                                           \
        REDUCE(PvmSum, ctype, type, 10, 2);                                                        \
        REDUCE(PvmProduct, ctype, type, 24, 0);                                                    \
        REDUCE(PvmMax, ctype, type, 4, (ctype)-1 > 0 ? (ctype)-1 : 2);                             \
        REDUCE(PvmMin, ctype, type, 1, (ctype)-1 > 0 ? 0 : -1);                                    \
    } while (0)

static void reduce(int mine, int root)
{
    float place[4] = {(float)(mine == 2), (float)-mine, (float)mine, (float)mine};
    float complex_sum[4] = {1, (float)mine, 0, 1}, complex_max[2] = {(float)-mine, 0};
    double product[2] = {0, 1};
    int i = 1;

    REDUCE_ALL(short, PVM_SHORT);
    REDUCE_ALL(int, PVM_INT);
    REDUCE_ALL(long, PVM_LONG);
    REDUCE_ALL(float, PVM_FLOAT);
    REDUCE_ALL(double, PVM_DOUBLE);
    REDUCE_ALL(unsigned short, PVM_USHORT);
    REDUCE_ALL(unsigned, PVM_UINT);
    REDUCE_ALL(unsigned long, PVM_ULONG);
    REDUCE(PvmMax, signed char, PVM_BYTE, 4, 2);
    REDUCE(PvmMin, signed char, PVM_BYTE, 1, -1);
    CHECK(pvm_reduce(PvmSum, complex_sum, 2, PVM_CPLX, 5, name, root) == PvmOk);
    CHECK(mine != root || (complex_sum[0] == 4 && complex_sum[1] == 6 && complex_sum[3] == 4));
    CHECK(pvm_reduce(PvmMax, complex_max, 1, PVM_CPLX, 5, name, root) == PvmOk);
    CHECK(mine != root || complex_max[0] == -3);
    CHECK(pvm_reduce(PvmProduct, product, 1, PVM_DCPLX, 5, name, root) == PvmOk);
    CHECK(mine != root || (product[0] == 1 && product[1] == 0)); /* i to the fourth */
    CHECK(pvm_reduce(greatest_place, place, 4, PVM_FLOAT, 5, name, root) == PvmOk);
    CHECK(mine != root || (place[0] == 1 && place[1] == 0 && place[2] == 2 && place[3] == 0));
    CHECK(pvm_reduce(refuses, &i, 1, PVM_INT, 5, name, root) == PvmOverflow || mine != root);
    CHECK(pvm_reduce(PvmSum, &i, 1, 99, 5, name, root) == PvmBadParam);
    CHECK(pvm_reduce(PvmSum, NULL, 1, PVM_INT, 5, name, root) == PvmBadParam);
    CHECK(pvm_reduce(PvmSum, &i, 1, PVM_INT, 5, name, SIZE) == PvmNoInst);
    CHECK(pvm_reduce(PvmSum, &i, 1, PVM_INT, 5, (char *)"no", 0) == PvmNoGroup);
}

static void gather_and_scatter(int mine, int root)
{
    int part[2] = {10 * mine, 10 * mine + 1}, all[2 * SIZE] = {0}, back[2] = {0};

    CHECK(pvm_gather(all, part, 2, PVM_INT, 6, name, root) == PvmOk);
    for (int i = 0; i < SIZE && mine == root; i++)
        CHECK(all[2 * i] == 10 * i && all[2 * i + 1] == 10 * i + 1);
    for (int i = 0; i < 2 * SIZE && mine == root; i++)
        all[i] += 100;
    CHECK(pvm_scatter(back, all, 2, PVM_INT, 6, name, root) == PvmOk);
    CHECK(back[0] == part[0] + 100 && back[1] == part[1] + 100);
    CHECK(pvm_gather(all, part, -1, PVM_INT, 6, name, root) == PvmBadParam);
}

/* Messages of the program with the same tags, from anybody, are not taken for the group's. */
static void send_around(int mine)
{
    CHECK(pvm_initsend(PvmDataDefault) > 0 && pvm_pkint(&mine, 1, 1) == PvmOk);
    for (int tag = 5; tag <= 6; tag++)
        CHECK(pvm_send(pvm_gettid(name, (mine + 1) % SIZE), tag) == PvmOk);
}

static void receive_around(int mine)
{
    int value;

    for (int tag = 5; tag <= 6; tag++) {
        CHECK(pvm_recv(-1, tag) > 0 && pvm_upkint(&value, 1, 1) == PvmOk);
        CHECK(value == (mine + SIZE - 1) % SIZE);
    }
}

static void work(int mine)
{
    send_around(mine);
    for (int root = 0; root < SIZE; root++) {
        reduce(mine, root);
        gather_and_scatter(mine, root);
    }
    receive_around(mine);
    CHECK(pvm_nrecv(-1, -1) == 0 && pvm_barrier(name, SIZE) == PvmOk);
}

static void operations(void)
{
    int n;
    struct pvmmboxinfo *list;

    work(join());
    CHECK(pvm_getmboxinfo((char *)"*", &n, &list) == PvmOk && n == 0);
}

static void frozen(void)
{
    int mine = join();

    CHECK(pvm_freezegroup((char *)"no", 1) == PvmNoGroup);
    CHECK(pvm_freezegroup(name, SIZE) == SIZE && pvm_freezegroup(name, SIZE) == PvmDupGroup);
    CHECK(pvm_gsize(name) == SIZE && pvm_gettid(name, mine) == pvm_mytid());
    CHECK(pvm_getinst(name, pvm_mytid()) == mine && pvm_gettid(name, SIZE) == PvmNoInst);
    work(mine);
    CHECK(pvm_lvgroup(name) == PvmOk && pvm_getinst(name, pvm_mytid()) < 0);
}

static void *wait_in_barrier(void *unused)
{
    pvm_barrier(name, SIZE);
    return unused;
}

/* A thread waits in a barrier of the frozen group; another one leaves the group meanwhile. */
static void thawing(void)
{
    int mine = join();
    pthread_t thread;

    CHECK(pvm_freezegroup(name, SIZE) == SIZE && pvm_initsend(PvmDataDefault) > 0);
    if (mine == 0) {
        CHECK(pthread_create(&thread, NULL, wait_in_barrier, NULL) == 0);
        usleep(200000);
        CHECK(pvm_lvgroup(name) == PvmOk && pvm_bcast(name, 8) == PvmOk);
        CHECK(pthread_join(thread, NULL) == 0);
    } else
        CHECK(pvm_recv(-1, 8) > 0 && pvm_barrier(name, SIZE) == PvmNoGroup);
}

/* Three of four freeze the group; it also has the fourth member. */
static void part(void)
{
    int mine = join(), one = 1;

    if (mine != 1)
        CHECK(pvm_freezegroup(name, SIZE - 1) == SIZE - 1);
    CHECK(pvm_gsize(name) == SIZE && pvm_gettid(name, 1) > 0);
    CHECK(pvm_reduce(PvmSum, &one, 1, PVM_INT, 5, name, 3) == PvmOk);
    CHECK(mine != 3 || one == SIZE);
    CHECK(pvm_initsend(PvmDataDefault) > 0 && (mine != 3 || pvm_bcast(name, 9) == PvmOk));
    if (mine != 3)
        CHECK(pvm_recv(-1, 9) > 0);
    CHECK(pvm_barrier(name, SIZE) == PvmOk);
}

static void newcomer(void)
{
    CHECK(join() == 1);
}

/* A member ends while others wait in a barrier; a new task takes its place, and completes it. */
static void replacing(void)
{
    int mine = join(), tid = pvm_gettid(name, 1), gone;
    char *argv[] = {(char *)"newcomer", NULL};

    CHECK(tid > 0 && pvm_barrier(name, SIZE) == PvmOk && pvm_initsend(PvmDataDefault) > 0);
    if (mine == 1) {
        CHECK(pvm_recv(-1, 8) > 0);
        exit(0);
    }
    if (mine == 0) {
        CHECK(pvm_notify(PvmTaskExit, 9, 1, &tid) == PvmOk && pvm_send(tid, 8) == PvmOk);
        CHECK(pvm_recv(-1, 9) > 0 && pvm_upkint(&gone, 1, 1) == PvmOk && gone == tid);
        CHECK(pvm_spawn((char *)"pvm_group_task", argv, PvmTaskDefault, NULL, 1, &tid) == 1);
    }
    CHECK(pvm_barrier(name, SIZE) == PvmOk);
}

/* A member that leaves a frozen group, or ends, is missed in its barriers. */
static void breaking(void)
{
    for (int missing = 0; missing < SIZE; missing++, name[0]++) {
        int mine = join();
        CHECK(pvm_freezegroup(name, SIZE) == SIZE && pvm_barrier(name, SIZE) == PvmOk);
        if (mine == missing && missing == SIZE - 1)
            exit(0);
        if (mine != missing)
            CHECK(pvm_barrier(name, SIZE) == PvmNoGroup && pvm_barrier(name, -1) == PvmNoGroup);
        CHECK(pvm_lvgroup(name) == PvmOk);
    }
}

int main(int argc, char **argv)
{
    static const struct pvm_test tests[] = {
        {"membership", membership},
        {"operations", operations},
        {"frozen", frozen},
        {"thawing", thawing},
        {"part", part},
        {"replacing", replacing},
        {"newcomer", newcomer},
        {"breaking", breaking},
    };

    pvm_setopt(PvmAutoErr, 0);
    return argc == 2 ? pvm_run(tests, sizeof tests / sizeof *tests, argv[1]) : 2;
}

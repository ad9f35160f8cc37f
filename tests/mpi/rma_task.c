/* rma_task.c - windows: synchronization, accesses of all kinds, types and errors, against what is
 * expected element by element. */
#include "mpi_check.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { N = 64, ROUNDS = 200 };
static int rank, size;

/* Every member puts its rank to all others, in one element and in all of them. */
static void fences(MPI_Win win, int *memory)
{
    for (int i = 0; i < N; i++)
        memory[i] = -1;
    CHECK(MPI_Win_fence(0, win) == MPI_SUCCESS);
    for (int r = 0; r < size; r++)
        CHECK(MPI_Put(&rank, 1, MPI_INT, r, rank, 1, MPI_INT, win) == MPI_SUCCESS);
    CHECK(MPI_Win_fence(0, win) == MPI_SUCCESS);
    for (int r = 0; r < size; r++)
        CHECK(memory[r] == r);
    MPI_Win_fence(0, win);
    int got[N];
    int next = (rank + 1) % size;
    MPI_Get(got, size, MPI_INT, next, 0, size, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int r = 0; r < size; r++)
        CHECK(got[r] == r);
    MPI_Win_fence(0, win); /* of no elements, any operator will do */
    CHECK(MPI_Get_accumulate(got, 0, MPI_BYTE, got, 0, MPI_BYTE, next, 0, 0, MPI_BYTE, MPI_SUM,
                             win) == MPI_SUCCESS);
    MPI_Win_fence(0, win);
}

/* A column of a matrix at the target, from a row here; and back. */
static void types(MPI_Win win, int *memory)
{
    MPI_Datatype column, nothing;
    int row[8], back[8], next = (rank + 1) % size, before = (rank + size - 1) % size;

    MPI_Type_vector(8, 1, 8, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    for (int i = 0; i < N; i++)
        memory[i] = -1;
    for (int i = 0; i < 8; i++)
        row[i] = 100 * rank + i;
    MPI_Win_fence(0, win);
    MPI_Put(row, 8, MPI_INT, next, 3, 1, column, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < N; i++)
        CHECK(memory[i] == (i % 8 == 3 ? 100 * before + i / 8 : -1));
    MPI_Win_fence(0, win); /* the next access changes what was looked at */
    MPI_Get(back, 8, MPI_INT, next, 3, 1, column, win);
    MPI_Accumulate(row, 8, MPI_INT, next, 4, 1, column, MPI_REPLACE, win);
    MPI_Accumulate(row, 1, nothing, next, 0, 0, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(memcmp(row, back, sizeof row) == 0);
    for (int i = 0; i < 8; i++)
        CHECK(memory[8 * i + 4] == 100 * before + i);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Type_free(&column);
    MPI_Type_free(&nothing);
}

/* All count in one element of rank 0, which computes meanwhile. */
static void counting(MPI_Win win, int *memory)
{
    int one = 1, old, last = -1, seen = 1;

    memory[0] = memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        usleep(20000);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        seen &= old > last;
        last = old;
        MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);
    CHECK(seen);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    if (rank == 0)
        CHECK(memory[0] == size * ROUNDS && memory[1] == size * ROUNDS);
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* An exclusive lock makes get, add and put one step. */
static void exclusive(MPI_Win win, int *memory)
{
    int value;

    memory[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS / 4; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        value++;
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    CHECK(value == size * (ROUNDS / 4));
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Compare and swap: exactly one member wins each round. */
static void swapping(MPI_Win win, int *memory)
{
    int none = -1, old, won = 0, all;

    memory[2] = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Compare_and_swap(&rank, &none, &old, MPI_INT, 0, 2, win);
    MPI_Win_flush(0, win);
    won = old == -1;
    MPI_Allreduce(&won, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == 1);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 0 exposes its memory to all others, and gets pairs. */
static void exposure(MPI_Win win, int *memory)
{
    MPI_Group all, group;
    int zero = 0;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    memory[0] = 0;
    if (rank == 0)
        MPI_Group_excl(all, 1, &zero, &group);
    else
        MPI_Group_incl(all, 1, &zero, &group);
    for (int round = 1; round <= 3; round++) {
        if (rank == 0) {
            MPI_Win_post(group, 0, win);
            MPI_Win_wait(win);
            for (int r = 1; r < size; r++)
                CHECK(memory[r] == 10 * r + round);
        } else {
            int value = 10 * rank + round;
            MPI_Win_start(group, 0, win);
            MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
            MPI_Win_complete(win);
        }
    }
    MPI_Group_free(&group);
    MPI_Group_free(&all);
}

/* A megabyte by requests, and pairs with their maximum. */
static void long_data(void)
{
    enum { MANY = 1 << 18 };
    MPI_Win win;
    MPI_Request request;
    int *memory = malloc(MANY * sizeof *memory), *data = malloc(MANY * sizeof *data);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;

    for (int i = 0; i < MANY; i++)
        data[i] = rank + i;
    MPI_Win_create(memory, MANY * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    MPI_Win_lock_all(0, win);
    MPI_Rput(data, MANY, MPI_INT, next, 0, MANY, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(MPI_Win_flush_all(win) == MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    int wrong = 0;
    for (int i = 0; i < MANY; i++)
        wrong += memory[i] != before + i;
    CHECK(wrong == 0);
    memset(data, 0, MANY * sizeof *data);
    MPI_Rget(data, MANY, MPI_INT, next, 0, MANY, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < MANY; i++)
        wrong += data[i] != rank + i;
    CHECK(wrong == 0);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    free(memory);
    free(data);
}

static void pairs(void)
{
    struct pair {
        double value;
        int place;
    } mine = {rank, rank}, *memory;
    MPI_Win win;

    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    *memory = (struct pair){-1, -1};
    MPI_Win_fence(0, win);
    MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, 0, 0, 1, MPI_DOUBLE_INT, MPI_MAXLOC, win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        CHECK(memory->value == size - 1 && memory->place == size - 1);
    MPI_Win_free(&win);
}

/* Types of Fortran have other numbers at the target, or are not there. */
static void fortran_types(void)
{
    float memory[2] = {1, 1}, value = 2;
    int next = (rank + 1) % size;
    MPI_Datatype real;
    MPI_Win win;

    for (int i = 0; i <= rank; i++)
        MPI_Type_create_f90_real(6, i, &real);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, real, next, 0, 1, real, win);
    MPI_Accumulate(&value, 1, real, next, 1, 1, real, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(memory[0] == 2 && memory[1] == 3);
    MPI_Win_free(&win);
}

static void attached(void)
{
    MPI_Win win;
    MPI_Aint at, *places = malloc((size_t)size * sizeof *places);
    int memory[8] = {0}, value[2] = {rank + 1, -1}, next = (rank + 1) % size;

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    CHECK(MPI_Win_attach(win, memory + 4, 16) == MPI_SUCCESS);
    CHECK(MPI_Win_attach(win, memory, 16) == MPI_SUCCESS);
    CHECK(class_of(MPI_Win_attach(win, memory + 1, 4)) == MPI_ERR_RMA_ATTACH);
    MPI_Get_address(memory, &at);
    MPI_Allgather(&at, 1, MPI_AINT, places, 1, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    CHECK(MPI_Put(value, 2, MPI_INT, next, places[next] + 12, 2, MPI_INT, win) == MPI_SUCCESS);
    CHECK(MPI_Win_unlock(next, win) == MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(memory[3] == (rank + size - 1) % size + 1 && memory[4] == -1);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    int error = MPI_Put(value, 2, MPI_INT, next, places[next] + 28, 2, MPI_INT, win);
    int later = MPI_Win_unlock(next, win);
    CHECK(class_of(error != MPI_SUCCESS ? error : later) == MPI_ERR_RMA_RANGE);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(MPI_Win_detach(win, memory) == MPI_SUCCESS);
    CHECK(MPI_Win_detach(win, memory + 4) == MPI_SUCCESS);
    MPI_Win_free(&win);
    free(places);
}

/* The last member has attached no memory. Only the first one gets an error, and all go on. */
static void refused(void)
{
    int value = 1;
    MPI_Win win;

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    CHECK(MPI_Win_fence(0, win) == MPI_SUCCESS);
    for (int i = 0; i < 2; i++) {
        int error =
            rank > 0 ? MPI_SUCCESS : MPI_Put(&value, 1, MPI_INT, size - 1, 0, 1, MPI_INT, win);
        int later = i == 0 ? MPI_Win_fence(0, win) : MPI_Win_free(&win);
        CHECK(class_of(error != MPI_SUCCESS ? error : later) ==
              (rank > 0 ? MPI_SUCCESS : MPI_ERR_RMA_RANGE));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK(win == MPI_WIN_NULL);
}

static void errors(void)
{
    int memory[N], value = 1, flag;
    MPI_Win win;

    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
#define FAILS(class, call) CHECK(class_of(call) == (class))
    FAILS(MPI_ERR_RMA_SYNC, MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
    MPI_Win_fence(0, win);
    FAILS(MPI_ERR_RANK, MPI_Put(&value, 1, MPI_INT, size, 0, 1, MPI_INT, win));
    FAILS(MPI_ERR_RMA_RANGE, MPI_Put(&value, 1, MPI_INT, 0, N, 1, MPI_INT, win));
    FAILS(MPI_ERR_DISP, MPI_Put(&value, 1, MPI_INT, 0, -1, 1, MPI_INT, win));
    FAILS(MPI_ERR_COUNT, MPI_Put(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, win));
    FAILS(MPI_ERR_TYPE, MPI_Put(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win));
    FAILS(MPI_ERR_OP, MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win));
    FAILS(MPI_ERR_OP, MPI_Accumulate(&value, 4, MPI_BYTE, 0, 0, 4, MPI_BYTE, MPI_SUM, win));
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_complete(win));
    FAILS(MPI_ERR_RMA_SYNC, MPI_Win_wait(win));
    FAILS(MPI_ERR_LOCKTYPE, MPI_Win_lock(-5, 0, 0, win));
    FAILS(MPI_ERR_ASSERT, MPI_Win_fence(1 << 30, win));
    FAILS(MPI_ERR_RMA_FLAVOR, MPI_Win_attach(win, memory, 4));
    FAILS(MPI_ERR_ARG, MPI_Win_get_attr(win, MPI_WIN_SIZE, NULL, &flag));
    MPI_Win_free(&win);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    FAILS(MPI_ERR_WIN, MPI_Win_fence(0, MPI_WIN_NULL));
    FAILS(MPI_ERR_WIN, MPI_Win_fence(0, (MPI_Win)(void *)&value));
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

/* The memory that a member can access itself: its own, at least. */
/* Hints that have defaults are there. */
static void hinted(MPI_Win win)
{
    char order[32] = "";
    int length = sizeof order, there;
    MPI_Info info;

    MPI_Win_get_info(win, &info);
    MPI_Info_get_string(info, "accumulate_ordering", &length, order, &there);
    CHECK(there && strcmp(order, "rar,raw,war,waw") == 0);
    MPI_Info_free(&info);
}

static void queried(MPI_Win win, int *memory)
{
    for (int r = 0; r < size; r++) {
        MPI_Aint bytes = -1;
        int unit = -1, *base = memory;
        MPI_Win_shared_query(win, r, &bytes, &unit, &base);
        if (r == rank)
            CHECK(base == memory && bytes == N * sizeof(int) && unit == sizeof(int));
        else
            CHECK(base ? base != memory && bytes == N * sizeof(int) : bytes == 0);
    }
}

static void all_on(MPI_Win win, int *memory)
{
    queried(win, memory);
    fences(win, memory);
    types(win, memory);
    counting(win, memory);
    exclusive(win, memory);
    swapping(win, memory);
    exposure(win, memory);
}

/* The first request of all, with data of its own, in a task that is notified of revocations. */
static void first_of_all(void)
{
    static int memory[10000], source[10000];
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Win win;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 10000; i++)
        source[i] = rank + i;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    CHECK(MPI_Put(source, 10000, MPI_INT, next, 0, 10000, MPI_INT, win) == MPI_SUCCESS);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 10000; i++)
        CHECK(memory[i] == before + i);
    MPI_Win_free(&win);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Accumulates of no elements, on a window without memory. */
static void nothing(void)
{
    int x = 1;
    MPI_Win win;

    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < size; i++) {
        MPI_Accumulate(&x, 0, MPI_INT, i, 0, 0, MPI_INT, MPI_SUM, win);
        MPI_Get_accumulate(&x, 0, MPI_INT, &x, 0, MPI_INT, i, 0, 0, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

/* One member has no memory for its first window: all are told, and none waits. */
static void without_memory(void)
{
    enum { SOME = 8 << 20 }; /* bytes for all else */
    struct rlimit before, less;
    long pages = 0;
    int memory;
    MPI_Win win;

    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f && fscanf(f, "%ld", &pages) == 1);
    fclose(f);
    getrlimit(RLIMIT_AS, &before);
    less = before;
    less.rlim_cur = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + SOME);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        CHECK(setrlimit(RLIMIT_AS, &less) == 0);
    CHECK(class_of(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                                  &win)) == (rank == 0 ? MPI_ERR_NO_MEM : MPI_ERR_OTHER));
    setrlimit(RLIMIT_AS, &before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    MPI_Win win;
    int *memory, memory_here[N], flag, *unit;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    without_memory();
    first_of_all();
    nothing();
    MPI_Win_create(memory_here, sizeof memory_here, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    all_on(win, memory_here);
    hinted(win);
    MPI_Win_free(&win);
    CHECK(win == MPI_WIN_NULL);
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    all_on(win, memory);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag);
    CHECK(flag && *unit == sizeof(int));
    MPI_Win_free(&win);
    long_data();
    pairs();
    fortran_types();
    attached();
    refused();
    errors();
    return all_right();
}

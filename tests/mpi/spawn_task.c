/* spawn_task.c - tasks that MPI programs start, ports and names: spawn_task */
#include "mpi_check.h"

#include <string.h>
#include <sys/socket.h>

static int rank, size;
static char *self;

/* The number of tasks of both sides, over a merged communicator, and in a window of its members. */
static void merge_and_sum(MPI_Comm both, int high, int expected)
{
    MPI_Comm all;
    MPI_Win win;
    int n, sum, one = 1, count = 0, here;

    OK(MPI_Intercomm_merge(both, high, &all));
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all));
    OK(MPI_Comm_size(all, &n));
    CHECK(sum == expected && n == expected);
    OK(MPI_Win_create(&count, sizeof count, 1, MPI_INFO_NULL, all, &win));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    OK(MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win));
    OK(MPI_Win_unlock(0, win));
    OK(MPI_Win_free(&win));
    OK(MPI_Comm_rank(all, &here));
    CHECK(count == (here == 0 ? n : 0));
    OK(MPI_Comm_free(&all));
}

static void child(MPI_Comm parent, int argc, char **argv)
{
    enum { LATER = 16 };
    int *appnum, flag, parents, all = size;
    MPI_Comm later[LATER];

    CHECK(!getenv("HNOW_MPI_SPAWNED")); /* a job that this task starts has other parents */
    OK(MPI_Comm_remote_size(parent, &parents));
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &appnum, &flag));
    CHECK(argc == 3 && strcmp(argv[1], "child") == 0 && atoi(argv[2]) == *appnum);
    CHECK(flag && *appnum == (rank >= 2));
    OK(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    OK(MPI_Send(&rank, 1, MPI_INT, rank % parents, 7, parent));
    merge_and_sum(parent, 1, parents + size);
    OK(MPI_Comm_disconnect(&parent));
    for (int i = 0; i < LATER; i++) { /* no later communicator is taken for the parent's */
        OK(MPI_Comm_dup(MPI_COMM_SELF, &later[i]));
        OK(MPI_Comm_get_parent(&parent));
        CHECK(parent == MPI_COMM_NULL);
    }
    for (int i = 0; i < LATER; i++)
        OK(MPI_Comm_free(&later[i]));
}

/* A task whose children have all ended still exchanges messages with itself. */
static void alone(MPI_Comm children)
{
    int flag, in = 0;
    MPI_Request r;

    OK(MPI_Comm_set_errhandler(children, MPI_ERRORS_RETURN));
    for (int i = 0; i < 3; i++)
        CHECK(class_of(MPI_Recv(&in, 1, MPI_INT, i, 8, children, MPI_STATUS_IGNORE)) ==
              MPIX_ERR_PROC_FAILED);
    while (MPI_Iprobe(MPI_ANY_SOURCE, 8, children, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS)
        ; /* hnow is not notified of all of their ends at the same time */
    OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag);
    OK(MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &r));
    OK(MPI_Send(&size, 1, MPI_INT, 0, 1, MPI_COMM_SELF));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(in == size);
}

/* Two commands with 2 and 1 tasks are one world of 3. */
static void start_children(void)
{
    char *commands[] = {self, self}, *first[] = {"child", "0", NULL};
    char *second[] = {"child", "1", NULL}, **argvs[] = {first, second};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    int most[] = {2, 1}, codes[] = {9, 9, 9}, n, from;
    MPI_Comm children;

    OK(MPI_Comm_spawn_multiple(2, commands, argvs, most, infos, size > 1, MPI_COMM_WORLD, &children,
                               codes));
    OK(MPI_Comm_remote_size(children, &n));
    CHECK(n == 3 && codes[0] == MPI_SUCCESS && codes[2] == MPI_SUCCESS);
    for (int r = rank; r < 3; r += size) {
        OK(MPI_Recv(&from, 1, MPI_INT, r, 7, children, MPI_STATUS_IGNORE));
        CHECK(from == r);
    }
    merge_and_sum(children, 0, size + 3);
    if (size == 1)
        alone(children);
    OK(MPI_Comm_disconnect(&children));
    CHECK(children == MPI_COMM_NULL);
}

/* A window of a task whose children have ended, which then starts others. */
static void start_again(void)
{
    MPI_Win win;
    int memory = 0;

    OK(MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win));
    start_children();
    start_children();
    OK(MPI_Win_free(&win));
}

/* The info key names the children's first error handler. */
static void with_errhandler(void)
{
    char *argv[] = {"handler", NULL};
    MPI_Comm children;
    MPI_Info info;
    int returns = 0;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_initial_errhandler", "mpi_errors_return"));
    OK(MPI_Comm_spawn(self, argv, 1, info, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE));
    OK(MPI_Recv(&returns, 1, MPI_INT, 0, 7, children, MPI_STATUS_IGNORE));
    CHECK(returns);
    OK(MPI_Comm_disconnect(&children));
    OK(MPI_Info_free(&info));
}

static void child_with_errhandler(MPI_Comm parent)
{
    MPI_Errhandler world, own;

    OK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &world));
    OK(MPI_Comm_get_errhandler(MPI_COMM_SELF, &own));
    int returns = world == MPI_ERRORS_RETURN && own == MPI_ERRORS_RETURN;
    OK(MPI_Send(&returns, 1, MPI_INT, 0, 7, parent));
    OK(MPI_Comm_disconnect(&parent));
}

static void wrong_spawns(void)
{
    int codes[2] = {0, 0}, code;
    MPI_Comm none = MPI_COMM_NULL;
    MPI_Info info;

    code = MPI_Comm_spawn("/no/such/program", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                          &none, codes);
    CHECK(class_of(code) == MPI_ERR_SPAWN && none == MPI_COMM_NULL);
    CHECK(codes[0] == MPI_ERR_SPAWN && codes[1] == MPI_ERR_SPAWN);
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "host", "nowhere"));
    code = MPI_Comm_spawn(self, MPI_ARGV_NULL, 1, info, 0, MPI_COMM_WORLD, &none, codes);
    CHECK(class_of(code) == MPI_ERR_SPAWN || class_of(code) == MPI_ERR_ARG);
    OK(MPI_Info_free(&info));
    code = MPI_Comm_spawn(self, MPI_ARGV_NULL, -1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &none, codes);
    CHECK(class_of(code) == MPI_ERR_ARG);
    code =
        MPI_Comm_spawn(self, MPI_ARGV_NULL, 1, MPI_INFO_NULL, size, MPI_COMM_WORLD, &none, codes);
    CHECK(class_of(code) == MPI_ERR_ROOT);
}

/* The last rank accepts, the others connect as a group. */
static void ports(void)
{
    char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME];
    MPI_Comm part, both;
    int server = rank == size - 1, n, got = -1;

    OK(MPI_Comm_split(MPI_COMM_WORLD, server, rank, &part));
    if (server) {
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        OK(MPI_Publish_name("spawn_task", MPI_INFO_NULL, port));
        CHECK(class_of(MPI_Publish_name("spawn_task", MPI_INFO_NULL, port)) == MPI_ERR_SERVICE);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (server) {
        OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, part, &both));
    } else {
        OK(MPI_Lookup_name("spawn_task", MPI_INFO_NULL, found));
        OK(MPI_Comm_connect(found, MPI_INFO_NULL, 0, part, &both));
    }
    OK(MPI_Comm_remote_size(both, &n));
    CHECK(n == (server ? size - 1 : 1));
    merge_and_sum(both, server, size);
    got = rank;
    OK(MPI_Bcast(&got, 1, MPI_INT, server ? MPI_ROOT : 0, both));
    CHECK(got == size - 1);
    OK(MPI_Comm_disconnect(&both));
    if (server) {
        OK(MPI_Unpublish_name("spawn_task", MPI_INFO_NULL, port));
        CHECK(class_of(MPI_Unpublish_name("spawn_task", MPI_INFO_NULL, port)) == MPI_ERR_SERVICE);
        OK(MPI_Close_port(port));
        CHECK(class_of(MPI_Close_port(port)) == MPI_ERR_PORT);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(class_of(MPI_Lookup_name("spawn_task", MPI_INFO_NULL, found)) == MPI_ERR_NAME);
    if (!server) /* a port that is closed, and one that is none */
        CHECK(class_of(MPI_Comm_connect(found, MPI_INFO_NULL, 0, part, &both)) == MPI_ERR_PORT);
    CHECK(class_of(MPI_Comm_connect("port", MPI_INFO_NULL, 0, part, &both)) == MPI_ERR_PORT);
    OK(MPI_Comm_free(&part));
}

/* A connection to a port that is open but closes before it is accepted ends. */
static void port_closes(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm none;

    if (rank == 0)
        OK(MPI_Open_port(MPI_INFO_NULL, port));
    OK(MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD));
    if (rank == 1)
        CHECK(class_of(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &none)) ==
              MPI_ERR_PORT);
    if (rank == 0) {
        double begin = MPI_Wtime();
        while (MPI_Wtime() - begin < 0.1)
            ;
        OK(MPI_Close_port(port));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
}

/* A connection that is not accepted in time ends, and is not accepted later. */
static void late_port(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm both;
    MPI_Info info;
    int got = -1;

    if (rank == 0)
        OK(MPI_Open_port(MPI_INFO_NULL, port));
    OK(MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD));
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "timeout", "1"));
    if (rank == 1) {
        double begin = MPI_Wtime();
        CHECK(class_of(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &both)) == MPI_ERR_PORT);
        CHECK(MPI_Wtime() - begin > 0.9);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        OK(MPI_Comm_accept(port, info, 0, MPI_COMM_SELF, &both));
    else if (rank == 1)
        OK(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &both));
    if (rank < 2) {
        OK(MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, both, MPI_STATUS_IGNORE));
        CHECK(got == 1 - rank);
        OK(MPI_Comm_disconnect(&both));
    }
    OK(MPI_Info_free(&info));
    if (rank == 0)
        OK(MPI_Close_port(port));
}

static void broken_socket(void)
{
    MPI_Comm none;
    int ends[2];

    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    CHECK(shutdown(ends[1], SHUT_RDWR) == 0);
    CHECK(class_of(MPI_Comm_join(ends[0], &none)) == MPI_ERR_ARG && none == MPI_COMM_NULL);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;

    self = argv[0];
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    OK(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL && strcmp(argv[1], "handler") == 0) {
        child_with_errhandler(parent);
    } else if (parent != MPI_COMM_NULL) {
        child(parent, argc, argv);
    } else {
        if (size == 1)
            start_again();
        else
            start_children();
        with_errhandler();
        OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
        wrong_spawns();
        if (size > 1) {
            ports();
            port_closes();
            late_port();
        }
        broken_socket();
        if (rank == 0)
            puts("all right");
    }
    OK(MPI_Finalize());
    return 0;
}

/* mpi_win_memory.c - memory that MPI allocates for windows (mpi_win.h).
 *
 * The members of a host share one memory object: first the mutexes for accumulates, then each
 * member's part, in rank order.  It has no name in the file system: the member with the lowest rank
 * makes it with memfd_create(), and the others open it through /proc.  So nothing remains if they
 * are killed.
 *
 * The layout is computed by each member from the sizes that all know, so it need not be sent. Pages
 * are allocated when a member first touches its part, and thereby near its processor.
 *
 * A mapped part makes its member `direct`: accesses to it are loads and stores. Accumulates then
 * need a mutex that all processes of the host see, and hence the mutexes at the start of the
 * object.
 * Costs one allgather and one allreduce. Members of different hosts take part in them, too, so
 * that all agree on whether memory was found.
 */
#include "window/mpi_win.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Parts of MPI_Win_allocate() begin at multiples of this: a page, as much as programs ask for in
 * mpi_minimum_memory_alignment.  Parts of MPI_Win_allocate_shared() are contiguous. */
enum { PART_ALIGN = 4096 };

/* Base and guard of a shared part are set before; otherwise they are the window's own. The
 * attributes' types are those of MPI 4.1, 12.2.6. */
void win_set_own(struct mpi_win *w)
{
    struct win_part *own = &w->parts[w->comm->rank];

    if (!own->guard)
        own->guard = &w->guard;
    if (!own->direct)
        own->direct = w->base;
    w->own = (struct win_own){
        .base = {LANGUAGE_C, {.pointer = w->base}},
        .size = {LANGUAGE_FORTRAN, {.address = w->size}},
        .unit = {LANGUAGE_MPI1, {.integer = w->unit}},
        .flavor = {LANGUAGE_MPI1, {.integer = w->flavor}},
        .model = {LANGUAGE_MPI1, {.integer = w->model}},
    };
}

/* `unit` need not be a power of two; n = 0 gives 0. */
static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Layout of the memory object for the members of this host. Temporary, and equal in all members of
 * a host. */
struct layout {
    /* -1: out of memory, then nothing else is valid. */
    int leader;     /* rank of the member that makes it */
    size_t *places; /* offsets, by rank */
    int *guards;    /* index of the mutex, by rank; -1: another host */
    size_t bytes;
    int members;
};

/* On the same host, so that memory can be shared. */
static bool is_near(const struct mpi_win *w, int rank)
{
    return hn_host_tid(w->comm->group->tids[rank]) == hn_host_tid(hn_mytid());
}

/* O(members). The mutexes fill whole pages, so that the first part begins at a page. */
static bool plan(struct mpi_win *w, bool contiguous, struct layout *l)
{
    int n = w->comm->size;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    *l = (struct layout){.leader = -1,
                         .places = calloc((size_t)n, sizeof *l->places),
                         .guards = calloc((size_t)n, sizeof *l->guards)};
    if (!l->places || !l->guards)
        return false;
    /* The first near member gets index 0 and leads. This member is near itself, so one exists. */
    for (int r = 0; r < n; r++) {
        l->guards[r] = is_near(w, r) ? l->members++ : -1;
        if (l->leader < 0 && l->guards[r] == 0)
            l->leader = r;
    }
    l->bytes = round_up((size_t)l->members * sizeof(pthread_mutex_t), page);
    for (int r = 0; r < n; r++) {
        /* Members of other hosts have no place in this object. */
        if (l->guards[r] < 0)
            continue;
        if (!contiguous)
            l->bytes = round_up(l->bytes, PART_ALIGN);
        l->places[r] = l->bytes;
        l->bytes += (size_t)w->parts[r].size;
    }
    return true;
}

/* The object lives as long as a descriptor or a mapping of it. Returns a descriptor, or -1. */
static int make_piece(size_t bytes)
{
    int fd = memfd_create("hnow-mpi-window", MFD_CLOEXEC);

    if (fd >= 0 && ftruncate(fd, (off_t)bytes) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Robust mutexes: a member that dies inside an accumulate does not block the others. */
static void make_guards(pthread_mutex_t *guards, int n)
{
    pthread_mutexattr_t shared;

    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
    for (int i = 0; i < n; i++)
        pthread_mutex_init(&guards[i], &shared);
    pthread_mutexattr_destroy(&shared);
}

/* Where other members find the leader's memory object. Two words, sent as HN_INT64. fd -1: this
 * member is no leader. */
struct address {
    int64_t pid; /* 0: the member has no memory for its part */
    int64_t fd;
};

/* For all members of this host, itself included. The mutexes are the start of the memory. */
static void set_parts(struct mpi_win *w, const struct layout *l)
{
    for (int r = 0; r < w->comm->size; r++)
        if (l->guards[r] >= 0) {
            w->parts[r].direct = (char *)w->memory + l->places[r];
            w->parts[r].guard = (pthread_mutex_t *)w->memory + l->guards[r];
        }
    w->base = w->parts[w->comm->rank].direct;
    win_set_own(w);
}

/* Forgets the memory object, because another member cannot open it. */
static void unset_parts(struct mpi_win *w)
{
    win_memory_free(w);
    for (int r = 0; r < w->comm->size; r++) {
        w->parts[r].direct = NULL;
        w->parts[r].guard = NULL;
    }
}

/* Maps the memory object.  Returns HN_OK, or HN_ENOMEM, also if a member cannot open it. */
static int map(struct mpi_win *w, const struct layout *l, const struct address *a, int own_fd)
{
    char path[64];
    int fd = own_fd;

    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)a->pid, (long long)a->fd);
    /* /proc may refuse: other user, other pid namespace, or ptrace restrictions of the host. */
    if (fd < 0)
        fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return HN_ENOMEM;
    void *at = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    /* The mapping stays. */
    if (fd != own_fd)
        close(fd);
    if (at == MAP_FAILED)
        return HN_ENOMEM;
    w->memory = at;
    w->memory_mapped = l->bytes;
    /* Before agree(): no other member uses a mutex until all have mapped. */
    if (own_fd >= 0)
        make_guards(at, l->members);
    set_parts(w, l);
    return HN_OK;
}

/* A pid of 0 can mean any failure in its member's plan or object. */
static bool all_have_memory(const struct address *all, int members)
{
    for (int r = 0; r < members; r++)
        if (all[r].pid == 0)
            return false;
    return true;
}

/* Returns the worst result of all members. Errors are negative, so the minimum is the worst. */
static int agree(const struct mpi_win *w, int mine)
{
    int worst = 0;
    int result = hn_allreduce(&mine, &worst, 1, HN_INT, HN_MIN, w->comm->hn);

    return result != HN_OK ? result : worst;
}

/* Collective. Members of one host map one piece, which its first member makes. */
int win_memory_share(struct mpi_win *w, bool contiguous)
{
    struct layout l = {.leader = -1};
    struct address own = {0, -1}, *all = calloc((size_t)w->comm->size, sizeof *all);
    bool ok = all && plan(w, contiguous, &l), leads = ok && l.leader == w->comm->rank;
    /* Other members open the leader's descriptor while the leader waits in agree(), so it stays
     * open until then. */
    int fd = leads ? make_piece(l.bytes) : -1;

    if (ok && (!leads || fd >= 0))
        own = (struct address){getpid(), fd};
    int result = hn_allgather(&own, 2, all, HN_INT64, w->comm->hn);
    if (result == HN_OK && !all_have_memory(all, w->comm->size))
        result = HN_ENOMEM;
    else if (result == HN_OK)
        result = agree(w, map(w, &l, &all[l.leader], fd));
    if (result != HN_OK)
        unset_parts(w);
    /* The mappings keep the object alive. */
    if (fd >= 0)
        close(fd);
    free(l.places);
    free(l.guards);
    free(all);
    return result;
}

/* The + 1 avoids an allocation of 0 bytes, whose result may be NULL. */
int win_memory_own(struct mpi_win *w)
{
    void *memory = NULL;

    if (posix_memalign(&memory, PART_ALIGN, (size_t)w->size + 1) != 0)
        return agree(w, HN_ENOMEM);
    w->memory = w->base = memory;
    win_set_own(w);
    return agree(w, HN_OK);
}

/* Memory of the program is not touched. */
void win_memory_free(struct mpi_win *w)
{
    if (w->memory_mapped)
        munmap(w->memory, w->memory_mapped);
    else
        free(w->memory);
    w->memory = NULL;
    w->memory_mapped = 0;
}

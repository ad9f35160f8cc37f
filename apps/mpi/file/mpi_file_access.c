/* mpi_file_access.c - reads and writes files (mpi_file.h).
 *
 * MPI 4.1, 14.4. Data that is contiguous in memory and has the file's format is moved without a
 * copy. Each run of the view is one pread() or pwrite(), so a view of many small pieces costs a
 * system call for each.
 *
 * Every form of access, blocking or not, ends in file_do(), which moves the data before it
 * returns. Nonblocking and split forms differ only in how the result is handed over. So no
 * thread is needed, and no request is ever incomplete.
 * Two units occur: etypes for pointers and offsets, bytes of the stream for transfers.
 */
#include "file/mpi_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* An access in progress. On the stack of the call. */
struct access {
    const struct file_call *call;
    struct mpi_file *f;
    struct mpi_type *type;
    MPI_Offset bytes;  /* in the file */
    MPI_Offset etypes; /* the same in etypes, for pointers */
    MPI_Offset offset; /* first etype */
    MPI_Offset done;   /* bytes read or written */
    int error;         /* system error, or 0 */
};

/* ---- the file ------------------------------------------------------------------------------- */

/* Transfers one run of bytes; false: an error, or the end of the file. Short transfers are
 * continued. At the end of the file a read ends without an error, and the status has the bytes so
 * far. */
static bool move_run(struct access *a, char *data, MPI_Offset bytes, MPI_Offset at)
{
    while (bytes > 0) {
        ssize_t n = a->call->writes ? pwrite(a->f->fd, data, (size_t)bytes, at)
                                    : pread(a->f->fd, data, (size_t)bytes, at);
        if (n < 0 && errno == EINTR)
            continue;
        /* What was moved before stays counted in a->done. */
        if (n < 0)
            a->error = errno;
        /* 0 is the end of the file. */
        if (n <= 0)
            return false;
        data += n, at += n, bytes -= n, a->done += n;
    }
    return true;
}

/* The stream of data is consecutive, the file has gaps. */
static void move_all(struct access *a, char *data)
{
    const struct file_view *v = &a->f->view;
    /* First byte of the stream. */
    MPI_Offset from = a->offset * v->unit;

    while (a->done < a->bytes) {
        MPI_Offset run, left = a->bytes - a->done;
        /* O(log pieces) for each run. */
        MPI_Offset at = file_view_place(v, from + a->done, &run);
        if (run == 0 || !move_run(a, data + a->done, run < left ? run : left, at))
            break;
    }
}

/* In atomic mode, an access locks its whole range. MPI 4.1, 14.6.1. The lock covers gaps of the
 * view as well. Locks of open file descriptions exclude other members, even threads of one process,
 * unlike POSIX locks of processes. Blocks until the range is free. */
static void range_lock(struct access *a, int type)
{
    MPI_Offset run, from = a->offset * a->f->view.unit;
    MPI_Offset first = file_view_place(&a->f->view, from, &run);
    /* The place of the last byte. */
    MPI_Offset last = file_view_place(&a->f->view, from + a->bytes - 1, &run);
    struct flock range = {.l_type = (short)type, .l_whence = SEEK_SET};

    range.l_start = first;
    range.l_len = last - first + 1;
    /* F_OFD_SETLKW waits in the kernel. Two members that lock one range each cannot deadlock. */
    while (fcntl(a->f->fd, F_OFD_SETLKW, &range) != 0)
        if (errno != EINTR) {
            a->error = errno;
            return;
        }
}

/* The lock is released in any case. An error of unlocking is an error of the access. */
static void move(struct access *a, char *data)
{
    bool locks = a->f->atomic && a->bytes > 0;

    if (locks)
        range_lock(a, a->call->writes ? F_WRLCK : F_RDLCK);
    if (a->error == 0)
        move_all(a, data);
    if (locks)
        range_lock(a, F_UNLCK);
}

/* ---- the program's data --------------------------------------------------------------------- */

/* Converts packed data to the file's format, or back. false: a value does not fit into its other
 * format. */
static bool convert(struct access *a, void *packed, void *outside)
{
    /* All elements of the call, even after a short read: the rest is zero. */
    size_t elements = (size_t)a->call->count * a->type->elements;

    if (a->call->writes)
        return external_put(a->type, elements, EXTERNAL_32, packed, outside);
    return external_get(a->type, elements, EXTERNAL_32, outside, packed);
}

/* Bytes in memory of the data that was read or written. After a short read, the last incomplete
 * element is counted in proportion. The status has bytes of memory, because MPI_Get_count() uses
 * those. */
static MPI_Offset done_in_memory(const struct access *a)
{
    MPI_Offset inside = a->type->size; /* bytes of one element: in memory, and in the file */
    MPI_Offset outside = a->bytes > 0 ? a->bytes / (MPI_Offset)a->call->count : 1;

    /* Complete elements first, so that the product cannot overflow. */
    return a->done / outside * inside + a->done % outside * inside / outside;
}

/* Transfers data whose file format differs from that in memory.  Returns MPI_SUCCESS or an error
 * class. A native view with gaps in memory needs only one buffer, an external one a second. Both
 * are zeroed: after a short read, the rest is converted as well. */
static int move_converted(struct access *a)
{
    size_t count = (size_t)a->call->count;
    bool external = a->f->view.external;
    char *packed = calloc(1, count * (size_t)a->type->size + 1);
    char *outside = external ? calloc(1, (size_t)a->bytes + 1) : packed;
    int code = packed && outside ? MPI_SUCCESS : MPI_ERR_NO_MEM;

    /* Memory to file: pack, then convert. */
    if (code == MPI_SUCCESS && a->call->writes) {
        pack_type(a->type, count, a->call->data, packed);
        if (external && !convert(a, packed, outside))
            code = MPI_ERR_CONVERSION;
    }
    if (code == MPI_SUCCESS)
        /* Without external format `outside` is the packed data itself. */
        move(a, outside);
    /* File to memory: convert, then unpack what was read. */
    if (code == MPI_SUCCESS && !a->call->writes) {
        if (external && !convert(a, packed, outside))
            code = MPI_ERR_CONVERSION;
        else
            unpack_type(a->type, count, a->call->data, packed, (size_t)done_in_memory(a));
    }
    if (external)
        free(outside);
    free(packed);
    return code;
}

/* The program's buffer is used directly if nothing has to be packed or converted. */
static int move_data(struct access *a)
{
    /* Nothing to move. In atomic mode no range is locked either. */
    if (a->bytes == 0)
        return MPI_SUCCESS;
    if (a->f->view.external || !type_is_plain(a->type, (size_t)a->call->count))
        return move_converted(a);
    move(a, (char *)a->call->data + a->type->true_lb);
    return MPI_SUCCESS;
}

/* ---- pointers ------------------------------------------------------------------------------- */

/* Ordered access: the members' parts follow each other by rank. MPI 4.1, 14.4.4. Three small
 * collective operations; rank 0 advances the pointer once for all. Returns an error class, the same
 * at all members. */
static int take_turn(struct access *a)
{
    struct mpi_comm *c = a->f->comm;
    MPI_Comm comm = c->object.handle;
    int64_t own = a->etypes, before = 0, first[2] = {0, 0}, all = 0;

    /* The lengths of the members before this one. */
    PMPI_Exscan(&own, &before, 1, MPI_INT64_T, MPI_SUM, comm);
    /* Rank 0 learns the total, and moves the pointer by it in one step. */
    PMPI_Reduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, 0, comm);
    if (c->rank == 0) {
        MPI_Offset place = 0;
        first[1] = file_shared_add(a->f, all, &place);
        first[0] = place;
    }
    PMPI_Bcast(first, 2, MPI_INT64_T, 0, comm);
    /* The result of MPI_Exscan() is undefined at rank 0. */
    a->offset = first[0] + (c->rank > 0 ? before : 0);
    return (int)first[1];
}

/* Pointers are advanced before the data moves, so that other accesses can proceed (MPI 4.1,
 * 14.4.1). The shared pointer costs a round trip to rank 0. */
static int find_offset(struct access *a)
{
    switch (a->call->pointer) {
    case FILE_AT:
        a->offset = a->call->offset;
        break;
    case FILE_OWN:
        pthread_mutex_lock(&a->f->lock);
        a->offset = a->f->position;
        a->f->position += a->etypes;
        pthread_mutex_unlock(&a->f->lock);
        break;
    /* Members are served in the order in which rank 0's memory is updated. */
    case FILE_SHARED:
        return file_shared_add(a->f, a->etypes, &a->offset);
    case FILE_ORDERED:
        return take_turn(a);
    }
    return MPI_SUCCESS;
}

/* Moves the individual pointer behind what was read. Only the individual pointer: a shared one may
 * have been used by others meanwhile. */
static void correct_pointer(struct access *a)
{
    if (a->call->pointer != FILE_OWN || a->done == a->bytes)
        return;
    pthread_mutex_lock(&a->f->lock);
    /* The part that was not read. Other threads may have moved the pointer, hence a difference. */
    a->f->position -= a->etypes - a->done / a->f->view.unit;
    pthread_mutex_unlock(&a->f->lock);
}

/* ---- an access ------------------------------------------------------------------------------ */

/* MPI 4.1, 14.2.1: MPI_MODE_SEQUENTIAL allows only the shared pointer. 14.4.5: one split access at
 * a time. */
static int check_mode(const struct access *a)
{
    const struct file_call *k = a->call;
    int amode = a->f->amode;

    if (k->writes && (amode & MPI_MODE_RDONLY))
        return error_file(a->f, MPI_ERR_READ_ONLY, k->call, "the file is open for reading only");
    if (!k->writes && (amode & MPI_MODE_WRONLY))
        return error_file(a->f, MPI_ERR_ACCESS, k->call, "the file is open for writing only");
    if ((amode & MPI_MODE_SEQUENTIAL) && k->pointer != FILE_SHARED && k->pointer != FILE_ORDERED)
        return error_file(a->f, MPI_ERR_UNSUPPORTED_OPERATION, k->call,
                          "a sequential file has only the shared file pointer");
    /* Other kinds of accesses are allowed between begin and end. */
    if (k->way == FILE_SPLIT && a->f->split)
        return error_file(a->f, MPI_ERR_OTHER, k->call, "%s has not been ended", a->f->split);
    return MPI_SUCCESS;
}

/* Also computes the sizes. An access must consist of whole etypes (MPI 4.1, 14.3). */
static int check(struct access *a)
{
    const struct file_call *k = a->call;
    struct mpi_file *f = a->f;
    int error = check_mode(a);

    if (error != MPI_SUCCESS)
        return error;
    if (k->count < 0)
        return error_file(f, MPI_ERR_COUNT, k->call, "the count %lld is negative",
                          (long long)k->count);
    a->type = type_of(k->datatype);
    if (!a->type || !a->type->committed)
        return error_file(f, MPI_ERR_TYPE, k->call, "%p is not a datatype, or is not committed",
                          handle_shown(k->datatype));
    if (k->pointer == FILE_AT && k->offset < 0)
        return error_file(f, MPI_ERR_ARG, k->call, "the offset %lld is negative",
                          (long long)k->offset);
    if (k->way == FILE_NONBLOCKING && !k->request)
        return error_file(f, MPI_ERR_ARG, k->call, "no place for the request");
    /* In the file's representation. */
    a->bytes = file_view_size(&f->view, a->type, (size_t)k->count);
    if (a->bytes % f->view.unit != 0)
        return error_file(f, MPI_ERR_TYPE, k->call,
                          "%lld bytes of data are not whole etypes of %lld bytes",
                          (long long)a->bytes, (long long)f->view.unit);
    /* A type that begins elsewhere may be relative to MPI_BOTTOM. */
    if (a->bytes > 0 && !k->data && a->type->lb == a->type->true_lb && a->type->true_lb == 0)
        return error_file(f, MPI_ERR_BUFFER, k->call, "there is no buffer");
    a->etypes = a->bytes / f->view.unit;
    return MPI_SUCCESS;
}

/* The access is complete when the call returns; a request only reports that. */
static const struct request_way over;

/* A split access keeps its size for the call that ends it. */
static int finish(struct access *a)
{
    const struct file_call *k = a->call;
    struct outcome outcome = outcome_empty;

    outcome.count = (size_t)done_in_memory(a);
    if (k->way == FILE_NONBLOCKING) {
        struct mpi_request *r = request_begin(a->f->comm, &over);
        if (!r)
            return error_file(a->f, MPI_ERR_NO_MEM, k->call, "out of memory");
        /* The access is complete; the request only carries its outcome. */
        request_done(r, MPI_SUCCESS);
        r->outcome = outcome;
        *k->request = r->object.handle;
    } else if (k->way == FILE_SPLIT) {
        /* The name of the call, a static string; it also marks the access as open. */
        a->f->split = k->call;
        a->f->split_bytes = (MPI_Offset)outcome.count;
    } else {
        /* Bytes, since outcome_empty has HN_BYTE as its type. */
        status_put(k->status, &outcome);
    }
    return MPI_SUCCESS;
}

/* All reads and writes end here (MPI 4.1, 14.4). */
int file_do(const struct file_call *k)
{
    struct access a = {.call = k, .f = file_of(k->file)};
    int code;

    if (!a.f)
        return error_no_file(k->file, k->call);
    /* Ordered accesses are collective: a member with wrong arguments must not leave the others
     * waiting. Other accesses need no agreement, since their members do not wait for each other. */
    code = check(&a);
    if (k->pointer == FILE_ORDERED && file_agree(a.f, code) != MPI_SUCCESS && code == MPI_SUCCESS)
        return error_file(a.f, MPI_ERR_OTHER, k->call, "another member has wrong arguments");
    if (code != MPI_SUCCESS)
        return code;
    code = find_offset(&a);
    if (code == MPI_SUCCESS)
        code = move_data(&a);
    /* Also after an error: the pointer then is behind what was moved. */
    correct_pointer(&a);
    if (code != MPI_SUCCESS)
        return error_file(a.f, code, k->call, "the data could not be prepared");
    if (a.error != 0)
        return error_file(a.f, file_class(a.error), k->call, "after %lld of %lld bytes: %s",
                          (long long)a.done, (long long)a.bytes, strerror(a.error));
    return finish(&a);
}

/* The data was moved at the begin; the end only returns the status. */
int file_end(MPI_File file, const char *begin, MPI_Status *status, const char *call)
{
    struct mpi_file *f = file_of(file);
    struct outcome outcome = outcome_empty;

    if (!f)
        return error_no_file(file, call);
    /* A prefix is compared, because MPI_File_..._begin_c() is ended by the same call. */
    if (!f->split || strncmp(f->split, begin, strlen(begin)) != 0) /* or its _c form */
        return error_file(f, MPI_ERR_OTHER, call, "%s has not been called", begin);
    f->split = NULL;
    outcome.count = (size_t)f->split_bytes;
    status_put(status, &outcome);
    return MPI_SUCCESS;
}

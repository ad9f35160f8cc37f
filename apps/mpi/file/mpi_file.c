/* mpi_file.c - opens, closes and deletes files; errors of files (mpi_file.h).
 *
 * MPI 4.1: 14.2.1 (open), 14.2.2 (close), 14.2.3 (delete), 14.7 and 14.8 (errors). Opening is
 * collective: rank 0 creates the file first, so that the others find it, and MPI_MODE_EXCL
 * works.
 *
 * A collective call must end alike at all members, so each step ends with an agreement on an
 * error code (file_agree()). Between two agreements a member may fail without any other
 * noticing.
 */
#include "file/mpi_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct mpi_errhandler *file_null_errhandler;

struct mpi_file *file_of(MPI_File handle)
{
    return handle_object(OBJECT_FILE, HANDLE_OF_FILE(handle));
}

/* ---- errors --------------------------------------------------------------------------------- */

/* The default of files is MPI_ERRORS_RETURN, unlike that of communicators (MPI 4.1, 14.7). */
void file_errhandler_setup(void)
{
    if (file_null_errhandler)
        return;
    file_null_errhandler = errhandler_of(MPI_ERRORS_RETURN);
    object_hold(file_null_errhandler);
}

/* A file that could not be opened has no handle; its errors belong to MPI_FILE_NULL (MPI 4.1,
 * 14.7). */
int error_file(struct mpi_file *f, int code, const char *call, const char *format, ...)
{
    char what[400], place[200] = "";
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    /* Files may be used before any was opened, e.g. by MPI_File_delete(). */
    file_errhandler_setup();
    /* The text names the file and the rank. */
    if (f)
        snprintf(place, sizeof place, " on %.150s, rank %d", f->path, f->comm->rank);
    return error_at(place, f ? f->errhandler : file_null_errhandler, OBJECT_FILE,
                    f ? f->object.handle : HANDLE_OF_FILE(MPI_FILE_NULL), code, call, what);
}

int error_no_file(MPI_File handle, const char *call)
{
    /* Outside MPI_Init() and MPI_Finalize() every handle is invalid. */
    if (!comm_world)
        return error_no_comm(MPI_COMM_NULL, call);
    if (handle == MPI_FILE_NULL)
        return error_file(NULL, MPI_ERR_FILE, call, "the file is MPI_FILE_NULL");
    return error_file(NULL, MPI_ERR_FILE, call, "%p is not a file, or it has been closed",
                      (void *)handle);
}

/* MPI 4.1, 14.8. */
int file_class(int system_error)
{
    switch (system_error) {
    case ENOENT:
        return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
        return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
        return MPI_ERR_ACCESS;
    case EROFS:
        return MPI_ERR_READ_ONLY;
    case ENOSPC:
        return MPI_ERR_NO_SPACE;
    case EDQUOT:
        return MPI_ERR_QUOTA;
    case EBUSY:
    case ETXTBSY:
        return MPI_ERR_FILE_IN_USE;
    case ENAMETOOLONG:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
        return MPI_ERR_BAD_FILE;
    case ENOMEM:
        return MPI_ERR_NO_MEM;
    /* The text of the error names the system's own reason. */
    default:
        return MPI_ERR_IO;
    }
}

/* Codes are positive, so the maximum is an error if any member has one. Blocks. Returns the same
 * code at all members, unless the reduction itself fails. */
int file_agree(struct mpi_file *f, int code)
{
    int all = code;
    int result = PMPI_Allreduce(&code, &all, 1, MPI_INT, MPI_MAX, f->comm->object.handle);

    return result != MPI_SUCCESS ? result : all;
}

/* ---- opening -------------------------------------------------------------------------------- */

/* The descriptor is -1 after a regular close. The window of the shared pointer is freed by
 * MPI_File_close(), as that is collective. */
static void release(void *object)
{
    struct mpi_file *f = object;

    if (f->fd >= 0)
        close(f->fd);
    file_view_free(&f->view);
    free(f->path);
    if (f->info)
        object_drop(f->info);
    if (f->errhandler)
        object_drop(f->errhandler);
    if (f->comm)
        object_drop(f->comm);
    pthread_mutex_destroy(&f->lock);
}

/* A file's path without the file system prefix that programs write for ROMIO. NULL stays NULL. */
static const char *path_of(const char *filename)
{
    static const char *const systems[] = {"ufs:", "nfs:", "xfs:", "gpfs:", "lustre:", "panfs:"};

    for (size_t i = 0; filename && i < sizeof systems / sizeof *systems; i++)
        if (strncmp(filename, systems[i], strlen(systems[i])) == 0)
            return filename + strlen(systems[i]);
    return filename;
}

/* Returns what is wrong with an access mode, or NULL. The combinations that MPI 4.1, 14.2.1
 * forbids. */
static const char *amode_fault(int amode)
{
    int known = MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY | MPI_MODE_CREATE |
                MPI_MODE_EXCL | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN |
                MPI_MODE_SEQUENTIAL | MPI_MODE_APPEND;
    int accesses =
        !!(amode & MPI_MODE_RDONLY) + !!(amode & MPI_MODE_WRONLY) + !!(amode & MPI_MODE_RDWR);

    if (amode & ~known)
        return "unknown bits";
    /* Exactly one of the three. */
    if (accesses != 1)
        return "it needs one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR";
    if ((amode & MPI_MODE_RDONLY) && (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)))
        return "MPI_MODE_RDONLY excludes MPI_MODE_CREATE and MPI_MODE_EXCL";
    if ((amode & MPI_MODE_RDWR) && (amode & MPI_MODE_SEQUENTIAL))
        return "MPI_MODE_RDWR excludes MPI_MODE_SEQUENTIAL";
    return NULL;
}

/* Checks that all members pass the same access mode, and that no member has another error. One
 * reduction answers everything: the largest mode and the largest negated mode differ if any two
 * modes do. */
static int agree_mode(struct mpi_comm *c, const char *path, MPI_Info info, int amode,
                      const char *call)
{
    const char *fault = amode_fault(amode);
    int own = !path || !path[0]                         ? MPI_ERR_BAD_FILE
              : info != MPI_INFO_NULL && !info_of(info) ? MPI_ERR_INFO
              : fault                                   ? MPI_ERR_AMODE
                                                        : MPI_SUCCESS;
    /* The file name is not compared: members may have different paths to one file. */
    int word[3] = {own, amode, -amode}, all[3];
    int result = PMPI_Allreduce(word, all, 3, MPI_INT, MPI_MAX, c->object.handle);

    /* Reported already, on the communicator. */
    if (result != MPI_SUCCESS)
        return result;
    /* A member's own error has its own text. */
    if (own == MPI_ERR_AMODE)
        return error_file(NULL, own, call, "%s: access mode %d: %s", path, amode, fault);
    if (own != MPI_SUCCESS)
        return error_file(NULL, own, call, "the %s is not valid",
                          own == MPI_ERR_INFO ? "info object" : "file name");
    if (all[1] != -all[2])
        return error_file(NULL, MPI_ERR_NOT_SAME, call, "%s: access modes differ: %d here", path,
                          amode);
    if (all[0] != MPI_SUCCESS)
        return error_file(NULL, all[0], call, "%s: another member has wrong arguments", path);
    return MPI_SUCCESS;
}

/* Creating is left to rank 0. */
static int open_flags(int amode)
{
    /* Programs that the task starts do not inherit the file. */
    return O_CLOEXEC | (amode & MPI_MODE_RDONLY   ? O_RDONLY
                        : amode & MPI_MODE_WRONLY ? O_WRONLY
                                                  : O_RDWR);
}

/* Rank 0 opens the file, and creates it if requested; then all others open it.  Returns a system
 * error of any member, or 0; *own: it is this member's. Every failure reaches all members, so that
 * none keeps an open file. */
static int open_all(struct mpi_file *f, bool *own)
{
    MPI_Comm comm = f->comm->object.handle;
    int flags = open_flags(f->amode), error = 0, all = 0;
    /* MPI_MODE_EXCL has a meaning only with MPI_MODE_CREATE, as with open(). */
    int creates =
        (f->amode & MPI_MODE_CREATE ? O_CREAT : 0) | (f->amode & MPI_MODE_EXCL ? O_EXCL : 0);
    struct stat s;

    /* MPI_MODE_EXCL would fail at every member but the first. */
    if (f->comm->rank == 0) {
        f->fd = open(f->path, flags | creates, 0666);
        error = f->fd < 0 ? errno : fstat(f->fd, &s) == 0 && S_ISDIR(s.st_mode) ? EISDIR : 0;
    }
    /* Between this and the next opening the file exists. A system error of rank 0 travels as its
     * number, which hosts of one job share. */
    all = error;
    PMPI_Bcast(&all, 1, MPI_INT, 0, comm);
    *own = f->comm->rank == 0;
    if (all != 0)
        return all;
    if (f->comm->rank > 0) {
        f->fd = open(f->path, flags);
        error = f->fd < 0 ? errno : 0;
    }
    /* A member without an error reports that of another one. */
    *own = error != 0;
    all = file_agree(f, error);
    return error != 0 ? error : all;
}

/* Initialises shared and individual pointers, and the default view. The window has memory at rank 0
 * only. Its access epoch is opened once and lasts until the file is closed, which costs no message
 * with MPI_MODE_NOCHECK. With MPI_MODE_APPEND both pointers start at the end (MPI 4.1, 14.2.1). */
static int begin(struct mpi_file *f)
{
    MPI_Comm comm = f->comm->object.handle;
    void *base;
    const char *why;
    struct stat s;
    int result =
        file_view_make(&f->view, 0, type_of(MPI_BYTE), type_of(MPI_BYTE), "native", true, &why);

    if (result == MPI_SUCCESS)
        result = PMPI_Win_allocate(f->comm->rank == 0 ? sizeof(int64_t) : 0, 1, MPI_INFO_NULL, comm,
                                   &base, &f->shared);
    if (result == MPI_SUCCESS)
        /* Without messages, as MPI_MODE_NOCHECK promises that nothing conflicts. */
        result = PMPI_Win_lock_all(MPI_MODE_NOCHECK, f->shared);
    if (result != MPI_SUCCESS)
        return result;
    /* The default view has bytes as etypes, so sizes are positions. */
    if ((f->amode & MPI_MODE_APPEND) && fstat(f->fd, &s) == 0)
        f->position = s.st_size;
    /* Zero, or the end of the file. */
    if (f->comm->rank == 0)
        result = file_shared_set(f, f->position);
    result = file_agree(f, result);
    if (result != MPI_SUCCESS) {
        /* All members do the same, as they agree. */
        PMPI_Win_unlock_all(f->shared);
        PMPI_Win_free(&f->shared);
    }
    return result;
}

/* comm_copy() is collective, so it is called even if other memory is lacking. */
static struct mpi_file *file_new(struct mpi_comm *c, const char *path, int amode, MPI_Info info)
{
    struct mpi_file *f = object_new(OBJECT_FILE);

    if (!f)
        return NULL;
    object_when_freed(OBJECT_FILE, release);
    pthread_mutex_init(&f->lock, NULL);
    f->fd = -1;
    f->amode = amode;
    f->shared = MPI_WIN_NULL;
    f->path = strdup(path);
    f->info = info_copy(info_of(info));
    /* The one of MPI_FILE_NULL at this time (MPI 4.1, 14.7). */
    f->errhandler = file_null_errhandler;
    object_hold(f->errhandler);
    if (comm_copy(c, &f->comm) == HN_OK && f->path && f->info)
        return f;
    object_retire(f);
    return NULL;
}

/* MPI 4.1, 14.2.1. Collective. After an error no member has the file open. */
MPI_DEFINE(int, File_open,
           (MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh))
{
    struct mpi_comm *c = comm_of(comm);
    struct mpi_file *f;
    bool own;
    int error;

    if (!c)
        return error_no_comm(comm, MPI_CALL);
    /* Errors without a file go to the handler of MPI_FILE_NULL. */
    file_errhandler_setup();
    filename = path_of(filename);
    if (c->remote || !fh)
        return error_file(NULL, fh ? MPI_ERR_COMM : MPI_ERR_ARG, MPI_CALL,
                          fh ? "it is an intercommunicator" : "no place for the file");
    *fh = MPI_FILE_NULL;
    /* From here on calls are collective. */
    error = agree_mode(c, filename, info, amode, MPI_CALL);
    if (error != MPI_SUCCESS)
        return error;
    f = file_new(c, filename, amode, info);
    if (!f)
        return error_file(NULL, MPI_ERR_NO_MEM, MPI_CALL, "%s: out of memory", filename);
    /* From here on errors concern the file; the file itself is not yet the program's. */
    error = open_all(f, &own);
    if (error != 0) {
        object_retire(f);
        return error_file(NULL, file_class(error), MPI_CALL, "%s: %s%s", filename, strerror(error),
                          own ? "" : ", at another member");
    }
    error = begin(f);
    if (error != MPI_SUCCESS) {
        object_retire(f);
        return error_file(NULL, error, MPI_CALL, "%s: no shared file pointer", filename);
    }
    *fh = HANDLE_AS(MPI_File, f->object.handle);
    return MPI_SUCCESS;
}

/* ---- closing -------------------------------------------------------------------------------- */

/* Collective. The file is closed even if close() reports an error; the first error is returned. */
MPI_DEFINE(int, File_close, (MPI_File * fh))
{
    struct mpi_file *f = fh ? file_of(*fh) : NULL;
    int error = 0;

    if (!f)
        return error_no_file(fh ? *fh : MPI_FILE_NULL, MPI_CALL);
    /* The file stays open. */
    if (f->split)
        return error_file(f, MPI_ERR_OTHER, MPI_CALL, "%s has not been ended", f->split);
    /* The window goes first, because freeing it is a barrier. */
    PMPI_Win_unlock_all(f->shared);
    PMPI_Win_free(&f->shared);
    if (close(f->fd) != 0)
        error = errno;
    f->fd = -1;
    error = file_agree(f, error); /* all members have closed it */
    if (error == 0 && (f->amode & MPI_MODE_DELETE_ON_CLOSE)) {
        /* After every member has closed it. */
        if (f->comm->rank == 0 && unlink(f->path) != 0)
            error = errno;
        error = file_agree(f, error);
    }
    if (error != 0)
        error = error_file(f, file_class(error), MPI_CALL, "%s", strerror(error));
    object_retire(f);
    *fh = MPI_FILE_NULL;
    return error;
}

/* Local, by any one task. */
MPI_DEFINE(int, File_delete, (const char *filename, MPI_Info info))
{
    if (!comm_world)
        return error_no_comm(MPI_COMM_NULL, MPI_CALL);
    filename = path_of(filename);
    if (!filename || !filename[0])
        return error_file(NULL, MPI_ERR_BAD_FILE, MPI_CALL, "no file name");
    if (info != MPI_INFO_NULL && !info_of(info))
        return error_file(NULL, MPI_ERR_INFO, MPI_CALL, "%p is not an info object",
                          handle_shown(info));
    /* Members that still have it open keep their data, as POSIX defines. */
    if (unlink(filename) != 0)
        return error_file(NULL, file_class(errno), MPI_CALL, "%s: %s", filename, strerror(errno));
    return MPI_SUCCESS;
}

/* mpi_file_calls.c - sizes, hints, modes and error handlers of files (mpi_file.h).
 *
 * MPI 4.1: 14.2.4 to 14.2.8 (sizes, group, access mode, info), 14.6.1 (atomicity, sync), 14.5.1 and
 * 14.5.3 (extents, data representations).
 *
 * Calls that change a file for all members are collective and compare the arguments with one
 * reduction: of a value and of its negative. The maximum of both shows whether all values are
 * equal. Queries are local.
 * The last part defines the accesses from a list of forms: mpi_file_forms.h.
 */
#include "object/mpi_counts.h"
#include "object/mpi_errhandler.h"
#include "file/mpi_file.h"
#include "object/mpi_named.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- sizes ---------------------------------------------------------------------------------- */

/* Turns a member's system error (0: none) into the error of a collective call. A member without an
 * error of its own reports that of another one. */
static int conclude(struct mpi_file *f, int error, const char *call)
{
    /* System errors are positive, and the largest one is reported. */
    int all = file_agree(f, error);

    if (all == 0)
        return MPI_SUCCESS;
    return error_file(f, file_class(error ? error : all), call, "%s",
                      strerror(error ? error : all));
}

/* Rank 0 changes the size; all members must pass the same size. keeps: only allocates space, and
 * never truncates (MPI 4.1, 14.2.5). */
static int resize(MPI_File fh, MPI_Offset size, bool keeps, const char *call)
{
    struct mpi_file *f = file_of(fh);
    int64_t given[2] = {size, -size}, all[2];
    int result;

    if (!f)
        return error_no_file(fh, call);
    result = PMPI_Allreduce(given, all, 2, MPI_INT64_T, MPI_MAX, f->comm->object.handle);
    if (result != MPI_SUCCESS)
        return result;
    /* The largest size and the smallest one. */
    if (all[0] != -all[1])
        return error_file(f, MPI_ERR_NOT_SAME, call, "members pass different sizes");
    if (size < 0)
        return error_file(f, MPI_ERR_ARG, call, "the size %lld is negative", (long long)size);
    if (f->amode & MPI_MODE_RDONLY)
        return error_file(f, MPI_ERR_READ_ONLY, call, "the file is open for reading only");
    /* The others only learn the result. */
    if (f->comm->rank != 0)
        return conclude(f, 0, call);
    /* posix_fallocate() rejects a length of 0. */
    if (keeps)
        return conclude(f, size > 0 ? posix_fallocate(f->fd, 0, size) : 0, call);
    return conclude(f, ftruncate(f->fd, size) == 0 ? 0 : errno, call);
}

MPI_DEFINE(int, File_set_size, (MPI_File fh, MPI_Offset size))
{
    return resize(fh, size, false, MPI_CALL);
}

/* The file never becomes shorter. */
MPI_DEFINE(int, File_preallocate, (MPI_File fh, MPI_Offset size))
{
    return resize(fh, size, true, MPI_CALL);
}

/* Bytes of the whole file, whatever the view (MPI 4.1, 14.2.6). Local. */
MPI_DEFINE(int, File_get_size, (MPI_File fh, MPI_Offset *size))
{
    struct mpi_file *f = file_of(fh);
    struct stat s;

    if (!f)
        return error_no_file(fh, MPI_CALL);
    if (!size)
        return error_file(f, MPI_ERR_ARG, MPI_CALL, "no place for the size");
    /* What other members have written counts as far as the file system shows it. */
    if (fstat(f->fd, &s) != 0)
        return error_file(f, file_class(errno), MPI_CALL, "%s", strerror(errno));
    *size = s.st_size;
    return MPI_SUCCESS;
}

/* EINVAL comes from files that cannot be synchronized, such as pipes. Data of other members is
 * visible at once on one host, as there are no buffers in between. */
MPI_DEFINE(int, File_sync, (MPI_File fh))
{
    struct mpi_file *f = file_of(fh);

    if (!f)
        return error_no_file(fh, MPI_CALL);
    return conclude(f, fsync(f->fd) == 0 || errno == EINVAL ? 0 : errno, MPI_CALL);
}

/* ---- attributes of a file ------------------------------------------------------------------- */

/* MPI 4.1, 14.2.7. */
MPI_DEFINE(int, File_get_amode, (MPI_File fh, int *amode))
{
    struct mpi_file *f = file_of(fh);

    if (!f)
        return error_no_file(fh, MPI_CALL);
    if (!amode)
        return error_file(f, MPI_ERR_ARG, MPI_CALL, "no place for the access mode");
    *amode = f->amode;
    return MPI_SUCCESS;
}

/* MPI 4.1, 14.2.7. The program frees the handle. */
MPI_DEFINE(int, File_get_group, (MPI_File fh, MPI_Group *group))
{
    struct mpi_file *f = file_of(fh);

    if (!f)
        return error_no_file(fh, MPI_CALL);
    if (!group)
        return error_file(f, MPI_ERR_ARG, MPI_CALL, "no place for the group");
    /* Groups are immutable, so the file's own one is shared. */
    object_hold_handle(f->comm->group);
    *group = f->comm->group->object.handle;
    return MPI_SUCCESS;
}

/* All hints are kept and returned; none has an effect. */
INFO_CALLS(File, file_of, error_no_file, error_file, "")

/* Collective; all must pass the same flag. */
MPI_DEFINE(int, File_set_atomicity, (MPI_File fh, int flag))
{
    struct mpi_file *f = file_of(fh);
    int given[2] = {flag != 0, flag == 0}, all[2], result;

    if (!f)
        return error_no_file(fh, MPI_CALL);
    result = PMPI_Allreduce(given, all, 2, MPI_INT, MPI_MAX, f->comm->object.handle);
    if (result != MPI_SUCCESS)
        return result;
    /* Some pass true, and some false. */
    if (all[0] && all[1])
        return error_file(f, MPI_ERR_NOT_SAME, MPI_CALL, "members pass different flags");
    /* Not reached by any member if one has another flag. */
    f->atomic = flag != 0;
    return MPI_SUCCESS;
}

/* MPI 4.1, 14.6.1. */
MPI_DEFINE(int, File_get_atomicity, (MPI_File fh, int *flag))
{
    struct mpi_file *f = file_of(fh);

    if (!f)
        return error_no_file(fh, MPI_CALL);
    if (!flag)
        return error_file(f, MPI_ERR_ARG, MPI_CALL, "no place for the flag");
    *flag = f->atomic;
    return MPI_SUCCESS;
}

/* Stores the extent of a datatype in the file. Where external32 has other sizes of elements, the
 * extent is that of the data: such types have no gaps (file_view_make()). */
static int file_extent(MPI_File fh, MPI_Datatype datatype, struct counts extent, const char *call)
{
    struct mpi_file *f = file_of(fh);
    struct mpi_type *t = type_of(datatype);

    if (!f)
        return error_no_file(fh, call);
    if (!t)
        return error_file(f, MPI_ERR_TYPE, call, "%p is not a datatype", handle_shown(datatype));
    bool external = f->view.external && type_is_plain(t, 2);
    /* Without a place nothing is stored, and the call succeeds. */
    if (extent.at)
        counts_put(extent, external ? file_view_size(&f->view, t, 1) : type_extent(t));
    return MPI_SUCCESS;
}

/* MPI 4.1, 14.5.1. Programs use it to compute displacements for a filetype in a given
 * representation. */
MPI_DEFINE(int, File_get_type_extent, (MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent))
{
    return file_extent(fh, datatype, COUNTS(extent), MPI_CALL);
}

MPI_DEFINE(int, File_get_type_extent_c, (MPI_File fh, MPI_Datatype datatype, MPI_Count *extent))
{
    return file_extent(fh, datatype, COUNTS(extent), MPI_CALL);
}

/* ---- data representations ------------------------------------------------------------------- */

/* The names of the standard's own representations are reported as duplicates, as MPI 4.1, 14.5.3
 * prescribes. Only errors are possible: data representations of programs are not implemented. */
static int no_datarep(const char *name, const char *call)
{
    if (!name || strlen(name) >= MPI_MAX_DATAREP_STRING)
        return error_file(NULL, MPI_ERR_ARG, call, "the name is missing or too long");
    if (strcmp(name, "native") == 0 || strcmp(name, "internal") == 0 ||
        strcmp(name, "external32") == 0)
        return error_file(NULL, MPI_ERR_DUP_DATAREP, call, "%s", name);
    return error_file(NULL, MPI_ERR_UNSUPPORTED_OPERATION, call,
                      "%s: hnow has no data representations of programs", name);
}

/* MPI 4.1, 14.5.3. Always an error. */
MPI_DEFINE(int, Register_datarep,
           (const char *name, MPI_Datarep_conversion_function *read,
            MPI_Datarep_conversion_function *write, MPI_Datarep_extent_function *extent,
            void *extra))
{
    (void)read, (void)write, (void)extent, (void)extra;
    return no_datarep(name, MPI_CALL);
}

MPI_DEFINE(int, Register_datarep_c,
           (const char *name, MPI_Datarep_conversion_function_c *read,
            MPI_Datarep_conversion_function_c *write, MPI_Datarep_extent_function *extent,
            void *extra))
{
    (void)read, (void)write, (void)extent, (void)extra;
    return no_datarep(name, MPI_CALL);
}

/* ---- error handlers ------------------------------------------------------------------------- */

/* MPI_FILE_NULL's error handler is inherited by files opened later. NULL: not a file. */
static struct mpi_errhandler **place_of(MPI_File fh)
{
    struct mpi_file *f = file_of(fh);

    file_errhandler_setup();
    return f ? &f->errhandler : fh == MPI_FILE_NULL ? &file_null_errhandler : NULL;
}

/* f may be NULL: MPI_FILE_NULL has a handler, too. */
static int fault(MPI_File fh, int code, const char *call, const char *what)
{
    return error_file(file_of(fh), code, call, "%s", what);
}

ERRHANDLER_CALLS(File, OBJECT_FILE, place_of, error_no_file, fault, errhandler_put)

/* ---- accesses ------------------------------------------------------------------------------- */

#define IS_READ        .writes = false
#define IS_WRITE       .writes = true
#define IS_AT          .pointer = FILE_AT, .offset = offset
#define IS_OWN         .pointer = FILE_OWN
#define IS_SHARED      .pointer = FILE_SHARED
#define IS_ORDERED     .pointer = FILE_ORDERED
#define IS_BLOCKING    .way = FILE_BLOCKING, .status = status
#define IS_NONBLOCKING .way = FILE_NONBLOCKING, .request = request
#define IS_SPLIT       .way = FILE_SPLIT
#define MPI_FORMS      "file/mpi_file_forms.h"
#include "mpi_forms.h"

/* The buffer of an ending call is not looked at: the data was moved at the begin. */
#define END(Name)                                                                                  \
    MPI_DEFINE(int, File_read_##Name##_end, (MPI_File fh, void *buf, MPI_Status *status))          \
    {                                                                                              \
        (void)buf;                                                                                 \
        return file_end(fh, "MPI_File_read_" #Name "_begin", status, MPI_CALL);                    \
    }                                                                                              \
    MPI_DEFINE(int, File_write_##Name##_end, (MPI_File fh, const void *buf, MPI_Status *status))   \
    {                                                                                              \
        (void)buf;                                                                                 \
        return file_end(fh, "MPI_File_write_" #Name "_begin", status, MPI_CALL);                   \
    }
END(at_all)
END(all)
END(ordered)

/* mpi_file_pointer.c - views and file pointers (mpi_file.h).
 *
 * MPI 4.1: 14.3 (views), 14.4.3 (individual pointers), 14.4.4 (shared pointers). Positions are in
 * etypes of the present view.
 *
 * The individual pointer is a field of the file, protected by its lock during accesses. The
 * shared pointer is memory of rank 0, which other members change with atomic accesses; rank 0
 * need not call anything for that.
 */
#include "file/mpi_file.h"

#include <errno.h>
#include <sys/stat.h>

/* ---- the shared pointer --------------------------------------------------------------------- */

/* Atomic among all members: MPI_Fetch_and_op() at rank 0. The flush waits for the old value. */
static int shared_do(struct mpi_file *f, MPI_Offset value, MPI_Op op, MPI_Offset *before)
{
    int64_t given = value, was = 0;
    int result = PMPI_Fetch_and_op(&given, &was, MPI_INT64_T, 0, 0, op, f->shared);

    if (result == MPI_SUCCESS)
        result = PMPI_Win_flush(0, f->shared);
    if (before)
        *before = was;
    return result;
}

int file_shared_set(struct mpi_file *f, MPI_Offset value)
{
    /* MPI_REPLACE makes it atomic with regard to additions of other members. */
    return shared_do(f, value, MPI_REPLACE, NULL);
}

/* Atomic: two members never get the same place. `before` may be NULL. */
int file_shared_add(struct mpi_file *f, MPI_Offset etypes, MPI_Offset *before)
{
    return shared_do(f, etypes, MPI_SUM, before);
}

/* ---- views ---------------------------------------------------------------------------------- */

/* MPI_DISPLACEMENT_CURRENT: the shared pointer of a sequential file. A sequential file continues
 * where its shared pointer is; any other displacement is an error (MPI 4.1, 14.3). */
static int find_displacement(struct mpi_file *f, MPI_Offset *disp)
{
    MPI_Offset at, run;
    int result;

    if (!(f->amode & MPI_MODE_SEQUENTIAL))
        return *disp >= 0 ? MPI_SUCCESS : MPI_ERR_ARG;
    if (*disp != MPI_DISPLACEMENT_CURRENT)
        return MPI_ERR_ARG;
    /* Adding 0 reads it. */
    result = file_shared_add(f, 0, &at);
    *disp = file_view_place(&f->view, at * f->view.unit, &run);
    return result;
}

/* *why explains the returned error class. */
static int make_view(struct mpi_file *f, struct file_view *v, MPI_Offset disp, MPI_Datatype etype,
                     MPI_Datatype filetype, const char *datarep, const char **why)
{
    struct mpi_type *e = type_of(etype), *t = type_of(filetype);

    *why = "etype or filetype is not a datatype, or is not committed";
    if (!e || !t || !e->committed || !t->committed)
        return MPI_ERR_TYPE;
    *why = "the displacement is not valid";
    /* A round trip to rank 0, for sequential files only. */
    if (find_displacement(f, &disp) != MPI_SUCCESS)
        return MPI_ERR_ARG;
    return file_view_make(v, disp, e, t, datarep, !(f->amode & MPI_MODE_RDONLY), why);
}

/* Collective. The new view is complete before the old one is freed, so the file keeps its view
 * after an error. Both pointers start at 0 again. */
MPI_DEFINE(int, File_set_view,
           (MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
            const char *datarep, MPI_Info info))
{
    struct mpi_file *f = file_of(fh);
    struct file_view v = {0};
    const char *why;
    int code, all;

    if (!f)
        return error_no_file(fh, MPI_CALL);
    code = f->split ? MPI_ERR_OTHER : make_view(f, &v, disp, etype, filetype, datarep, &why);
    if (f->split)
        why = "a split collective access has not been ended";
    else if (code == MPI_SUCCESS && info != MPI_INFO_NULL && !info_of(info))
        code = MPI_ERR_INFO, why = "the info object is not valid";
    /* Either all members change their view, or none. */
    all = file_agree(f, code);
    if (all != MPI_SUCCESS) {
        file_view_free(&v);
        return error_file(f, code != MPI_SUCCESS ? code : all, MPI_CALL, "%s",
                          code != MPI_SUCCESS ? why : "another member has wrong arguments");
    }
    /* No access is in progress: all of them complete in their calls. */
    file_view_free(&f->view);
    f->view = v;
    f->position = 0;
    /* file_agree() follows, so no member uses the pointer before it is reset. */
    code = f->comm->rank == 0 ? file_shared_set(f, 0) : MPI_SUCCESS;
    if (info != MPI_INFO_NULL && code == MPI_SUCCESS)
        code = PMPI_File_set_info(fh, info);
    return file_agree(f, code);
}

/* The program frees both handles, unless they are predefined. */
MPI_DEFINE(int, File_get_view,
           (MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype,
            char *datarep))
{
    struct mpi_file *f = file_of(fh);

    if (!f)
        return error_no_file(fh, MPI_CALL);
    if (!disp || !etype || !filetype || !datarep)
        return error_file(f, MPI_ERR_ARG, MPI_CALL, "no place for a result");
    *disp = f->view.disp;
    /* Handles of the program, besides the view's reference. */
    object_hold_handle(f->view.etype);
    *etype = f->view.etype->object.handle;
    object_hold_handle(f->view.filetype);
    *filetype = f->view.filetype->object.handle;
    /* The program's array has MPI_MAX_DATAREP_STRING characters. */
    strcpy(datarep, f->view.datarep);
    return MPI_SUCCESS;
}

/* ---- seeking -------------------------------------------------------------------------------- */

/* Computes a position in etypes; `current` is the pointer's.  Returns MPI_SUCCESS or an error
 * class. MPI_SEEK_END counts the etypes of the view that begin before the end of the file. */
static int seek_place(struct mpi_file *f, MPI_Offset *offset, int whence, MPI_Offset current)
{
    struct stat s;

    if (whence == MPI_SEEK_CUR)
        *offset += current;
    /* Of this view: each member may get another position for the same file. */
    else if (whence == MPI_SEEK_END && fstat(f->fd, &s) != 0)
        return file_class(errno);
    else if (whence == MPI_SEEK_END)
        *offset += file_view_etypes(&f->view, s.st_size);
    else if (whence != MPI_SEEK_SET)
        return MPI_ERR_ARG;
    return *offset >= 0 ? MPI_SUCCESS : MPI_ERR_ARG;
}

/* Files opened with MPI_MODE_SEQUENTIAL have no positions that a program may set. */
static int sequential(struct mpi_file *f, const char *call)
{
    return error_file(f, MPI_ERR_UNSUPPORTED_OPERATION, call,
                      "a sequential file has no such pointer");
}

/* Local. Only negative results are rejected; a position beyond the end is valid. */
MPI_DEFINE(int, File_seek, (MPI_File fh, MPI_Offset offset, int whence))
{
    struct mpi_file *f = file_of(fh);
    int code;

    if (!f)
        return error_no_file(fh, MPI_CALL);
    if (f->amode & MPI_MODE_SEQUENTIAL)
        return sequential(f, MPI_CALL);
    /* Without the lock: a program must not seek while it accesses the file in another thread. */
    code = seek_place(f, &offset, whence, f->position);
    if (code != MPI_SUCCESS)
        return error_file(f, code, MPI_CALL, "offset or whence (%d) is not valid", whence);
    f->position = offset;
    return MPI_SUCCESS;
}

/* Collective with equal arguments; only rank 0 moves the pointer. */
MPI_DEFINE(int, File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence))
{
    struct mpi_file *f = file_of(fh);
    MPI_Offset current = 0;
    int64_t given[4] = {offset, -offset, whence, -whence}, all[4];
    int code;

    if (!f)
        return error_no_file(fh, MPI_CALL);
    if (f->amode & MPI_MODE_SEQUENTIAL)
        return sequential(f, MPI_CALL);
    code = PMPI_Allreduce(given, all, 4, MPI_INT64_T, MPI_MAX, f->comm->object.handle);
    /* The same result at all members, so that no further agreement is needed. */
    if (code == MPI_SUCCESS && (all[0] != -all[1] || all[2] != -all[3]))
        return error_file(f, MPI_ERR_NOT_SAME, MPI_CALL, "members call with different arguments");
    if (code == MPI_SUCCESS && f->comm->rank == 0) {
        /* Adding 0 reads the pointer. */
        code = file_shared_add(f, 0, &current);
        if (code == MPI_SUCCESS)
            code = seek_place(f, &offset, whence, current);
        if (code == MPI_SUCCESS)
            code = file_shared_set(f, offset);
    }
    code = file_agree(f, code);
    if (code != MPI_SUCCESS)
        return error_file(f, code, MPI_CALL, "offset or whence (%d) is not valid", whence);
    return MPI_SUCCESS;
}

/* MPI 4.1, 14.4.3. In etypes, relative to the view. */
MPI_DEFINE(int, File_get_position, (MPI_File fh, MPI_Offset *offset))
{
    struct mpi_file *f = file_of(fh);

    if (!f)
        return error_no_file(fh, MPI_CALL);
    if (!offset)
        return error_file(f, MPI_ERR_ARG, MPI_CALL, "no place for the offset");
    if (f->amode & MPI_MODE_SEQUENTIAL)
        return sequential(f, MPI_CALL);
    *offset = f->position;
    return MPI_SUCCESS;
}

/* MPI 4.1, 14.4.4. Another member may move the pointer at any time. */
MPI_DEFINE(int, File_get_position_shared, (MPI_File fh, MPI_Offset *offset))
{
    struct mpi_file *f = file_of(fh);
    int code;

    if (!f)
        return error_no_file(fh, MPI_CALL);
    if (!offset)
        return error_file(f, MPI_ERR_ARG, MPI_CALL, "no place for the offset");
    if (f->amode & MPI_MODE_SEQUENTIAL)
        return sequential(f, MPI_CALL);
    /* A round trip to rank 0, unless this is rank 0. */
    code = file_shared_add(f, 0, offset);
    return code == MPI_SUCCESS ? code : error_file(f, code, MPI_CALL, "no shared file pointer");
}

/* Local: an absolute byte offset for a position of the view. */
MPI_DEFINE(int, File_get_byte_offset, (MPI_File fh, MPI_Offset offset, MPI_Offset *disp))
{
    struct mpi_file *f = file_of(fh);
    MPI_Offset run;

    if (!f)
        return error_no_file(fh, MPI_CALL);
    if (!disp || offset < 0)
        return error_file(f, MPI_ERR_ARG, MPI_CALL, "a negative offset, or no result");
    /* The gap before the next data counts: it is the place where that data begins. */
    *disp = file_view_place(&f->view, offset * f->view.unit, &run);
    return MPI_SUCCESS;
}

/* mpi_file.h - files: MPI-IO on files of POSIX.
 *
 * Each member of a file's communicator opens the file by itself, and reads and writes with pread()
 * and pwrite().  A view's filetype is flattened once, into the pieces of one filetype that hold
 * data.  The data that a view shows, without the gaps, is called its stream.
 *
 * The shared file pointer is one integer in a window of rank 0 (mpi_win.h).
 */
#pragma once

#include "object/mpi_info.h"
#include "message/mpi_request.h"

#include <pthread.h>

/* Consecutive bytes of a filetype. */
struct file_piece {
    MPI_Offset at;    /* in the file, from the beginning of the filetype */
    MPI_Offset data;  /* in the stream, likewise */
    MPI_Offset bytes; /* its length */
};

struct file_view {
    MPI_Offset disp;
    struct mpi_type *etype, *filetype;
    bool external;      /* external32; else as this machine has the data */
    char datarep[16];   /* its name */
    MPI_Offset unit;    /* bytes of an etype in the file */
    MPI_Offset bytes;   /* of data in a filetype */
    MPI_Offset extent;  /* of a filetype in the file */
    size_t piece_count; /* in ascending order; neighbours are one */
    struct file_piece *pieces;
};

struct mpi_file {
    struct object object;
    struct mpi_comm *comm; /* a communicator of its own */
    char *path;
    int fd, amode;
    bool atomic;
    struct file_view view;
    pthread_mutex_t lock; /* of position */
    MPI_Offset position;  /* the individual file pointer, in etypes */
    MPI_Win shared;       /* rank 0's part has the shared one */
    const char *split;    /* the call that a split collective access began with; NULL: none */
    MPI_Offset split_bytes;
    struct mpi_errhandler *errhandler;
    struct mpi_info *info;
};

struct mpi_file *file_of(MPI_File handle);
/* The errors of a call on a file (NULL: of one on MPI_FILE_NULL), and with a handle that is none:
 * as error_on(). */
int error_file(struct mpi_file *f, int code, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int error_no_file(MPI_File handle, const char *call);
/* The error class of an error of the system. */
int file_class(int system_error);
/* The largest code of all members of a file. */
int file_agree(struct mpi_file *f, int code);

/* The error handler of MPI_FILE_NULL, which new files get. */
extern struct mpi_errhandler *file_null_errhandler;
void file_errhandler_setup(void);

/* Makes a view, in which bytes occur once if the file `writes`; MPI_SUCCESS or an error class, with
 * which *why says more. */
int file_view_make(struct file_view *v, MPI_Offset disp, struct mpi_type *etype,
                   struct mpi_type *filetype, const char *datarep, bool writes, const char **why);
void file_view_free(struct file_view *v);
/* The place in the file of a byte of the stream; *run: how many bytes follow it without a gap. */
MPI_Offset file_view_place(const struct file_view *v, MPI_Offset data, MPI_Offset *run);
/* Etypes that lie, at least in part, below the end of a file of so many bytes. */
MPI_Offset file_view_etypes(const struct file_view *v, MPI_Offset file_bytes);
/* Bytes of data in a view, as it represents them. */
MPI_Offset file_view_size(const struct file_view *v, const struct mpi_type *t, size_t count);

enum file_pointer { FILE_AT, FILE_OWN, FILE_SHARED, FILE_ORDERED };
enum file_way { FILE_BLOCKING, FILE_NONBLOCKING, FILE_SPLIT };

/* An access, as a call has it. */
struct file_call {
    const char *call;
    bool writes;
    enum file_pointer pointer;
    enum file_way way;
    MPI_File file;
    MPI_Offset offset; /* in etypes; of FILE_AT */
    void *data;
    MPI_Count count;
    MPI_Datatype datatype;
    MPI_Status *status;
    MPI_Request *request;
};
int file_do(const struct file_call *a);
/* Ends a split collective access that `begin` has begun. */
int file_end(MPI_File file, const char *begin, MPI_Status *status, const char *call);

/* Gives the shared file pointer a new value, or adds to it: *before is what it was.  MPI_SUCCESS or
 * an error class. */
int file_shared_set(struct mpi_file *f, MPI_Offset value);
int file_shared_add(struct mpi_file *f, MPI_Offset etypes, MPI_Offset *before);

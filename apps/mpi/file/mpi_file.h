/* mpi_file.h - files: MPI-IO on POSIX files.
 *
 * Each member of a file's communicator opens the file, and reads and writes with pread() and
 * pwrite().  A view's filetype is flattened once, into the pieces that contain data.  The stream is
 * the data visible in a view, without the gaps.
 *
 * The shared file pointer is an integer in a window of rank 0 (mpi_win.h).
 *
 * Chapter 14 of MPI 4.1. There is no collective buffering: a collective access is each member's
 * own, apart from ordered ones. Members must see the same file system, or the file of their own
 * host.
 *
 * Errors go to the file's own handler, which is MPI_ERRORS_RETURN unless the program changes it.
 */
#pragma once

#include "object/mpi_info.h"
#include "message/mpi_request.h"

#include <pthread.h>

/* A contiguous piece of a filetype. `at` and `data` differ by the gaps before the piece. */
struct file_piece {
    MPI_Offset at;    /* offset in the file, relative to the filetype */
    MPI_Offset data;  /* offset in the stream, likewise */
    MPI_Offset bytes; /* length */
};

/* MPI 4.1, 14.3. Owned by the file; holds references to both types. Made by each member for itself:
 * views may differ. */
struct file_view {
    /* Bytes from the start of the file. */
    MPI_Offset disp;
    struct mpi_type *etype, *filetype;
    bool external;      /* external32; else native */
    char datarep[16];   /* name of the data representation */
    MPI_Offset unit;    /* bytes of an etype in the file */
    MPI_Offset bytes;   /* bytes of data in a filetype */
    MPI_Offset extent;  /* of a filetype in the file */
    size_t piece_count; /* ascending; adjacent pieces are merged */
    struct file_piece *pieces;
};

/* Freed with its last reference, after MPI_File_close(). Everything but `position` changes in
 * collective calls only, and is read without a lock. */
struct mpi_file {
    struct object object;
    struct mpi_comm *comm; /* a duplicate of the program's communicator */
    char *path;
    /* Each member's own descriptor; -1: not open. */
    int fd, amode;
    /* MPI_File_set_atomicity(): accesses lock their range. */
    bool atomic;
    struct file_view view;
    pthread_mutex_t lock; /* protects position */
    MPI_Offset position;  /* individual file pointer, in etypes */
    MPI_Win shared;       /* window; rank 0's part has the shared file pointer */
    const char *split;    /* the call that began a split collective access; NULL: none */
    /* In memory, for the status of the call that ends the access. */
    MPI_Offset split_bytes;
    struct mpi_errhandler *errhandler;
    struct mpi_info *info;
};

/* NULL: no open file. */
struct mpi_file *file_of(MPI_File handle);
/* Report errors of a call on a file (NULL: on MPI_FILE_NULL), and of an invalid handle; as
 * error_on(). */
int error_file(struct mpi_file *f, int code, const char *call, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int error_no_file(MPI_File handle, const char *call);
/* Maps a system error to an error class. */
int file_class(int system_error);
/* Returns the largest code of all members of a file.  Collective. */
int file_agree(struct mpi_file *f, int code);

/* The error handler of MPI_FILE_NULL, which new files inherit. */
extern struct mpi_errhandler *file_null_errhandler;
void file_errhandler_setup(void);

/* Makes a view.  Its bytes must not overlap if the file is writable.  Returns MPI_SUCCESS, or an
 * error class with a reason in *why. On failure *v must still be freed with file_view_free(). */
int file_view_make(struct file_view *v, MPI_Offset disp, struct mpi_type *etype,
                   struct mpi_type *filetype, const char *datarep, bool writes, const char **why);
/* Also valid for one that is all zero. */
void file_view_free(struct file_view *v);
/* Returns the file offset of a byte of the stream; *run: bytes from there without a gap. O(log
 * pieces). run 0: the view has no data. */
MPI_Offset file_view_place(const struct file_view *v, MPI_Offset data, MPI_Offset *run);
/* Returns the number of etypes that begin below the end of a file of file_bytes. */
MPI_Offset file_view_etypes(const struct file_view *v, MPI_Offset file_bytes);
/* Returns the bytes of data in the view's representation. */
MPI_Offset file_view_size(const struct file_view *v, const struct mpi_type *t, size_t count);

/* MPI 4.1, 14.4: explicit offset, individual pointer, shared pointer, shared pointer in order of
 * ranks. */
enum file_pointer { FILE_AT, FILE_OWN, FILE_SHARED, FILE_ORDERED };
/* Split collective accesses (14.4.5) are complete after their begin. */
enum file_way { FILE_BLOCKING, FILE_NONBLOCKING, FILE_SPLIT };

/* Arguments of an access. */
struct file_call {
    const char *call;
    bool writes;
    enum file_pointer pointer;
    enum file_way way;
    MPI_File file;
    MPI_Offset offset; /* in etypes; only for FILE_AT */
    void *data;
    MPI_Count count;
    MPI_Datatype datatype;
    /* Of blocking calls. A request carries its status itself. */
    MPI_Status *status;
    MPI_Request *request;
};
/* Blocks until the data is read or written, in every form. Returns MPI_SUCCESS, or the code of
 * error_file(). */
int file_do(const struct file_call *a);
/* Ends a split collective access begun by the call `begin`. */
int file_end(MPI_File file, const char *begin, MPI_Status *status, const char *call);

/* Set the shared file pointer, or add to it; *before receives the old value.  Return MPI_SUCCESS or
 * an error class. A round trip to rank 0, which does not take part. */
int file_shared_set(struct mpi_file *f, MPI_Offset value);
int file_shared_add(struct mpi_file *f, MPI_Offset etypes, MPI_Offset *before);

/* mpi_file_counted.h - file access calls in both forms: name, kind of call, position, direction.
 * mpi_counted.h declares them, mpi_file_calls.c defines them. MPI 4.1, 14.4: an access is at an
 * explicit offset (AT), at the individual pointer (OWN), or at the shared one (SHARED; ORDERED
 * by ranks). Names with _all and _ordered are collective. Split accesses are ended by calls
 * without counts, in mpi_file_functions.h. The list is kept out of clang-format's reach: one
 * access a line. */

/* clang-format off */
#define MPI_FILE_ACCESSES(X) \
    X(read_at, BLOCKING, AT, READ) \
    X(iread_at, NONBLOCKING, AT, READ) \
    X(write_at, BLOCKING, AT, WRITE) \
    X(iwrite_at, NONBLOCKING, AT, WRITE) \
    X(read_at_all, BLOCKING, AT, READ) \
    X(iread_at_all, NONBLOCKING, AT, READ) \
    X(read_at_all_begin, SPLIT, AT, READ) \
    X(write_at_all, BLOCKING, AT, WRITE) \
    X(iwrite_at_all, NONBLOCKING, AT, WRITE) \
    X(write_at_all_begin, SPLIT, AT, WRITE) \
    X(read, BLOCKING, OWN, READ) \
    X(iread, NONBLOCKING, OWN, READ) \
    X(write, BLOCKING, OWN, WRITE) \
    X(iwrite, NONBLOCKING, OWN, WRITE) \
    X(read_all, BLOCKING, OWN, READ) \
    X(iread_all, NONBLOCKING, OWN, READ) \
    X(read_all_begin, SPLIT, OWN, READ) \
    X(write_all, BLOCKING, OWN, WRITE) \
    X(iwrite_all, NONBLOCKING, OWN, WRITE) \
    X(write_all_begin, SPLIT, OWN, WRITE) \
    X(read_shared, BLOCKING, SHARED, READ) \
    X(iread_shared, NONBLOCKING, SHARED, READ) \
    X(write_shared, BLOCKING, SHARED, WRITE) \
    X(iwrite_shared, NONBLOCKING, SHARED, WRITE) \
    X(read_ordered, BLOCKING, ORDERED, READ) \
    X(read_ordered_begin, SPLIT, ORDERED, READ) \
    X(write_ordered, BLOCKING, ORDERED, WRITE) \
    X(write_ordered_begin, SPLIT, ORDERED, WRITE)
/* clang-format on */

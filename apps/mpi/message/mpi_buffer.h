/* mpi_buffer.h - buffers for buffered sends.
 *
 * hnow copies what it cannot send at once, so the attached memory is never used.  It is only a
 * limit: a message longer than the buffer is rejected.
 *
 * MPI 4.1, 3.6. Several messages in progress may together exceed the buffer, which a real buffer
 * could not hold: the check is more permissive than the standard.
 */
#pragma once

#include <stddef.h>

struct mpi_comm;

/* Buffer of a communicator, a session or the process; base is NULL if none is attached. The memory
 * belongs to the program from attaching to detaching; its address is only stored to be returned. */
struct send_buffer {
    void *base;
    /* SIZE_MAX: MPI_BUFFER_AUTOMATIC. */
    size_t size; /* bytes */
};

/* Checks that a message of so many bytes may be sent on c.  The communicator's buffer counts or, if
 * there is none, the largest one of process and sessions.  Returns MPI_SUCCESS, or the code of
 * error_on(). */
int buffer_check(struct mpi_comm *c, size_t bytes, const char *call);

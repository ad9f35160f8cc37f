/* mpi_buffer.h - buffers of buffered sends.
 *
 * hnow copies what it cannot send at once, so the memory itself is never used.  It is a limit: a
 * message that is longer than the buffer is refused.
 */
#pragma once

#include <stddef.h>

struct mpi_comm;

/* Of a communicator, a session or the process; `base` is NULL while none is attached. */
struct send_buffer {
    void *base;
    size_t size; /* bytes */
};

/* Whether a message of so many bytes may be sent on c: MPI_SUCCESS, or what error_on() returns.
 * The communicator's buffer counts; if there is none, the larger one of process and sessions. */
int buffer_check(struct mpi_comm *c, size_t bytes, const char *call);

/* mpi_message.h - point-to-point messages: what all calls for them do. */
#pragma once

#include "message/mpi_request.h"

void message_setup(void);

/* Modes of sends. */
enum { SEND_STANDARD, SEND_BUFFERED, SEND_SYNCHRONOUS, SEND_READY };

/* The largest tag (MPI_TAG_UB): hnow's are ints from 0 on. */
enum { MESSAGE_TAG_MOST = 0x7fffffff };

/* A call's arguments, checked: the communicator, the type and the plan; or the error that was
 * raised.  `receiving`: MPI_ANY_SOURCE and MPI_ANY_TAG are allowed. */
struct message_call {
    struct mpi_comm *c;
    struct message_plan plan;
};
int message_parse(struct message_call *m, const void *data, MPI_Count count, MPI_Datatype type,
                  int peer, int tag, MPI_Comm comm, bool receiving, const char *call);
/* Is there memory at `data`?  NULL may be MPI_BOTTOM, for a type that the program has made. */
int message_check_data(struct mpi_comm *c, const void *data, MPI_Count count,
                       const struct mpi_type *t, const char *call);

/* The peer and the tag of a checked call as hnow's.  Any source of a communicator with one peer is
 * that peer: only then does hnow not care whether other tasks have ended. */
hn_tid message_peer(const struct message_call *m);
int message_tag(const struct message_call *m);

/* The blocking and nonblocking calls of all forms. */
int message_send(const struct message_call *m, int mode, const char *call);
int message_start_send(const struct message_call *m, int mode, MPI_Request *request,
                       const char *call);
int message_receive(const struct message_call *m, MPI_Status *status, const char *call);
int message_start_receive(const struct message_call *m, MPI_Request *request, const char *call);
/* Persistent ones, at rest. */
int message_prepare_send(const struct message_call *m, int mode, MPI_Request *request,
                         const char *call);
int message_prepare_receive(const struct message_call *m, MPI_Request *request, const char *call);
int message_prepare(const struct message_call *m, int mode, const struct request_way *way,
                    MPI_Request *request, const char *call);

/* Starts a receive as a request without a handle for the program: NULL, and *error what was raised.
 */
struct mpi_request *message_post(const struct message_call *m, const char *call, int *error);
/* The status of a received message that info describes. */
struct outcome message_outcome(const struct mpi_comm *c, const hn_info *info);
/* The same for a request's, which is unpacked; also after a failed receive. */
void message_received(struct mpi_request *r, int result, const hn_info *info);

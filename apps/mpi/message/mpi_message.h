/* mpi_message.h - point-to-point messages: functions shared by all calls.
 *
 * Chapter 3 of MPI 4.1. All forms of a call (blocking, nonblocking, persistent, with int or
 * MPI_Count) are parsed into a struct message_call and then share the functions below. A call
 * checks its arguments completely before it sends or posts anything.
 *
 * Errors are reported by the functions themselves, to the communicator's handler. So a caller
 * only passes the code on. None of these functions is called with a lock held.
 */
#pragma once

#include "message/mpi_request.h"

void message_setup(void);

/* Modes of sends. MPI 4.1, 3.4. A ready send is executed as a standard one, which the standard
 * allows. A buffered send differs only by its check of the attached buffer. */
enum { SEND_STANDARD, SEND_BUFFERED, SEND_SYNCHRONOUS, SEND_READY };

/* The largest tag (MPI_TAG_UB): tags of hnow are non-negative ints. */
enum { MESSAGE_TAG_MOST = 0x7fffffff };

/* Checked arguments of a call. message_parse() returns MPI_SUCCESS, or the code of error_on().
 * receiving: MPI_ANY_SOURCE and MPI_ANY_TAG are allowed. Lives on the caller's stack. It holds no
 * references: the program's handles must stay valid during the call. Requests that outlive the call
 * take references of their own. */
struct message_call {
    struct mpi_comm *c;
    /* With MPI_PROC_NULL as peer, only peer and tag are meaningful, and nothing is sent. */
    struct message_plan plan;
};
int message_parse(struct message_call *m, const void *data, MPI_Count count, MPI_Datatype type,
                  int peer, int tag, MPI_Comm comm, bool receiving, const char *call);
/* Checks that `data` is memory.  NULL may be MPI_BOTTOM, for a derived type. */
int message_check_data(struct mpi_comm *c, const void *data, MPI_Count count,
                       const struct mpi_type *t, const char *call);

/* The peer and the tag of a checked call in hnow's form.  On a communicator with only one peer,
 * MPI_ANY_SOURCE becomes that peer: then hnow ignores the end of other tasks. */
hn_tid message_peer(const struct message_call *m);
/* MPI_ANY_TAG becomes HN_ANY. */
int message_tag(const struct message_call *m);

/* The blocking and nonblocking calls in all forms.  They return MPI_SUCCESS, or the code of
 * error_on(). */
int message_send(const struct message_call *m, int mode, const char *call);
/* *request is written only on success. */
int message_start_send(const struct message_call *m, int mode, MPI_Request *request,
                       const char *call);
/* Blocks. Returns an error that has been reported, or MPI_SUCCESS. */
int message_receive(const struct message_call *m, MPI_Status *status, const char *call);
/* *request is written only on success. Does not block. */
int message_start_receive(const struct message_call *m, MPI_Request *request, const char *call);
/* The same for persistent requests, which are inactive at first. */
int message_prepare_send(const struct message_call *m, int mode, MPI_Request *request,
                         const char *call);
int message_prepare_receive(const struct message_call *m, MPI_Request *request, const char *call);
/* `way` selects what a start does, so that partitioned messages share the preparation. */
int message_prepare(const struct message_call *m, int mode, const struct request_way *way,
                    MPI_Request *request, const char *call);

/* Starts a receive as a request without a handle for the program.  On failure returns NULL, and
 * *error is the code of error_on().
 * Used for the receive of a send-receive call, which ends within the call. */
struct mpi_request *message_post(const struct message_call *m, const char *call, int *error);
/* Returns the status of a received message that info describes. The source is a rank of
 * comm_peers(), or MPI_UNDEFINED for a task that is no member. */
struct outcome message_outcome(const struct mpi_comm *c, const hn_info *info);
/* Fills in the outcome of a request, also of a failed receive, and unpacks the message. */
void message_received(struct mpi_request *r, int result, const hn_info *info);

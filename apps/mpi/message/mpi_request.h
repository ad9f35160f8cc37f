/* mpi_request.h - requests: operations under way, of messages and of all else.
 *
 * An operation is one request of hnow after the other: when one has ended, next() says what follows
 * (unpacking, another request), until there is none.
 */
#pragma once

#include "communicator/mpi_comm.h"
#include "datatype/mpi_pack.h"

struct mpi_request;

/* The outcome of an operation: a status. */
struct outcome {
    int source, tag, error;
    hn_type type; /* of the elements as they came */
    size_t count;
    bool cancelled;
};

/* How a request continues. */
struct request_way {
    /* The request of hnow has ended with `result` and info.  Sets r->hn when there is another one
     * to wait for; else fills r->outcome.  NULL: there is nothing to do but to note the result. */
    void (*next)(struct mpi_request *r, int result, const hn_info *info);
    /* Starts a persistent one again: HN_OK or an error.  NULL: not persistent. */
    int (*start)(struct mpi_request *r);
    /* Frees r->arg. */
    void (*release)(struct mpi_request *r);
    /* Asks the program for the status when it is done.  NULL: the outcome is there. */
    void (*ask)(struct mpi_request *r);
    /* MPI_Cancel(), also of a request that is done; NULL: has no effect. */
    int (*cancel)(struct mpi_request *r);
    /* next() may start another request of hnow: who waits for several looks at all of them. */
    bool has_steps;
    /* Several threads may look at it at the same time (MPI_Parrived()), or start it
     * (MPI_Pready()). */
    bool is_shared;
};

/* A message's arguments, for persistent requests and for what is received. */
struct message_plan {
    void *data;
    size_t count;
    struct mpi_type *type;
    int peer, tag, mode;
};

struct mpi_request {
    struct object object;
    const struct request_way *way;
    struct mpi_comm *comm; /* may be NULL */
    hn_request *hn;        /* what is waited for */
    bool active;           /* started, and not waited for yet */
    bool done;             /* outcome is there */
    bool persistent;
    bool taken; /* a shared one: by a thread that waits for hn or tests it */
    struct outcome outcome;
    void *arg;                   /* the way's own */
    struct message_plan message; /* of a message */
    struct wire wire;
};

void request_setup(void);
OBJECT_OF(request, MPI_Request, OBJECT_REQUEST)
/* The request of all sends that are over when their call returns: done, and never freed. */
extern struct mpi_request *request_sent;

/* A new active request with a reference to c and its way; NULL: out of memory. */
struct mpi_request *request_begin(struct mpi_comm *c, const struct request_way *way);
/* The operation is over. */
void request_done(struct mpi_request *r, int error);
/* Its request of hnow, to wait for it or to test it, until it is given back.  NULL: there is none,
 * or another thread has taken that of a shared one. */
hn_request *request_take(struct mpi_request *r);
void request_give_back(struct mpi_request *r);
/* Its request of hnow has ended with this; it is still taken. */
void request_step(struct mpi_request *r, int result, const hn_info *info);
/* Gives other threads the time to end what only they can end. */
void request_pause(void);
/* Waits for its end; its outcome is then there.  The request remains. */
void request_wait(struct mpi_request *r);
/* True when it is done. */
bool request_test(struct mpi_request *r);
/* Frees it, or, if it is not done, lets it end by itself. */
void request_drop(struct mpi_request *r);
/* Waits for all sends that were freed before their ends, and takes such receives back. */
void request_finish_all(void);

/* Whether no status is wanted: a null pointer means the same in every front. */
static inline bool status_ignored(const MPI_Status *status)
{
    return !status || status == MPI_STATUS_IGNORE || status == MPI_STATUSES_IGNORE;
}

/* Status of an operation on no message, or on nobody's. */
extern const struct outcome outcome_empty, outcome_nobody;
void status_put(MPI_Status *status, const struct outcome *o);
/* The same, and MPI_ERROR. */
void status_put_error(MPI_Status *status, const struct outcome *o);

/* A message taken out of the queue by MPI_Mprobe(). */
struct mpi_message {
    struct object object;
    struct mpi_comm *comm;
    hn_buffer *buffer;
    struct outcome outcome;
};

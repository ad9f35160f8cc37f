/* mpi_request.h - requests: operations in progress, messages and others.
 *
 * An operation is a sequence of requests of hnow.  When one completes, next() decides what follows
 * (unpacking, another request), until nothing is left.
 *
 * A request is active from its start until a wait or test returns it to the program; `done` says
 * that the outcome is known, which may be earlier. Requests are progressed by calls of hnow; no
 * thread of their own exists, except for those of mpi_agree.c. Unless `is_shared`, only one thread
 * uses a request at a time, as MPI 4.1, 11.6 demands of programs.
 */
#pragma once

#include "communicator/mpi_comm.h"
#include "datatype/mpi_pack.h"

struct mpi_request;

/* The outcome of an operation: the contents of a status. */
struct outcome {
    /* A rank, MPI_PROC_NULL or MPI_ANY_SOURCE; error is a class, not a code. */
    int source, tag, error;
    hn_type type; /* type of the received elements */
    /* Elements of that type that were stored; after a truncation, no more than the room. */
    size_t count;
    bool cancelled;
};

/* The kind of a request: how it continues. Static tables, one for each kind; all members may be
 * NULL. A kind is recognised by the address of its table. None of the functions is called with a
 * lock held, except those of abandoned requests. */
struct request_way {
    /* A request of hnow has completed with `result` and info.  Sets r->hn if there is another one
     * to wait for; else fills in r->outcome.  NULL: only the result is recorded. */
    void (*next)(struct mpi_request *r, int result, const hn_info *info);
    /* Starts a persistent request: HN_OK or an error.  NULL: not persistent. */
    int (*start)(struct mpi_request *r);
    /* Frees r->arg. */
    void (*release)(struct mpi_request *r);
    /* Asks the program for the status of a complete request.  NULL: the outcome is known. */
    void (*ask)(struct mpi_request *r);
    /* Calls the program's function that frees what belongs to a request that ends, once.  Returns
     * its error.  NULL: there is none. */
    int (*end)(struct mpi_request *r);
    /* MPI_Cancel(), also of a complete request; NULL: no effect. */
    int (*cancel)(struct mpi_request *r);
    /* next() may start another request of hnow, so a wait for several requests tests all of
     * them. */
    bool has_steps;
    /* Several threads may access it concurrently: test it (MPI_Parrived()), or start it
     * (MPI_Pready()). */
    bool is_shared;
};

/* Arguments of a message, for persistent requests and for unpacking. `data` belongs to the program
 * and must stay valid until completion. `type` is referenced by the request. */
struct message_plan {
    void *data;
    size_t count;
    struct mpi_type *type;
    /* A rank of comm_peers() or a special one; mode is one of SEND_..., of sends only. */
    int peer, tag, mode;
};

/* Freed when its last reference is dropped; an active one that the program frees belongs to the
 * list of mpi_request.c. `arg` and `wire` are freed with it. */
struct mpi_request {
    struct object object;
    const struct request_way *way;
    struct mpi_comm *comm; /* may be NULL */
    /* NULL: not started, complete, or completed by another thread. */
    hn_request *hn; /* the request of hnow to wait for */
    bool active;    /* started, and not completed by a wait or test */
    bool done;      /* outcome is valid */
    /* Survives its completion, until MPI_Request_free(). */
    bool persistent;
    bool taken; /* if shared: a thread waits for hn, or tests it */
    struct outcome outcome;
    void *arg;                   /* owned by the kind of request */
    struct message_plan message; /* if it is a message */
    /* The message's data as hnow reads or writes it, from start to completion. */
    struct wire wire;
};

void request_setup(void);
OBJECT_OF(request, MPI_Request, OBJECT_REQUEST)
/* The shared request of all sends that complete in their call: done, and never freed. */
extern struct mpi_request *request_sent;

/* Makes an active request that holds a reference to c.  NULL: out of memory. The caller sets hn or
 * arg, and on failure drops the request with object_drop(). */
struct mpi_request *request_begin(struct mpi_comm *c, const struct request_way *way);
/* Completes the operation. With request_done() the outcome becomes visible to other threads, so it
 * is filled in before. */
void request_done(struct mpi_request *r, int error);
/* Returns its request of hnow for waiting or testing, until it is given back.  NULL: there is none,
 * or another thread has taken that of a shared request. */
hn_request *request_take(struct mpi_request *r);
void request_give_back(struct mpi_request *r);
/* Continues r: its request of hnow, which is still taken, has completed with this result. */
void request_step(struct mpi_request *r, int result, const hn_info *info);
/* Sleeps briefly, while only other threads can make progress. */
void request_pause(void);
/* Waits until r is complete; then its outcome is valid.  Does not free it. Blocks; drives hnow's
 * event loop, or sleeps in short intervals if only another thread can complete r. */
void request_wait(struct mpi_request *r);
/* Returns true if r is complete. Does not block. Continues with the next step as long as one is
 * complete. */
bool request_test(struct mpi_request *r);
/* Frees r or, if it is not complete, lets it complete in the background. For an inactive request
 * only the program's handle is removed. */
void request_drop(struct mpi_request *r);
/* Waits for all sends that were freed before their completion, and cancels such receives. Blocks.
 * Called at the end of MPI, before connections are closed. */
void request_finish_all(void);

/* True if no status is wanted.  A null pointer means that in every ABI. */
static inline bool status_ignored(const MPI_Status *status)
{
    return !status || status == MPI_STATUS_IGNORE || status == MPI_STATUSES_IGNORE;
}

/* Statuses of no operation, and of an operation with MPI_PROC_NULL. */
extern const struct outcome outcome_empty, outcome_nobody;
/* MPI_ERROR is left alone: most calls must not set it (MPI 4.1, 3.2.5). */
void status_put(MPI_Status *status, const struct outcome *o);
/* As status_put(), and also sets MPI_ERROR. */
void status_put_error(MPI_Status *status, const struct outcome *o);

/* The functions of a generalized request, and their argument. */
struct request_functions {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *release;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};
/* Returns those of a request, for changes; NULL: it is not a generalized one. */
struct request_functions *request_functions(MPI_Request request);

/* A message that MPI_Mprobe() has removed from the queue. MPI 4.1, 3.8.2. Its buffer is that of
 * hnow with the message's data; MPI_Mrecv() copies from it and frees the object. `comm` is NULL
 * until a message has been matched. */
struct mpi_message {
    struct object object;
    struct mpi_comm *comm;
    hn_buffer *buffer;
    struct outcome outcome;
};

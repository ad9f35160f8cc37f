/* mpi_coll.h - collective operations: one description for blocking, nonblocking and persistent
 * ones.
 *
 * hnow carries out those of an intracommunicator (mpi_coll.c).  Those of an intercommunicator run
 * on the group of both sides (mpi_coll_inter.c), and neighbourhood collectives are messages
 * (mpi_topology.c).  The description of an operation that does not block belongs to its request.
 *
 * Chapter 6 and sections 8.6 to 8.8 of MPI 4.1. A call describes its operation in a struct
 * collective. Opening it checks the arguments and packs; the operation runs on hnow's types, and
 * closing frees what opening made. Algorithms are hnow's: nothing here knows the network.
 */
#pragma once

#include "collective/mpi_operator.h"
#include "message/mpi_request.h"
#include "collective/mpi_side.h"

/* The order matters: the neighbourhood kinds are last, and the rooted lists are from COLL_GATHER to
 * COLL_SCATTERV. */
enum coll_kind {
    COLL_BARRIER,
    COLL_BCAST,
    COLL_GATHER,
    COLL_GATHERV,
    COLL_SCATTER,
    COLL_SCATTERV,
    COLL_ALLGATHER,
    COLL_ALLGATHERV,
    COLL_ALLTOALL,
    COLL_ALLTOALLV,
    COLL_ALLTOALLW,
    COLL_REDUCE,
    COLL_ALLREDUCE,
    COLL_REDUCE_SCATTER,
    COLL_REDUCE_SCATTER_BLOCK,
    COLL_SCAN,
    COLL_EXSCAN,
    COLL_NEIGHBOUR_GATHER, /* the same block to all neighbours, in all forms */
    COLL_NEIGHBOUR_ALL     /* a separate block for each neighbour, in all forms */
};

/* On the stack for a blocking call, else owned by its request. Handles of the call are resolved
 * when the operation is opened; a request then holds references to types and operator. `kept` is
 * made once and started repeatedly. */
struct collective {
    /* arguments of the call */
    enum coll_kind kind;
    MPI_Comm comm;
    const char *call;
    int root;
    MPI_Op op;
    struct coll_side in, out; /* a broadcast uses only out */

    /* set when the operation is open */
    struct mpi_comm *c;
    bool has_in, has_out; /* this member has that side */
    bool at_root;         /* this member is the root, or there is no root */
    struct op_use use;
    size_t *elements; /* MPI_Reduce_scatter(): elements of each member */
    bool persistent;
    hn_request *kept[2]; /* its persistent requests of hnow, or NULL: the second one is the last
                            part of an intercommunicator's MPI_Reduce_scatter() */
    /* while the operation is in progress with more than one request of hnow */
    hn_request **posted;
    /* Number of messages in `posted`; the first posted_done of them are complete or awaited. */
    size_t posted_count, posted_done;
    /* for an intercommunicator (mpi_coll_inter.c) */
    int parts_left; /* remaining parts of the operation */
    unsigned turn;  /* sequence number of the call on its communicator, for tags of its messages */
    void *between;  /* results of both sides */
    size_t *lists;  /* counts and displacements for members of both sides */
    hn_type *types; /* and types */
};

/* coll_call() carries out a described operation, coll_start() starts it, coll_prepare() makes a
 * persistent request.  They return MPI_SUCCESS, or the code of error_on(). coll_start() and
 * coll_prepare() copy *given. Every member of the communicator must make the call, in the same
 * order. */
int coll_call(struct collective *k);
/* Nonblocking. Returns an error that has been reported, or MPI_SUCCESS. */
int coll_start(const struct collective *given, MPI_Request *request);
/* Persistent (MPI 4.1, 6.13): nothing begins before MPI_Start(). */
int coll_prepare(const struct collective *given, MPI_Request *request);

/* Messages for operations that hnow's collectives do not cover.  Their tags contain the number of
 * the call, because persistent operations may start in different orders at different members.
 * coll_post_room() allocates n requests; coll_post() posts one message to or from a task, in a
 * mesh for one direction (else 0).  The operation waits for all of them. */
bool coll_post_room(struct collective *k, size_t n);
int coll_post(struct collective *k, bool sends, hn_tid task, int direction, void *data, size_t n,
              hn_type type);

/* Starts an operation of hnow or, if k is persistent, makes its request. */
#define COLL_BEGIN(k, request, name, ...)                                                          \
    ((k)->persistent ? hn_##name##_init(__VA_ARGS__, request) : hn_i##name(__VA_ARGS__, request))

/* Internal to collective/. Each starts the operation, or its next part: sets r->hn, or posts
 * messages, or does nothing.  Returns HN_OK or an error. */
int inter_begin(struct collective *k, struct mpi_request *r);
/* The next part of an operation between groups. */
int inter_continue(struct collective *k, struct mpi_request *r);
int neighbour_begin(struct collective *k);
/* Makes the requests of a persistent operation.  Returns HN_OK or an error. */
int inter_keep(struct collective *k);
/* Stores the numbers of neighbours that the caller receives from and sends to.  Returns false if
 * there is no topology. */
bool neighbour_counts(const struct mpi_comm *c, size_t *from, size_t *to);

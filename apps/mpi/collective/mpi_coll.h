/* mpi_coll.h - collective operations: one description for all of them, whether they block, not, or
 * are persistent.
 *
 * Those of an intracommunicator are hnow's (mpi_coll.c).  Those of an intercommunicator are carried
 * out on the group of both sides (mpi_coll_inter.c), those between neighbours as messages
 * (mpi_topology.c).  The description of one that does not block belongs to its request.
 */
#pragma once

#include "collective/mpi_operator.h"
#include "message/mpi_request.h"
#include "collective/mpi_side.h"

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
    COLL_NEIGHBOUR_GATHER, /* the same to all neighbours, ... */
    COLL_NEIGHBOUR_ALL     /* ... or to each its own: in all forms */
};

struct collective {
    /* as the call has it */
    enum coll_kind kind;
    MPI_Comm comm;
    const char *call;
    int root;
    MPI_Op op;
    struct coll_side in, out; /* one of a broadcast: out */

    /* when it is open */
    struct mpi_comm *c;
    bool has_in, has_out; /* whether the member has that side */
    bool at_root;         /* it is the root, or there is none */
    struct op_use use;
    size_t *elements; /* of MPI_Reduce_scatter(): of each member */
    hn_request *kept; /* of a persistent one on an intracommunicator */
    /* while it is under way: more than one request of hnow */
    hn_request **posted;
    size_t posted_count, posted_done;
    /* of an intercommunicator (mpi_coll_inter.c) */
    int parts_left; /* that follow */
    int turn;       /* tag of its messages: the number of the operation on its communicator */
    void *between;  /* results of both sides */
    size_t *lists;  /* counts and places for members of both sides ... */
    hn_type *types; /* ... and types */
};

/* Carries out what is described as the call has it, starts it, or makes a persistent request:
 * MPI_SUCCESS, or what error_on() has said. */
int coll_call(struct collective *k);
int coll_start(const struct collective *given, MPI_Request *request);
int coll_prepare(const struct collective *given, MPI_Request *request);

/* Messages of operations that are no operations of hnow, in a context of their own: room for so
 * many, and one of them, to or from a task. */
bool coll_post_room(struct collective *k, size_t n);
int coll_post(struct collective *k, bool sends, hn_tid task, int tag, void *data, size_t n,
              hn_type type);
/* The first request of those that were posted. */
void coll_post_first(struct collective *k, struct mpi_request *r);

/* Between these files.  Each starts the operation, or its next part, and sets r->hn, or leaves it
 * NULL if there is nothing to wait for: HN_OK or an error. */
int inter_begin(struct collective *k, struct mpi_request *r);
int inter_continue(struct collective *k, struct mpi_request *r);
int neighbour_begin(struct collective *k, struct mpi_request *r);
/* How many neighbours the caller receives from and sends to; false: there is no topology. */
bool neighbour_counts(const struct mpi_comm *c, size_t *from, size_t *to);

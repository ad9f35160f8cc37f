/* mpi_comm.h - communicators.
 *
 * Each is a group of hnow for its collective operations, a context for its messages, and a second
 * one for messages that MPI sends behind the program's back.  An intercommunicator has the group of
 * the other side, too; its own side is a communicator by itself.
 */
#pragma once

#include "hnow.h"
#include "hnow_coll.h"
#include "message/mpi_buffer.h"
#include "object/mpi_error.h"
#include "communicator/mpi_group.h"

struct mpi_attribute;
struct mpi_info;
struct mpi_topology;
struct spawned;

/* Contexts that are the same in all tasks: the last ones that a program may choose
 * (hn_set_context()), so that a program's own calls of hnow and MPI's do not meet. */
enum {
    CONTEXT_WORLD = 0x3ffffff0,
    CONTEXT_WORLD_INNER = 0x3ffffff4,
    CONTEXT_SERVICE = 0x3ffffff8, /* requests to windows and their data (mpi_service.c) ... */
    CONTEXT_SERVICE_REPLIES,      /* ... and the replies */
    CONTEXT_REVOKED,              /* revocations of communicators (mpi_failure.c) */
    CONTEXT_SESSION               /* communicators of groups alone (mpi_session.c) */
};

/* A communicator has the hints whose names begin like this, which the standard defines; it ignores
 * all others. */
#define COMM_HINTS "mpi_assert_"

struct mpi_comm {
    struct object object;
    const hn_group *hn;      /* for collective operations; of an intercommunicator: both sides, NULL
                                before the first operation */
    hn_context context;      /* of point-to-point messages */
    hn_context inner;        /* of MPI's own messages: inner and the next two are ours */
    struct mpi_group *group; /* local */
    struct mpi_group *remote; /* of an intercommunicator; else NULL */
    struct mpi_comm *local;   /* the local side of an intercommunicator; else NULL */
    int rank, size;           /* in the local group */
    struct mpi_errhandler *errhandler;
    struct mpi_attribute *attributes;
    struct mpi_info *info;
    struct mpi_topology *topology; /* or NULL */
    int duplicates; /* of MPI_Comm_idup() on an intercommunicator, so far: a tag for each */
    int inter_turn; /* collective operations that have begun on an intercommunicator */
    bool revoked;   /* MPIX_Comm_revoke(): only functions of mpi_failure.c and mpi_agree.c work */
    int acked;      /* members that had failed at MPIX_Comm_failure_ack() */
    int agreements; /* calls of mpi_agree.c, so far ... */
    int agreed;     /* ... and those that have ended */
    bool is_first;  /* an intercommunicator's side that comes first where an order is needed */
    struct send_buffer buffer; /* MPI_Comm_attach_buffer() */
    char name[MPI_MAX_OBJECT_NAME];
};

/* A handler may revoke it in another thread. */
static inline bool comm_is_revoked(const struct mpi_comm *c)
{
    return __atomic_load_n(&c->revoked, __ATOMIC_ACQUIRE);
}

extern struct mpi_comm *comm_world, *comm_self;
/* The names of this task's process sets, and their groups; NULL: there is none of that name. */
enum { COMM_PSETS = 2 };
extern const char *const comm_psets[COMM_PSETS];
const struct mpi_group *comm_pset(const char *name);

/* MPI_COMM_WORLD and MPI_COMM_SELF, for an enrolled task: HN_OK or an error.  spawned: what its
 * parent has told it (mpi_spawn.h); NULL: hrun started it. */
int comm_setup(const struct spawned *spawned);
void comm_end(void);
OBJECT_OF(comm, MPI_Comm, OBJECT_COMM)
/* Arguments of a collective call with a root that makes a communicator: c is that of the handle, or
 * NULL.  MPI_SUCCESS, or the error that the call returns. */
int comm_check_root(struct mpi_comm *c, MPI_Comm comm, int root, const MPI_Comm *result,
                    const char *call);

/* Tasks that messages go to and come from: those of the other side, if there is one. */
static inline const struct mpi_group *comm_peers(const struct mpi_comm *c)
{
    return c->remote ? c->remote : c->group;
}

/* Contexts for a new communicator, on which all of its members agree. */
struct comm_contexts {
    hn_context group, inner;
};
/* Rank 0 (of an intercommunicator: of one side) gets new ones for all members.  Collective on c:
 * HN_OK or an error. */
int comm_agree(struct mpi_comm *c, struct comm_contexts *contexts);
/* A communicator of the tasks of a group, whose reference it takes, also with an error; its error
 * handler is that of `like`.  Local: HN_OK or an error, with which *made is NULL. */
int comm_make(struct mpi_group *group, const struct comm_contexts *contexts,
              const struct mpi_comm *like, struct mpi_comm **made);
/* A communicator like `like` of the members of g, which alone call this.  The first one makes the
 * contexts, and sends them with this tag, in this context.  All give the same name, of at most 1024
 * characters: HN_EARG where what came was sent with another one. */
int comm_make_alone(struct mpi_group *g, hn_context context, int tag, const char *name,
                    const struct mpi_comm *like, struct mpi_comm **made);
/* The same in two steps: of the members of `like`, and not of use before it is complete.  Of an
 * intercommunicator, the local side is to be completed, too. */
struct mpi_comm *comm_incomplete(const struct mpi_comm *like);
int comm_complete(struct mpi_comm *c, const struct comm_contexts *contexts);
/* An intercommunicator between the members of `local`, a communicator whose reference it takes, and
 * those of `remote`, likewise. */
int comm_make_inter(struct mpi_comm *local, struct mpi_group *remote, bool is_first,
                    const struct comm_contexts *contexts, const struct mpi_comm *like,
                    struct mpi_comm **made);
/* The leader of another communicator, and where it talks to ours. */
struct comm_leader {
    hn_tid tid;
    hn_context context;
    int tag;
    int failed; /* an error: there is none, of which all members of ours are told */
};
/* Between the members of local and those of the other leader's communicator.  Only our own leader
 * looks at `other`.  Collective on local. */
int comm_join(struct mpi_comm *local, int leader, const struct comm_leader *other,
              struct mpi_comm **made);
/* The members of c that call with equal colours >= 0, in the order of key and of their ranks; *made
 * is NULL with others.  Collective on c. */
int comm_split(struct mpi_comm *c, int colour, int key, struct mpi_comm **made);
/* The same members once more, without attributes, info and topology.  Collective on c. */
int comm_copy(struct mpi_comm *c, struct mpi_comm **made);

/* Messages that MPI sends for itself, to and from ranks of comm_peers().  They block as hn_send()
 * and hn_recv() do.  Tags of the context `inner`: one for these functions, others for each of
 * MPI_Comm_idup() and of the partitioned messages. */
enum { COMM_TAG_AGREE = 1, COMM_TAG_DUPLICATE = 16, COMM_TAG_PARTITIONED = 1 << 30 };
int comm_send_inner(const struct mpi_comm *c, int rank, int tag, const void *data, size_t count,
                    hn_type type);
int comm_recv_inner(const struct mpi_comm *c, int rank, int tag, void *data, size_t count,
                    hn_type type);

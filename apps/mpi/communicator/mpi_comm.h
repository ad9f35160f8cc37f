/* mpi_comm.h - communicators.
 *
 * A communicator has a group of hnow for collective operations, a context for the program's
 * messages, and a second one for MPI's internal messages.  An intercommunicator also has the group
 * of the other side; its local side is a communicator of its own.
 *
 * Chapter 7 of MPI 4.1. Contexts keep messages apart: a message only matches a receive with the
 * same context, and contexts are equal in all members. A communicator costs two contexts and one
 * group of hnow; making one costs a broadcast.
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

/* Contexts that are equal in all tasks.  They are the last ones that a program may choose
 * (hn_set_context()), so hnow calls of a program and MPI's do not conflict. */
enum {
    CONTEXT_WORLD = 0x3ffffff0,
    CONTEXT_WORLD_INNER = 0x3ffffff4,
    CONTEXT_SERVICE = 0x3ffffff8, /* requests to windows and their data (mpi_service.c) */
    CONTEXT_SERVICE_REPLIES,      /* replies to these */
    CONTEXT_REVOKED,              /* revocations of communicators (mpi_failure.c) */
    CONTEXT_SESSION               /* communicators made from groups only (mpi_session.c) */
};

/* The result of a call of hnow in another context. The context is a property of the calling thread,
 * so it is restored before anything else of the program can run. */
#define IN_CONTEXT(context, expression)                                                            \
    ({                                                                                             \
        hn_context before_ = hn_set_context(context);                                              \
        int result_ = (expression);                                                                \
        hn_set_context(before_);                                                                   \
        result_;                                                                                   \
    })

/* Prefix of the hints that a communicator keeps; they are defined by the standard.  All others are
 * ignored. */
#define COMM_HINTS "mpi_assert_"

/* Freed when the last handle, request, window or file that refers to it is gone. Groups, error
 * handler, info object and topology are referenced. Counters (`duplicates`, `turns`, `agreements`)
 * advance equally in all members, since all make these calls in the same order. */
struct mpi_comm {
    struct object object;
    const hn_group *hn;      /* for collective operations; of an intercommunicator: both sides, NULL
                                until the first operation */
    hn_context context;      /* of point-to-point messages */
    hn_context inner;        /* of MPI's internal messages; inner + 1 and inner + 2 are also
                                reserved */
    struct mpi_group *group; /* local */
    struct mpi_group *remote; /* of an intercommunicator; else NULL */
    struct mpi_comm *local;   /* the local side of an intercommunicator; else NULL */
    int rank, size;           /* in the local group */
    /* Never NULL. Inherited from the communicator that it was made of. */
    struct mpi_errhandler *errhandler;
    struct mpi_attribute *attributes;
    struct mpi_info *info;
    struct mpi_topology *topology; /* or NULL */
    int duplicates; /* calls of MPI_Comm_idup() on an intercommunicator: a tag for each */
    unsigned turns; /* calls of collective operations that are messages (mpi_coll.h) */
    /* Written by a handler in any thread: read it with comm_is_revoked(). */
    bool revoked;    /* MPIX_Comm_revoke(): only functions of mpi_failure.c and mpi_agree.c work */
    int acked;       /* number of failed members at the last MPIX_Comm_failure_ack() */
    int agreements;  /* calls of mpi_agree.c begun */
    int agreed;      /* calls of mpi_agree.c completed */
    bool in_session; /* made in a session, without MPI_COMM_WORLD */
    bool is_first;   /* this side of an intercommunicator is the first one where an order is
                        needed */
    struct send_buffer buffer; /* MPI_Comm_attach_buffer() */
    /* Empty unless the program or the library has set one. */
    char name[MPI_MAX_OBJECT_NAME];
};

/* Atomic: a handler may revoke the communicator in another thread. */
static inline bool comm_is_revoked(const struct mpi_comm *c)
{
    return __atomic_load_n(&c->revoked, __ATOMIC_ACQUIRE);
}

/* Predefined: never freed between MPI_Init() and the end of the process. */
extern struct mpi_comm *comm_world, *comm_self;
/* The names of this task's process sets, and their groups. comm_pset() returns NULL for an unknown
 * name. */
enum { COMM_PSETS = 2 };
extern const char *const comm_psets[COMM_PSETS];
const struct mpi_group *comm_pset(const char *name);

/* Makes MPI_COMM_WORLD and MPI_COMM_SELF of an enrolled task.  Returns HN_OK or an error. spawned:
 * what its parent has sent (mpi_spawn.h); NULL: started by hrun. */
int comm_setup(const struct spawned *spawned);
/* At MPI_Finalize(): deletes attributes. */
void comm_end(void);
OBJECT_OF(comm, MPI_Comm, OBJECT_COMM)
/* Returns the communicator of a call that has a place for its result; or NULL, and *error is the
 * code of error_on(). */
struct mpi_comm *comm_given(MPI_Comm comm, const void *result, const char *call, int *error);
/* Checks the arguments of a collective, rooted call that makes a communicator. c is the object of
 * comm, or NULL.  Returns MPI_SUCCESS, or the error for the caller. */
int comm_check_root(struct mpi_comm *c, MPI_Comm comm, int root, const MPI_Comm *result,
                    const char *call);

/* The peers of messages: the remote group if there is one, else the local one. Ranks in
 * messages, roots and errors of sends refer to this group. */
static inline const struct mpi_group *comm_peers(const struct mpi_comm *c)
{
    return c->remote ? c->remote : c->group;
}

/* Contexts of a new communicator, equal in all of its members. */
struct comm_contexts {
    /* `inner` reserves the two numbers after it as well. */
    hn_context group, inner;
};
/* Obtains new contexts; local. The numbers are unique in the job. Blocks for a round trip to hrun
 * once in some calls (hn_context_new()). */
int comm_new_contexts(struct comm_contexts *contexts);
/* Rank 0 (of an intercommunicator: of one side) obtains new contexts for all members.  Collective
 * on c.  Returns HN_OK or an error. An error of rank 0 reaches all members in the same broadcast,
 * so all return the same result. */
int comm_agree(struct mpi_comm *c, struct comm_contexts *contexts);
/* Makes a communicator of a group.  Takes the reference to the group, also on failure.  The error
 * handler is that of `like`.  Local.  Returns HN_OK, or an error with *made NULL. */
int comm_make(struct mpi_group *group, const struct comm_contexts *contexts,
              const struct mpi_comm *like, struct mpi_comm **made);
/* Makes a communicator of the members of g; only these call it.  The first member makes the
 * contexts and sends them with this tag in this context.  All pass the same name of at most 1024
 * characters; a member whose name differs gets HN_EARG. */
int comm_make_alone(struct mpi_group *g, hn_context context, int tag, const char *name,
                    const struct mpi_comm *like, struct mpi_comm **made);
/* The same in two steps.  The result of comm_incomplete() has the members of `like` and must not be
 * used until comm_complete().  For an intercommunicator, complete its local side as well. For
 * MPI_Comm_idup(), which returns a handle before the contexts are known. NULL: out of memory. */
struct mpi_comm *comm_incomplete(const struct mpi_comm *like);
int comm_complete(struct mpi_comm *c, const struct comm_contexts *contexts);
/* Makes an intercommunicator between the members of the communicator `local` and the group
 * `remote`.  Takes both references. Also on failure. */
int comm_make_inter(struct mpi_comm *local, struct mpi_group *remote, bool is_first,
                    const struct comm_contexts *contexts, const struct mpi_comm *like,
                    struct mpi_comm **made);
/* The leader of another communicator, and the context and tag for messages to it. */
struct comm_leader {
    hn_tid tid;
    hn_context context;
    int tag;
    int failed; /* an error: there is no leader, which all members of this side learn */
};
/* Connects the members of local with those of the other leader's communicator.  Only this side's
 * leader uses `other`.  Collective on local. Blocks until the other side has called it, too. */
int comm_join(struct mpi_comm *local, int leader, const struct comm_leader *other,
              struct mpi_comm **made);
/* Makes a communicator of the members of c with equal colour >= 0, ordered by key, then rank. *made
 * is NULL for other colours.  Collective on c. MPI 4.1, 7.4.2. Every member must call it, also
 * those with another colour. O(n log n) time and O(n) memory for n members. */
int comm_split(struct mpi_comm *c, int colour, int key, struct mpi_comm **made);
/* Makes a communicator with the same members, without attributes, info and topology.  Collective on
 * c. */
int comm_copy(struct mpi_comm *c, struct mpi_comm **made);

/* Internal messages to and from ranks of comm_peers().  They block like hn_send() and hn_recv().
 * Tags of the context `inner`: one for these functions, and ranges for MPI_Comm_idup(), for
 * collective operations (COMM_TAGS_COLLECTIVE of them), and for partitioned messages.  The
 * context inner + 1 has the program's tags (MPI_Intercomm_create(), MPI_Comm_create_group()), and
 * inner + 2 those of partitioned requests. */
enum {
    COMM_TAG_AGREE = 1,
    COMM_TAG_DUPLICATE = 16,
    COMM_TAG_COLLECTIVE = 1 << 29,
    COMM_TAGS_COLLECTIVE = 1 << 29,
    COMM_TAG_PARTITIONED = 1 << 30
};
/* `rank` is that in the remote group between groups. */
int comm_send_inner(const struct mpi_comm *c, int rank, int tag, const void *data, size_t count,
                    hn_type type);
int comm_recv_inner(const struct mpi_comm *c, int rank, int tag, void *data, size_t count,
                    hn_type type);

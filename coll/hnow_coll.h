/* hnow_coll.h - the public interface of the coll room: collective operations that follow plans.
 *
 * The semantics are those of MPI-4's chapter on collective communication: every member of the group
 * calls the same operation with matching arguments, in the same order.  Each call blocks until the
 * caller's part is done and its buffers may be used again.  Which plan is followed is decided by
 * the network file that hrun was given (`auto`), or by hrun's -plan.
 *
 * Errors: HN_EARG (a rank, a type, a size, no buffer where there is data, or a buffer of 1 MiB or
 * more that is not as long as its count says, as far as the process's memory shows), HN_ETYPE (the
 * operator means nothing for the type), HN_ENOMEM, and those of messages (hnow.h).  HN_ETRUNC: the
 * counts of the members do not agree, and the caller's result depends on it: what its buffer holds
 * is undefined, but nothing beyond it has been written; the next operation is right.  HN_EARG some
 * seconds after the call: another member, which is named, has called another operation instead, or
 * with another root, or follows another plan because its counts are so different: nobody waits for
 * ever for a message that no member sends (but for hn_bcast_to() at one and another operation of
 * the group at another: that is not found out).  What was called by mistake counts as one call, and
 * the next call is the next one everywhere.  Other members' mistakes, HN_EARG and the like, are
 * told in the same way, or at once: the call of a member whose arguments are wrong counts as one.
 * Which operations a member has called before may then decide what is planned for the next ones, so
 * that these can end like this, too: make another group.  (In both cases a persistent operation
 * cannot be started again.) HN_EDEAD: a member of the group has failed; every member gets it, from
 * this operation or, when its part of that was done before, from the next one; see hn_group_dead()
 * and hn_group_shrink().  A member that has left the job without its part of an operation counts as
 * failed for all who need that part, also through others: they get HN_EDEAD at once.  Whoever has
 * got it refuses later operations of the group; who waits for such a member gets it after 2 s.
 */
#ifndef HNOW_COLL_H
#define HNOW_COLL_H

#include "hnow.h"
#include "hnow_net.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- operators ---------------------------------------------------------------------------- */

/* HN_MINLOC and HN_MAXLOC work on pairs (value, place), two elements of one type, and keep the
 * place of the least (greatest) value, the lowest place where values are equal; `count` is the
 * number of elements, twice that of the pairs.  Complex numbers have sums and products, bytes the
 * bitwise ones, floating point numbers neither logic nor bits. */
typedef enum hn_op {
    HN_SUM,
    HN_PROD,
    HN_MIN,
    HN_MAX,
    HN_LAND,
    HN_LOR,
    HN_BAND,
    HN_BOR,
    HN_BXOR,
    HN_MINLOC,
    HN_MAXLOC,
    HN_LXOR
} hn_op;

/* A program's own operator: result[i] = left[i] o right[i] for the operands in count elements;
 * result is left or right itself.  Must be associative; must not call collective operations. */
typedef void hn_op_function(const void *left, const void *right, void *result, size_t count,
                            hn_type type, void *data);

/* Makes an operator of a function.  An operand is `width` elements, which stay together (9 for 3 x
 * 3 matrices); counts in operations must be multiples of it.  Unless it commutes, contributions are
 * combined in the order of ranks.  `data` is handed to the function.  All members must make the
 * operators that they use together alike.  HN_EARG: no function, or width 0; HN_ENOMEM: 256 are in
 * use. */
HN_API int hn_op_new(hn_op_function *function, void *data, size_t width, int commutes, hn_op *op);
/* Gives it up.  Operations with it that have been started, and persistent ones, keep its function
 * and its data.  HN_EARG: hn_op_new() did not make it. */
HN_API int hn_op_free(hn_op op);

/* ---- groups from groups ------------------------------------------------------------------- */

/* All members of the parent call it; those of equal colour get a group, its ranks in the order of
 * key, and of the parent's ranks where keys are equal.  *group is NULL for a colour below 0.  With
 * one colour and equal keys: the same members again, with contexts of their own.  Costs one
 * allgather of 16 bytes a member.  The group belongs to the caller (hn_group_free()).  HN_EDEAD may
 * be the outcome at some members only: operations on the new group of those who have it end with
 * it, too, where they wait for one of the others (for this, the parent must not have been freed).
 */
HN_API int hn_group_split(const hn_group *parent, int colour, int key, hn_group **group);

/* ---- operations --------------------------------------------------------------------------- */

/* As send buffer (where said, as receive buffer): the data already stands in the other buffer. */
#define HN_IN_PLACE ((void *)-1)

/* Counts are elements; out buffers must not overlap in buffers.  Ranks are ranks in `group`.
 * Displacements are elements from the beginning of the buffer. */

HN_API int hn_barrier(const hn_group *group);
HN_API int hn_bcast(void *data, size_t count, hn_type type, int root, const hn_group *group);
/* From the root to the n members of the list `to` only (each once, the root not among them): called
 * by these and the root, with the same list in the same order.  Calls with different lists may be
 * made in different orders at different members; those with one list are counted by themselves. The
 * first call with a list makes its plan.  A member whose first call is earlier than the root's asks
 * the root's library, and blocks until that has answered, whatever the root's program does; so does
 * the nonblocking form.  A task keeps some 64 lists, those used last; an older one begins anew.  If
 * a member's list or root is wrong, members that wait for it get HN_EARG, as far as it can be known
 * which list was meant; a list that is another one's is just another multicast. */
HN_API int hn_bcast_to(void *data, size_t count, hn_type type, int root, const int *to, int n,
                       const hn_group *group);

/* A message of hn_multimulticast(). */
typedef struct hn_multicast_message {
    int source;    /* the rank that sends it */
    const int *to; /* the ranks that get it, each once, the source not among them ... */
    int n;         /* ... and their number, which may be 0 */
    void *data;    /* the caller's buffer, if it is the source or one of `to`; else ignored */
    size_t count;  /* of elements */
} hn_multicast_message;
/* Multiple multicast: n messages, each from its source to its own list of members, in one
 * operation (Wu, Yeh, Liu: Scheduling Multiple Multicast for Heterogeneous Network of
 * Workstations). Destinations pass messages on, so that no source has to send to all its
 * destinations.  A rank may be the source, and a destination, of any number of messages.  All
 * members of the group call it, also those that no message concerns, with the same messages in the
 * same order and the same type: sources, sets of destinations and counts.  Only `data` is the
 * caller's own; buffers must not overlap, but several messages of one source may be sent from one
 * buffer.
 *
 * Blocks until the caller's buffers may be used again.  The members compare their lists first (one
 * allgather of 32 bytes a member; of a persistent request only once, when it is made).  HN_EARG at
 * all members: a member's list is wrong, or is not that of the other members; hn_error_text() names
 * the member, and the message if that is the caller's own.  Then no buffer has been changed. */
HN_API int hn_multimulticast(const hn_multicast_message *messages, int n, hn_type type,
                             const hn_group *group);

/* The root's `in` holds size * count elements, count for each member.  The root may have
 * HN_IN_PLACE as out, and keeps its own part where it is. */
HN_API int hn_scatter(const void *in, size_t count, void *out, hn_type type, int root,
                      const hn_group *group);
/* At the root, member r's counts[r] elements stand in `in` from element displs[r] on; in, counts
 * and displs are used at the root only, which sends the counts round first.  With HN_IN_PLACE as
 * out, the root's own `count` is not looked at, as in MPI.  HN_ETRUNC: `count` is not what the root
 * has for this member; nothing is put into out. */
HN_API int hn_scatterv(const void *in, const size_t *counts, const size_t *displs, void *out,
                       size_t count, hn_type type, int root, const hn_group *group);
/* out (used at the root only) gets size * count elements, in the order of ranks; HN_IN_PLACE as in
 * at the root. */
HN_API int hn_gather(const void *in, size_t count, void *out, hn_type type, int root,
                     const hn_group *group);
/* Each member gives `count` elements; at the root, those of r come to stand in out from element
 * displs[r] on.  The counts are sent round first.  With HN_IN_PLACE as in, the root's own `count`
 * is not looked at, as in MPI.  HN_ETRUNC at the root: some member's count is not counts[r]; its
 * data is dropped. */
HN_API int hn_gatherv(const void *in, size_t count, void *out, const size_t *counts,
                      const size_t *displs, hn_type type, int root, const hn_group *group);

/* out holds size * count elements, in the order of ranks. */
HN_API int hn_allgather(const void *in, size_t count, void *out, hn_type type,
                        const hn_group *group);
/* Member r contributes counts[r] elements, which stand in out from element displs[r] on. */
HN_API int hn_allgatherv(const void *in, void *out, const size_t *counts, const size_t *displs,
                         hn_type type, const hn_group *group);

/* Both buffers hold size * count elements: those at r * count go to r, and come from r. */
HN_API int hn_alltoall(const void *in, size_t count, void *out, hn_type type,
                       const hn_group *group);
/* in_counts[r] elements from in_displs[r] on go to r; counts[r] elements come from r, to displs[r]
 * on.  The counts are sent round first.  With HN_IN_PLACE as in, out is both, and in_counts and
 * in_displs are not used.  HN_ETRUNC: some member sends another number than counts[r]; its data is
 * dropped. */
HN_API int hn_alltoallv(const void *in, const size_t *in_counts, const size_t *in_displs, void *out,
                        const size_t *counts, const size_t *displs, hn_type type,
                        const hn_group *group);

/* out is used at root only. */
HN_API int hn_reduce(const void *in, void *out, size_t count, hn_type type, hn_op op, int root,
                     const hn_group *group);
/* All members get the same bits. */
HN_API int hn_allreduce(const void *in, void *out, size_t count, hn_type type, hn_op op,
                        const hn_group *group);
/* in holds the sum of all counts; member r gets the counts[r] elements of the result that follow
 * those of the members before it.  In place: the data stands in out, and the result takes its
 * beginning; the rest of out stays as it was. */
HN_API int hn_reduce_scatter(const void *in, void *out, const size_t *counts, hn_type type,
                             hn_op op, const hn_group *group);
/* The same with `count` elements for every member. */
HN_API int hn_reduce_scatter_block(const void *in, void *out, size_t count, hn_type type, hn_op op,
                                   const hn_group *group);
/* Member r gets the combination of the contributions of 0 ... r, in the order of ranks. */
HN_API int hn_scan(const void *in, void *out, size_t count, hn_type type, hn_op op,
                   const hn_group *group);
/* ... of 0 ... r - 1; out is left as it is at rank 0. */
HN_API int hn_exscan(const void *in, void *out, size_t count, hn_type type, hn_op op,
                     const hn_group *group);

/* ---- nonblocking forms ----------------------------------------------------------------------
 *
 * hn_iNAME() starts what hn_NAME() does and returns; the operation goes on by itself, also while
 * the program computes. It ends with hn_wait() or hn_test() (hnow.h), like the request of a
 * message, and hn_info then says nothing. Until then all buffers belong to the library, and lists
 * of counts and places must stay as they are; lists of destinations and of messages are copied.
 *
 * As many as one likes may be under way, on one group and on several. Those of one group match in
 * the order in which its members start them, blocking ones among them: hn_ibcast() at one member
 * and hn_bcast() at another are the same operation (in MPI that is a mistake). They need not end in
 * that order, and members may wait for them in any. A program's own operator (hn_op_new()) may be
 * called in any thread that is inside the library, and in one of the library's own; two operations
 * may call it at the same time.
 *
 * The group, the topology and the operator may be freed as soon as the operation is started, or its
 * persistent request made: what it needs of them stays until the request has ended. The request of
 * an operation that does not wait cannot be freed but by its end.
 *
 * HN_EARG and the like are returned at once, and nothing is started; what happens later is told by
 * hn_wait() or hn_test(), which free the request also then. hn_exit() first finishes what is under
 * way, since others wait for the caller's part, and frees what nobody has waited for. */
HN_API int hn_ibarrier(const hn_group *group, hn_request **request);
HN_API int hn_ibcast(void *data, size_t count, hn_type type, int root, const hn_group *group,
                     hn_request **request);
HN_API int hn_ibcast_to(void *data, size_t count, hn_type type, int root, const int *to, int n,
                        const hn_group *group, hn_request **request);
HN_API int hn_imultimulticast(const hn_multicast_message *messages, int n, hn_type type,
                              const hn_group *group, hn_request **request);
HN_API int hn_iscatter(const void *in, size_t count, void *out, hn_type type, int root,
                       const hn_group *group, hn_request **request);
HN_API int hn_iscatterv(const void *in, const size_t *counts, const size_t *displs, void *out,
                        size_t count, hn_type type, int root, const hn_group *group,
                        hn_request **request);
HN_API int hn_igather(const void *in, size_t count, void *out, hn_type type, int root,
                      const hn_group *group, hn_request **request);
HN_API int hn_igatherv(const void *in, size_t count, void *out, const size_t *counts,
                       const size_t *displs, hn_type type, int root, const hn_group *group,
                       hn_request **request);
HN_API int hn_iallgather(const void *in, size_t count, void *out, hn_type type,
                         const hn_group *group, hn_request **request);
HN_API int hn_iallgatherv(const void *in, void *out, const size_t *counts, const size_t *displs,
                          hn_type type, const hn_group *group, hn_request **request);
HN_API int hn_ialltoall(const void *in, size_t count, void *out, hn_type type,
                        const hn_group *group, hn_request **request);
HN_API int hn_ialltoallv(const void *in, const size_t *in_counts, const size_t *in_displs,
                         void *out, const size_t *counts, const size_t *displs, hn_type type,
                         const hn_group *group, hn_request **request);
HN_API int hn_ireduce(const void *in, void *out, size_t count, hn_type type, hn_op op, int root,
                      const hn_group *group, hn_request **request);
HN_API int hn_iallreduce(const void *in, void *out, size_t count, hn_type type, hn_op op,
                         const hn_group *group, hn_request **request);
HN_API int hn_iscan(const void *in, void *out, size_t count, hn_type type, hn_op op,
                    const hn_group *group, hn_request **request);
HN_API int hn_iexscan(const void *in, void *out, size_t count, hn_type type, hn_op op,
                      const hn_group *group, hn_request **request);
HN_API int hn_ireduce_scatter_block(const void *in, void *out, size_t count, hn_type type, hn_op op,
                                    const hn_group *group, hn_request **request);
HN_API int hn_ireduce_scatter(const void *in, void *out, const size_t *counts, hn_type type,
                              hn_op op, const hn_group *group, hn_request **request);

/* ---- persistent forms -----------------------------------------------------------------------
 *
 * hn_NAME_init() makes a request of an operation that will come again and again with the same
 * buffers and counts: arguments are looked at and the plan is made once. Lists that were given
 * (counts, places) must stay as they are until the request is freed. All members call it at the
 * same place among the group's operations; the counts of scatterv, gatherv and alltoallv are sent
 * round here, so it may wait for the others. hn_start() then starts the operation, as the
 * nonblocking form does, and hn_wait() or hn_test() end it, but leave the request: it can be
 * started again. Requests of several operations may be started in different orders at different
 * members. */
HN_API int hn_barrier_init(const hn_group *group, hn_request **request);
HN_API int hn_bcast_init(void *data, size_t count, hn_type type, int root, const hn_group *group,
                         hn_request **request);
HN_API int hn_bcast_to_init(void *data, size_t count, hn_type type, int root, const int *to, int n,
                            const hn_group *group, hn_request **request);
HN_API int hn_multimulticast_init(const hn_multicast_message *messages, int n, hn_type type,
                                  const hn_group *group, hn_request **request);
HN_API int hn_scatter_init(const void *in, size_t count, void *out, hn_type type, int root,
                           const hn_group *group, hn_request **request);
HN_API int hn_scatterv_init(const void *in, const size_t *counts, const size_t *displs, void *out,
                            size_t count, hn_type type, int root, const hn_group *group,
                            hn_request **request);
HN_API int hn_gather_init(const void *in, size_t count, void *out, hn_type type, int root,
                          const hn_group *group, hn_request **request);
HN_API int hn_gatherv_init(const void *in, size_t count, void *out, const size_t *counts,
                           const size_t *displs, hn_type type, int root, const hn_group *group,
                           hn_request **request);
HN_API int hn_allgather_init(const void *in, size_t count, void *out, hn_type type,
                             const hn_group *group, hn_request **request);
HN_API int hn_allgatherv_init(const void *in, void *out, const size_t *counts, const size_t *displs,
                              hn_type type, const hn_group *group, hn_request **request);
HN_API int hn_alltoall_init(const void *in, size_t count, void *out, hn_type type,
                            const hn_group *group, hn_request **request);
HN_API int hn_alltoallv_init(const void *in, const size_t *in_counts, const size_t *in_displs,
                             void *out, const size_t *counts, const size_t *displs, hn_type type,
                             const hn_group *group, hn_request **request);
HN_API int hn_reduce_init(const void *in, void *out, size_t count, hn_type type, hn_op op, int root,
                          const hn_group *group, hn_request **request);
HN_API int hn_allreduce_init(const void *in, void *out, size_t count, hn_type type, hn_op op,
                             const hn_group *group, hn_request **request);
HN_API int hn_scan_init(const void *in, void *out, size_t count, hn_type type, hn_op op,
                        const hn_group *group, hn_request **request);
HN_API int hn_exscan_init(const void *in, void *out, size_t count, hn_type type, hn_op op,
                          const hn_group *group, hn_request **request);
HN_API int hn_reduce_scatter_block_init(const void *in, void *out, size_t count, hn_type type,
                                        hn_op op, const hn_group *group, hn_request **request);
HN_API int hn_reduce_scatter_init(const void *in, void *out, const size_t *counts, hn_type type,
                                  hn_op op, const hn_group *group, hn_request **request);

/* Starts the operation of a persistent request. HN_ESTATE: it is under way, or nobody has waited
 * for its end, or it has failed before (other than by HN_EDEAD, which comes again): free it and
 * make another; HN_EARG: the request is of another kind. */
HN_API int hn_start(hn_request *request);
/* Gives a persistent request up; members that start theirs once more are told (HN_EARG). HN_ESTATE:
 * it is under way, or nobody has waited for its end; HN_EARG: as for hn_start(); and nothing is
 * freed (in MPI, too, a collective operation that is under way must not be freed). */
HN_API int hn_request_free(hn_request *request);

/* ---- topologies ------------------------------------------------------------------------------
 *
 * A group whose members have neighbours, and are placed so that neighbours are near each other in
 * the network of hrun's network file: as few of them as possible in different subnets, and then the
 * time of messages between them as short as possible. Ranks in the topology's own group are places
 * in the ring or mesh, or nodes of the graph; which task gets which is up to the topology. All
 * members of the group call the functions that make one, with the same arguments (but for a graph's
 * edges). */
typedef struct hn_topology hn_topology;
#define HN_NOBODY          (-1) /* as a rank: a mesh ends there */
#define HN_DIMENSIONS_MOST 16

/* A closed ring of all members. It enters each subnet once, and the subnets in the best order (up
 * to 12 of them; else a good one). The same as a mesh of one periodic dimension. */
HN_API int hn_topology_ring(const hn_group *group, hn_topology **topology);
/* A mesh; in periodic dimensions (periodic NULL: none) a torus. Ranks count the last dimension
 * fastest. Members that it has no place for get NULL. HN_EARG: the group is too small, or a
 * member gives other sizes than rank 0. */
HN_API int hn_topology_mesh(const hn_group *group, int dimensions, const int *sizes,
                            const int *periodic, hn_topology **topology);
/* A directed graph with as many nodes as members: the caller says to which `count` nodes the node
 * of its own rank in the group sends, and how much (weights from 1 on, what is more than 1024
 * counts as that; NULL: alike). HN_EARG at all members: one of them names a node that there is not,
 * or a weight below 1. */
HN_API int hn_topology_graph(const hn_group *group, const int *to, const int *weights, int count,
                             hn_topology **topology);
/* Frees it and its group, as hn_group_free() does. NULL is allowed. */
HN_API void hn_topology_free(hn_topology *topology);

/* Sizes of a mesh of so many tasks, as equal as can be, for those that are 0. HN_EARG: those that
 * are not do not divide the number. */
HN_API int hn_mesh_sizes(int tasks, int dimensions, int *sizes);

/* Its group, for other operations and for messages; belongs to the topology. */
HN_API const hn_group *hn_topology_group(const hn_topology *topology);
/* From whom the caller receives, and to whom it sends: ranks, in the order of blocks in the
 * operations below. The lists belong to the topology. In a mesh both are two for each dimension,
 * the lower neighbour first, HN_NOBODY beyond an edge; in a graph senders are in the order of
 * ranks. */
HN_API int hn_topology_neighbours(const hn_topology *topology, const int **from, int *from_count,
                                  const int **to, int *to_count);
/* Of a mesh: coordinates of a rank; the rank of coordinates, those of periodic dimensions any
 * integers, or HN_NOBODY; from whom and to whom a shift of all by a distance goes. */
HN_API int hn_topology_coords(const hn_topology *topology, int rank, int *coords);
HN_API int hn_topology_rank(const hn_topology *topology, const int *coords);
HN_API int hn_topology_shift(const hn_topology *topology, int dimension, int distance, int *from,
                             int *to);

/* Operations between neighbours, in the semantics of MPI-4's chapter on process topologies: every
 * member of the topology calls them. Blocks of `in` go to the neighbours, blocks of `out` come from
 * them, in the order of hn_topology_neighbours(); those of nobody are left as they are. Messages go
 * straight to the neighbours: there is no plan. What a member receives must be as long as what the
 * neighbour sends: HN_ETRUNC where there is less room.  Not in place. */

/* The same `count` elements to all. */
HN_API int hn_neighbour_allgather(const void *in, size_t count, void *out, hn_type type,
                                  const hn_topology *topology);
HN_API int hn_neighbour_allgatherv(const void *in, size_t count, void *out, const size_t *counts,
                                   const size_t *displs, hn_type type, const hn_topology *topology);
HN_API int hn_neighbour_alltoall(const void *in, size_t count, void *out, hn_type type,
                                 const hn_topology *topology);
HN_API int hn_neighbour_alltoallv(const void *in, const size_t *in_counts, const size_t *in_displs,
                                  void *out, const size_t *counts, const size_t *displs,
                                  hn_type type, const hn_topology *topology);
/* Every block has a type of its own, and its place in bytes. */
HN_API int hn_neighbour_alltoallw(const void *in, const size_t *in_counts, const size_t *in_places,
                                  const hn_type *in_types, void *out, const size_t *counts,
                                  const size_t *places, const hn_type *types,
                                  const hn_topology *topology);
/* The same between all members of a group: blocks in the order of ranks.  `in` may be HN_IN_PLACE:
 * what is sent lies in `out`, in the counts, places and types of what comes. */
HN_API int hn_alltoallw(const void *in, const size_t *in_counts, const size_t *in_places,
                        const hn_type *in_types, void *out, const size_t *counts,
                        const size_t *places, const hn_type *types, const hn_group *group);

/* Their nonblocking forms, as above. */
HN_API int hn_ineighbour_allgather(const void *in, size_t count, void *out, hn_type type,
                                   const hn_topology *topology, hn_request **request);
HN_API int hn_ineighbour_allgatherv(const void *in, size_t count, void *out, const size_t *counts,
                                    const size_t *displs, hn_type type, const hn_topology *topology,
                                    hn_request **request);
HN_API int hn_ineighbour_alltoall(const void *in, size_t count, void *out, hn_type type,
                                  const hn_topology *topology, hn_request **request);
HN_API int hn_ineighbour_alltoallv(const void *in, const size_t *in_counts, const size_t *in_displs,
                                   void *out, const size_t *counts, const size_t *displs,
                                   hn_type type, const hn_topology *topology, hn_request **request);
HN_API int hn_ineighbour_alltoallw(const void *in, const size_t *in_counts, const size_t *in_places,
                                   const hn_type *in_types, void *out, const size_t *counts,
                                   const size_t *places, const hn_type *types,
                                   const hn_topology *topology, hn_request **request);
HN_API int hn_ialltoallw(const void *in, const size_t *in_counts, const size_t *in_places,
                         const hn_type *in_types, void *out, const size_t *counts,
                         const size_t *places, const hn_type *types, const hn_group *group,
                         hn_request **request);

/* Their persistent forms, for hn_start(). */
HN_API int hn_neighbour_allgather_init(const void *in, size_t count, void *out, hn_type type,
                                       const hn_topology *topology, hn_request **request);
HN_API int hn_neighbour_allgatherv_init(const void *in, size_t count, void *out,
                                        const size_t *counts, const size_t *displs, hn_type type,
                                        const hn_topology *topology, hn_request **request);
HN_API int hn_neighbour_alltoall_init(const void *in, size_t count, void *out, hn_type type,
                                      const hn_topology *topology, hn_request **request);
HN_API int hn_neighbour_alltoallv_init(const void *in, const size_t *in_counts,
                                       const size_t *in_displs, void *out, const size_t *counts,
                                       const size_t *displs, hn_type type,
                                       const hn_topology *topology, hn_request **request);
HN_API int hn_neighbour_alltoallw_init(const void *in, const size_t *in_counts,
                                       const size_t *in_places, const hn_type *in_types, void *out,
                                       const size_t *counts, const size_t *places,
                                       const hn_type *types, const hn_topology *topology,
                                       hn_request **request);
HN_API int hn_alltoallw_init(const void *in, const size_t *in_counts, const size_t *in_places,
                             const hn_type *in_types, void *out, const size_t *counts,
                             const size_t *places, const hn_type *types, const hn_group *group,
                             hn_request **request);

/* ---- asking about plans ---------------------------------------------------------------------
 *
 * A plan is written NAME[:ARITY][/SEGMENT BYTES], as hplan prints it. */

/* Name of the i-th planner (`hplan -list`); NULL: there are no more. */
HN_API const char *hn_planner_name(int i);

/* How many characters the first name of a list "NAME,NAME" has. The name of a plan that is made of
 * two holds a comma itself ("reduce+bcast@2:ecef/4096,kary:4"); where more than one beginning of
 * the list is a plan's name, the longest one counts. 0: the list begins with no plan's name. */
HN_API size_t hn_plan_name_length(const char *list);

/* Which plan the group's operations follow from now on, where it serves them, instead of hrun's
 * -plan; NULL: that one again; "auto": none by name. "NAME,NAME" (up to eight): each operation
 * follows the first that serves it.  All members call it at the same place between operations.
 * HN_EARG: no such plan, more than eight, or a rank in its name that the group has not. */
HN_API int hn_set_plan(const hn_group *group, const char *plan);

/* Which plan the group's last operation that the caller has begun follows: its name, cut to `size`
 * characters with the 0 at the end ("": there was none).  Without -plan it may be another one than
 * hn_forecast_plan() names, and another one at the next call (hn_coll_adapt()).  Operations of some
 * members (hn_bcast_to()) do not count.  HN_EARG: no group, or no room. */
HN_API int hn_plan_followed(const hn_group *group, char *plan, size_t size);

/* Whether the group's plans follow what its operations really take: the best candidates are tried
 * where the network file is wrong about them, and plans are made anew when the network has changed,
 * and when it is as it was.  On at first where hrun was given a network file (and HNOW_ADAPT is not
 * 0 in the environment); off: plans follow the file again.  Sums of floating point numbers keep
 * their plan until the network changes, so that equal calls give equal bits; with HN_ADAPT_SUMS (or
 * HNOW_ADAPT=sums in the environment of all tasks) theirs follow like all others, and last bits may
 * differ from call to call.  All members call it at the same place between operations. */
#define HN_ADAPT_SUMS 2
HN_API int hn_coll_adapt(const hn_group *group, int on);

/* Whether the caller deflates long messages of the group's operations (zlib) where the network file
 * says that the way takes longer than that, and a sample of the data shrinks.  On at first where
 * hrun was given a network file; HNOW_COMPRESS=0 in the environment forbids it.  A member's own
 * matter: others need not call it. */
HN_API int hn_coll_compress(const hn_group *group, int on);

typedef struct hn_forecast {
    char plan[80];
    hn_time makespan;    /* from the moment when all members begin until the last one is done */
    hn_time lower_bound; /* no plan that cuts the data so is faster; 0: unknown */
    int measured;        /* 1: the network is that of hrun's network file; 0: it is a guess */
} hn_forecast;

/* What the model says about an operation ("bcast", "allgather", ...) on `count` elements (of each
 * member, as in the calls above). plan: NULL, the one that the operation comes to follow; a plan;
 * or NAME*, the planner at its best. Any member may ask, alone; takes as long as the planning.
 * HN_EPLAN: that plan does not serve the operation; HN_EARG: there is no plan of that name. */
HN_API int hn_forecast_plan(const hn_group *group, const char *operation, size_t count,
                            hn_type type, int root, const char *plan, hn_forecast *forecast);
/* The same about hn_multimulticast(); buffers (`data`) are ignored.  HN_EARG also if the list of
 * messages is wrong. */
HN_API int hn_forecast_multimulticast(const hn_group *group, const hn_multicast_message *messages,
                                      int n, hn_type type, const char *plan, hn_forecast *forecast);

#ifdef __cplusplus
}
#endif

#ifndef HNOW_PLAIN_CALLS
#include "hnow_coll_checked.h"
#endif
#endif

/* hnow_coll.h - the public interface of the coll room: collective operations that follow plans.
 *
 * The semantics are those of MPI-4's chapter on collective communication: every member of the group
 * calls the same operation with matching arguments, in the same order. Each call blocks until the
 * caller's part is done and its buffers may be used again. The network file that hrun was given
 * decides which plan is followed (`auto`), or hrun's -plan.
 *
 * Errors of all operations, besides those of messages (hnow.h):
 *
 * HN_EARG: a wrong rank, type or size; no buffer where there is data; a buffer of 1 MiB or more
 * that is shorter than its count, as far as the process's memory shows. HN_ETYPE: the operator is
 * not defined for the type. HN_ENOMEM.
 *
 * HN_ETRUNC: the counts of the members differ, and the caller's result depends on this. What its
 * buffer holds is undefined, but nothing beyond the buffer is written. The next operation works.
 *
 * HN_EARG some seconds after the call: another member, which is named, has called another operation
 * instead, or with another root, or follows another plan because its counts are so different. No
 * member waits forever for a message that no member sends. (Exception: hn_bcast_to() at one member
 * and another operation of the group at another.) A wrong call counts as one call, so the next
 * calls match again. Other members' errors (HN_EARG and the like) are reported in the same way, or
 * at once. Later operations can still fail in the same way: make another group. A persistent
 * operation that failed so cannot be started again.
 *
 * HN_EDEAD: a member of the group has failed. Every member gets it, from this operation or, if its
 * part was done before, from the next one. See hn_group_dead() and hn_group_shrink(). A member that
 * leaves the job without its part of an operation counts as failed for all that need this part. A
 * member that got HN_EDEAD refuses later operations of the group; members that wait for it get
 * HN_EDEAD after 2 s. */
#ifndef HNOW_COLL_H
#define HNOW_COLL_H

#include "hnow.h"
#include "hnow_net.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- operators ---------------------------------------------------------------------------- */

/* HN_MINLOC and HN_MAXLOC work on pairs (value, place), two elements of one type. They keep the
 * place of the minimum (maximum), and the lowest place if values are equal. `count` is the number
 * of elements, twice that of the pairs. Complex numbers have sums and products, bytes the bitwise
 * operators; floating-point numbers have neither logical nor bitwise ones. */
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

/* A program's own operator: result[i] = left[i] o right[i] for the operands in count elements.
 * result is left or right itself. Must be associative; must not call collective operations. */
typedef void hn_op_function(const void *left, const void *right, void *result, size_t count,
                            hn_type type, void *data);

/* Makes an operator of a function. An operand is `width` elements, which stay together (9 for 3 x 3
 * matrices); counts in operations must be multiples of it. Unless it commutes, contributions are
 * combined in the order of ranks. `data` is passed to the function. All members must make the
 * operators that they use together alike. Operators last until hn_exit(). HN_EARG: no function, or
 * width 0. HN_ENOMEM: 256 are in use, or no memory. HN_ESTATE: the task is not enrolled. */
HN_API int hn_op_new(hn_op_function *function, void *data, size_t width, int commutes, hn_op *op);
/* Frees it. Operations with it that have been started, and persistent ones, keep its function and
 * its data. HN_EARG: hn_op_new() did not make it. */
HN_API int hn_op_free(hn_op op);

/* The operation between two buffers of the caller: inout[i] = in[i] o inout[i].  Needs no group and
 * no job.  The buffers must not overlap.  HN_ETYPE: the operator means nothing for the type;
 * HN_EARG: no buffer where there is data, or a count that is no multiple of the operator's width.
 */
HN_API int hn_reduce_local(const void *in, void *inout, size_t count, hn_type type, hn_op op);

/* ---- groups from groups ------------------------------------------------------------------- */

/* All members of the parent call it. Those of equal colour get a group, with ranks in the order of
 * key, and of the parent's ranks if keys are equal. *group is NULL for a colour below 0. With one
 * colour and equal keys, the group has the same members again, with contexts of its own. Costs one
 * allgather of 16 bytes a member. The group belongs to the caller (hn_group_free()). HN_EDEAD can
 * be the result at some members only. Then operations on the new group end with HN_EDEAD where they
 * wait for one of these members, unless the parent was freed. */
HN_API int hn_group_split(const hn_group *parent, int colour, int key, hn_group **group);

/* ---- operations --------------------------------------------------------------------------- */

/* As send buffer (where stated, as receive buffer): the data is already in the other buffer. */
#define HN_IN_PLACE ((void *)-1)

/* Counts are elements. out buffers must not overlap in buffers. Ranks are ranks in `group`.
 * Displacements are elements from the beginning of the buffer. */

/* Blocks until all members have called it. */
HN_API int hn_barrier(const hn_group *group);
/* The root's `count` elements of data replace those of all other members. */
HN_API int hn_bcast(void *data, size_t count, hn_type type, int root, const hn_group *group);
/* From the root to the n members of the list `to` only (each once, not the root). The root and
 * these members call it, with the same list in the same order. Calls with different lists may be
 * made in different orders at different members; calls with one list are counted separately. At its
 * first call with a list, a member blocks until the root's library has answered, also in the
 * nonblocking form. A task keeps some 64 lists, those used last. If a member's list or root is
 * wrong, members that wait for it get HN_EARG, as far as it can be known which list was meant. */
HN_API int hn_bcast_to(void *data, size_t count, hn_type type, int root, const int *to, int n,
                       const hn_group *group);

/* A message of hn_multimulticast(). */
typedef struct hn_multicast_message {
    int source;    /* the rank that sends it */
    const int *to; /* the destinations, each once, not the source ... */
    int n;         /* ... and their number, which may be 0 */
    void *data;    /* the caller's buffer, if source or destination; else ignored */
    size_t count;  /* of elements */
} hn_multicast_message;
/* Multiple multicast (Wu, Yeh, Liu): n messages, each from its source to its own list of members,
 * in one operation. Destinations forward messages. A rank may be the source, and a destination, of
 * any number of messages. All members of the group call it, also those that no message concerns,
 * with the same messages in the same order. Only `data` is the caller's own. Buffers must not
 * overlap, but several messages of one source may be sent from one buffer.
 *
 * Blocks until the caller's buffers may be used again. The members first compare their lists (one
 * allgather of 32 bytes a member; for a persistent request only once, when it is made). HN_EARG at
 * all members: a member's list is wrong, or differs from that of the others. Then no buffer has
 * been changed. */
HN_API int hn_multimulticast(const hn_multicast_message *messages, int n, hn_type type,
                             const hn_group *group);

/* The root's `in` holds size * count elements, count for each member. The root may give HN_IN_PLACE
 * as out, and keeps its own part where it is. */
HN_API int hn_scatter(const void *in, size_t count, void *out, hn_type type, int root,
                      const hn_group *group);
/* At the root, member r's counts[r] elements begin at element displs[r] of `in`. in, counts and
 * displs are used at the root only, which sends the counts to all first. With HN_IN_PLACE as out,
 * the root's own `count` is ignored, as in MPI. HN_ETRUNC: `count` differs from the root's for this
 * member; nothing is stored in out. */
HN_API int hn_scatterv(const void *in, const size_t *counts, const size_t *displs, void *out,
                       size_t count, hn_type type, int root, const hn_group *group);
/* out (used at the root only) gets size * count elements, in the order of ranks. HN_IN_PLACE as in
 * at the root. */
HN_API int hn_gather(const void *in, size_t count, void *out, hn_type type, int root,
                     const hn_group *group);
/* Each member gives `count` elements. At the root, those of r are stored from element displs[r] of
 * out on. The counts are sent to all first. With HN_IN_PLACE as in, the root's own `count` is
 * ignored, as in MPI. HN_ETRUNC at the root: some member's count is not counts[r]; its data is
 * dropped. */
HN_API int hn_gatherv(const void *in, size_t count, void *out, const size_t *counts,
                      const size_t *displs, hn_type type, int root, const hn_group *group);

/* out holds size * count elements, in the order of ranks. HN_IN_PLACE as in: the caller's are in
 * out. */
HN_API int hn_allgather(const void *in, size_t count, void *out, hn_type type,
                        const hn_group *group);
/* Member r contributes counts[r] elements, which are stored from element displs[r] of out on. */
HN_API int hn_allgatherv(const void *in, void *out, const size_t *counts, const size_t *displs,
                         hn_type type, const hn_group *group);

/* Both buffers hold size * count elements: those at r * count go to r, and come from r. HN_IN_PLACE
 * as in: out is both. */
HN_API int hn_alltoall(const void *in, size_t count, void *out, hn_type type,
                       const hn_group *group);
/* in_counts[r] elements from in_displs[r] on go to r; counts[r] elements from r are stored from
 * displs[r] on. The counts are sent to all first. With HN_IN_PLACE as in, out is both buffers, and
 * in_counts and in_displs are not used. HN_ETRUNC: some member sends another number than counts[r];
 * its data is dropped. */
HN_API int hn_alltoallv(const void *in, const size_t *in_counts, const size_t *in_displs, void *out,
                        const size_t *counts, const size_t *displs, hn_type type,
                        const hn_group *group);

/* in and out hold `count` elements. Element i of out is the combination of the members' elements i.
 * out is used at the root only. HN_IN_PLACE as in at the root (of the next three, at all members):
 * the contribution is in out. */
HN_API int hn_reduce(const void *in, void *out, size_t count, hn_type type, hn_op op, int root,
                     const hn_group *group);
/* All members get the same bits. */
HN_API int hn_allreduce(const void *in, void *out, size_t count, hn_type type, hn_op op,
                        const hn_group *group);
/* in holds the sum of all counts. Member r gets the counts[r] elements of the result that follow
 * those of the members before it. In place: the data is in out, the result is stored at its
 * beginning, and the rest of out is unchanged. */
HN_API int hn_reduce_scatter(const void *in, void *out, const size_t *counts, hn_type type,
                             hn_op op, const hn_group *group);
/* The same with `count` elements for every member. */
HN_API int hn_reduce_scatter_block(const void *in, void *out, size_t count, hn_type type, hn_op op,
                                   const hn_group *group);
/* Member r gets the combination of the contributions of 0 ... r, in the order of ranks. */
HN_API int hn_scan(const void *in, void *out, size_t count, hn_type type, hn_op op,
                   const hn_group *group);
/* ... of 0 ... r - 1; out is unchanged at rank 0. */
HN_API int hn_exscan(const void *in, void *out, size_t count, hn_type type, hn_op op,
                     const hn_group *group);

/* ---- files ---------------------------------------------------------------------------------- */

/* Stages a file of the root's host to the hosts of all members. Each host gets one copy, by the
 * broadcast plan for these hosts, and keeps it in the user's cache under the hash of its content,
 * as hrun -stage does (docs/hrun.md). Nothing is sent to a host that has this content already.
 * `where` is a buffer of `size` bytes; it gets the path of the copy, which must not be changed; on
 * the root's host that of the file itself. `path` is used at the root only. Tasks of one host must
 * agree in HOME and XDG_CACHE_HOME. Takes 12 MiB of memory at the root and at one member a host, up
 * to 96 MiB if a plan for long data is the best.
 *
 * All members get the same error: HN_ESYS (the file cannot be read or stored; hn_error_text() names
 * host and cause), HN_EARG (a member's buffer is too short), HN_ENOMEM. Then no part of a file is
 * left in a cache. */
HN_API int hn_stage_file(const char *path, char *where, size_t size, int root,
                         const hn_group *group);

/* ---- nonblocking forms ----------------------------------------------------------------------
 *
 * hn_iNAME() starts what hn_NAME() does and returns. The operation continues while the program
 * computes. It ends with hn_wait() or hn_test() (hnow.h), like the request of a message; hn_info is
 * then empty. Until then all buffers belong to the library, and lists of counts and places must not
 * change; lists of destinations and of messages are copied.
 *
 * Any number may be under way. Those of one group match in the order in which its members start
 * them, blocking ones included: hn_ibcast() at one member and hn_bcast() at another are the same
 * operation (in MPI this is an error). Members may wait for them in any order. A program's own
 * operator (hn_op_new()) may be called in any thread that is inside the library, and in a thread of
 * the library. Two operations may call it at the same time.
 *
 * The group, the topology and the operator may be freed as soon as the operation is started, or its
 * persistent request made. The request of a nonblocking operation is freed by its end only.
 *
 * HN_EARG and the like are returned at once, and nothing is started. Later errors are returned by
 * hn_wait() or hn_test(), which free the request also then. hn_exit() first finishes what is under
 * way. */
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
 * hn_NAME_init() makes a request for an operation that is repeated with the same buffers and
 * counts. Arguments are checked and the plan is made once. Lists (counts, places) must not change
 * until the request is freed. All members call it at the same place among the group's operations.
 * The counts of scatterv, gatherv and alltoallv are sent to all here, so it may wait for the
 * others. hn_start() starts the operation, as the nonblocking form does. hn_wait() or hn_test() end
 * it, but keep the request: it can be started again. Requests of several operations may be started
 * in different orders at different members. */
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
 * for its end, or it failed before (except by HN_EDEAD, which is returned again): free it and make
 * another. HN_EARG: the request is of another kind. */
HN_API int hn_start(hn_request *request);
/* Frees a persistent request. Members that start theirs once more get HN_EARG. HN_ESTATE: it is
 * under way, or nobody has waited for its end. HN_EARG: as for hn_start(). After an error nothing
 * is freed. */
HN_API int hn_request_free(hn_request *request);

/* ---- topologies ------------------------------------------------------------------------------
 *
 * A group whose members have neighbours. Members are placed so that neighbours are near each other
 * in hrun's network file. Ranks in the topology's own group are places in the ring or mesh, or
 * nodes of the graph. The topology decides which task gets which rank. All members of the group
 * call the functions that make one, with the same arguments (except a graph's edges). */
typedef struct hn_topology hn_topology;
#define HN_NOBODY          (-1) /* as a rank: a mesh ends there */
#define HN_DIMENSIONS_MOST 16

/* A closed ring of all members. It enters each subnet once, and the subnets in the best order (up
 * to 12 of them; else in a good one). The same as a mesh of one periodic dimension. */
HN_API int hn_topology_ring(const hn_group *group, hn_topology **topology);
/* A mesh; in periodic dimensions (periodic NULL: none) a torus. Ranks count the last dimension
 * fastest. Members for which it has no place get NULL. HN_EARG: the group is too small, or a member
 * gives other sizes than rank 0. */
HN_API int hn_topology_mesh(const hn_group *group, int dimensions, const int *sizes,
                            const int *periodic, hn_topology **topology);
/* A directed graph with as many nodes as members. The caller says to which `count` nodes the node
 * of its own rank in the group sends, and how much (weights from 1 on; more than 1024 counts as
 * 1024; NULL: alike). HN_EARG at all members: one of them names a node that does not exist, or a
 * weight below 1. */
HN_API int hn_topology_graph(const hn_group *group, const int *to, const int *weights, int count,
                             hn_topology **topology);
/* Frees it and its group, as hn_group_free() does. NULL is allowed. */
HN_API void hn_topology_free(hn_topology *topology);

/* Sizes of a mesh of so many tasks, as equal as possible, for those that are 0. HN_EARG: the others
 * do not divide the number. */
HN_API int hn_mesh_sizes(int tasks, int dimensions, int *sizes);

/* Its group, for other operations and for messages; belongs to the topology. */
HN_API const hn_group *hn_topology_group(const hn_topology *topology);
/* From whom the caller receives, and to whom it sends: ranks, in the order of blocks in the
 * operations below. The lists belong to the topology. In a mesh both have two entries for each
 * dimension, the lower neighbour first, HN_NOBODY beyond an edge. In a graph senders are in the
 * order of ranks. */
HN_API int hn_topology_neighbours(const hn_topology *topology, const int **from, int *from_count,
                                  const int **to, int *to_count);
/* Of a mesh: the coordinates of a rank; the rank of coordinates (of periodic dimensions any
 * integers), or HN_NOBODY; from whom and to whom a shift of all by a distance goes. */
HN_API int hn_topology_coords(const hn_topology *topology, int rank, int *coords);
HN_API int hn_topology_rank(const hn_topology *topology, const int *coords);
HN_API int hn_topology_shift(const hn_topology *topology, int dimension, int distance, int *from,
                             int *to);

/* Operations between neighbours, with the semantics of MPI-4's chapter on process topologies: every
 * member of the topology calls them. Blocks of `in` go to the neighbours, and blocks of `out` come
 * from them, in the order of hn_topology_neighbours(). Blocks of HN_NOBODY are unchanged. There is
 * no plan. A member must receive as many elements as the neighbour sends; HN_ETRUNC if there is
 * less room. Not in place. */

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
/* Every block has its own type, and its place in bytes. */
HN_API int hn_neighbour_alltoallw(const void *in, const size_t *in_counts, const size_t *in_places,
                                  const hn_type *in_types, void *out, const size_t *counts,
                                  const size_t *places, const hn_type *types,
                                  const hn_topology *topology);
/* The same between all members of a group: blocks in the order of ranks. `in` may be HN_IN_PLACE:
 * what is sent is in `out`, with the counts, places and types of what is received. */
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

/* Length of the first name of a list "NAME,NAME". The name of a plan that is made of two contains a
 * comma ("reduce+bcast@2:ecef/4096,kary:4"); the longest plan's name counts. 0: the list does not
 * begin with one. */
HN_API size_t hn_plan_name_length(const char *list);

/* Sets the plan that the group's operations follow from now on, if it serves them, instead of
 * hrun's -plan. NULL: hrun's again; "auto": chosen automatically. "NAME,NAME" (up to eight): each
 * operation follows the first that serves it. All members call it at the same place between
 * operations. HN_EARG: no such plan, more than eight, or a rank in its name that the group does not
 * have. */
HN_API int hn_set_plan(const hn_group *group, const char *plan);

/* The plan that the group's last operation follows: its name, cut to `size` characters with the 0
 * at the end ("": there was none). Without -plan it may change at the next call (hn_coll_adapt()).
 * Operations of some members (hn_bcast_to()) do not count. HN_EARG: no group, or no room. */
HN_API int hn_plan_followed(const hn_group *group, char *plan, size_t size);

/* Whether the group's plans follow measured times. On at first if hrun was given a network file
 * (unless HNOW_ADAPT is 0 in the environment). Off: plans follow the file again. Sums of
 * floating-point numbers keep their plan until the network changes, so that equal calls give equal
 * bits. With HN_ADAPT_SUMS (or HNOW_ADAPT=sums in the environment of all tasks) the last bits may
 * differ from call to call. All members call it at the same place between operations. */
#define HN_ADAPT_SUMS 2
HN_API int hn_coll_adapt(const hn_group *group, int on);

/* Whether the caller compresses long messages of the group's operations (zlib) where this is
 * faster. On at first if hrun was given a network file; HNOW_COMPRESS=0 in the environment turns it
 * off. Each member decides for itself. */
HN_API int hn_coll_compress(const hn_group *group, int on);

typedef struct hn_forecast {
    char plan[80];
    hn_time makespan;    /* from when all members begin until the last one is done */
    hn_time lower_bound; /* no plan with such blocks is faster; 0: unknown */
    int measured;        /* 1: hrun's network file; 0: a guess */
} hn_forecast;

/* What the model predicts for an operation ("bcast", "allgather", ...) on `count` elements (of each
 * member, as in the calls above). plan: NULL: the one that the operation will follow; a plan; or
 * NAME*: the planner at its best. Any member may ask, alone; takes as long as the planning.
 * HN_EPLAN: that plan does not serve the operation. HN_EARG: there is no plan of that name. */
HN_API int hn_forecast_plan(const hn_group *group, const char *operation, size_t count,
                            hn_type type, int root, const char *plan, hn_forecast *forecast);
/* The same for hn_multimulticast(); buffers (`data`) are ignored. HN_EARG also if the list of
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

/* mpi_functions.h - declares the functions of MPI.  Every mpi.h of hnow includes this header after
 * its own types and constants.
 *
 * Each function has two names, MPI_X and PMPI_X.  Functions with counts have a second form,
 * MPI_X_c, whose counts are MPI_Count: mpi_counted.h declares both.
 *
 * Comments name the section of MPI 4.1, the file that defines the functions, and what a caller
 * cannot see from the arguments: which calls are collective or block. What is not said follows
 * the standard. All functions are thread-safe (MPI_THREAD_MULTIPLE).
 * The header is C and C++; it needs nothing but the types before it.
 */
#ifndef MPI_FUNCTIONS_H
#define MPI_FUNCTIONS_H

/* Two steps, so that a name that is a macro itself is expanded before it is joined to MPI_. */
#define MPI_DECLARE_BOTH(type, name, args)                                                         \
    type MPI_##name args;                                                                          \
    type PMPI_##name args
#define MPI_DECLARE(type, name, args) MPI_DECLARE_BOTH(type, name, args)
#define MPIX_DECLARE(type, name, args)                                                             \
    type MPIX_##name args;                                                                         \
    type PMPIX_##name args

/* ---- callback functions of programs ---- */

/* Functions that programs pass to MPI. Their names and types are those of the standard; a
 * program's function is called in the thread that makes or progresses the call. */
typedef void MPI_User_function(void *in, void *inout, int *count, MPI_Datatype *type);
typedef void MPI_User_function_c(void *in, void *inout, MPI_Count *count, MPI_Datatype *type);
/* Attributes. The first two types are MPI-1's, for communicators. */
typedef int MPI_Copy_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Delete_function(MPI_Comm, int, void *, void *);
typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);
typedef int MPI_Type_copy_attr_function(MPI_Datatype, int, void *, void *, void *, int *);
typedef int MPI_Type_delete_attr_function(MPI_Datatype, int, void *, void *);
typedef int MPI_Win_copy_attr_function(MPI_Win, int, void *, void *, void *, int *);
typedef int MPI_Win_delete_attr_function(MPI_Win, int, void *, void *);
/* Error handlers get the handle of the object and the code, which they may change. */
typedef void MPI_Comm_errhandler_function(MPI_Comm *, int *, ...);
typedef void MPI_File_errhandler_function(MPI_File *, int *, ...);
typedef void MPI_Win_errhandler_function(MPI_Win *, int *, ...);
typedef void MPI_Session_errhandler_function(MPI_Session *, int *, ...);
typedef void MPI_Handler_function(MPI_Comm *, int *, ...);
/* Generalized requests: the status, the end, and a cancellation. */
typedef int MPI_Grequest_query_function(void *, MPI_Status *);
typedef int MPI_Grequest_free_function(void *);
typedef int MPI_Grequest_cancel_function(void *, int);
/* For MPI_Register_datarep(), which never calls them. */
typedef int MPI_Datarep_extent_function(MPI_Datatype, MPI_Aint *, void *);
typedef int MPI_Datarep_conversion_function(void *, MPI_Datatype, int, void *, MPI_Offset, void *);
typedef int MPI_Datarep_conversion_function_c(void *, MPI_Datatype, MPI_Count, void *, MPI_Offset,
                                              void *);

/* ---- environment ---- */

/* MPI 4.1, ch. 9 and 11. MPI_Abi_...() are of MPI 5.0. process/mpi_environment.c, mpi_abi.c.
 * MPI_Init() enrols the task in its job; MPI_Finalize() is collective over MPI_COMM_WORLD.
 * MPI_Abort() ends the whole job, whatever the communicator. */

/* argc and argv may be NULL, and are not changed. */
MPI_DECLARE(int, Init, (int *argc, char ***argv));
MPI_DECLARE(int, Init_thread, (int *argc, char ***argv, int required, int *provided));
MPI_DECLARE(int, Initialized, (int *flag));
MPI_DECLARE(int, Finalize, (void));
MPI_DECLARE(int, Finalized, (int *flag));
MPI_DECLARE(int, Abort, (MPI_Comm comm, int errorcode));
/* Every thread level is provided. */
MPI_DECLARE(int, Query_thread, (int *provided));
MPI_DECLARE(int, Is_thread_main, (int *flag));
/* These may be called at any time, also before MPI_Init(). */
MPI_DECLARE(int, Get_version, (int *version, int *subversion));
MPI_DECLARE(int, Get_library_version, (char *version, int *length));
MPI_DECLARE(int, Get_processor_name, (char *name, int *length));
MPI_DECLARE(int, Get_hw_resource_info, (MPI_Info * hw_info));
/* Defined for the standard ABI only. */
MPI_DECLARE(int, Abi_get_version, (int *abi_major, int *abi_minor));
MPI_DECLARE(int, Abi_get_info, (MPI_Info * info));
MPI_DECLARE(int, Abi_get_fortran_info, (MPI_Info * info));
MPI_DECLARE(int, Abi_set_fortran_info, (MPI_Info info));
MPI_DECLARE(int, Abi_get_fortran_booleans,
            (int logical_size, void *logical_true, void *logical_false, int *is_set));
MPI_DECLARE(int, Abi_set_fortran_booleans,
            (int logical_size, void *logical_true, void *logical_false));
/* Seconds of a clock of this host; clocks of hosts are not synchronised. */
MPI_DECLARE(double, Wtime, (void));
MPI_DECLARE(double, Wtick, (void));
MPI_DECLARE(int, Pcontrol, (const int level, ...));
/* Ordinary memory, aligned to a cache line or to what the info object asks for. */
MPI_DECLARE(int, Alloc_mem, (MPI_Aint size, MPI_Info info, void *baseptr));
MPI_DECLARE(int, Free_mem, (void *base));

/* ---- error handlers ---- */

/* MPI 4.1, 9.3 to 9.5; object/mpi_errhandler.c and object/mpi_error.c. Local. An object keeps
 * its handler after the handler's own handle is freed. */

MPI_DECLARE(int, Comm_create_errhandler,
            (MPI_Comm_errhandler_function * function, MPI_Errhandler *errhandler));
MPI_DECLARE(int, Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler));
MPI_DECLARE(int, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *errhandler));
MPI_DECLARE(int, Comm_call_errhandler, (MPI_Comm comm, int errorcode));
/* MPI-1's names of the three before. */
MPI_DECLARE(int, Errhandler_create,
            (MPI_Comm_errhandler_function * function, MPI_Errhandler *errhandler));
MPI_DECLARE(int, Errhandler_set, (MPI_Comm comm, MPI_Errhandler errhandler));
MPI_DECLARE(int, Errhandler_get, (MPI_Comm comm, MPI_Errhandler *errhandler));
MPI_DECLARE(int, Errhandler_free, (MPI_Errhandler * errhandler));
/* Right after an error, MPI_Error_string() returns its details instead of a fixed text. */
MPI_DECLARE(int, Error_class, (int errorcode, int *errorclass));
MPI_DECLARE(int, Error_string, (int errorcode, char *string, int *length));
MPI_DECLARE(int, Add_error_class, (int *errorclass));
MPI_DECLARE(int, Add_error_code, (int errorclass, int *errorcode));
MPI_DECLARE(int, Add_error_string, (int errorcode, const char *string));
MPI_DECLARE(int, Remove_error_class, (int errorclass));
MPI_DECLARE(int, Remove_error_code, (int errorcode));
MPI_DECLARE(int, Remove_error_string, (int errorcode));

/* ---- point-to-point ---- */

/* MPI 4.1, 3.6 and 3.8; message/mpi_message_calls.c. Functions with counts are in mpi_counted.h.
 * MPI_Probe() and MPI_Mprobe() block; the matched probes also remove the message from the queue. */

MPI_DECLARE(int, Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status));
MPI_DECLARE(int, Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status));
MPI_DECLARE(int, Mprobe,
            (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status));
/* Does not block; *flag is 0 if no message has arrived. */
MPI_DECLARE(int, Improbe,
            (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
             MPI_Status *status));
/* Receives and generalized requests can be cancelled; sends complete instead. */
MPI_DECLARE(int, Cancel, (MPI_Request * request));
MPI_DECLARE(int, Test_cancelled, (const MPI_Status *status, int *flag));
/* Complete at once: no message waits in an attached buffer. */
MPI_DECLARE(int, Buffer_flush, (void));
MPI_DECLARE(int, Buffer_iflush, (MPI_Request * request));
MPI_DECLARE(int, Comm_flush_buffer, (MPI_Comm comm));
MPI_DECLARE(int, Comm_iflush_buffer, (MPI_Comm comm, MPI_Request *request));

/* ---- requests ---- */

/* MPI 4.1, 3.7 to 3.9; partitioned messages, ch. 4; generalized requests, 13.2. message/:
 * mpi_complete.c, mpi_request_calls.c, mpi_partitioned.c. A wait blocks and drives all
 * communication of the task; a test drives it once. */

/* Null and inactive requests are complete, with an empty status. */
MPI_DECLARE(int, Wait, (MPI_Request * request, MPI_Status *status));
MPI_DECLARE(int, Test, (MPI_Request * request, int *flag, MPI_Status *status));
/* For lists: all of them, any one, or some. Errors of single requests are in the statuses, and
 * the call returns MPI_ERR_IN_STATUS. */
MPI_DECLARE(int, Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]));
MPI_DECLARE(int, Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]));
/* The index is MPI_UNDEFINED if no request of the list is active. */
MPI_DECLARE(int, Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status));
MPI_DECLARE(int, Testany,
            (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status));
MPI_DECLARE(int, Waitsome,
            (int incount, MPI_Request requests[], int *outcount, int indices[],
             MPI_Status statuses[]));
MPI_DECLARE(int, Testsome,
            (int incount, MPI_Request requests[], int *outcount, int indices[],
             MPI_Status statuses[]));
/* An incomplete operation continues in the background. */
MPI_DECLARE(int, Request_free, (MPI_Request * request));
/* These leave the request as it is, for a later wait or test. */
MPI_DECLARE(int, Request_get_status, (MPI_Request request, int *flag, MPI_Status *status));
MPI_DECLARE(int, Request_get_status_all,
            (int count, const MPI_Request requests[], int *flag, MPI_Status statuses[]));
MPI_DECLARE(int, Request_get_status_any,
            (int count, const MPI_Request requests[], int *index, int *flag, MPI_Status *status));
MPI_DECLARE(int, Request_get_status_some,
            (int incount, const MPI_Request requests[], int *outcount, int indices[],
             MPI_Status statuses[]));
/* Persistent requests only. */
MPI_DECLARE(int, Start, (MPI_Request * request));
MPI_DECLARE(int, Startall, (int count, MPI_Request requests[]));
/* The message is sent as a whole when its last partition is ready. MPI_Pready...() may be called
 * by several threads at once. */
MPI_DECLARE(int, Psend_init,
            (const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest,
             int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, Precv_init,
            (void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, int tag,
             MPI_Comm comm, MPI_Info info, MPI_Request *request));
MPI_DECLARE(int, Pready, (int partition, MPI_Request request));
MPI_DECLARE(int, Pready_range, (int partition_low, int partition_high, MPI_Request request));
MPI_DECLARE(int, Pready_list, (int length, const int array_of_partitions[], MPI_Request request));
MPI_DECLARE(int, Parrived, (MPI_Request request, int partition, int *flag));
/* The program completes such a request itself; waits for it poll. */
MPI_DECLARE(int, Grequest_start,
            (MPI_Grequest_query_function * query, MPI_Grequest_free_function *release,
             MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request));
MPI_DECLARE(int, Grequest_complete, (MPI_Request request));
/* Fields of a status, for languages and layers that cannot access the struct. */
MPI_DECLARE(int, Status_set_cancelled, (MPI_Status * status, int flag));
MPI_DECLARE(int, Status_get_source, (const MPI_Status *status, int *source));
MPI_DECLARE(int, Status_get_tag, (const MPI_Status *status, int *tag));
MPI_DECLARE(int, Status_get_error, (const MPI_Status *status, int *err));
MPI_DECLARE(int, Status_set_source, (MPI_Status * status, int source));
MPI_DECLARE(int, Status_set_tag, (MPI_Status * status, int tag));
MPI_DECLARE(int, Status_set_error, (MPI_Status * status, int err));

/* ---- datatypes ---- */

/* MPI 4.1, ch. 5; datatype/mpi_type.c and mpi_type_new.c. Constructors with counts are in
 * mpi_counted.h. All calls are local. */

/* Costs nothing: a type is analysed when it is made. */
MPI_DECLARE(int, Type_commit, (MPI_Datatype * datatype));
MPI_DECLARE(int, Type_free, (MPI_Datatype * datatype));
MPI_DECLARE(int, Type_dup, (MPI_Datatype oldtype, MPI_Datatype *newtype));
/* By class and size in bytes, for Fortran's kinds. */
MPI_DECLARE(int, Type_match_size, (int typeclass, int size, MPI_Datatype *datatype));
MPI_DECLARE(int, Type_set_name, (MPI_Datatype datatype, const char *name));
MPI_DECLARE(int, Type_get_name, (MPI_Datatype datatype, char *name, int *length));
/* For gfortran's kinds. Equal arguments give the same type, which cannot be freed. */
MPI_DECLARE(int, Type_create_f90_integer, (int r, MPI_Datatype *newtype));
MPI_DECLARE(int, Type_create_f90_real, (int p, int r, MPI_Datatype *newtype));
MPI_DECLARE(int, Type_create_f90_complex, (int p, int r, MPI_Datatype *newtype));
MPI_DECLARE(int, Type_get_value_index,
            (MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype *pair_type));
/* Addresses are relative to MPI_BOTTOM, which is address 0. */
MPI_DECLARE(int, Get_address, (const void *location, MPI_Aint *address));
MPI_DECLARE(MPI_Aint, Aint_add, (MPI_Aint base, MPI_Aint displacement));
MPI_DECLARE(MPI_Aint, Aint_diff, (MPI_Aint addr1, MPI_Aint addr2));
/* Names of MPI 3 for what MPI 4 calls ..._c. */
MPI_DECLARE(int, Type_get_extent_x, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent));
MPI_DECLARE(int, Type_get_true_extent_x,
            (MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent));
MPI_DECLARE(int, Type_size_x, (MPI_Datatype datatype, MPI_Count *size));
MPI_DECLARE(int, Get_elements_x,
            (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count));
MPI_DECLARE(int, Status_set_elements_x,
            (MPI_Status * status, MPI_Datatype datatype, MPI_Count count));

/* ---- groups ---- */

/* MPI 4.1, 7.3; communicator/mpi_group.c. Local: a group is a list of tasks, and never changes. */

MPI_DECLARE(int, Group_size, (MPI_Group group, int *size));
MPI_DECLARE(int, Group_rank, (MPI_Group group, int *rank));
MPI_DECLARE(int, Group_translate_ranks,
            (MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]));
MPI_DECLARE(int, Group_compare, (MPI_Group group1, MPI_Group group2, int *result));
/* An empty result is MPI_GROUP_EMPTY. The program frees the others. */
MPI_DECLARE(int, Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup));
MPI_DECLARE(int, Group_intersection, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup));
MPI_DECLARE(int, Group_difference, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup));
MPI_DECLARE(int, Group_incl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup));
MPI_DECLARE(int, Group_excl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup));
MPI_DECLARE(int, Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup));
MPI_DECLARE(int, Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup));
MPI_DECLARE(int, Group_free, (MPI_Group * group));

/* ---- communicators ---- */

/* MPI 4.1, 7.4 and 7.6; communicator/: mpi_comm.c, mpi_comm_new.c, mpi_intercomm.c. Queries are
 * local. Calls that make a communicator are collective on the old one, except
 * MPI_Comm_create_group(), which only the members of the group call. */

MPI_DECLARE(int, Comm_size, (MPI_Comm comm, int *size));
MPI_DECLARE(int, Comm_rank, (MPI_Comm comm, int *rank));
MPI_DECLARE(int, Comm_compare, (MPI_Comm comm1, MPI_Comm comm2, int *result));
/* A new group, which the program frees. */
MPI_DECLARE(int, Comm_group, (MPI_Comm comm, MPI_Group *group));
/* Attributes and topology are copied; hints only by MPI_Comm_dup_with_info(). */
MPI_DECLARE(int, Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm));
MPI_DECLARE(int, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm));
MPI_DECLARE(int, Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request));
MPI_DECLARE(int, Comm_idup_with_info,
            (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request));
MPI_DECLARE(int, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm));
MPI_DECLARE(int, Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm));
/* MPI_UNDEFINED as colour: the caller gets MPI_COMM_NULL. Shared memory is the only resource of
 * MPI_Comm_split_type(). */
MPI_DECLARE(int, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm));
MPI_DECLARE(int, Comm_split_type,
            (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm));
/* Do not block here; operations in progress complete. */
MPI_DECLARE(int, Comm_free, (MPI_Comm * comm));
MPI_DECLARE(int, Comm_disconnect, (MPI_Comm * comm));
/* Intercommunicators: ranks of messages refer to the remote group. */
MPI_DECLARE(int, Comm_test_inter, (MPI_Comm comm, int *flag));
MPI_DECLARE(int, Comm_remote_size, (MPI_Comm comm, int *size));
MPI_DECLARE(int, Comm_remote_group, (MPI_Comm comm, MPI_Group *group));
MPI_DECLARE(int, Comm_set_name, (MPI_Comm comm, const char *name));
MPI_DECLARE(int, Comm_get_name, (MPI_Comm comm, char *name, int *length));
/* Hints whose keys begin with mpi_assert_ are kept; none has an effect. */
MPI_DECLARE(int, Comm_set_info, (MPI_Comm comm, MPI_Info info));
MPI_DECLARE(int, Comm_get_info, (MPI_Comm comm, MPI_Info *info_used));
/* Block until the other side has called, too. */
MPI_DECLARE(int, Intercomm_create,
            (MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
             MPI_Comm *newintercomm));
MPI_DECLARE(int, Intercomm_merge, (MPI_Comm intercomm, int high, MPI_Comm *newintracomm));

/* ---- attributes ---- */

/* MPI 4.1, 7.7; object/mpi_attribute_calls.c. Local. Delete functions run when a value is
 * replaced or deleted, and when its object is freed. A key stays valid as long as a value of it
 * exists. */

#define MPI_DECLARE_ATTRIBUTES(Kind, Handle)                                                       \
    MPI_DECLARE(int, Kind##_create_keyval,                                                         \
                (MPI_##Kind##_copy_attr_function * copy,                                           \
                 MPI_##Kind##_delete_attr_function * discard, int *keyval, void *extra));          \
    MPI_DECLARE(int, Kind##_free_keyval, (int *keyval));                                           \
    MPI_DECLARE(int, Kind##_set_attr, (Handle handle, int keyval, void *value));                   \
    MPI_DECLARE(int, Kind##_get_attr, (Handle handle, int keyval, void *value, int *flag));        \
    MPI_DECLARE(int, Kind##_delete_attr, (Handle handle, int keyval))
MPI_DECLARE_ATTRIBUTES(Comm, MPI_Comm);
MPI_DECLARE_ATTRIBUTES(Type, MPI_Datatype);
/* MPI-1's names, for communicators. */
MPI_DECLARE(int, Keyval_create,
            (MPI_Copy_function * copy, MPI_Delete_function *discard, int *keyval, void *extra));
MPI_DECLARE(int, Keyval_free, (int *keyval));
MPI_DECLARE(int, Attr_put, (MPI_Comm comm, int keyval, void *value));
MPI_DECLARE(int, Attr_get, (MPI_Comm comm, int keyval, void *value, int *flag));
MPI_DECLARE(int, Attr_delete, (MPI_Comm comm, int keyval));

/* ---- info ---- */

/* MPI 4.1, ch. 10; object/mpi_info.c. Local. Objects that take hints copy them, so a program may
 * free its info object at once. */

MPI_DECLARE(int, Info_create, (MPI_Info * info));
MPI_DECLARE(int, Info_create_env, (int argc, char *argv[], MPI_Info *info));
MPI_DECLARE(int, Info_dup, (MPI_Info info, MPI_Info *newinfo));
MPI_DECLARE(int, Info_free, (MPI_Info * info));
MPI_DECLARE(int, Info_set, (MPI_Info info, const char *key, const char *value));
/* Deprecated since MPI 4.0; MPI_Info_get_string() also returns the length that is needed. */
MPI_DECLARE(int, Info_get, (MPI_Info info, const char *key, int valuelen, char *value, int *flag));
MPI_DECLARE(int, Info_get_string,
            (MPI_Info info, const char *key, int *buflen, char *value, int *flag));
MPI_DECLARE(int, Info_get_valuelen, (MPI_Info info, const char *key, int *valuelen, int *flag));
MPI_DECLARE(int, Info_get_nkeys, (MPI_Info info, int *nkeys));
MPI_DECLARE(int, Info_get_nthkey, (MPI_Info info, int n, char *key));
MPI_DECLARE(int, Info_delete, (MPI_Info info, const char *key));

/* ---- collective operations without counts; operators ---- */

/* MPI 4.1, ch. 6; collective/: mpi_coll_calls.c, mpi_operator.c. An operator that does not
 * commute is applied in the order of ranks. */

MPI_DECLARE(int, Barrier, (MPI_Comm comm));
MPI_DECLARE(int, Ibarrier, (MPI_Comm comm, MPI_Request *request));
MPI_DECLARE(int, Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request *request));
/* The function must be associative. Operations in progress keep a freed operator. */
MPI_DECLARE(int, Op_create, (MPI_User_function * function, int commute, MPI_Op *op));
MPI_DECLARE(int, Op_create_c, (MPI_User_function_c * function, int commute, MPI_Op *op));
MPI_DECLARE(int, Op_free, (MPI_Op * op));
MPI_DECLARE(int, Op_commutative, (MPI_Op op, int *commute));

/* ---- topologies ---- */

/* MPI 4.1, ch. 8; communicator/: mpi_cart.c, mpi_graph.c. Only the ..._create() and
 * MPI_Cart_sub() are collective. `reorder` has an effect on meshes: hnow places neighbours near
 * each other. */

/* Members beyond the mesh get MPI_COMM_NULL. */
MPI_DECLARE(int, Cart_create,
            (MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
             MPI_Comm *comm_cart));
MPI_DECLARE(int, Dims_create, (int nnodes, int ndims, int dims[]));
/* Every member passes the whole graph; of a distributed graph, any edges. */
MPI_DECLARE(int, Graph_create,
            (MPI_Comm comm_old, int nnodes, const int index[], const int edges[], int reorder,
             MPI_Comm *comm_graph));
MPI_DECLARE(int, Dist_graph_create,
            (MPI_Comm comm_old, int n, const int sources[], const int degrees[],
             const int destinations[], const int *weights, MPI_Info info, int reorder,
             MPI_Comm *comm_dist_graph));
MPI_DECLARE(int, Dist_graph_create_adjacent,
            (MPI_Comm comm_old, int indegree, const int sources[], const int *sourceweights,
             int outdegree, const int destinations[], const int *destweights, MPI_Info info,
             int reorder, MPI_Comm *comm_dist_graph));
/* Local queries; neighbours are in the order of blocks in neighbourhood collectives. */
MPI_DECLARE(int, Topo_test, (MPI_Comm comm, int *status));
MPI_DECLARE(int, Cartdim_get, (MPI_Comm comm, int *ndims));
MPI_DECLARE(int, Cart_get, (MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]));
MPI_DECLARE(int, Cart_rank, (MPI_Comm comm, const int coords[], int *rank));
MPI_DECLARE(int, Cart_coords, (MPI_Comm comm, int rank, int maxdims, int coords[]));
MPI_DECLARE(int, Cart_shift,
            (MPI_Comm comm, int direction, int displacement, int *source, int *dest));
MPI_DECLARE(int, Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *newcomm));
/* Ranks stay: reordering needs MPI_Cart_create(). */
MPI_DECLARE(int, Cart_map,
            (MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank));
MPI_DECLARE(int, Graphdims_get, (MPI_Comm comm, int *nnodes, int *nedges));
MPI_DECLARE(int, Graph_get, (MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[]));
MPI_DECLARE(int, Graph_neighbors_count, (MPI_Comm comm, int rank, int *nneighbors));
MPI_DECLARE(int, Graph_neighbors, (MPI_Comm comm, int rank, int max, int neighbors[]));
MPI_DECLARE(int, Graph_map,
            (MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank));
MPI_DECLARE(int, Dist_graph_neighbors_count,
            (MPI_Comm comm, int *indegree, int *outdegree, int *weighted));
MPI_DECLARE(int, Dist_graph_neighbors,
            (MPI_Comm comm, int maxindegree, int sources[], int *sourceweights, int maxoutdegree,
             int destinations[], int *destweights));

/* ---- dynamic processes ---- */

/* MPI 4.1, 11.8 to 11.10; process/: mpi_spawn.c, mpi_port.c. Collective and blocking; except at
 * the root, only the communicator and the root count. Ports and names are known within one job. */

/* Info keys: host, arch, wdir, path, soft, mpi_initial_errhandler. */
MPI_DECLARE(int, Comm_spawn,
            (const char *command, char *argv[], int maxprocs, MPI_Info info, int root,
             MPI_Comm comm, MPI_Comm *intercomm, int errcodes[]));
MPI_DECLARE(int, Comm_spawn_multiple,
            (int count, char *commands[], char **argvs[], const int maxprocs[],
             const MPI_Info infos[], int root, MPI_Comm comm, MPI_Comm *intercomm, int errcodes[]));
/* Local. MPI_COMM_NULL if the task was not spawned. */
MPI_DECLARE(int, Comm_get_parent, (MPI_Comm * parent));
/* Local, with a round trip to hrun. A port is closed with the end of its task. */
MPI_DECLARE(int, Open_port, (MPI_Info info, char *port));
MPI_DECLARE(int, Close_port, (const char *port));
/* The info key "timeout" of MPI_Comm_connect() is in seconds. */
MPI_DECLARE(int, Comm_accept,
            (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm));
MPI_DECLARE(int, Comm_connect,
            (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm));
/* Two tasks that share a socket; it must be quiet on both ends. */
MPI_DECLARE(int, Comm_join, (int fd, MPI_Comm *intercomm));
/* Names of services are entries of the job's name service, owned by the task. */
MPI_DECLARE(int, Publish_name, (const char *service, MPI_Info info, const char *port));
MPI_DECLARE(int, Unpublish_name, (const char *service, MPI_Info info, const char *port));
MPI_DECLARE(int, Lookup_name, (const char *service, MPI_Info info, char *port));

/* ---- failures ---- */

/* The proposal ULFM; communicator/: mpi_failure.c, mpi_agree.c. Useful only with an error
 * handler that returns. MPIX_Comm_revoke() needs one member; shrink and agree need all that are
 * alive. */
MPIX_DECLARE(int, Comm_revoke, (MPI_Comm comm));
MPIX_DECLARE(int, Comm_is_revoked, (MPI_Comm comm, int *flag));
MPIX_DECLARE(int, Comm_shrink, (MPI_Comm comm, MPI_Comm *newcomm));
MPIX_DECLARE(int, Comm_agree, (MPI_Comm comm, int *flag));
MPIX_DECLARE(int, Comm_ishrink, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request));
MPIX_DECLARE(int, Comm_iagree, (MPI_Comm comm, int *flag, MPI_Request *request));
/* Ask hrun which members have ended: a round trip. */
MPIX_DECLARE(int, Comm_failure_ack, (MPI_Comm comm));
MPIX_DECLARE(int, Comm_failure_get_acked, (MPI_Comm comm, MPI_Group *failed));
MPIX_DECLARE(int, Comm_get_failed, (MPI_Comm comm, MPI_Group *failed));
MPIX_DECLARE(int, Comm_ack_failed, (MPI_Comm comm, int count, int *acked));

/* ---- Fortran handles, and handles as integers: the same numbers ---- */

#define MPI_DECLARE_FORTRAN(Name, Handle)                                                          \
    MPI_DECLARE(MPI_Fint, Name##_c2f, (Handle handle));                                            \
    MPI_DECLARE(Handle, Name##_f2c, (MPI_Fint handle));                                            \
    MPI_DECLARE(int, Name##_toint, (Handle handle));                                               \
    MPI_DECLARE(Handle, Name##_fromint, (int handle))
/* object/mpi_number.c. A handle without an object converts to an invalid number. */
MPI_DECLARE_FORTRAN(Comm, MPI_Comm);
MPI_DECLARE_FORTRAN(Type, MPI_Datatype);
MPI_DECLARE_FORTRAN(Group, MPI_Group);
MPI_DECLARE_FORTRAN(Op, MPI_Op);
MPI_DECLARE_FORTRAN(Request, MPI_Request);
MPI_DECLARE_FORTRAN(Info, MPI_Info);
MPI_DECLARE_FORTRAN(Errhandler, MPI_Errhandler);
MPI_DECLARE_FORTRAN(Message, MPI_Message);
MPI_DECLARE_FORTRAN(Win, MPI_Win);
MPI_DECLARE_FORTRAN(File, MPI_File);
MPI_DECLARE_FORTRAN(Session, MPI_Session);
/* A status has the same fields in all languages. */
MPI_DECLARE(int, Status_c2f, (const MPI_Status *status, MPI_Fint *fortran));
MPI_DECLARE(int, Status_f2c, (const MPI_Fint *fortran, MPI_Status *status));
MPI_DECLARE(int, Status_c2f08, (const MPI_Status *status, MPI_F08_status *fortran));
MPI_DECLARE(int, Status_f082c, (const MPI_F08_status *fortran, MPI_Status *status));
MPI_DECLARE(int, Status_f2f08, (const MPI_Fint *fortran, MPI_F08_status *fortran_2008));
MPI_DECLARE(int, Status_f082f, (const MPI_F08_status *fortran_2008, MPI_Fint *fortran));

/* ---- functions with counts, in both forms ---- */

#include "mpi_arguments.h"
#include "mpi_file_counted.h"
#define MPI_FORMS "mpi_counted.h"
#include "mpi_forms.h"

#include "mpi_file_functions.h"
#include "mpi_rma_functions.h"
#include "mpi_session_functions.h"
#include "mpi_tool_functions.h"

/* The two forms return different lists. Datatypes that are returned are new handles, which the
 * program frees unless they are predefined. */
MPI_DECLARE(int, Type_get_envelope,
            (MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes,
             int *combiner));
MPI_DECLARE(int, Type_get_envelope_c,
            (MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses,
             MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner));
MPI_DECLARE(int, Type_get_contents,
            (MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
             int ints[], MPI_Aint addresses[], MPI_Datatype array_of_datatypes[]));
MPI_DECLARE(int, Type_get_contents_c,
            (MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
             MPI_Count max_large_counts, MPI_Count max_datatypes, int ints[], MPI_Aint addresses[],
             MPI_Count array_of_large_counts[], MPI_Datatype array_of_datatypes[]));

/* ---- names of MPI-1 that later versions removed, but old programs use ---- */

#ifndef MPI_NO_OLD_NAMES
/* Define MPI_NO_OLD_NAMES before mpi.h to find uses of them. */
MPI_DECLARE(int, Address, (void *location, MPI_Aint *address));
MPI_DECLARE(int, Type_extent, (MPI_Datatype datatype, MPI_Aint *extent));
MPI_DECLARE(int, Type_lb, (MPI_Datatype datatype, MPI_Aint *lb));
MPI_DECLARE(int, Type_ub, (MPI_Datatype datatype, MPI_Aint *ub));
MPI_DECLARE(int, Type_hvector,
            (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
             MPI_Datatype *newtype));
MPI_DECLARE(int, Type_hindexed,
            (int count, int lengths[], MPI_Aint displacements[], MPI_Datatype oldtype,
             MPI_Datatype *newtype));
MPI_DECLARE(int, Type_struct,
            (int count, int lengths[], MPI_Aint displacements[], MPI_Datatype types[],
             MPI_Datatype *newtype));
#endif

#endif

/* mpi_rma_functions.h - one-sided communication without counts; mpi_functions.h includes this
 * file. MPI 4.1, chapter 12; the definitions are in window/. Memory of members on one host that
 * MPI has allocated is accessed directly; other members' memory by requests to a thread there. */

/* ---- windows ---- */

/* Collective. Memory is the program's (create), MPI's (allocate), or attached later (dynamic). */
MPI_DECLARE(int, Win_create,
            (void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win));
MPI_DECLARE(int, Win_create_c,
            (void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
             MPI_Win *win));
MPI_DECLARE(int, Win_allocate,
            (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
             MPI_Win *win));
MPI_DECLARE(int, Win_allocate_c,
            (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
             MPI_Win *win));
MPI_DECLARE(int, Win_allocate_shared,
            (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
             MPI_Win *win));
MPI_DECLARE(int, Win_allocate_shared_c,
            (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
             MPI_Win *win));
/* Local. A size of 0 for members whose memory cannot be reached directly. */
MPI_DECLARE(int, Win_shared_query,
            (MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr));
MPI_DECLARE(int, Win_shared_query_c,
            (MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr));
MPI_DECLARE(int, Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win));
/* Local; the program sends addresses to the other members itself. */
MPI_DECLARE(int, Win_attach, (MPI_Win win, void *base, MPI_Aint size));
MPI_DECLARE(int, Win_detach, (MPI_Win win, const void *base));
/* Collective: returns when no member can access the window any more. */
MPI_DECLARE(int, Win_free, (MPI_Win * win));
/* Local, as all calls up to the attributes. */
MPI_DECLARE(int, Win_get_group, (MPI_Win win, MPI_Group *group));
MPI_DECLARE(int, Win_set_info, (MPI_Win win, MPI_Info info));
MPI_DECLARE(int, Win_get_info, (MPI_Win win, MPI_Info *info_used));
MPI_DECLARE(int, Win_set_name, (MPI_Win win, const char *name));
MPI_DECLARE(int, Win_get_name, (MPI_Win win, char *name, int *length));
MPI_DECLARE(int, Win_create_errhandler,
            (MPI_Win_errhandler_function * function, MPI_Errhandler *errhandler));
MPI_DECLARE(int, Win_set_errhandler, (MPI_Win win, MPI_Errhandler errhandler));
MPI_DECLARE(int, Win_get_errhandler, (MPI_Win win, MPI_Errhandler *errhandler));
MPI_DECLARE(int, Win_call_errhandler, (MPI_Win win, int errorcode));
MPI_DECLARE(int, Win_create_keyval,
            (MPI_Win_copy_attr_function * copy, MPI_Win_delete_attr_function *discard, int *keyval,
             void *extra));
MPI_DECLARE(int, Win_free_keyval, (int *keyval));
MPI_DECLARE(int, Win_set_attr, (MPI_Win win, int keyval, void *value));
MPI_DECLARE(int, Win_get_attr, (MPI_Win win, int keyval, void *value, int *flag));
MPI_DECLARE(int, Win_delete_attr, (MPI_Win win, int keyval));

/* ---- synchronization ---- */

/* Collective on the window. It completes all accesses of all members. */
MPI_DECLARE(int, Win_fence, (int assert, MPI_Win win));
/* General active target synchronisation. Start and wait block; post and complete do not. */
MPI_DECLARE(int, Win_post, (MPI_Group group, int assert, MPI_Win win));
MPI_DECLARE(int, Win_start, (MPI_Group group, int assert, MPI_Win win));
MPI_DECLARE(int, Win_complete, (MPI_Win win));
MPI_DECLARE(int, Win_wait, (MPI_Win win));
MPI_DECLARE(int, Win_test, (MPI_Win win, int *flag));
/* Passive target: the target's program takes no part. A lock waits until it is granted, also for
 * members that have failed: their locks are released. */
MPI_DECLARE(int, Win_lock, (int lock_type, int rank, int assert, MPI_Win win));
MPI_DECLARE(int, Win_unlock, (int rank, MPI_Win win));
MPI_DECLARE(int, Win_lock_all, (int assert, MPI_Win win));
MPI_DECLARE(int, Win_unlock_all, (MPI_Win win));
/* Block until accesses are complete, at the target or (local) at the origin. */
MPI_DECLARE(int, Win_flush, (int rank, MPI_Win win));
MPI_DECLARE(int, Win_flush_all, (MPI_Win win));
MPI_DECLARE(int, Win_flush_local, (int rank, MPI_Win win));
MPI_DECLARE(int, Win_flush_local_all, (MPI_Win win));
/* A memory fence, as the memory model is the unified one. */
MPI_DECLARE(int, Win_sync, (MPI_Win win));

/* ---- accesses to one element ---- */

/* Nonblocking, like other accesses: the result is valid after a flush. */
MPI_DECLARE(int, Fetch_and_op,
            (const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
             MPI_Aint target_disp, MPI_Op op, MPI_Win win));
MPI_DECLARE(int, Compare_and_swap,
            (const void *origin_addr, const void *compare_addr, void *result_addr,
             MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win));

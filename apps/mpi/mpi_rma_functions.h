/* mpi_rma_functions.h - one-sided communication without counts; mpi_functions.h includes this
 * file. */

/* ---- windows ---- */

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
MPI_DECLARE(int, Win_shared_query,
            (MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr));
MPI_DECLARE(int, Win_shared_query_c,
            (MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr));
MPI_DECLARE(int, Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win));
MPI_DECLARE(int, Win_attach, (MPI_Win win, void *base, MPI_Aint size));
MPI_DECLARE(int, Win_detach, (MPI_Win win, const void *base));
MPI_DECLARE(int, Win_free, (MPI_Win * win));
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

MPI_DECLARE(int, Win_fence, (int assert, MPI_Win win));
MPI_DECLARE(int, Win_post, (MPI_Group group, int assert, MPI_Win win));
MPI_DECLARE(int, Win_start, (MPI_Group group, int assert, MPI_Win win));
MPI_DECLARE(int, Win_complete, (MPI_Win win));
MPI_DECLARE(int, Win_wait, (MPI_Win win));
MPI_DECLARE(int, Win_test, (MPI_Win win, int *flag));
MPI_DECLARE(int, Win_lock, (int lock_type, int rank, int assert, MPI_Win win));
MPI_DECLARE(int, Win_unlock, (int rank, MPI_Win win));
MPI_DECLARE(int, Win_lock_all, (int assert, MPI_Win win));
MPI_DECLARE(int, Win_unlock_all, (MPI_Win win));
MPI_DECLARE(int, Win_flush, (int rank, MPI_Win win));
MPI_DECLARE(int, Win_flush_all, (MPI_Win win));
MPI_DECLARE(int, Win_flush_local, (int rank, MPI_Win win));
MPI_DECLARE(int, Win_flush_local_all, (MPI_Win win));
MPI_DECLARE(int, Win_sync, (MPI_Win win));

/* ---- accesses to one element ---- */

MPI_DECLARE(int, Fetch_and_op,
            (const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
             MPI_Aint target_disp, MPI_Op op, MPI_Win win));
MPI_DECLARE(int, Compare_and_swap,
            (const void *origin_addr, const void *compare_addr, void *result_addr,
             MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win));

/* mpi_rma_counted.h - accesses to windows, in both forms; mpi_counted.h includes this. */

MPI_DECLARE(int, MPI_F(Put),
            (const void *origin_addr, MPI_N origin_count, MPI_Datatype origin_datatype,
             int target_rank, MPI_Aint target_disp, MPI_N target_count,
             MPI_Datatype target_datatype, MPI_Win win));
MPI_DECLARE(int, MPI_F(Get),
            (void *result_addr, MPI_N result_count, MPI_Datatype result_datatype, int target_rank,
             MPI_Aint target_disp, MPI_N target_count, MPI_Datatype target_datatype, MPI_Win win));
MPI_DECLARE(int, MPI_F(Accumulate),
            (const void *origin_addr, MPI_N origin_count, MPI_Datatype origin_datatype,
             int target_rank, MPI_Aint target_disp, MPI_N target_count,
             MPI_Datatype target_datatype, MPI_Op op, MPI_Win win));
MPI_DECLARE(int, MPI_F(Get_accumulate),
            (const void *origin_addr, MPI_N origin_count, MPI_Datatype origin_datatype,
             void *result_addr, MPI_N result_count, MPI_Datatype result_datatype, int target_rank,
             MPI_Aint target_disp, MPI_N target_count, MPI_Datatype target_datatype, MPI_Op op,
             MPI_Win win));
MPI_DECLARE(int, MPI_F(Rput),
            (const void *origin_addr, MPI_N origin_count, MPI_Datatype origin_datatype,
             int target_rank, MPI_Aint target_disp, MPI_N target_count,
             MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Rget),
            (void *result_addr, MPI_N result_count, MPI_Datatype result_datatype, int target_rank,
             MPI_Aint target_disp, MPI_N target_count, MPI_Datatype target_datatype, MPI_Win win,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(Raccumulate),
            (const void *origin_addr, MPI_N origin_count, MPI_Datatype origin_datatype,
             int target_rank, MPI_Aint target_disp, MPI_N target_count,
             MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request));
MPI_DECLARE(int, MPI_F(Rget_accumulate),
            (const void *origin_addr, MPI_N origin_count, MPI_Datatype origin_datatype,
             void *result_addr, MPI_N result_count, MPI_Datatype result_datatype, int target_rank,
             MPI_Aint target_disp, MPI_N target_count, MPI_Datatype target_datatype, MPI_Op op,
             MPI_Win win, MPI_Request *request));

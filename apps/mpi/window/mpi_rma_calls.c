/* mpi_rma_calls.c - the calls for accesses to windows. */
#include "window/mpi_rma.h"

#define MPI_FORMS "window/mpi_rma_forms.h"
#include "mpi_forms.h"

MPI_DEFINE(int, Fetch_and_op,
           (const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
            MPI_Aint target_disp, MPI_Op op, MPI_Win win))
{
    return rma_do(&(struct rma_call){.kind = SERVICE_GET_ACCUMULATE,
                                     .origin = {origin_addr, 1, datatype, NULL},
                                     .result = {result_addr, 1, datatype, NULL},
                                     .win = win,
                                     .rank = target_rank,
                                     .at = target_disp,
                                     .count = 1,
                                     .handle = datatype,
                                     .op = op,
                                     .call = MPI_CALL});
}

MPI_DEFINE(int, Compare_and_swap,
           (const void *origin_addr, const void *compare_addr, void *result_addr,
            MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win))
{
    return rma_do(&(struct rma_call){.kind = SERVICE_COMPARE_AND_SWAP,
                                     .origin = {origin_addr, 1, datatype, NULL},
                                     .result = {result_addr, 1, datatype, NULL},
                                     .compare = {compare_addr, 1, datatype, NULL},
                                     .win = win,
                                     .rank = target_rank,
                                     .at = target_disp,
                                     .count = 1,
                                     .handle = datatype,
                                     .call = MPI_CALL});
}

/* mpi_rma_calls.c - the calls for accesses to windows.
 *
 * MPI 4.1: 12.3.1 (put), 12.3.2 (get), 12.3.4 (accumulates), 12.3.5 (with a request).
 *
 * The calls only fill in an rma_call; rma_do() checks and executes it. Those with counts exist
 * twice, for int and MPI_Count, and come from mpi_rma_forms.h. The two calls below have no
 * counts, hence one form.
 */
#include "window/mpi_rma.h"

#define MPI_FORMS "window/mpi_rma_forms.h"
#include "mpi_forms.h"

/* A get-accumulate of one element. The standard intends a faster path; here it saves nothing. */
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

/* MPI_Win_flush() completes it like all accumulates. */
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

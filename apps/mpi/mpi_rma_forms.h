/* mpi_rma_forms.h - the calls for accesses to windows in one of their two forms: mpi_rma_calls.c
 * includes this twice.  MPI_N: a count; MPI_F(name): the name of this form. */

#define TARGET      .win = win, .rank = target_rank, .at = target_disp, .call = MPI_CALL
#define TARGET_DATA TARGET, .count = target_count, .handle = target_datatype
#define ORIGIN      .origin = {origin_addr, origin_count, origin_datatype, NULL}
#define RESULT      .result = {result_addr, result_count, result_datatype, NULL}
#define ACCESS(...) return rma_do(&(struct rma_call){__VA_ARGS__})

#define PUT_ARGS                                                                                   \
    const void *origin_addr, MPI_N origin_count, MPI_Datatype origin_datatype, int target_rank,    \
        MPI_Aint target_disp, MPI_N target_count, MPI_Datatype target_datatype
#define GET_ARGS                                                                                   \
    void *result_addr, MPI_N result_count, MPI_Datatype result_datatype, int target_rank,          \
        MPI_Aint target_disp, MPI_N target_count, MPI_Datatype target_datatype
#define GET_ACCUMULATE_ARGS                                                                        \
    const void *origin_addr, MPI_N origin_count, MPI_Datatype origin_datatype, void *result_addr,  \
        MPI_N result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,   \
        MPI_N target_count, MPI_Datatype target_datatype, MPI_Op op

MPI_DEFINE(int, MPI_F(Put), (PUT_ARGS, MPI_Win win))
{
    ACCESS(.kind = SERVICE_PUT, ORIGIN, TARGET_DATA);
}

MPI_DEFINE(int, MPI_F(Get), (GET_ARGS, MPI_Win win))
{
    ACCESS(.kind = SERVICE_GET, RESULT, TARGET_DATA);
}

MPI_DEFINE(int, MPI_F(Accumulate), (PUT_ARGS, MPI_Op op, MPI_Win win))
{
    ACCESS(.kind = SERVICE_ACCUMULATE, ORIGIN, TARGET_DATA, .op = op);
}

MPI_DEFINE(int, MPI_F(Get_accumulate), (GET_ACCUMULATE_ARGS, MPI_Win win))
{
    ACCESS(.kind = SERVICE_GET_ACCUMULATE, ORIGIN, RESULT, TARGET_DATA, .op = op);
}

MPI_DEFINE(int, MPI_F(Rput), (PUT_ARGS, MPI_Win win, MPI_Request *request))
{
    ACCESS(.kind = SERVICE_PUT, ORIGIN, TARGET_DATA, .request = request, .has_request = true);
}

MPI_DEFINE(int, MPI_F(Rget), (GET_ARGS, MPI_Win win, MPI_Request *request))
{
    ACCESS(.kind = SERVICE_GET, RESULT, TARGET_DATA, .request = request, .has_request = true);
}

MPI_DEFINE(int, MPI_F(Raccumulate), (PUT_ARGS, MPI_Op op, MPI_Win win, MPI_Request *request))
{
    ACCESS(.kind = SERVICE_ACCUMULATE, ORIGIN, TARGET_DATA, .op = op, .request = request,
           .has_request = true);
}

MPI_DEFINE(int, MPI_F(Rget_accumulate), (GET_ACCUMULATE_ARGS, MPI_Win win, MPI_Request *request))
{
    ACCESS(.kind = SERVICE_GET_ACCUMULATE, ORIGIN, RESULT, TARGET_DATA, .op = op,
           .request = request, .has_request = true);
}

#undef TARGET_DATA
#undef ORIGIN
#undef RESULT
#undef PUT_ARGS
#undef GET_ARGS
#undef GET_ACCUMULATE_ARGS
#undef TARGET
#undef ACCESS

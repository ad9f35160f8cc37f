/* mpi_rma_forms.h - window access calls in one of two forms; mpi_rma_calls.c includes this file
 * twice. mpi_arguments.h has the arguments. Designated initialisers leave out what a kind does
 * not have. The zeros there mean: no data, no operator. MPI_Get names its buffer origin_addr,
 * too, but stores into it: therefore it is the result here. */

#define ORIGIN .origin = {origin_addr, origin_count, origin_datatype, NULL}
#define RESULT .result = {result_addr, result_count, result_datatype, NULL}
#define TARGET                                                                                     \
    .win = win, .rank = target_rank, .at = target_disp, .count = target_count,                     \
    .handle = target_datatype, .call = MPI_CALL

/* A call, and its variant that returns a request. */
#define ACCESS(Name, name, args, last, ...)                                                        \
    MPI_DEFINE(int, MPI_F(Name), (args, MPI_ARGS_TARGET, last))                                    \
    {                                                                                              \
        return rma_do(&(struct rma_call){__VA_ARGS__, TARGET});                                    \
    }                                                                                              \
    MPI_DEFINE(int, MPI_F(R##name), (args, MPI_ARGS_TARGET, last, MPI_Request * request))          \
    {                                                                                              \
        return rma_do(                                                                             \
            &(struct rma_call){__VA_ARGS__, TARGET, .request = request, .has_request = true});     \
    }

ACCESS(Put, put, MPI_ARGS_ORIGIN, MPI_Win win, .kind = SERVICE_PUT, ORIGIN)
ACCESS(Get, get, MPI_ARGS_RESULT, MPI_Win win, .kind = SERVICE_GET,
       .result = {origin_addr, origin_count, origin_datatype, NULL})
/* Arguments follow the order of the standard's declarations; `last` ends them. */
ACCESS(Accumulate, accumulate, MPI_ARGS_ORIGIN, MPI_ARGS_OP_WIN, .kind = SERVICE_ACCUMULATE, ORIGIN,
       .op = op)
ACCESS(Get_accumulate, get_accumulate, MPI_ARGS_ORIGIN_RESULT, MPI_ARGS_OP_WIN,
       .kind = SERVICE_GET_ACCUMULATE, ORIGIN, RESULT, .op = op)

#undef ORIGIN
#undef RESULT
#undef TARGET
#undef ACCESS

/* mpi_check.h - what must be true in an MPI program of a test: else it says so, and the job ends.
 */
#pragma once

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            int check_rank = -1;                                                                   \
            MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);                                            \
            fprintf(stderr, "%s:%d: rank %d: %s is false\n", __FILE__, __LINE__, check_rank,       \
                    #condition);                                                                   \
            _Exit(1);                                                                              \
        }                                                                                          \
    } while (0)
#define OK(call) CHECK((call) == MPI_SUCCESS)

/* The class of an error code. */
static inline int class_of(int code)
{
    int found;

    OK(MPI_Error_class(code, &found));
    return found;
}

/* The end of main(): when all members have reached it, one prints so. */
static inline int all_right(void)
{
    int rank;

    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        puts("all right");
    return MPI_Finalize();
}

/* mpi_missing.h - what a function of MPI says that hnow does not have. */
#ifndef MPI_MISSING_H
#define MPI_MISSING_H

/* MPI_ERR_UNSUPPORTED_OPERATION, by the error handler of MPI_COMM_SELF or MPI_COMM_WORLD. */
int missing(const char *call);

#endif

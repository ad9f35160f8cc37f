/* mpi_pack_forms.h - packing calls in one of two forms; mpi_pack_calls.c includes this file twice.
 * MPI_N: a count; MPI_H: a size in bytes where the int form has an address. `p` and MPI_CALL are
 * known inside the arguments of PACKING. Pack_external and its relatives use MPI_H for sizes,
 * since MPI 4.1, 5.3 declares them as MPI_Aint in the int form. */

/* Defines a call: what it does with the arguments p that `check` has found valid. */
#define PACKING(Name, args, check, action)                                                         \
    MPI_DEFINE(int, MPI_F(Name), args)                                                             \
    {                                                                                              \
        struct packing p = {0};                                                                    \
        int error = check;                                                                         \
        return error == MPI_SUCCESS ? action : error;                                              \
    }

/* Native form: MPI 4.1, 5.2. `outsize` is the size of the whole buffer and not the rest of it. */
PACKING(Pack,
        (const void *inbuf, MPI_N incount, MPI_Datatype datatype, void *outbuf, MPI_N outsize,
         MPI_N *position, MPI_Comm comm),
        check_comm(&p, comm, datatype, incount, MPI_CALL),
        convert(&p, false, (void *)inbuf, outbuf, outsize, COUNTS(position), MPI_CALL))
PACKING(Unpack,
        (const void *inbuf, MPI_N insize, MPI_N *position, void *outbuf, MPI_N outcount,
         MPI_Datatype datatype, MPI_Comm comm),
        check_comm(&p, comm, datatype, outcount, MPI_CALL),
        convert(&p, true, outbuf, (char *)inbuf, insize, COUNTS(position), MPI_CALL))
PACKING(Pack_size, (MPI_N incount, MPI_Datatype datatype, MPI_Comm comm, MPI_N *size),
        check_comm(&p, comm, datatype, incount, MPI_CALL), answer_size(&p, COUNTS(size), MPI_CALL))
/* The position is advanced only if the data has room. */
PACKING(Pack_external,
        (const char datarep[], const void *inbuf, MPI_N incount, MPI_Datatype datatype,
         void *outbuf, MPI_H outsize, MPI_H *position),
        check_external(&p, datarep, datatype, incount, MPI_CALL),
        convert(&p, false, (void *)inbuf, outbuf, outsize, COUNTS(position), MPI_CALL))
PACKING(Unpack_external,
        (const char datarep[], const void *inbuf, MPI_H insize, MPI_H *position, void *outbuf,
         MPI_N outcount, MPI_Datatype datatype),
        check_external(&p, datarep, datatype, outcount, MPI_CALL),
        convert(&p, true, outbuf, (char *)inbuf, insize, COUNTS(position), MPI_CALL))
PACKING(Pack_external_size,
        (const char datarep[], MPI_N incount, MPI_Datatype datatype, MPI_H *size),
        check_external(&p, datarep, datatype, incount, MPI_CALL),
        answer_size(&p, COUNTS(size), MPI_CALL))
#undef PACKING

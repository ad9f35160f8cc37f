/* mpi_pack_forms.h - packing calls in one of two forms; mpi_pack_calls.c includes this file twice.
 * MPI_N: a count; MPI_H: a size in bytes where the int form has an address. */

MPI_DEFINE(int, MPI_F(Pack),
           (const void *inbuf, MPI_N incount, MPI_Datatype datatype, void *outbuf, MPI_N outsize,
            MPI_N *position, MPI_Comm comm))
{
    struct packing p = {0};
    int error = check_comm(&p, comm, datatype, incount, MPI_CALL);

    return error != MPI_SUCCESS
               ? error
               : convert(&p, false, (void *)inbuf, outbuf, outsize, COUNTS(position), MPI_CALL);
}

MPI_DEFINE(int, MPI_F(Unpack),
           (const void *inbuf, MPI_N insize, MPI_N *position, void *outbuf, MPI_N outcount,
            MPI_Datatype datatype, MPI_Comm comm))
{
    struct packing p = {0};
    int error = check_comm(&p, comm, datatype, outcount, MPI_CALL);

    return error != MPI_SUCCESS
               ? error
               : convert(&p, true, outbuf, (char *)inbuf, insize, COUNTS(position), MPI_CALL);
}

MPI_DEFINE(int, MPI_F(Pack_size),
           (MPI_N incount, MPI_Datatype datatype, MPI_Comm comm, MPI_N *size))
{
    struct packing p = {0};
    int error = check_comm(&p, comm, datatype, incount, MPI_CALL);

    if (error != MPI_SUCCESS)
        return error;
    if (!size)
        return no_position(p.c, MPI_CALL);
    counts_put(COUNTS(size), size_of(&p));
    return MPI_SUCCESS;
}

MPI_DEFINE(int, MPI_F(Pack_external),
           (const char datarep[], const void *inbuf, MPI_N incount, MPI_Datatype datatype,
            void *outbuf, MPI_H outsize, MPI_H *position))
{
    struct packing p = {0};
    int error = check_external(&p, datarep, datatype, incount, MPI_CALL);

    return error != MPI_SUCCESS
               ? error
               : convert(&p, false, (void *)inbuf, outbuf, outsize, COUNTS(position), MPI_CALL);
}

MPI_DEFINE(int, MPI_F(Unpack_external),
           (const char datarep[], const void *inbuf, MPI_H insize, MPI_H *position, void *outbuf,
            MPI_N outcount, MPI_Datatype datatype))
{
    struct packing p = {0};
    int error = check_external(&p, datarep, datatype, outcount, MPI_CALL);

    return error != MPI_SUCCESS
               ? error
               : convert(&p, true, outbuf, (char *)inbuf, insize, COUNTS(position), MPI_CALL);
}

MPI_DEFINE(int, MPI_F(Pack_external_size),
           (const char datarep[], MPI_N incount, MPI_Datatype datatype, MPI_H *size))
{
    struct packing p = {0};
    int error = check_external(&p, datarep, datatype, incount, MPI_CALL);

    if (error != MPI_SUCCESS)
        return error;
    if (!size)
        return no_position(NULL, MPI_CALL);
    *size = (MPI_H)size_of(&p);
    return MPI_SUCCESS;
}

/* mpi_type_forms.h - the constructors in one of two forms; mpi_type_new.c includes this file
 * twice.  MPI_N: a count; MPI_H: a displacement in bytes; MPI_LARGE: the form with MPI_Count. */

MPI_DEFINE(int, MPI_F(Type_contiguous), (MPI_N count, MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    return make_rows(MPI_CALL, MPI_LARGE, MPI_COMBINER_CONTIGUOUS, count, 1, 1, false, oldtype,
                     newtype);
}

MPI_DEFINE(int, MPI_F(Type_vector),
           (MPI_N count, MPI_N blocklength, MPI_N stride, MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    return make_rows(MPI_CALL, MPI_LARGE, MPI_COMBINER_VECTOR, count, blocklength, stride, false,
                     oldtype, newtype);
}

MPI_DEFINE(int, MPI_F(Type_create_hvector),
           (MPI_N count, MPI_N blocklength, MPI_H stride, MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    return make_rows(MPI_CALL, MPI_LARGE, MPI_COMBINER_HVECTOR, count, blocklength, stride, true,
                     oldtype, newtype);
}

MPI_DEFINE(int, MPI_F(Type_indexed),
           (MPI_N count, const MPI_N lengths[], const MPI_N displacements[], MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    WIDE_CHECK(count, lengths);
    WIDE_CHECK(count, displacements);
    WIDE_LIST(l, lengths, count);
    WIDE_LIST(d, displacements, count);
    int error = l && d ? make_blocks(MPI_CALL, MPI_LARGE, MPI_COMBINER_INDEXED,
                                     &(struct block_list){count, 0, l, d, false}, oldtype, newtype)
                       : no_memory(MPI_CALL);
    free(l);
    free(d);
    return error;
}

MPI_DEFINE(int, MPI_F(Type_create_hindexed),
           (MPI_N count, const MPI_N lengths[], const MPI_H displacements[], MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    WIDE_CHECK(count, lengths);
    WIDE_CHECK(count, displacements);
    WIDE_LIST(l, lengths, count);
    WIDE_LIST(d, displacements, count);
    int error = l && d ? make_blocks(MPI_CALL, MPI_LARGE, MPI_COMBINER_HINDEXED,
                                     &(struct block_list){count, 0, l, d, true}, oldtype, newtype)
                       : no_memory(MPI_CALL);
    free(l);
    free(d);
    return error;
}

MPI_DEFINE(int, MPI_F(Type_create_indexed_block),
           (MPI_N count, MPI_N blocklength, const MPI_N displacements[], MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    WIDE_CHECK(count, displacements);
    WIDE_LIST(d, displacements, count);
    int error =
        d ? make_blocks(MPI_CALL, MPI_LARGE, MPI_COMBINER_INDEXED_BLOCK,
                        &(struct block_list){count, blocklength, NULL, d, false}, oldtype, newtype)
          : no_memory(MPI_CALL);
    free(d);
    return error;
}

MPI_DEFINE(int, MPI_F(Type_create_hindexed_block),
           (MPI_N count, MPI_N blocklength, const MPI_H displacements[], MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    WIDE_CHECK(count, displacements);
    WIDE_LIST(d, displacements, count);
    int error =
        d ? make_blocks(MPI_CALL, MPI_LARGE, MPI_COMBINER_HINDEXED_BLOCK,
                        &(struct block_list){count, blocklength, NULL, d, true}, oldtype, newtype)
          : no_memory(MPI_CALL);
    free(d);
    return error;
}

MPI_DEFINE(int, MPI_F(Type_create_struct),
           (MPI_N count, const MPI_N lengths[], const MPI_H displacements[],
            const MPI_Datatype types[], MPI_Datatype *newtype))
{
    WIDE_CHECK(count, lengths);
    WIDE_CHECK(count, displacements);
    WIDE_CHECK(count, types);
    WIDE_LIST(l, lengths, count);
    WIDE_LIST(d, displacements, count);
    int error = l && d ? make_struct(MPI_CALL, MPI_LARGE, count, l, d, types, newtype)
                       : no_memory(MPI_CALL);
    free(l);
    free(d);
    return error;
}

MPI_DEFINE(int, MPI_F(Type_create_subarray),
           (int ndims, const MPI_N sizes[], const MPI_N subsizes[], const MPI_N starts[], int order,
            MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    WIDE_CHECK(ndims, sizes);
    WIDE_CHECK(ndims, subsizes);
    WIDE_CHECK(ndims, starts);
    WIDE_LIST(n, sizes, ndims);
    WIDE_LIST(s, subsizes, ndims);
    WIDE_LIST(f, starts, ndims);
    int error = n && s && f
                    ? make_subarray(MPI_CALL, MPI_LARGE, ndims, n, s, f, order, oldtype, newtype)
                    : no_memory(MPI_CALL);
    free(n);
    free(s);
    free(f);
    return error;
}

MPI_DEFINE(int, MPI_F(Type_create_darray),
           (int size, int rank, int ndims, const MPI_N gsizes[], const int distribs[],
            const int dargs[], const int psizes[], int order, MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    WIDE_CHECK(ndims, gsizes);
    WIDE_CHECK(ndims, distribs);
    WIDE_CHECK(ndims, dargs);
    WIDE_CHECK(ndims, psizes);
    WIDE_LIST(n, gsizes, ndims);
    struct process_grid g = {size, rank, ndims, distribs, dargs, psizes};
    int error =
        n ? make_darray(MPI_CALL, MPI_LARGE, &g, n, order, oldtype, newtype) : no_memory(MPI_CALL);
    free(n);
    return error;
}

MPI_DEFINE(int, MPI_F(Type_create_resized),
           (MPI_Datatype oldtype, MPI_H lb, MPI_H extent, MPI_Datatype *newtype))
{
    return make_resized(MPI_CALL, MPI_LARGE, lb, extent, oldtype, newtype);
}

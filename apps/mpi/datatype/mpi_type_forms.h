/* mpi_type_forms.h - the constructors in one of two forms; mpi_type_new.c includes this file
 * twice. MPI_N: a count; MPI_H: a displacement in bytes; MPI_LARGE: the form with MPI_Count.
 * Nothing is computed here. Lists become struct counts, which know the width of their entries,
 * and LIST_CHECK reports missing ones. MPI_LARGE is recorded with the type, for the calls that
 * return its contents. */

/* Recorded as one row whose stride is one element; MPI_COMBINER_CONTIGUOUS omits block length and
 * stride from the contents. */
MPI_DEFINE(int, MPI_F(Type_contiguous), (MPI_N count, MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    return make_rows(MPI_CALL, MPI_LARGE, MPI_COMBINER_CONTIGUOUS, count, 1, 1, false, oldtype,
                     newtype);
}

/* The stride counts elements of the old type, from the start of one block to the next. */
MPI_DEFINE(int, MPI_F(Type_vector),
           (MPI_N count, MPI_N blocklength, MPI_N stride, MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    return make_rows(MPI_CALL, MPI_LARGE, MPI_COMBINER_VECTOR, count, blocklength, stride, false,
                     oldtype, newtype);
}

/* The stride is in bytes, and may be smaller than a block or negative. */
MPI_DEFINE(int, MPI_F(Type_create_hvector),
           (MPI_N count, MPI_N blocklength, MPI_H stride, MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    return make_rows(MPI_CALL, MPI_LARGE, MPI_COMBINER_HVECTOR, count, blocklength, stride, true,
                     oldtype, newtype);
}

/* Displacements are multiples of the old type's extent here, and bytes in
 * Type_create_hindexed(). */
MPI_DEFINE(int, MPI_F(Type_indexed),
           (MPI_N count, const MPI_N lengths[], const MPI_N displacements[], MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    LIST_CHECK(count, lengths);
    LIST_CHECK(count, displacements);
    return make_blocks(MPI_CALL, MPI_LARGE, MPI_COMBINER_INDEXED,
                       &(struct block_list){count, 0, COUNTS(lengths), COUNTS(displacements)},
                       oldtype, newtype);
}

/* Displacements may be addresses, for use with MPI_BOTTOM. */
MPI_DEFINE(int, MPI_F(Type_create_hindexed),
           (MPI_N count, const MPI_N lengths[], const MPI_H displacements[], MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    LIST_CHECK(count, lengths);
    LIST_CHECK(count, displacements);
    return make_blocks(MPI_CALL, MPI_LARGE, MPI_COMBINER_HINDEXED,
                       &(struct block_list){count, 0, COUNTS(lengths), COUNTS(displacements)},
                       oldtype, newtype);
}

/* One length for all blocks: the list of lengths is empty, and `length` counts. */
MPI_DEFINE(int, MPI_F(Type_create_indexed_block),
           (MPI_N count, MPI_N blocklength, const MPI_N displacements[], MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    LIST_CHECK(count, displacements);
    return make_blocks(MPI_CALL, MPI_LARGE, MPI_COMBINER_INDEXED_BLOCK,
                       &(struct block_list){count, blocklength, {0}, COUNTS(displacements)},
                       oldtype, newtype);
}

/* As before, with displacements in bytes. */
MPI_DEFINE(int, MPI_F(Type_create_hindexed_block),
           (MPI_N count, MPI_N blocklength, const MPI_H displacements[], MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    LIST_CHECK(count, displacements);
    return make_blocks(MPI_CALL, MPI_LARGE, MPI_COMBINER_HINDEXED_BLOCK,
                       &(struct block_list){count, blocklength, {0}, COUNTS(displacements)},
                       oldtype, newtype);
}

/* The only constructor that pads its extent (MPI 4.1, 5.1.6). */
MPI_DEFINE(int, MPI_F(Type_create_struct),
           (MPI_N count, const MPI_N lengths[], const MPI_H displacements[],
            const MPI_Datatype types[], MPI_Datatype *newtype))
{
    LIST_CHECK(count, lengths);
    LIST_CHECK(count, displacements);
    LIST_CHECK(count, types);
    return make_struct(MPI_CALL, MPI_LARGE, count, COUNTS(lengths), COUNTS(displacements), types,
                       newtype);
}

/* `starts` count from 0 also with MPI_ORDER_FORTRAN. */
MPI_DEFINE(int, MPI_F(Type_create_subarray),
           (int ndims, const MPI_N sizes[], const MPI_N subsizes[], const MPI_N starts[], int order,
            MPI_Datatype oldtype, MPI_Datatype *newtype))
{
    LIST_CHECK(ndims, sizes);
    LIST_CHECK(ndims, subsizes);
    LIST_CHECK(ndims, starts);
    return make_subarray(MPI_CALL, MPI_LARGE, ndims, COUNTS(sizes), COUNTS(subsizes),
                         COUNTS(starts), order, oldtype, newtype);
}

/* The lists about processes have int in both forms, since ranks do. */
MPI_DEFINE(int, MPI_F(Type_create_darray),
           (int size, int rank, int ndims, const MPI_N gsizes[], const int distribs[],
            const int dargs[], const int psizes[], int order, MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    LIST_CHECK(ndims, gsizes);
    LIST_CHECK(ndims, distribs);
    LIST_CHECK(ndims, dargs);
    LIST_CHECK(ndims, psizes);
    struct process_grid g = {size, rank, ndims, distribs, dargs, psizes};
    return make_darray(MPI_CALL, MPI_LARGE, &g, COUNTS(gsizes), order, oldtype, newtype);
}

/* Changes lb and extent only; the data stays where it is, and may lie outside the new bounds. */
MPI_DEFINE(int, MPI_F(Type_create_resized),
           (MPI_Datatype oldtype, MPI_H lb, MPI_H extent, MPI_Datatype *newtype))
{
    return make_resized(MPI_CALL, MPI_LARGE, lb, extent, oldtype, newtype);
}

/* mpi_type_contents.c - the arguments with which a datatype was made (MPI 4.1, 5.1.13).
 *
 * The constructors record them as a recipe (mpi_type.h). Types among them are new references, which
 * the program frees.
 */
#include "object/mpi_counts.h"
#include "datatype/mpi_type.h"

#include <string.h>

/* Types with large counts have no answer in the functions with int. */
static const struct type_recipe *recipe_of(MPI_Datatype datatype, bool large, const char *call,
                                           int *error)
{
    struct mpi_type *t = type_of(datatype);

    if (t && (large || t->recipe.counts == 0))
        return &t->recipe;
    *error = t ? error_on(NULL, MPI_ERR_TYPE, call, "the datatype has counts of type MPI_Count")
               : error_no_type(NULL, datatype, call);
    return NULL;
}

MPI_DEFINE(int, Type_get_envelope,
           (MPI_Datatype datatype, int *nints, int *naddresses, int *ntypes, int *combiner))
{
    int error;
    const struct type_recipe *r = recipe_of(datatype, false, MPI_CALL, &error);

    if (!r)
        return error;
    if (!nints || !naddresses || !ntypes || !combiner)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no place for a result");
    *nints = (int)r->ints;
    *naddresses = (int)r->addresses;
    *ntypes = (int)r->types;
    *combiner = r->combiner;
    return MPI_SUCCESS;
}

/* Also for types made with int: then ncounts is 0. */
MPI_DEFINE(int, Type_get_envelope_c,
           (MPI_Datatype datatype, MPI_Count *nints, MPI_Count *naddresses, MPI_Count *ncounts,
            MPI_Count *ntypes, int *combiner))
{
    int error;
    const struct type_recipe *r = recipe_of(datatype, true, MPI_CALL, &error);

    if (!r)
        return error;
    if (!nints || !naddresses || !ncounts || !ntypes || !combiner)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no place for a result");
    *nints = (MPI_Count)r->ints;
    *naddresses = (MPI_Count)r->addresses;
    *ncounts = (MPI_Count)r->counts;
    *ntypes = (MPI_Count)r->types;
    *combiner = r->combiner;
    return MPI_SUCCESS;
}

/* Copies a list of the recipe into the program's array of `most` entries. False: the array is
 * too short, or missing. */
static bool give_list(void *to, MPI_Count most, const void *from, size_t count, size_t size)
{
    if (most < (MPI_Count)count || (count > 0 && !to))
        return false;
    if (count > 0)
        memcpy(to, from, count * size);
    return true;
}

/* Stores a handle of each type; predefined ones need not be freed. */
static bool give_types(MPI_Datatype *to, MPI_Count most, const struct type_recipe *r)
{
    if (most < (MPI_Count)r->types || (r->types > 0 && !to))
        return false;
    for (size_t i = 0; i < r->types; i++) {
        to[i] = r->type_list[i]->object.handle;
        if (!r->type_list[i]->object.named)
            object_hold_handle(r->type_list[i]);
    }
    return true;
}

/* Types that it gives are new references, which the program frees. */
MPI_DEFINE(int, Type_get_contents_c,
           (MPI_Datatype datatype, MPI_Count maxints, MPI_Count maxaddresses, MPI_Count maxcounts,
            MPI_Count maxtypes, int ints[], MPI_Aint addresses[], MPI_Count counts[],
            MPI_Datatype types[]))
{
    int error;
    const struct type_recipe *r = recipe_of(datatype, true, MPI_CALL, &error);

    if (!r)
        return error;
    if (r->combiner == MPI_COMBINER_NAMED)
        return error_on(NULL, MPI_ERR_TYPE, MPI_CALL, "a predefined datatype has no contents");
    /* Types last: with them, references are handed out, which an error could not take back. */
    if (give_list(ints, maxints, r->int_list, r->ints, sizeof *ints) &&
        give_list(addresses, maxaddresses, r->address_list, r->addresses, sizeof *addresses) &&
        give_list(counts, maxcounts, r->count_list, r->counts, sizeof *counts) &&
        give_types(types, maxtypes, r))
        return MPI_SUCCESS;
    return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "a list is too short for the contents");
}

/* recipe_of() has excluded types with large counts, so that list has no entries. */
MPI_DEFINE(int, Type_get_contents,
           (MPI_Datatype datatype, int maxints, int maxaddresses, int maxtypes, int ints[],
            MPI_Aint addresses[], MPI_Datatype types[]))
{
    int error;

    if (!recipe_of(datatype, false, MPI_CALL, &error))
        return error;
    return PMPI_Type_get_contents_c(datatype, maxints, maxaddresses, 0, maxtypes, ints, addresses,
                                    NULL, types);
}

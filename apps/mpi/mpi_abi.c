/* mpi_abi.c - queries about the standard ABI, and about Fortran's types.
 *
 * The library is built for gfortran, so Fortran's sizes and LOGICALs are fixed: a program can query
 * but not set them.  Other ABIs have none of these functions.
 *
 * The calls are new in MPI 5.0. Sizes are those of the types that the library was compiled with.
 *
 * The file is empty for other ABIs, whose headers do not define MPI_ABI_VERSION. All calls are
 * local, and may be made before MPI_Init(). They create info objects that the program frees.
 */
#include "object/mpi_info.h"

#ifdef MPI_ABI_VERSION
#include "object/mpi_error.h"
#include "datatype/mpi_type.h"

#include <stdio.h>

/* The version of the ABI, which is independent of that of the standard. */
MPI_DEFINE(int, Abi_get_version, (int *major, int *minor))
{
    if (!major || !minor)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no place for the version");
    *major = MPI_ABI_VERSION;
    *minor = MPI_ABI_SUBVERSION;
    return MPI_SUCCESS;
}

/* Errors are not looked at: the object was made by the caller, and the texts are short. */
static void say_size(MPI_Info info, const char *key, size_t size)
{
    char text[16];

    snprintf(text, sizeof text, "%zu", size);
    PMPI_Info_set(info, key, text);
}

/* Bytes, as decimal texts; the keys are the standard's. */
MPI_DEFINE(int, Abi_get_info, (MPI_Info * info))
{
    int error = PMPI_Info_create(info);

    if (error != MPI_SUCCESS)
        return error;
    say_size(*info, "mpi_aint_size", sizeof(MPI_Aint));
    say_size(*info, "mpi_count_size", sizeof(MPI_Count));
    say_size(*info, "mpi_offset_size", sizeof(MPI_Offset));
    return MPI_SUCCESS;
}

/* A type is supported if this library has an object for its handle. */
MPI_DEFINE(int, Abi_get_fortran_info, (MPI_Info * info))
{
    static const struct {
        const char *key;
        MPI_Datatype type;
    } sizes[] = {{"mpi_logical_size", MPI_LOGICAL},
                 {"mpi_integer_size", MPI_INTEGER},
                 {"mpi_real_size", MPI_REAL},
                 {"mpi_double_precision_size", MPI_DOUBLE_PRECISION}},
      optional[] = {{"mpi_logical1_supported", MPI_LOGICAL1},
                    {"mpi_logical2_supported", MPI_LOGICAL2},
                    {"mpi_logical4_supported", MPI_LOGICAL4},
                    {"mpi_logical8_supported", MPI_LOGICAL8},
                    {"mpi_logical16_supported", MPI_LOGICAL16},
                    {"mpi_integer1_supported", MPI_INTEGER1},
                    {"mpi_integer2_supported", MPI_INTEGER2},
                    {"mpi_integer4_supported", MPI_INTEGER4},
                    {"mpi_integer8_supported", MPI_INTEGER8},
                    {"mpi_integer16_supported", MPI_INTEGER16},
                    {"mpi_real2_supported", MPI_REAL2},
                    {"mpi_real4_supported", MPI_REAL4},
                    {"mpi_real8_supported", MPI_REAL8},
                    {"mpi_real16_supported", MPI_REAL16},
                    {"mpi_complex4_supported", MPI_COMPLEX4},
                    {"mpi_complex8_supported", MPI_COMPLEX8},
                    {"mpi_complex16_supported", MPI_COMPLEX16},
                    {"mpi_complex32_supported", MPI_COMPLEX32},
                    {"mpi_double_complex_supported", MPI_DOUBLE_COMPLEX}};
    /* The keys of the standard; the object has no others. */
    int error = PMPI_Info_create(info);

    if (error != MPI_SUCCESS)
        return error;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        say_size(*info, sizes[i].key, (size_t)type_of(sizes[i].type)->size);
    /* type_of() of a constant that has no object in this library is NULL. */
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
        PMPI_Info_set(*info, optional[i].key, type_of(optional[i].type) ? "true" : "false");
    return MPI_SUCCESS;
}

/* Sizes and values of Fortran are fixed when the library is compiled. */
static int set_already(const char *call)
{
    return error_on(NULL, MPI_ERR_ABI, call, "the library was compiled for gfortran");
}

/* Always an error, even with the values that hold already. */
MPI_DEFINE(int, Abi_set_fortran_info, (MPI_Info info))
{
    (void)info;
    return set_already(MPI_CALL);
}

/* gfortran's .TRUE. is 1 and .FALSE. is 0, in 4 bytes. */
MPI_DEFINE(int, Abi_get_fortran_booleans,
           (int logical_size, void *logical_true, void *logical_false, int *is_set))
{
    if (!logical_true || !logical_false || !is_set)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no place for the values");
    if (logical_size != sizeof(MPI_Fint))
        return error_on(NULL, MPI_ERR_ABI, MPI_CALL, "a LOGICAL has %zu bytes, not %d",
                        sizeof(MPI_Fint), logical_size);
    *(MPI_Fint *)logical_true = 1;
    *(MPI_Fint *)logical_false = 0;
    /* The values are known from the start, without a call that sets them. */
    *is_set = 1;
    return MPI_SUCCESS;
}

/* As for sizes: gfortran's values cannot be changed. */
MPI_DEFINE(int, Abi_set_fortran_booleans,
           (int logical_size, void *logical_true, void *logical_false))
{
    (void)logical_size;
    (void)logical_true;
    (void)logical_false;
    return set_already(MPI_CALL);
}
#endif

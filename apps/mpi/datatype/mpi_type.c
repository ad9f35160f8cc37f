/* mpi_type.c - predefined datatypes, and the calls about one type (mpi_type.h). mpi_type_new.c
 * makes other types. The predefined types are made at start from one table, which also defines
 * their order and thereby the numbers that travel between tasks. An ABI may lack some of them;
 * all tasks of a job have the same ABI. Calls about one type are local, and most are a query of
 * a field. Types of the program differ from predefined ones in two ways: they must be committed,
 * and they can be freed. */
#include "datatype/mpi_type.h"

#include "object/mpi_attribute.h"
#include "object/mpi_counts.h"
#include "datatype/mpi_flatten.h"
#include "object/mpi_named.h"

#include <complex.h>
#include <stdio.h>
#include <wchar.h>

/* A handle that is valid, but not committed, is an error, too. */
int type_no_data(struct mpi_comm *c, MPI_Datatype handle, const char *call)
{
    const struct mpi_type *t = type_of(handle);

    return t ? error_on(c, MPI_ERR_TYPE, call, "the datatype %s has not been committed", t->name)
             : error_no_type(c, handle, call);
}

/* Children are referenced by the recipe and may outlive this type. */
static void release(void *object)
{
    struct mpi_type *t = object;

    attribute_delete_all(t->object.handle, &t->attributes);
    flatten_free(t);
    recipe_free(&t->recipe);
}

/* ---- predefined types ----------------------------------------------------------------------- */

#define KIND(class, type) HN_TYPE(HN_CLASS_##class, sizeof(type))

/* name, C type, type of hnow, bytes in external32, sort The sizes in external32 are those of MPI
 * 4.1, 14.5.2. Fortran's default INTEGER, REAL and LOGICAL are taken to be 4 bytes long, as
 * gfortran has them without options that change kinds. */
#define BASICS(X)                                                                                  \
    X(MPI_CHAR, char, HN_CHAR, 1, 'C')                                                             \
    X(MPI_BYTE, char, HN_BYTE, 1, 'C')                                                             \
    X(MPI_PACKED, char, HN_BYTE, 1, 'C')                                                           \
    X(MPI_CHARACTER, char, HN_CHAR, 1, 'C')                                                        \
    X(MPI_SIGNED_CHAR, signed char, HN_INT8, 1, 'I')                                               \
    X(MPI_UNSIGNED_CHAR, unsigned char, HN_UINT8, 1, 'U')                                          \
    X(MPI_SHORT, short, HN_SHORT, 2, 'I')                                                          \
    X(MPI_UNSIGNED_SHORT, unsigned short, HN_USHORT, 2, 'U')                                       \
    X(MPI_INT, int, HN_INT, 4, 'I')                                                                \
    X(MPI_UNSIGNED, unsigned, HN_UINT, 4, 'U')                                                     \
    X(MPI_LONG, long, HN_LONG, 4, 'L')                                                             \
    X(MPI_UNSIGNED_LONG, unsigned long, HN_ULONG, 4, 'M')                                          \
    X(MPI_LONG_LONG_INT, long long, HN_LLONG, 8, 'I')                                              \
    X(MPI_UNSIGNED_LONG_LONG, unsigned long long, HN_ULLONG, 8, 'U')                               \
    X(MPI_INT8_T, int8_t, HN_INT8, 1, 'I')                                                         \
    X(MPI_INT16_T, int16_t, HN_INT16, 2, 'I')                                                      \
    X(MPI_INT32_T, int32_t, HN_INT32, 4, 'I')                                                      \
    X(MPI_INT64_T, int64_t, HN_INT64, 8, 'I')                                                      \
    X(MPI_UINT8_T, uint8_t, HN_UINT8, 1, 'U')                                                      \
    X(MPI_UINT16_T, uint16_t, HN_UINT16, 2, 'U')                                                   \
    X(MPI_UINT32_T, uint32_t, HN_UINT32, 4, 'U')                                                   \
    X(MPI_UINT64_T, uint64_t, HN_UINT64, 8, 'U')                                                   \
    X(MPI_WCHAR, wchar_t, HN_INT32, 2, 'W')                                                        \
    X(MPI_C_BOOL, bool, HN_BOOL, 1, 'U')                                                           \
    X(MPI_CXX_BOOL, bool, HN_BOOL, 1, 'U')                                                         \
    X(MPI_AINT, MPI_Aint, HN_LONG, 8, 'I')                                                         \
    X(MPI_OFFSET, MPI_Offset, HN_INT64, 8, 'I')                                                    \
    X(MPI_COUNT, MPI_Count, HN_INT64, 8, 'I')                                                      \
    X(MPI_FLOAT, float, HN_FLOAT, 4, 'F')                                                          \
    X(MPI_DOUBLE, double, HN_DOUBLE, 8, 'F')                                                       \
    X(MPI_LONG_DOUBLE, long double, HN_LDOUBLE, 16, 'F')                                           \
    X(MPI_C_FLOAT_COMPLEX, float complex, HN_COMPLEX, 8, 'Z')                                      \
    X(MPI_C_DOUBLE_COMPLEX, double complex, HN_DOUBLE_COMPLEX, 16, 'Z')                            \
    X(MPI_C_LONG_DOUBLE_COMPLEX, long double complex, HN_LDOUBLE_COMPLEX, 32, 'Z')                 \
    X(MPI_CXX_FLOAT_COMPLEX, float complex, HN_COMPLEX, 8, 'Z')                                    \
    X(MPI_CXX_DOUBLE_COMPLEX, double complex, HN_DOUBLE_COMPLEX, 16, 'Z')                          \
    X(MPI_CXX_LONG_DOUBLE_COMPLEX, long double complex, HN_LDOUBLE_COMPLEX, 32, 'Z')               \
    X(MPI_LOGICAL, int, HN_INT, 4, 'B')                                                            \
    X(MPI_INTEGER, int, HN_INT, 4, 'I')                                                            \
    X(MPI_REAL, float, HN_FLOAT, 4, 'F')                                                           \
    X(MPI_DOUBLE_PRECISION, double, HN_DOUBLE, 8, 'F')                                             \
    X(MPI_COMPLEX, float complex, HN_COMPLEX, 8, 'Z')                                              \
    X(MPI_DOUBLE_COMPLEX, double complex, HN_DOUBLE_COMPLEX, 16, 'Z')                              \
    X(MPI_INTEGER1, int8_t, HN_INT8, 1, 'I')                                                       \
    X(MPI_INTEGER2, int16_t, HN_INT16, 2, 'I')                                                     \
    X(MPI_INTEGER4, int32_t, HN_INT32, 4, 'I')                                                     \
    X(MPI_INTEGER8, int64_t, HN_INT64, 8, 'I')                                                     \
    X(MPI_REAL4, float, HN_FLOAT, 4, 'F')                                                          \
    X(MPI_REAL8, double, HN_DOUBLE, 8, 'F')                                                        \
    X(MPI_COMPLEX8, float complex, HN_COMPLEX, 8, 'Z')                                             \
    X(MPI_COMPLEX16, double complex, HN_DOUBLE_COMPLEX, 16, 'Z')                                   \
    FRONT_BASICS(X)

/* Types that not every ABI has.  Without a compiler type, 128-bit numbers travel as bytes. */
#ifdef MPI_INTEGER16
/* The class HN_BYTE means that hnow does not convert; mpi_external.c does so by size. */
#define FRONT_INTEGER16(X) X(MPI_INTEGER16, struct bytes16, HN_BYTE, 16, 'I')
#else
#define FRONT_INTEGER16(X)
#endif
#ifdef MPI_LOGICAL1
#define FRONT_LOGICALS(X)                                                                          \
    X(MPI_LOGICAL1, int8_t, HN_INT8, 1, 'B')                                                       \
    X(MPI_LOGICAL2, int16_t, HN_INT16, 2, 'B')                                                     \
    X(MPI_LOGICAL4, int32_t, HN_INT32, 4, 'B')                                                     \
    X(MPI_LOGICAL8, int64_t, HN_INT64, 8, 'B')
#else
#define FRONT_LOGICALS(X)
#endif
#ifdef MPI_LOGICAL16
#define FRONT_LOGICAL16(X) X(MPI_LOGICAL16, struct bytes16, HN_BYTE, 16, 'B')
#else
#define FRONT_LOGICAL16(X)
#endif
#ifdef MPI_REAL2
#define FRONT_REAL2(X)                                                                             \
    X(MPI_REAL2, struct bytes2, HN_BYTE, 2, 'F')                                                   \
    X(MPI_COMPLEX4, struct bytes4, HN_BYTE, 4, 'Z')
#else
#define FRONT_REAL2(X)
#endif
#ifdef MPI_REAL16
#define FRONT_REAL16(X)                                                                            \
    X(MPI_REAL16, struct bytes16, HN_TYPE(HN_CLASS_FLOAT, 16), 16, 'F')                            \
    X(MPI_COMPLEX32, struct bytes32, HN_TYPE(HN_CLASS_COMPLEX, 32), 32, 'Z')
#else
#define FRONT_REAL16(X)
#endif
#define FRONT_BASICS(X)                                                                            \
    FRONT_LOGICALS(X) FRONT_INTEGER16(X) FRONT_LOGICAL16(X) FRONT_REAL2(X) FRONT_REAL16(X)

/* These have the size and alignment of types that C may not have, such as __int128 and
 * _Float128. */
struct bytes2 {
    char bytes[2];
};
/* Types of Fortran that C does not have, with their sizes and alignments. */
struct bytes4 {
    char bytes[4];
};
struct bytes16 {
    _Alignas(16) char bytes[16];
};
struct bytes32 {
    _Alignas(16) char bytes[32];
};

/* In the order of the table, so that the numbers are equal in all tasks. */
enum basic_index {
#define X(handle, type, hn, external, sort) BASIC_##handle,
    BASICS(X)
#undef X
    /* The length of both tables below. */
    BASIC_COUNT
};

/* One description for each basic type; types refer to it by address. */
static const struct mpi_basic basics[] = {
#define X(handle, type, hn, external, sort) {hn, sizeof(type), external, _Alignof(type), sort},
    BASICS(X)
#undef X
};

/* The number is sent between tasks of one ABI, for instance with a window's operations; the table
 * is the same in all of them. */
int type_basic_number(const struct mpi_basic *basic)
{
    return (int)(basic - basics);
}

/* The number arrives from another task and is not trusted: an invalid one is read as MPI_BYTE. */
const struct mpi_basic *type_basic(int64_t number)
{
    return &basics[number >= 0 && number < BASIC_COUNT ? number : BASIC_MPI_BYTE];
}

static struct mpi_type *basic_types[BASIC_COUNT];

/* In O(1): the number of a basic type is its index. */
struct mpi_type *type_of_basic(const struct mpi_basic *basic)
{
    return basic_types[type_basic_number(basic)];
}

/* Pair types of MPI_MINLOC and MPI_MAXLOC. MPI 4.1, 6.9.4. The offset of the index is the C
 * compiler's, so a pair equals a C struct of the two; the extent includes the struct's padding. */
#define PAIRS(X)                                                                                   \
    X(MPI_FLOAT_INT, float, MPI_FLOAT, MPI_INT)                                                    \
    X(MPI_DOUBLE_INT, double, MPI_DOUBLE, MPI_INT)                                                 \
    X(MPI_LONG_INT, long, MPI_LONG, MPI_INT)                                                       \
    X(MPI_2INT, int, MPI_INT, MPI_INT)                                                             \
    X(MPI_SHORT_INT, short, MPI_SHORT, MPI_INT)                                                    \
    X(MPI_LONG_DOUBLE_INT, long double, MPI_LONG_DOUBLE, MPI_INT)

/* Makes a predefined type, committed from the start. */
static struct mpi_type *own(MPI_Datatype handle, const char *name)
{
    struct mpi_type *t = object_new(OBJECT_TYPE);

    /* No reference is counted for it from here on, and no program can free it. */
    t->object.named = true;
    t->committed = true;
    t->recipe.combiner = MPI_COMBINER_NAMED;
    snprintf(t->name, sizeof t->name, "%s", name);
    handle_bind(t, handle);
    return t;
}

/* `place` is the offset of the second part, in bytes. The end is padded like a struct. */
static void own_pair(MPI_Datatype handle, const char *name, MPI_Datatype value, size_t place,
                     MPI_Datatype index)
{
    struct mpi_type *t = own(handle, name);

    flatten_begin(t);
    flatten_add(t, 0, 1, type_of(value));
    flatten_add(t, (MPI_Aint)place, 1, type_of(index));
    flatten_end(t, true);
}

/* Fortran's pairs are two elements of the same type and so have no padding. */
void type_setup(void)
{
    object_when_freed(OBJECT_TYPE, release);
#define X(handle, type, hn, external, sort)                                                        \
    flatten_basic(basic_types[BASIC_##handle] = own(handle, #handle), &basics[BASIC_##handle]);
    BASICS(X)
#undef X
#define X(handle, ctype, first, second)                                                            \
    {                                                                                              \
        struct pair {                                                                              \
            ctype value;                                                                           \
            int index;                                                                             \
        };                                                                                         \
        own_pair(handle, #handle, first, offsetof(struct pair, index), second);                    \
    }
    PAIRS(X)
#undef X
    /* MPI 4.1, 6.9.4: the index is stored as a number of the value's type. */
    own_pair(MPI_2REAL, "MPI_2REAL", MPI_REAL, sizeof(float), MPI_REAL);
    own_pair(MPI_2DOUBLE_PRECISION, "MPI_2DOUBLE_PRECISION", MPI_DOUBLE_PRECISION, sizeof(double),
             MPI_DOUBLE_PRECISION);
    own_pair(MPI_2INTEGER, "MPI_2INTEGER", MPI_INTEGER, sizeof(int), MPI_INTEGER);
#ifdef MPI_C_COMPLEX
    strcpy(type_of(MPI_C_COMPLEX)->name, "MPI_C_COMPLEX"); /* one type with two names */
#endif
    strcpy(type_of(MPI_LONG_LONG_INT)->name, "MPI_LONG_LONG_INT");
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* A type is already flattened here, so committing costs nothing. The flag serves to report
 * communication with uncommitted types, which MPI 4.1, 5.1.9 forbids. */
MPI_DEFINE(int, Type_commit, (MPI_Datatype * datatype))
{
    struct mpi_type *t = datatype ? type_of(*datatype) : NULL;

    if (!t)
        return error_no_type(NULL, datatype ? *datatype : MPI_DATATYPE_NULL, MPI_CALL);
    /* Committing twice is allowed. */
    t->committed = true;
    return MPI_SUCCESS;
}

/* Delete functions run now, and not when the last reference is dropped: they are due at the call.
 * Types built from this one, and communication under way, keep it. */
MPI_DEFINE(int, Type_free, (MPI_Datatype * datatype))
{
    struct mpi_type *t = datatype ? type_of(*datatype) : NULL;
    int error;

    if (!t)
        return error_no_type(NULL, datatype ? *datatype : MPI_DATATYPE_NULL, MPI_CALL);
    if (t->object.named)
        return error_on(NULL, MPI_ERR_TYPE, MPI_CALL, "%s cannot be freed", t->name);
    /* A delete function that fails keeps the type alive, with its remaining attributes. */
    error = attribute_delete_all(t->object.handle, &t->attributes);
    if (error != MPI_SUCCESS)
        return error_on(NULL, error, MPI_CALL, "an attribute's delete function has failed");
    object_retire(t);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

/* Errors of types have no communicator; NAME_CALLS passes the type, which is dropped. */
#define NO_TYPE(handle, call) error_no_type(NULL, handle, call)
#define FAULT(type, ...)      error_on(NULL, __VA_ARGS__)
NAME_CALLS(Type, MPI_Datatype, type_of, NO_TYPE, FAULT, MPI_DATATYPE_NULL)

/* A number that a program queries; -1 in *error if there is no such type. */
enum measure { SIZE, LB, UB, EXTENT, TRUE_LB, TRUE_EXTENT };

/* MPI 4.1, 5.1.7 and 5.1.8. */
static MPI_Count measure(const struct mpi_type *t, enum measure what)
{
    switch (what) {
    case SIZE:
        return t->size;
    case LB:
        return t->lb;
    case UB:
        return t->ub;
    case EXTENT:
        return type_extent(t);
    case TRUE_LB:
        return t->true_lb;
    default:
        return t->true_ub - t->true_lb;
    }
}

/* The result is MPI_UNDEFINED if it does not fit into the int of the program (MPI 4.1, 5.1.5). */
static int answer(MPI_Datatype datatype, enum measure what, struct counts place, const char *call)
{
    struct mpi_type *t = type_of(datatype);

    if (!t)
        return error_no_type(NULL, datatype, call);
    if (!place.at)
        return error_on(NULL, MPI_ERR_ARG, call, "no result");
    counts_put(place, measure(t, what));
    return MPI_SUCCESS;
}

#define ANSWER_ONE(name, args, place, what)                                                        \
    MPI_DEFINE(int, name, args)                                                                    \
    {                                                                                              \
        return answer(datatype, what, COUNTS(place), MPI_CALL);                                    \
    }
#define ANSWER_TWO(name, type, first, second)                                                      \
    MPI_DEFINE(int, name, (MPI_Datatype datatype, type * lb, type * extent))                       \
    {                                                                                              \
        int error = answer(datatype, first, COUNTS(lb), MPI_CALL);                                 \
        return error == MPI_SUCCESS ? answer(datatype, second, COUNTS(extent), MPI_CALL) : error;  \
    }

/* The names with _x are those of MPI 3 for large counts, with _c those of MPI 4. */
ANSWER_ONE(Type_size, (MPI_Datatype datatype, int *size), size, SIZE)
ANSWER_ONE(Type_size_c, (MPI_Datatype datatype, MPI_Count *size), size, SIZE)
ANSWER_ONE(Type_size_x, (MPI_Datatype datatype, MPI_Count *size), size, SIZE)
ANSWER_TWO(Type_get_extent, MPI_Aint, LB, EXTENT)
ANSWER_TWO(Type_get_extent_c, MPI_Count, LB, EXTENT)
ANSWER_TWO(Type_get_extent_x, MPI_Count, LB, EXTENT)
ANSWER_TWO(Type_get_true_extent, MPI_Aint, TRUE_LB, TRUE_EXTENT)
ANSWER_TWO(Type_get_true_extent_c, MPI_Count, TRUE_LB, TRUE_EXTENT)
ANSWER_TWO(Type_get_true_extent_x, MPI_Count, TRUE_LB, TRUE_EXTENT)
/* MPI-1's names, removed in MPI 3, but still in use. */
ANSWER_ONE(Type_extent, (MPI_Datatype datatype, MPI_Aint *extent), extent, EXTENT)
ANSWER_ONE(Type_lb, (MPI_Datatype datatype, MPI_Aint *lb), lb, LB)
ANSWER_ONE(Type_ub, (MPI_Datatype datatype, MPI_Aint *ub), ub, UB)

/* Displacements of MPI are relative to MPI_BOTTOM, which is address 0. */
MPI_DEFINE(int, Get_address, (const void *location, MPI_Aint *address))
{
    if (!address)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no result");
    /* The same in all ABIs: MPI_BOTTOM is a null pointer, and MPI_Aint has the size of one. */
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}

/* Removed (MPI 4.1, ch. 17), but still in use. */
MPI_DEFINE(int, Address, (void *location, MPI_Aint *address))
{
    return PMPI_Get_address(location, address);
}

/* Functions, so that Fortran, whose integers are signed, needs no arithmetic on addresses (MPI 4.1,
 * 5.1.5). */
MPI_DEFINE(MPI_Aint, Aint_add, (MPI_Aint base, MPI_Aint displacement))
{
    return base + displacement;
}

/* MPI 4.1, 5.1.5. Addresses may be relative to MPI_BOTTOM. */
MPI_DEFINE(MPI_Aint, Aint_diff, (MPI_Aint address1, MPI_Aint address2))
{
    return address1 - address2;
}

/* The class and size in bytes select a type by MPI 4.1, 19.1.9. */
MPI_DEFINE(int, Type_match_size, (int typeclass, int size, MPI_Datatype *datatype))
{
    static const struct {
        int class;
        MPI_Datatype type;
    } sized[] = {
        {MPI_TYPECLASS_INTEGER, MPI_INTEGER1},  {MPI_TYPECLASS_INTEGER, MPI_INTEGER2},
        {MPI_TYPECLASS_INTEGER, MPI_INTEGER4},  {MPI_TYPECLASS_INTEGER, MPI_INTEGER8},
        {MPI_TYPECLASS_REAL, MPI_REAL4},        {MPI_TYPECLASS_REAL, MPI_REAL8},
        {MPI_TYPECLASS_REAL, MPI_REAL16},       {MPI_TYPECLASS_COMPLEX, MPI_COMPLEX8},
        {MPI_TYPECLASS_COMPLEX, MPI_COMPLEX16}, {MPI_TYPECLASS_COMPLEX, MPI_COMPLEX32},
#ifdef MPI_INTEGER16
        {MPI_TYPECLASS_INTEGER, MPI_INTEGER16},
#endif
#ifdef MPI_REAL2
        {MPI_TYPECLASS_REAL, MPI_REAL2},        {MPI_TYPECLASS_COMPLEX, MPI_COMPLEX4},
#endif
    };

    /* Sizes are those of this machine, as the sizes of Fortran's kinds are. */
    for (size_t i = 0; datatype && i < sizeof sized / sizeof *sized; i++)
        if (sized[i].class == typeclass && type_of(sized[i].type)->size == size) {
            *datatype = sized[i].type;
            return MPI_SUCCESS;
        }
    return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no type of class %d has %d bytes", typeclass,
                    size);
}

/* MPI_DATATYPE_NULL: there is no such pair type. */
MPI_DEFINE(int, Type_get_value_index, (MPI_Datatype value, MPI_Datatype index, MPI_Datatype *pair))
{
    static const MPI_Datatype pairs[][3] = {
        {MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
        {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
        {MPI_LONG, MPI_INT, MPI_LONG_INT},
        {MPI_INT, MPI_INT, MPI_2INT},
        {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
        {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
        {MPI_REAL, MPI_REAL, MPI_2REAL},
        {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
        {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER},
    };

    /* Any valid types may be asked for; most have no pair. */
    if (!type_of(value) || !type_of(index))
        return error_no_type(NULL, type_of(value) ? index : value, MPI_CALL);
    if (!pair)
        return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no place for the type");
    *pair = MPI_DATATYPE_NULL;
    /* Compared by handle: each predefined type has one. */
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == value && pairs[i][1] == index)
            *pair = pairs[i][2];
    return MPI_SUCCESS;
}

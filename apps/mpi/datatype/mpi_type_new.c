/* mpi_type_new.c - constructors of datatypes. mpi_type_contents.c gives the arguments back.
 *
 * Each call has two forms, with int and with MPI_Count (mpi_type_forms.h). Both pass their lists as
 * struct counts to the functions here.
 *
 * Each constructor checks its arguments, begins a type, records the arguments as the recipe, adds
 * the parts, and ends the type. Failures of memory are collected in `ok` and reported once, at the
 * end. Sections: MPI 4.1, 5.1.2 (rows, blocks, structs), 5.1.3 (subarrays), 5.1.4 (distributed
 * arrays), 5.1.7 (bounds), 19.1.9 (Fortran's types). The time is O(parts) of the flattened result.
 *
 * A type under construction is not visible to the program until making_end() has stored its
 * handle. Until then each failure frees it.
 *
 * Rows keep their repetition as numbers, so a vector of any length costs the same. Lists of
 * displacements and arrays are added part by part.
 */
#include "object/mpi_attribute.h"
#include "object/mpi_counts.h"
#include "datatype/mpi_flatten.h"
#include "datatype/mpi_type.h"

#include <float.h>
#include <pthread.h>
#include <stdlib.h>

/* A type under construction. Lives on the stack of one call. `old` is the program's type, valid
 * during the call. */
struct making {
    struct mpi_type *t;
    struct mpi_type *old;
    const char *call;
    /* Decides how counts are recorded, and thereby which calls can return them. */
    bool large; /* the form with MPI_Count */
    /* Once false, all later steps do nothing. */
    bool ok; /* false: out of memory */
};

/* Errors of constructors have no communicator. */
static int no_memory(const char *call)
{
    return error_on(NULL, MPI_ERR_NO_MEM, call, "no memory for the datatype");
}

static int negative(const char *call, const char *what, MPI_Count value)
{
    return error_on(NULL, MPI_ERR_COUNT, call, "the %s %lld is negative", what, (long long)value);
}

/* Begins a type made from `old`. The first number of its recipe is a count (< 0: none). After an
 * error nothing needs to be freed. After MPI_SUCCESS, making_end() must follow. */
static int making_begin(struct making *m, const char *call, bool large, int combiner,
                        MPI_Datatype old, const MPI_Datatype *result)
{
    m->call = call;
    m->large = large;
    m->old = type_of(old);
    if (!m->old)
        return error_no_type(NULL, old, call);
    if (!result)
        return error_on(NULL, MPI_ERR_ARG, call, "no place for the new datatype");
    m->t = object_new(OBJECT_TYPE);
    if (!m->t)
        return no_memory(call);
    m->t->recipe.combiner = combiner;
    m->ok = true;
    flatten_begin(m->t);
    return MPI_SUCCESS;
}

/* These record an argument of the call; a displacement in bytes is an address in the int form. */
static void note_int(struct making *m, int value)
{
    m->ok = m->ok && recipe_int(&m->t->recipe, value);
}

/* Constructors with the suffix _c return their counts as MPI_Count (MPI 4.1, 5.1.13). */
static void note_count(struct making *m, MPI_Count value)
{
    m->ok = m->ok &&
            (m->large ? recipe_count(&m->t->recipe, value) : recipe_int(&m->t->recipe, (int)value));
}

static void note_place(struct making *m, MPI_Count value)
{
    m->ok = m->ok &&
            (m->large ? recipe_count(&m->t->recipe, value) : recipe_address(&m->t->recipe, value));
}

/* A list of n counts, in its order. n may be 0. */
static void note_counts(struct making *m, struct counts values, MPI_Count n)
{
    for (MPI_Count i = 0; i < n; i++)
        note_count(m, counts_get(values, i));
}

/* The recipe holds a reference, so that MPI_Type_get_contents() can return the type. */
static void note_type(struct making *m, struct mpi_type *t)
{
    m->ok = m->ok && recipe_type(&m->t->recipe, t);
}

/* n elements at `at` bytes. After a failure all further parts are ignored. */
static void add(struct making *m, MPI_Aint at, MPI_Count n, const struct mpi_type *child)
{
    m->ok = m->ok && flatten_add(m->t, at, (size_t)n, child);
}

/* padded: the extent is rounded up to the alignment of the elements. */
static int making_end(struct making *m, bool padded, MPI_Datatype *result)
{
    if (!m->ok) {
        /* Frees lists and recipe as well: see release() in mpi_type.c. */
        object_drop(m->t);
        return no_memory(m->call);
    }
    flatten_end(m->t, padded);
    *result = m->t->object.handle;
    return MPI_SUCCESS;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Makes `rows` rows of n elements; stride is in elements or (in_bytes) in bytes. */
static int make_rows(const char *call, bool large, int combiner, MPI_Count rows, MPI_Count n,
                     MPI_Count stride, bool in_bytes, MPI_Datatype old, MPI_Datatype *result)
{
    struct making m = {0};
    int error;

    if (rows < 0 || n < 0)
        return negative(call, rows < 0 ? "count" : "block length", rows < 0 ? rows : n);
    error = making_begin(&m, call, large, combiner, old, result);
    if (error != MPI_SUCCESS)
        return error;
    /* The order of the contents is fixed by MPI 4.1, 5.1.13. */
    note_count(&m, rows);
    /* MPI_Type_get_contents() returns what the constructor was given. */
    if (combiner != MPI_COMBINER_CONTIGUOUS) {
        note_count(&m, n);
        if (in_bytes)
            note_place(&m, stride);
        else
            note_count(&m, stride);
    }
    note_type(&m, m.old);
    m.ok = m.ok && flatten_rows(m.t, (size_t)rows, in_bytes ? stride : stride * type_extent(m.old),
                                (size_t)n, m.old);
    return making_end(&m, false, result);
}

/* ---- lists of blocks ------------------------------------------------------------------------ */

/* The blocks of an indexed type. `length` counts if there is no list of lengths. */
struct block_list {
    MPI_Count count, length;
    struct counts lengths, places; /* lengths.at NULL: all blocks have `length` */
};

/* The same for all blocks of MPI_Type_create_indexed_block(). */
static MPI_Count length_of(const struct block_list *b, MPI_Count i)
{
    return b->lengths.at ? counts_get(b->lengths, i) : b->length;
}

/* The four constructors with lists of displacements, whose combiner decides about the unit:
 * bytes, or extents of the old type. Blocks of length 0 are recorded, and add nothing. */
static int make_blocks(const char *call, bool large, int combiner, const struct block_list *b,
                       MPI_Datatype old, MPI_Datatype *result)
{
    struct making m = {0};
    bool in_bytes = combiner == MPI_COMBINER_HINDEXED || combiner == MPI_COMBINER_HINDEXED_BLOCK;
    int error;

    if (b->count < 0)
        return negative(call, "count", b->count);
    /* All lengths are checked before the type is begun. */
    for (MPI_Count i = 0; i < b->count; i++)
        if (length_of(b, i) < 0)
            return negative(call, "block length", length_of(b, i));
    error = making_begin(&m, call, large, combiner, old, result);
    if (error != MPI_SUCCESS)
        return error;
    /* The contents: count, lengths, displacements, type. */
    note_count(&m, b->count);
    if (b->lengths.at)
        note_counts(&m, b->lengths, b->count);
    else
        note_count(&m, b->length);
    for (MPI_Count i = 0; i < b->count; i++) {
        MPI_Count place = counts_get(b->places, i);
        /* Displacements in bytes are addresses in the contents, the others integers. */
        if (in_bytes)
            note_place(&m, place);
        else
            note_count(&m, place);
        add(&m, place * (in_bytes ? 1 : type_extent(m.old)), length_of(b, i), m.old);
    }
    note_type(&m, m.old);
    return making_end(&m, false, result);
}

/* Extents are padded as a C compiler does (MPI 4.1, 5.1.6). */
static int make_struct(const char *call, bool large, MPI_Count count, struct counts lengths,
                       struct counts places, const MPI_Datatype *types, MPI_Datatype *result)
{
    struct making m = {0};
    int error;

    if (count < 0)
        return negative(call, "count", count);
    /* First everything is checked: an error in the last type must not leave a half-made one. */
    for (MPI_Count i = 0; i < count; i++) {
        if (counts_get(lengths, i) < 0)
            return negative(call, "block length", counts_get(lengths, i));
        if (!type_of(types[i]))
            return error_no_type(NULL, types[i], call);
    }
    /* There is no single old type: MPI_BYTE is only a valid one. */
    error = making_begin(&m, call, large, MPI_COMBINER_STRUCT, MPI_BYTE, result);
    if (error != MPI_SUCCESS)
        return error;
    note_count(&m, count);
    note_counts(&m, lengths, count);
    for (MPI_Count i = 0; i < count; i++) {
        note_place(&m, counts_get(places, i));
        note_type(&m, type_of(types[i]));
        add(&m, counts_get(places, i), counts_get(lengths, i), type_of(types[i]));
    }
    return making_end(&m, true, result);
}

/* ---- arrays --------------------------------------------------------------------------------- */

/* Makes an intermediate type. Arrays are built from the fastest dimension outwards: elements of the
 * next dimension are at distances of its extent. */
static struct mpi_type *inner_new(void)
{
    struct mpi_type *t = object_new(OBJECT_TYPE);

    if (t)
        flatten_begin(t);
    return t;
}

/* Replaces *t by the finished type around it, whose extent is that of `size` elements of *t. */
static void wrap(struct mpi_type **t, struct mpi_type *around, MPI_Count size)
{
    MPI_Aint extent = type_extent(*t);

    flatten_end(around, false);
    /* Also for a part that is empty or does not begin at 0: neighbours keep their distance. */
    flatten_bounds(around, 0, size * extent);
    /* Its lists have been copied; nothing refers to it. */
    object_drop(*t);
    *t = around;
}

/* The caller's part of a dimension: runs of `length` elements, `step` apart, from `first` on. */
struct cut {
    /* In elements of the dimension. `size` is that of the whole array. */
    MPI_Count size, first, length, step;
};

/* One part for each block that lies in the dimension; the last one may be shorter. */
static bool wrap_cut(struct mpi_type **t, const struct cut *c)
{
    struct mpi_type *around = inner_new();
    bool ok = around != NULL;

    /* A cyclic distribution has many parts, a block or subarray has one. */
    for (MPI_Count at = c->first; ok && at < c->size && c->length > 0; at += c->step) {
        MPI_Count n = at + c->length > c->size ? c->size - at : c->length;
        ok = flatten_add(around, at * type_extent(*t), (size_t)n, *t);
    }
    /* With no part at all the result is an empty type with the extent of the dimension. */
    if (ok)
        wrap(t, around, c->size);
    else if (around)
        object_drop(around);
    return ok;
}

/* Makes the type of a part of an array: dimensions in memory order, the fastest first. */
static int make_array(struct making *m, const struct cut *cuts, int dimensions, int order,
                      MPI_Datatype *result)
{
    struct mpi_type *t = inner_new();
    MPI_Count size = 1;

    m->ok = m->ok && t && flatten_add(t, 0, 1, m->old);
    /* The element with its own extent, which need not be its size. */
    if (m->ok) {
        flatten_end(t, false);
        flatten_bounds(t, 0, type_extent(m->old));
    }
    /* Each dimension wraps the type of those below it. */
    for (int i = 0; m->ok && i < dimensions; i++) {
        /* In C order the last dimension is the fastest. */
        int d = order == MPI_ORDER_FORTRAN ? i : dimensions - 1 - i;
        m->ok = wrap_cut(&t, &cuts[d]);
        size *= cuts[d].size;
    }
    /* The finished part becomes the only part of the program's type. */
    add(m, 0, 1, t);
    /* The extent is that of the whole array (MPI 4.1, 5.1.3). */
    if (m->ok)
        flatten_bounds(m->t, 0, size * type_extent(m->old));
    if (t)
        object_drop(t);
    return making_end(m, false, result);
}

/* Reports what both constructors of arrays demand. */
static int check_array(const char *call, int dimensions, int order)
{
    if (dimensions < 1)
        return error_on(NULL, MPI_ERR_ARG, call, "the number of dimensions %d is not positive",
                        dimensions);
    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
        return error_on(NULL, MPI_ERR_ARG, call, "%d is not an order of dimensions", order);
    return MPI_SUCCESS;
}

/* MPI 4.1, 5.1.3. */
static int make_subarray(const char *call, bool large, int dimensions, struct counts sizes,
                         struct counts subsizes, struct counts starts, int order, MPI_Datatype old,
                         MPI_Datatype *result)
{
    /* On the stack: arrays have few dimensions. */
    struct cut cuts[dimensions > 0 ? dimensions : 1];
    struct making m = {0};
    int error = check_array(call, dimensions, order);

    for (int i = 0; error == MPI_SUCCESS && i < dimensions; i++) {
        MPI_Count size = counts_get(sizes, i), first = counts_get(starts, i);
        MPI_Count length = counts_get(subsizes, i);
        cuts[i] = (struct cut){size, first, length, size};
        /* Compared in this way, no sum can overflow. */
        if (size < 1 || length < 1 || length > size || first < 0 || first > size - length)
            error = error_on(NULL, MPI_ERR_ARG, call,
                             "dimension %d: %lld elements from %lld on are not in %lld", i,
                             (long long)length, (long long)first, (long long)size);
    }
    if (error == MPI_SUCCESS)
        error = making_begin(&m, call, large, MPI_COMBINER_SUBARRAY, old, result);
    if (error != MPI_SUCCESS)
        return error;
    /* The order of the contents is that of MPI 4.1, 5.1.13, as everywhere. */
    note_int(&m, dimensions);
    note_counts(&m, sizes, dimensions);
    note_counts(&m, subsizes, dimensions);
    note_counts(&m, starts, dimensions);
    note_int(&m, order);
    note_type(&m, m.old);
    return make_array(&m, cuts, dimensions, order, result);
}

/* Computes the part of an array dimension at one place of the process grid. */
static bool distribute(struct cut *c, MPI_Count size, int how, int arg, int processes, int place)
{
    MPI_Count block;

    switch (how) {
    case MPI_DISTRIBUTE_NONE:
        *c = (struct cut){size, 0, size, size};
        /* The standard demands a grid of one process in such a dimension. */
        return processes == 1;
    case MPI_DISTRIBUTE_BLOCK:
        block = arg == MPI_DISTRIBUTE_DFLT_DARG ? (size + processes - 1) / processes : arg;
        *c = (struct cut){size, block * place, block, size};
        /* With fewer elements than that, the last processes get less or nothing. */
        return block > 0 && block * processes >= size;
    case MPI_DISTRIBUTE_CYCLIC:
        block = arg == MPI_DISTRIBUTE_DFLT_DARG ? 1 : arg;
        *c = (struct cut){size, block * place, block, block * processes};
        return block > 0;
    default:
        return false;
    }
}

/* The arguments of MPI_Type_create_darray() about processes. */
struct process_grid {
    int size, rank, dimensions;
    /* One entry for each dimension; owned by the program. */
    const int *distribs, *args, *sizes;
};

/* MPI 4.1, 5.1.4. The caller's part of an array that is distributed over a grid of processes. */
static int make_darray(const char *call, bool large, const struct process_grid *g,
                       struct counts sizes, int order, MPI_Datatype old, MPI_Datatype *result)
{
    struct cut cuts[g->dimensions > 0 ? g->dimensions : 1];
    struct making m = {0};
    int error = check_array(call, g->dimensions, order), below = g->size;

    if (error == MPI_SUCCESS && (g->rank < 0 || g->rank >= g->size))
        error = error_on(NULL, MPI_ERR_ARG, call, "rank %d is not in %d", g->rank, g->size);
    /* `below` is the number of processes in the dimensions that follow. It must end at 1. */
    for (int i = 0; error == MPI_SUCCESS && i < g->dimensions; i++) {
        if (g->sizes[i] < 1 || below % g->sizes[i] != 0)
            return error_on(NULL, MPI_ERR_ARG, call, "the process grid is not of %d processes",
                            g->size);
        /* Ranks in the grid are in C order, whatever the order of the array (MPI 4.1, 5.1.4). */
        below /= g->sizes[i];
        if (counts_get(sizes, i) < 1 ||
            !distribute(&cuts[i], counts_get(sizes, i), g->distribs[i], g->args[i], g->sizes[i],
                        g->rank / below % g->sizes[i]))
            error = error_on(NULL, MPI_ERR_ARG, call, "dimension %d cannot be distributed so", i);
    }
    if (error == MPI_SUCCESS && below != 1)
        error =
            error_on(NULL, MPI_ERR_ARG, call, "the process grid is not of %d processes", g->size);
    if (error == MPI_SUCCESS)
        error = making_begin(&m, call, large, MPI_COMBINER_DARRAY, old, result);
    if (error != MPI_SUCCESS)
        return error;
    note_int(&m, g->size);
    note_int(&m, g->rank);
    note_int(&m, g->dimensions);
    note_counts(&m, sizes, g->dimensions);
    for (int i = 0; i < 3 * g->dimensions; i++)
        note_int(&m, (i < g->dimensions       ? g->distribs
                      : i < 2 * g->dimensions ? g->args
                                              : g->sizes)[i % g->dimensions]);
    note_int(&m, order);
    note_type(&m, m.old);
    return make_array(&m, cuts, g->dimensions, order, result);
}

/* ---- other bounds, duplicates --------------------------------------------------------------- */

/* MPI 4.1, 5.1.7. The extent may be negative. */
static int make_resized(const char *call, bool large, MPI_Count lb, MPI_Count extent,
                        MPI_Datatype old, MPI_Datatype *result)
{
    struct making m = {0};
    int error = making_begin(&m, call, large, MPI_COMBINER_RESIZED, old, result);

    if (error != MPI_SUCCESS)
        return error;
    note_place(&m, lb);
    note_place(&m, extent);
    note_type(&m, m.old);
    add(&m, 0, 1, m.old);
    /* After the part was added: its own bounds are replaced. */
    flatten_bounds(m.t, lb, extent);
    return making_end(&m, false, result);
}

/* MPI 4.1, 5.1.10. The copy is committed if the original is. */
MPI_DEFINE(int, Type_dup, (MPI_Datatype datatype, MPI_Datatype *newtype))
{
    struct making m = {0};
    int error = making_begin(&m, MPI_CALL, false, MPI_COMBINER_DUP, datatype, newtype);

    if (error != MPI_SUCCESS)
        return error;
    note_type(&m, m.old);
    add(&m, 0, 1, m.old);
    /* Bounds that were set are not found by adding the old type. */
    m.t->lb = m.old->lb;
    m.t->ub = m.old->ub;
    m.t->committed = m.old->committed;
    /* The bounds are final now: flatten_end() pads structs only. */
    error = making_end(&m, false, newtype);
    if (error == MPI_SUCCESS)
        error = attribute_copy_all(datatype, m.old->attributes, &m.t->attributes);
    if (error == MPI_SUCCESS)
        return error;
    /* The new handle must not survive. Attributes that were copied are deleted with it. */
    object_drop(m.t);
    *newtype = MPI_DATATYPE_NULL;
    return error_on(NULL, error, MPI_CALL, "an attribute's copy function has failed");
}

/* ---- the calls ------------------------------------------------------------------------------ */

/* A list may be missing if it has no entries. */
#define LIST_CHECK(n, list)                                                                        \
    if ((n) > 0 && !(list))                                                                        \
    return error_on(NULL, MPI_ERR_ARG, MPI_CALL, "no list of %lld " #list, (long long)(n))

#define MPI_FORMS "datatype/mpi_type_forms.h"
#include "mpi_forms.h"

/* ---- MPI-1's names -------------------------------------------------------------------------- */

MPI_ALSO(int, Type_hvector, Type_create_hvector,
         (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
          MPI_Datatype *newtype));

/* Defined separately: the old declarations have lists without const. */
MPI_DEFINE(int, Type_hindexed,
           (int count, int lengths[], MPI_Aint displacements[], MPI_Datatype oldtype,
            MPI_Datatype *newtype))
{
    return PMPI_Type_create_hindexed(count, lengths, displacements, oldtype, newtype);
}

MPI_DEFINE(int, Type_struct,
           (int count, int lengths[], MPI_Aint displacements[], MPI_Datatype types[],
            MPI_Datatype *newtype))
{
    return PMPI_Type_create_struct(count, lengths, displacements, types, newtype);
}

/* ---- Fortran types by precision ------------------------------------------------------------- */

/* Protects the list f90_made. */
static pthread_mutex_t f90_lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *f90_made; /* linked by next; the program cannot free them */

/* The standard wants the same handle for the same arguments (MPI 4.1, 19.1.9). */
static struct mpi_type *f90_find(int combiner, int precision, int range)
{
    for (struct object *o = f90_made; o; o = o->next) {
        /* The recipe ends with the range; the precision precedes it, except for integers. */
        const struct type_recipe *r = &((struct mpi_type *)o)->recipe;
        if (r->combiner == combiner && r->int_list[r->ints - 1] == range &&
            (r->ints == 1 || r->int_list[0] == precision))
            return (struct mpi_type *)o;
    }
    return NULL;
}

/* Such a type is predefined: it cannot be freed, and needs no commit. */
static int f90_new(int combiner, int precision, int range, MPI_Datatype named, MPI_Datatype *result,
                   const char *call)
{
    struct making m = {0};
    int error = making_begin(&m, call, false, combiner, named, result);

    if (error != MPI_SUCCESS)
        return error;
    if (combiner != MPI_COMBINER_F90_INTEGER)
        note_int(&m, precision);
    note_int(&m, range);
    add(&m, 0, 1, m.old);
    m.t->committed = m.t->object.named = true;
    error = making_end(&m, false, result);
    if (error != MPI_SUCCESS)
        return error;
    /* Two threads may make the same type at once. That of the second one remains unused. */
    pthread_mutex_lock(&f90_lock);
    struct mpi_type *t = f90_find(combiner, precision, range);
    if (!t) {
        t = m.t;
        /* `next` is free for this use: only free slots are linked by it. */
        t->object.next = f90_made;
        f90_made = &t->object;
    }
    pthread_mutex_unlock(&f90_lock);
    *result = t->object.handle;
    return MPI_SUCCESS;
}

/* Equal arguments return the same datatype, because programs may ask repeatedly. */
static int f90_type(int combiner, int precision, int range, MPI_Datatype named,
                    MPI_Datatype *result, const char *call)
{
    /* The compiler would have no such kind either. */
    if (named == MPI_DATATYPE_NULL)
        return error_on(NULL, MPI_ERR_ARG, call, "no type has precision %d and range %d", precision,
                        range);
    pthread_mutex_lock(&f90_lock);
    struct mpi_type *t = result ? f90_find(combiner, precision, range) : NULL;
    pthread_mutex_unlock(&f90_lock);
    /* Without the lock, since an error handler may call MPI. */
    if (!t)
        return f90_new(combiner, precision, range, named, result, call);
    *result = t->object.handle;
    return MPI_SUCCESS;
}

/* MPICH has no type for gfortran's longest integers. */
#ifdef MPI_INTEGER16
#define LONGEST_INTEGER MPI_INTEGER16
#else
#define LONGEST_INTEGER MPI_DATATYPE_NULL
#endif

/* MPI 4.1, 19.1.9. `range` is a number of decimal digits. */
MPI_DEFINE(int, Type_create_f90_integer, (int range, MPI_Datatype *newtype))
{
    /* Digits that fit completely: 10^range must not exceed the type. */
    MPI_Datatype t = range <= 2    ? MPI_INTEGER1
                     : range <= 4  ? MPI_INTEGER2
                     : range <= 9  ? MPI_INTEGER4
                     : range <= 18 ? MPI_INTEGER8
                     : range <= 38 ? LONGEST_INTEGER
                                   : MPI_DATATYPE_NULL;

    /* The recipe of an integer has its range only. */
    return f90_type(MPI_COMBINER_F90_INTEGER, MPI_UNDEFINED, range, t, newtype, MPI_CALL);
}

/* True if a real with so many decimal digits and exponent range meets the request. */
static bool has(int precision, int range, int digits, int exponent)
{
    return (precision == MPI_UNDEFINED || precision <= digits) &&
           (range == MPI_UNDEFINED || range <= exponent);
}

/* gfortran has a kind for long double, too; its exponent range is that of REAL16. */
MPI_DEFINE(int, Type_create_f90_real, (int precision, int range, MPI_Datatype *newtype))
{
    MPI_Datatype t = has(precision, range, 6, 37)            ? MPI_REAL4
                     : has(precision, range, 15, 307)        ? MPI_REAL8
                     : has(precision, range, LDBL_DIG, 4931) ? MPI_LONG_DOUBLE
                     : has(precision, range, 33, 4931)       ? MPI_REAL16
                                                             : MPI_DATATYPE_NULL;

    return f90_type(MPI_COMBINER_F90_REAL, precision, range, t, newtype, MPI_CALL);
}

/* MPI 4.1, 19.1.9. Limits are those of selected_real_kind(). */
MPI_DEFINE(int, Type_create_f90_complex, (int precision, int range, MPI_Datatype *newtype))
{
    MPI_Datatype t = has(precision, range, 6, 37)            ? MPI_COMPLEX8
                     : has(precision, range, 15, 307)        ? MPI_COMPLEX16
                     : has(precision, range, LDBL_DIG, 4931) ? MPI_C_LONG_DOUBLE_COMPLEX
                     : has(precision, range, 33, 4931)       ? MPI_COMPLEX32
                                                             : MPI_DATATYPE_NULL;

    return f90_type(MPI_COMBINER_F90_COMPLEX, precision, range, t, newtype, MPI_CALL);
}

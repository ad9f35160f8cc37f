/* mpi_flatten.c - flattens types into lists (mpi_flatten.h).
 *
 * Three compressions keep the lists short. Blocks that touch are merged, equal blocks at equal
 * distances form a row, and a repeated list is stored once with a count. Type map order is never
 * changed, because packing must follow it.
 *
 * Both lists, blocks and units, grow at the end only, and the last entries are compared with
 * what is added. So a constructor costs O(entries that it adds), and never searches.
 * Lists are not the shortest possible: a regularity that begins inside another one is not found.
 * That affects the speed of packing, and never its result.
 */
#include "datatype/mpi_flatten.h"

#include <stdlib.h>

/* Makes room for one more entry in a list that grows by doubling. The capacity is not stored: it is
 * the next power of two, so a list grows exactly when its count is one. An empty list that already
 * has memory needs none. */
static bool grow(void **list, size_t count, size_t size)
{
    void *more;

    if (count & (count - 1) || (count == 0 && *list))
        return true;
    /* On failure the old list stays valid, for flatten_free(). */
    more = realloc(*list, (count ? 2 * count : 1) * size);
    if (more)
        *list = more;
    return more != NULL;
}

/* ---- recipes -------------------------------------------------------------------------------- */

#define APPEND(list, count, value)                                                                 \
    (grow((void **)&(list), count, sizeof *(list)) ? ((list)[(count)++] = (value), true) : false)

/* The four append to one list each. False: out of memory; what is recorded stays. The order of
 * calls is the order in which MPI_Type_get_contents() returns the values of a list. */
bool recipe_int(struct type_recipe *r, int value)
{
    return APPEND(r->int_list, r->ints, value);
}

bool recipe_address(struct type_recipe *r, MPI_Aint value)
{
    return APPEND(r->address_list, r->addresses, value);
}

bool recipe_count(struct type_recipe *r, MPI_Count value)
{
    return APPEND(r->count_list, r->counts, value);
}

/* The recipe has a reference, so the type may be freed by the program. */
bool recipe_type(struct type_recipe *r, struct mpi_type *t)
{
    if (!APPEND(r->type_list, r->types, t))
        return false;
    object_hold(t);
    return true;
}

/* Drops the references to the child types, which may free them in turn. */
void recipe_free(struct type_recipe *r)
{
    for (size_t i = 0; i < r->types; i++)
        object_drop(r->type_list[i]);
    free(r->int_list);
    free(r->address_list);
    free(r->count_list);
    free(r->type_list);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Three equal blocks at equal distances form a row, and further ones extend it.  So a cyclic
 * array's list has one entry per row, not one per element. `before` is used only if there are two
 * blocks. Two blocks are not yet a row: the second may begin a longer row with those that
 * follow. */
static bool continue_row(struct mpi_type *t, const struct type_block *b)
{
    struct type_block *last = &t->blocks[t->block_count - 1], *before = last - 1;

    if (t->block_count == 0 || b->count != 1 || b->bytes != last->bytes)
        return false;
    /* A row is extended only at its own distance. Its stride never changes. */
    if (last->count > 1) {
        if (b->at != last->at + (MPI_Aint)last->count * last->stride)
            return false;
        last->count++;
        return true;
    }
    /* Both predecessors must be single blocks of this size, at the distance of the new one. */
    if (t->block_count == 1 || before->count != 1 || before->bytes != b->bytes ||
        last->at - before->at != b->at - last->at)
        return false;
    /* The two single blocks and the new one become one entry. */
    before->count = 3;
    before->stride = last->at - before->at;
    t->block_count--;
    return true;
}

/* Merges blocks that follow each other without a gap. A row without gaps is one block. Blocks of
 * size 0 do not occur: types without data are not added. */
static bool add_block(struct mpi_type *t, struct type_block b)
{
    struct type_block *last = t->block_count ? &t->blocks[t->block_count - 1] : NULL;

    if (b.count > 1 && b.stride == (MPI_Aint)b.bytes) {
        b.bytes *= b.count;
        b.count = 1;
    }
    /* Negative displacements are no special case: only what touches at the end is merged. */
    if (last && last->count == 1 && b.count == 1 && last->at + (MPI_Aint)last->bytes == b.at) {
        last->bytes += b.bytes;
        return true;
    }
    return continue_row(t, &b) || APPEND(t->blocks, t->block_count, b);
}

/* Contiguous as a whole. */
static bool is_one_block(const struct mpi_type *t)
{
    return t->block_count == 1 && t->times == 1 && t->blocks[0].count == 1;
}

/* The general case: lists every block of n copies of the child, and of the child's own repetitions.
 * O(n * times * block_count); add_block() compresses what is regular. */
static bool add_copies(struct mpi_type *t, MPI_Aint at, size_t n, const struct mpi_type *child)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < child->times; j++)
            for (size_t k = 0; k < child->block_count; k++) {
                struct type_block b = child->blocks[k];
                /* Displacements of the child are relative to its own origin, not to its lower
                 * bound. */
                b.at += at + (MPI_Aint)i * type_extent(child) + (MPI_Aint)j * child->stride;
                if (!add_block(t, b))
                    return false;
            }
    return true;
}

/* n copies of a child that is one block are one row, in O(1). */
static bool add_blocks(struct mpi_type *t, MPI_Aint at, size_t n, const struct mpi_type *child)
{
    /* add_block() turns the row into one block again if the copies touch. */
    if (is_one_block(child)) {
        struct type_block b = child->blocks[0];
        b.at += at;
        b.count = n;
        b.stride = n > 1 ? type_extent(child) : 0;
        return add_block(t, b);
    }
    return add_copies(t, at, n, child);
}

/* ---- units ---------------------------------------------------------------------------------- */

/* Adjacent runs of the same basic element are merged. */
static bool add_unit(struct mpi_type *t, struct type_unit u)
{
    struct type_unit *last = t->unit_count ? &t->units[t->unit_count - 1] : NULL;

    if (last && last->basic == u.basic) {
        last->count += u.count;
        return true;
    }
    return APPEND(t->units, t->unit_count, u);
}

/* Appends a list so many times. Merging happens where the end of one pass meets the next.
 * O(repeats * count), so callers avoid large numbers where a repeated list will do. */
static bool add_all_units(struct mpi_type *t, const struct type_unit *units, size_t count,
                          size_t repeats)
{
    for (size_t i = 0; i < repeats; i++)
        for (size_t k = 0; k < count; k++)
            if (!add_unit(t, units[k]))
                return false;
    return true;
}

/* Expands repetitions of the list, so that another one can be appended. Costs O(repeats * units),
 * and only happens when parts of different composition follow each other. On failure the old list
 * is freed and the partial new one stays for flatten_free(). */
static bool write_out_units(struct mpi_type *t)
{
    struct type_unit *units = t->units;
    size_t count = t->unit_count, repeats = t->repeats;
    bool ok;

    if (repeats == 1)
        return true;
    /* The new list begins empty. */
    t->units = NULL;
    t->unit_count = 0;
    t->repeats = 1;
    ok = add_all_units(t, units, count, repeats);
    free(units);
    return ok;
}

/* By identity: each basic type has one description. */
static bool same_units(const struct mpi_type *a, const struct mpi_type *b)
{
    if (a->unit_count != b->unit_count)
        return false;
    for (size_t i = 0; i < a->unit_count; i++)
        if (a->units[i].basic != b->units[i].basic || a->units[i].count != b->units[i].count)
            return false;
    return true;
}

/* Appends n times the child's elements, with the cheapest of four methods. A child of one basic
 * element extends the last run. The first part is stored as a repeated list. A part with the same
 * list raises the number of repetitions. Only any other case expands the list. */
static bool add_units(struct mpi_type *t, size_t n, const struct mpi_type *child)
{
    struct type_unit one;

    t->elements += n * child->elements;
    /* A repeated list of one unit is one longer run, so its repetitions are multiplied in. */
    if (child->unit_count == 1) {
        one = (struct type_unit){child->units[0].basic, child->units[0].count * child->repeats * n};
        return write_out_units(t) && add_unit(t, one);
    }
    /* O(units of the child), however large n is. */
    if (t->unit_count == 0) {
        t->repeats = n * child->repeats;
        return add_all_units(t, child->units, child->unit_count, 1);
    }
    if (same_units(t, child)) {
        t->repeats += n * child->repeats;
        return true;
    }
    return write_out_units(t) &&
           add_all_units(t, child->units, child->unit_count, n * child->repeats);
}

/* Returns the type of hnow common to all elements, or HN_BYTE. HN_BYTE as well for a type whose
 * elements hnow does not know, and for an empty one. */
static hn_type common_unit(const struct mpi_type *t)
{
    /* Different basic types with the same type of hnow, such as MPI_INT and MPI_INTEGER, agree. */
    for (size_t i = 0; i < t->unit_count; i++)
        if (t->units[i].basic->hn != t->units[0].basic->hn)
            return HN_BYTE;
    return t->unit_count ? t->units[0].basic->hn : HN_BYTE;
}

/* ---- bounds --------------------------------------------------------------------------------- */

/* Of signed displacements: both may be negative. */
static MPI_Aint least(MPI_Aint a, MPI_Aint b)
{
    return a < b ? a : b;
}

static MPI_Aint most(MPI_Aint a, MPI_Aint b)
{
    return a > b ? a : b;
}

/* Extends the bounds by a part from `first` to `last` (positions of its first and last element, in
 * any order).  Bounds set by the program take precedence. The rules of MPI 4.1, 5.1.6: if any part
 * has bounds set by MPI_Type_create_resized(), only the bounds of such parts count. Parts without
 * data extend lb and ub, but not the true bounds. */
static void add_bounds(struct mpi_type *t, MPI_Aint first, MPI_Aint last,
                       const struct mpi_type *child, bool is_first)
{
    /* A negative extent or stride makes the last element the lower one. */
    MPI_Aint low = least(first, last), high = most(first, last);
    bool set = child->fixed_bounds;

    /* t->size still is the size before this part: 0 means that no part had data. */
    if (child->size > 0) {
        bool begun = t->size > 0;
        t->true_lb = begun ? least(t->true_lb, low + child->true_lb) : low + child->true_lb;
        t->true_ub = begun ? most(t->true_ub, high + child->true_ub) : high + child->true_ub;
    }
    /* The first part with bounds that were set replaces those of all others. */
    if (is_first || (set && !t->fixed_bounds)) {
        t->lb = low + child->lb;
        t->ub = high + child->ub;
    } else if (set == t->fixed_bounds) {
        t->lb = least(t->lb, low + child->lb);
        t->ub = most(t->ub, high + child->ub);
    }
    t->fixed_bounds |= set;
    /* Every part has at least 1, so 0 means that nothing was added. */
    t->align = child->align > t->align ? child->align : t->align;
}

/* ---- parts ---------------------------------------------------------------------------------- */

void flatten_begin(struct mpi_type *t)
{
    t->times = t->repeats = 1;
    t->align = 0; /* nothing added yet */
}

/* With n 0 nothing changes, not even the bounds. False: out of memory. */
bool flatten_add(struct mpi_type *t, MPI_Aint at, size_t n, const struct mpi_type *child)
{
    if (n == 0)
        return true;
    /* Bounds first: they need the size before this part. */
    add_bounds(t, at, at + (MPI_Aint)(n - 1) * type_extent(child), child, t->align == 0);
    t->size += (MPI_Count)n * child->size;
    return child->size == 0 || (add_blocks(t, at, n, child) && add_units(t, n, child));
}

/* If a repeated type's elements continue at its own distances, they form one longer repetition. The
 * child's blocks are added once, and its number of repetitions is multiplied. */
static bool continue_rows(struct mpi_type *t, size_t rows, const struct mpi_type *child)
{
    for (size_t k = 0; k < child->block_count; k++)
        if (!add_block(t, child->blocks[k]))
            return false;
    t->times = rows * child->times;
    t->stride = child->stride;
    return true;
}

/* `stride` is in bytes. The cost does not depend on the number of rows. */
bool flatten_rows(struct mpi_type *t, size_t rows, MPI_Aint stride, size_t n,
                  const struct mpi_type *child)
{
    /* `width` and `way` are the distances of the first to the last element in a row, and of the
     * first to the last row. Strides and extents may be negative, so each side takes the smaller
     * and the larger of 0 and them. */
    MPI_Aint width = n > 0 ? (MPI_Aint)(n - 1) * type_extent(child) : 0;
    MPI_Aint way = rows > 0 ? (MPI_Aint)(rows - 1) * stride : 0;

    if (rows == 0 || n == 0)
        return true;
    /* The whole part at once: only its extreme elements matter for the bounds. */
    add_bounds(t, least(0, way) + least(0, width), most(0, way) + most(0, width), child, true);
    t->size = (MPI_Count)(rows * n) * child->size;
    /* No blocks and no units, but bounds. */
    if (child->size == 0)
        return true;
    if (!add_units(t, rows * n, child))
        return false;
    if (rows == 1 || stride == (MPI_Aint)n * type_extent(child)) { /* all elements are one row */
        rows *= n;
        n = 1;
        stride = type_extent(child);
    }
    /* Such as a vector of a vector, whose rows continue at the same distance. */
    if (n == 1 && child->times > 1 && stride == (MPI_Aint)child->times * child->stride)
        return continue_rows(t, rows, child);
    if (!add_blocks(t, 0, n, child))
        return false;
    /* A row of several blocks is repeated as a list; a row that is one block becomes a row of
     * blocks. t now has the blocks of one row; the other rows follow from times and stride. */
    if (!is_one_block(t)) {
        t->times = rows;
        t->stride = stride;
    } else if (rows > 1) {
        struct type_block b = t->blocks[0];
        b.count = rows;
        b.stride = stride;
        t->block_count = 0;
        return add_block(t, b);
    }
    return true;
}

/* `align` is 0 if no part was added; later code may divide by it, so it becomes 1. */
void flatten_end(struct mpi_type *t, bool padded)
{
    MPI_Aint align = (MPI_Aint)t->align;

    if (align == 0)
        t->align = 1;
    /* The rounding is that of `extent`, so a struct with lb below 0 is padded at its end, too. */
    else if (padded && !t->fixed_bounds && (t->ub - t->lb) % align != 0)
        t->ub += align - (t->ub - t->lb) % align;
    /* These two decide whether messages of this type are packed. */
    t->unit = common_unit(t);
    t->dense = t->block_count == 0 || is_one_block(t);
}

/* MPI_Type_create_resized(), and arrays, whose extent is that of the whole array. */
void flatten_bounds(struct mpi_type *t, MPI_Aint lb, MPI_Aint extent)
{
    t->lb = lb;
    t->ub = lb + extent;
    t->fixed_bounds = true;
}

/* Neither list can fail to get its first entry, except without any memory at start. */
void flatten_basic(struct mpi_type *t, const struct mpi_basic *basic)
{
    flatten_begin(t);
    t->size = t->ub = t->true_ub = (MPI_Count)basic->size;
    t->align = basic->align;
    t->elements = 1;
    add_block(t, (struct type_block){0, basic->size, 1, 0});
    add_unit(t, (struct type_unit){basic, 1});
    flatten_end(t, false);
}

/* The recipe is freed separately. */
void flatten_free(struct mpi_type *t)
{
    free(t->blocks);
    free(t->units);
}

/* type_task.c - random datatypes against a type map that is written out element by element, as the
 * standard defines each constructor: type_task [SEED]
 *
 * A map is the list of a type's bytes in order; bounds are those of the standard's formulas.  Every
 * type is packed, unpacked, sent to itself and received as what it is made of.
 */
#include "mpi_check.h"

#include <string.h>
#include <sys/resource.h>

enum { TYPES = 400, BYTES_MOST = 20000, DEPTH = 4, SPAN = 1 << 18 };

/* A type, and what it is by the standard. */
struct sample {
    MPI_Datatype type;
    MPI_Aint *at; /* of each byte, in the order of the type map */
    int bytes;
    MPI_Aint lb, ub;
    int has_bounds; /* something counts for them */
    int fixed;      /* a resized type is in it */
    int align;
};

static unsigned long long state;

static int below(int n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((state >> 33) % (unsigned)n);
}

static void add_bounds(struct sample *s, MPI_Aint lb, MPI_Aint ub, int fixed)
{
    if (fixed && !s->fixed)
        s->has_bounds = 0;
    if (!fixed && s->fixed)
        return;
    s->lb = s->has_bounds && s->lb < lb ? s->lb : lb;
    s->ub = s->has_bounds && s->ub > ub ? s->ub : ub;
    s->has_bounds = 1;
    s->fixed |= fixed;
}

/* One more element of a type at a place. */
static void place(struct sample *s, const struct sample *child, MPI_Aint at)
{
    s->at = realloc(s->at, (size_t)(s->bytes + child->bytes + 1) * sizeof *s->at);
    for (int i = 0; i < child->bytes; i++)
        s->at[s->bytes + i] = child->at[i] + at;
    s->bytes += child->bytes;
    add_bounds(s, child->lb + at, child->ub + at, child->fixed);
    s->align = s->align > child->align ? s->align : child->align;
}

static void place_row(struct sample *s, const struct sample *child, MPI_Aint at, int n)
{
    for (int i = 0; i < n; i++)
        place(s, child, at + i * (child->ub - child->lb));
}

static struct sample basic(void)
{
    static const struct {
        MPI_Datatype type;
        int size;
    } basics[] = {{MPI_CHAR, 1}, {MPI_SHORT, 2}, {MPI_INT, 4}, {MPI_DOUBLE, 8}, {MPI_FLOAT, 4}};
    int k = below(5), size = basics[k].size;
    struct sample s = {
        .type = basics[k].type, .bytes = size, .ub = size, .has_bounds = 1, .align = size};

    s.at = malloc((size_t)size * sizeof *s.at);
    for (int i = 0; i < size; i++)
        s.at[i] = i;
    return s;
}

static struct sample make(int depth);

static void discard(struct sample *s)
{
    int ints, addresses, types, combiner;

    OK(MPI_Type_get_envelope(s->type, &ints, &addresses, &types, &combiner));
    if (combiner != MPI_COMBINER_NAMED)
        OK(MPI_Type_free(&s->type));
    free(s->at);
}

static struct sample make_struct(int depth)
{
    struct sample s = {0};
    MPI_Datatype types[3];
    MPI_Aint places[3];
    int lengths[3], n = 1 + below(3);
    struct sample child[3];

    for (int i = 0; i < n; i++) {
        child[i] = make(depth - 1);
        types[i] = child[i].type;
        lengths[i] = below(3);
        places[i] = below(400) - 100;
        place_row(&s, &child[i], places[i], lengths[i]);
    }
    OK(MPI_Type_create_struct(n, lengths, places, types, &s.type));
    for (int i = 0; i < n; i++)
        discard(&child[i]);
    if (!s.fixed && s.align > 0 && (s.ub - s.lb) % s.align != 0)
        s.ub += s.align - (s.ub - s.lb) % s.align;
    return s;
}

static void make_rows(struct sample *s, const struct sample *child)
{
    MPI_Aint extent = child->ub - child->lb;
    int rows = below(4), n = below(4), stride = below(9) - 2, how = below(3);

    if (how == 0) {
        OK(MPI_Type_contiguous(rows, child->type, &s->type));
        place_row(s, child, 0, rows);
        return;
    }
    if (how == 1)
        OK(MPI_Type_vector(rows, n, stride, child->type, &s->type));
    else
        OK(MPI_Type_create_hvector(rows, n, 13 * stride, child->type, &s->type));
    for (int i = 0; i < rows; i++)
        place_row(s, child, i * (how == 1 ? stride * extent : 13 * stride), n);
}

static void make_blocks(struct sample *s, const struct sample *child)
{
    int n = below(4), how = below(4), lengths[4], places[4];
    MPI_Aint extent = child->ub - child->lb, far[4];

    for (int i = 0; i < n; i++) {
        lengths[i] = how < 2 ? below(4) : 2;
        places[i] = below(12) - 3;
        far[i] = how % 2 ? below(300) - 50 : places[i] * extent;
        place_row(s, child, far[i], lengths[i]);
    }
    if (how == 0)
        OK(MPI_Type_indexed(n, lengths, places, child->type, &s->type));
    else if (how == 1)
        OK(MPI_Type_create_hindexed(n, lengths, far, child->type, &s->type));
    else if (how == 2)
        OK(MPI_Type_create_indexed_block(n, 2, places, child->type, &s->type));
    else
        OK(MPI_Type_create_hindexed_block(n, 2, far, child->type, &s->type));
}

/* All places of an array that `is_mine` tells, in the order of memory. */
static void place_array(struct sample *s, const struct sample *child, int dimensions,
                        const int *sizes, int order, int (*is_mine)(const int *at))
{
    MPI_Aint extent = child->ub - child->lb, count = 1;
    int at[3];

    for (int i = 0; i < dimensions; i++)
        count *= sizes[i];
    for (MPI_Aint k = 0; k < count; k++) {
        MPI_Aint rest = k;
        for (int i = 0; i < dimensions; i++) {
            int d = order == MPI_ORDER_C ? dimensions - 1 - i : i;
            at[d] = (int)(rest % sizes[d]);
            rest /= sizes[d];
        }
        if (is_mine(at))
            place(s, child, k * extent);
    }
    s->lb = 0;
    s->ub = count * extent;
    s->has_bounds = s->fixed = 1;
}

static int dims, subsizes[3], starts[3];

static int in_subarray(const int *at)
{
    for (int i = 0; i < dims; i++)
        if (at[i] < starts[i] || at[i] >= starts[i] + subsizes[i])
            return 0;
    return 1;
}

static void make_subarray(struct sample *s, const struct sample *child)
{
    int sizes[3], order = below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;

    dims = 1 + below(3);
    for (int i = 0; i < dims; i++) {
        sizes[i] = 1 + below(4);
        subsizes[i] = 1 + below(sizes[i]);
        starts[i] = below(sizes[i] - subsizes[i] + 1);
    }
    OK(MPI_Type_create_subarray(dims, sizes, subsizes, starts, order, child->type, &s->type));
    place_array(s, child, dims, sizes, order, in_subarray);
}

static int grid[3], coords[3], how[3], arg[3], gsizes[3];

/* The standard's rule: block b of `arg` elements goes to place b modulo the grid's size. */
static int in_darray(const int *at)
{
    for (int i = 0; i < dims; i++) {
        int block = how[i] == MPI_DISTRIBUTE_NONE        ? gsizes[i]
                    : arg[i] != MPI_DISTRIBUTE_DFLT_DARG ? arg[i]
                    : how[i] == MPI_DISTRIBUTE_BLOCK     ? (gsizes[i] + grid[i] - 1) / grid[i]
                                                         : 1;
        if (at[i] / block % grid[i] != coords[i])
            return 0;
    }
    return 1;
}

static void make_darray(struct sample *s, const struct sample *child)
{
    int order = below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, processes = 1, rank = 0;

    dims = 1 + below(3);
    for (int i = 0; i < dims; i++) {
        gsizes[i] = 1 + below(7);
        how[i] = below(3) == 0   ? MPI_DISTRIBUTE_NONE
                 : below(2) == 0 ? MPI_DISTRIBUTE_BLOCK
                                 : MPI_DISTRIBUTE_CYCLIC;
        grid[i] = how[i] == MPI_DISTRIBUTE_NONE ? 1 : 1 + below(3);
        arg[i] =
            how[i] == MPI_DISTRIBUTE_CYCLIC && below(2) ? 1 + below(3) : MPI_DISTRIBUTE_DFLT_DARG;
        processes *= grid[i];
        coords[i] = below(grid[i]);
        rank = rank * grid[i] + coords[i];
    }
    OK(MPI_Type_create_darray(processes, rank, dims, gsizes, how, arg, grid, order, child->type,
                              &s->type));
    place_array(s, child, dims, gsizes, order, in_darray);
}

static void make_resized(struct sample *s, const struct sample *child)
{
    MPI_Aint lb = below(50) - 20, extent = below(200);

    OK(MPI_Type_create_resized(child->type, lb, extent, &s->type));
    place(s, child, 0);
    s->lb = lb;
    s->ub = lb + extent;
    s->has_bounds = s->fixed = 1;
}

static struct sample make(int depth)
{
    struct sample s = {0}, child;
    int kind = depth == 0 ? 0 : below(7);

    if (kind == 0)
        return basic();
    if (kind == 1)
        return make_struct(depth);
    child = make(depth - 1);
    if (kind == 2)
        make_rows(&s, &child);
    else if (kind == 3)
        make_blocks(&s, &child);
    else if (kind == 4)
        make_subarray(&s, &child);
    else if (kind == 5)
        make_darray(&s, &child);
    else
        make_resized(&s, &child);
    discard(&child);
    return s;
}

/* ---- checks --------------------------------------------------------------------------------- */

static char from[SPAN], to[SPAN], expected[SPAN], packed[2 * BYTES_MOST], wanted[2 * BYTES_MOST];

static void check_numbers(const struct sample *s)
{
    MPI_Aint lb, extent, first = 0, last = 0;
    int size;

    for (int i = 0; i < s->bytes; i++) {
        first = i == 0 || s->at[i] < first ? s->at[i] : first;
        last = i == 0 || s->at[i] > last ? s->at[i] : last;
    }
    OK(MPI_Type_size(s->type, &size));
    CHECK(size == s->bytes);
    OK(MPI_Type_get_extent(s->type, &lb, &extent));
    CHECK(lb == s->lb && extent == s->ub - s->lb);
    OK(MPI_Type_get_true_extent(s->type, &lb, &extent));
    CHECK(s->bytes == 0 || (lb == first && extent == last + 1 - first));
}

static void check_data(const struct sample *s, int count)
{
    MPI_Aint extent = s->ub - s->lb;
    char *base = from + SPAN / 2, *in = to + SPAN / 2;
    int position = 0, n = 0, size;
    MPI_Status status;

    for (int i = 0; i < SPAN; i++) {
        from[i] = (char)below(256);
        expected[i] = to[i] = (char)(i % 251);
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < s->bytes; k++) {
            wanted[n++] = base[i * extent + s->at[k]];
            expected[SPAN / 2 + i * extent + s->at[k]] = wanted[n - 1];
        }
    OK(MPI_Pack_size(count, s->type, MPI_COMM_SELF, &size));
    CHECK(size == n);
    OK(MPI_Pack(base, count, s->type, packed, sizeof packed, &position, MPI_COMM_SELF));
    CHECK(position == n && memcmp(packed, wanted, (size_t)n) == 0);
    position = 0;
    OK(MPI_Unpack(packed, n, &position, in, count, s->type, MPI_COMM_SELF));
    CHECK(position == n);
    /* Of places that are written twice the last one counts, here as there. */
    CHECK(memcmp(to, expected, SPAN) == 0);
    memcpy(to, expected, SPAN);
    OK(MPI_Send(base, count, s->type, 0, 1, MPI_COMM_SELF));
    OK(MPI_Recv(packed, n, MPI_PACKED, 0, 1, MPI_COMM_SELF, &status));
    CHECK(memcmp(packed, wanted, (size_t)n) == 0);
    OK(MPI_Sendrecv(base, count, s->type, 0, 2, in, count, s->type, 0, 2, MPI_COMM_SELF, &status));
    CHECK(memcmp(to, expected, SPAN) == 0);
    OK(MPI_Get_count(&status, s->type, &n));
    CHECK(n == (s->bytes == 0 ? 0 : count));
}

/* external32: what is packed comes back; known values have the standard's bytes. */
static void check_external(const struct sample *s)
{
    MPI_Aint size, position = 0;

    OK(MPI_Pack_external_size("external32", 2, s->type, &size));
    OK(MPI_Pack_external("external32", from + SPAN / 2, 2, s->type, packed, sizeof packed,
                         &position));
    CHECK(position == size);
    position = 0;
    memcpy(to, from, SPAN);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < s->bytes; k++)
            to[SPAN / 2 + i * (s->ub - s->lb) + s->at[k]] = 0;
    OK(MPI_Unpack_external("external32", packed, size, &position, to + SPAN / 2, 2, s->type));
    CHECK(position == size && memcmp(to, from, SPAN) == 0);
}

static void check_known(void)
{
    static const unsigned char bytes[] = {1,    2,    3,    4,    0xff, 0xfe, 0x40,
                                          0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18,
                                          0xff, 0xff, 0xff, 0xfb, 0x26, 0x3a};
    int i = 0x01020304;
    short h = -2;
    double pi = 3.14159265358979323846;
    long l = -5, far = 1L << 40;
    wchar_t face = 0x263a, clef = 0x1d11e;
    MPI_Aint at = 0;

    OK(MPI_Pack_external("external32", &i, 1, MPI_INT, packed, 100, &at));
    OK(MPI_Pack_external("external32", &h, 1, MPI_SHORT, packed, 100, &at));
    OK(MPI_Pack_external("external32", &pi, 1, MPI_DOUBLE, packed, 100, &at));
    OK(MPI_Pack_external("external32", &l, 1, MPI_LONG, packed, 100, &at));
    OK(MPI_Pack_external("external32", &face, 1, MPI_WCHAR, packed, 100, &at));
    CHECK(at == sizeof bytes && memcmp(packed, bytes, sizeof bytes) == 0);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Pack_external("external32", &far, 1, MPI_LONG, packed, 100, &at) ==
          MPI_ERR_CONVERSION);
    CHECK(MPI_Pack_external("external32", &clef, 1, MPI_WCHAR, packed, 100, &at) ==
          MPI_ERR_CONVERSION);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

/* What is large takes neither the memory nor the time of its elements. */
static void check_large(void)
{
    int sizes[] = {4096, 4096}, on[] = {2, 2}, lengths[] = {3, 2};
    int cyclic[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC};
    int usual[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Aint places[] = {0, 40};
    MPI_Datatype array, mixed, types[] = {MPI_SHORT, MPI_LONG};
    MPI_Count size;
    struct rusage before, after;

    getrusage(RUSAGE_SELF, &before);
    OK(MPI_Type_create_darray(4, 0, 2, sizes, cyclic, usual, on, MPI_ORDER_C, MPI_INT, &array));
    getrusage(RUSAGE_SELF, &after);
    CHECK(after.ru_maxrss - before.ru_maxrss < 32 * 1024); /* KiB */
    OK(MPI_Type_size_c(array, &size));
    CHECK(size == 2048 * 2048 * sizeof(int));
    OK(MPI_Type_free(&array));
    OK(MPI_Type_create_struct(2, lengths, places, types, &mixed));
    OK(MPI_Pack_external_size_c("external32", (MPI_Count)1 << 50, mixed, &size));
    CHECK(size == (MPI_Count)(3 * 2 + 2 * 4) << 50);
    OK(MPI_Type_free(&mixed));
}

/* Fortran's types by precision: equal arguments give one datatype, others another one. */
static void make_f90(MPI_Comm *c, int *code, ...)
{
    MPI_Datatype real;

    (void)c, (void)code;
    OK(MPI_Type_create_f90_real(6, 29, &real));
}

/* An error handler that makes such a type itself. */
static void check_f90_handler(void)
{
    MPI_Errhandler makes;

    OK(MPI_Comm_create_errhandler(make_f90, &makes));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, makes));
    CHECK(class_of(MPI_Type_create_f90_real(6, 28, NULL)) == MPI_ERR_ARG);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Errhandler_free(&makes));
}

static void check_f90(void)
{
    MPI_Datatype real[3], complex, integer[2];

    OK(MPI_Type_create_f90_real(6, MPI_UNDEFINED, &real[0]));
    OK(MPI_Type_create_f90_real(6, 30, &real[1]));
    OK(MPI_Type_create_f90_complex(6, 30, &complex));
    OK(MPI_Type_create_f90_integer(9, &integer[0]));
    OK(MPI_Type_create_f90_real(6, 30, &real[2]));
    OK(MPI_Type_create_f90_integer(9, &integer[1]));
    CHECK(real[1] == real[2] && integer[0] == integer[1]);
    CHECK(real[0] != real[1] && complex != real[1]);
    int bytes;
    OK(MPI_Type_create_f90_real(18, MPI_UNDEFINED, &real[0]));
    OK(MPI_Type_size(real[0], &bytes));
    CHECK(bytes == sizeof(long double));
    OK(MPI_Type_create_f90_complex(33, 4000, &complex));
    OK(MPI_Type_size(complex, &bytes));
    CHECK(bytes == 32);
}

/* Types of a size are Fortran's; the widest have 16 bytes for a number. */
static void check_sizes(void)
{
    MPI_Datatype found;
    int bytes;

    OK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, &found));
    CHECK(found == MPI_REAL4);
    OK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 16, &found));
    CHECK(found == MPI_REAL16);
    OK(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 32, &found));
    CHECK(found == MPI_COMPLEX32);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK(class_of(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &found)) == MPI_ERR_ARG);
#ifdef MPI_ABI_VERSION
    OK(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 16, &found));
    CHECK(found == MPI_INTEGER16);
    OK(MPI_Type_create_f90_integer(38, &found));
    OK(MPI_Type_size(found, &bytes));
    CHECK(bytes == 16);
#endif
    CHECK(class_of(MPI_Type_create_f90_integer(39, &found)) == MPI_ERR_ARG);
    OK(MPI_Type_create_f90_integer(18, &found));
    OK(MPI_Type_size(found, &bytes));
    CHECK(bytes == 8);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

/* The contents make the same type again. */
static MPI_Datatype once_more(MPI_Datatype type)
{
    int ints, addresses, types, combiner;
    MPI_Datatype again;

    OK(MPI_Type_get_envelope(type, &ints, &addresses, &types, &combiner));
    OK(MPI_Type_dup(type, &again));
    if (combiner != MPI_COMBINER_NAMED) {
        int *i = malloc(((size_t)ints + 1) * sizeof *i);
        MPI_Aint *a = malloc(((size_t)addresses + 1) * sizeof *a);
        MPI_Datatype *t = malloc(((size_t)types + 1) * sizeof(MPI_Datatype)), made;
        OK(MPI_Type_get_contents(type, ints, addresses, types, i, a, t));
        if (combiner == MPI_COMBINER_STRUCT) {
            CHECK(ints == 1 + i[0] && addresses == i[0] && types == i[0]);
            OK(MPI_Type_create_struct(i[0], i + 1, a, t, &made));
            OK(MPI_Type_free(&again));
            again = made;
        } else if (combiner == MPI_COMBINER_HINDEXED) {
            CHECK(ints == 1 + i[0] && addresses == i[0] && types == 1);
            OK(MPI_Type_create_hindexed(i[0], i + 1, a, t[0], &made));
            OK(MPI_Type_free(&again));
            again = made;
        }
        for (int k = 0; k < types; k++) {
            int x, y, z, c;
            OK(MPI_Type_get_envelope(t[k], &x, &y, &z, &c));
            if (c != MPI_COMBINER_NAMED)
                OK(MPI_Type_free(&t[k]));
        }
        free(i);
        free(a);
        free(t);
    }
    OK(MPI_Type_commit(&again));
    return again;
}

static int too_large(const struct sample *s)
{
    if (s->bytes > BYTES_MOST / 4 || labs(s->lb) > SPAN / 16 || labs(s->ub) > SPAN / 16)
        return 1;
    for (int i = 0; i < s->bytes; i++)
        if (labs(s->at[i]) > SPAN / 16)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    const char *seed = argc > 1 ? argv[1] : getenv("HNOW_SEED");
    int done = 0;

    OK(MPI_Init(&argc, &argv));
    state = seed ? strtoull(seed, NULL, 10) : 1;
    check_known();
    check_large();
    check_f90();
    check_f90_handler();
    check_sizes();
    while (done < TYPES) {
        struct sample s = make(1 + below(DEPTH));
        if (!too_large(&s)) {
            OK(MPI_Type_commit(&s.type));
            check_numbers(&s);
            check_data(&s, 1);
            check_data(&s, 3);
            check_external(&s);
            MPI_Datatype again = once_more(s.type), before = s.type;
            s.type = again;
            check_numbers(&s);
            check_data(&s, 2);
            OK(MPI_Type_free(&again));
            s.type = before;
            done++;
        }
        discard(&s);
    }
    puts("all types right");
    return MPI_Finalize();
}

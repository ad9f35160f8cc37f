/* fold.c - reduction kernels: a table of loops, one for each operator and type, defined by macros.
 *
 * Left and right operands are never exchanged. So all members of an allreduce compute bitwise equal
 * results even if an operator is not symmetric, as the minimum of 0 and -0 or of a NaN. Integer
 * sums and products are computed in unsigned arithmetic, so they wrap around.
 */
#include "wire/fold.h"

#include "runtime/internal.h"

#include <complex.h>
#include <stdint.h>

/* Defines a kernel for a type; `expression` is the result of l (left) and r (right). */
#define KERNEL(name, type, expression)                                                             \
    static void name(void *own_, const void *incoming_, size_t count, bool incoming_left)          \
    {                                                                                              \
        type *restrict own = own_;                                                                 \
        const type *restrict incoming = incoming_;                                                 \
        if (incoming_left)                                                                         \
            for (size_t i = 0; i < count; i++) {                                                   \
                type l = incoming[i], r = own[i];                                                  \
                own[i] = (type)(expression);                                                       \
            }                                                                                      \
        else                                                                                       \
            for (size_t i = 0; i < count; i++) {                                                   \
                type l = own[i], r = incoming[i];                                                  \
                own[i] = (type)(expression);                                                       \
            }                                                                                      \
    }

/* uint64_t has the wrapped sum or product of every integer type in its low bits. */
#define ARITHMETIC_OF_INTEGERS(suffix, type)                                                       \
    KERNEL(sum_##suffix, type, (uint64_t)l + (uint64_t)r)                                          \
    KERNEL(prod_##suffix, type, (uint64_t)l *(uint64_t)r)

#define ARITHMETIC(suffix, type)                                                                   \
    KERNEL(sum_##suffix, type, l + r)                                                              \
    KERNEL(prod_##suffix, type, l *r)

#define ORDER(suffix, type)                                                                        \
    KERNEL(min_##suffix, type, r < l ? r : l)                                                      \
    KERNEL(max_##suffix, type, l < r ? r : l)

#define BITS(suffix, type)                                                                         \
    KERNEL(band_##suffix, type, l &r)                                                              \
    KERNEL(bor_##suffix, type, l | r)                                                              \
    KERNEL(bxor_##suffix, type, l ^ r)

/* Pairs (value, place), as of HN_MINLOC: the left one unless the right one is better, or equal with
 * a lower place. */
#define PAIR_KERNEL(name, type, better)                                                            \
    static void name(void *own_, const void *incoming_, size_t count, bool incoming_left)          \
    {                                                                                              \
        type *restrict own = own_;                                                                 \
        const type *restrict incoming = incoming_;                                                 \
        for (size_t i = 0; i + 1 < count; i += 2) {                                                \
            const type *l = incoming_left ? incoming + i : own + i;                                \
            const type *r = incoming_left ? own + i : incoming + i;                                \
            const type *best = r[0] better l[0] || (r[0] == l[0] && r[1] < l[1]) ? r : l;          \
            type value = best[0], place = best[1];                                                 \
            own[i] = value;                                                                        \
            own[i + 1] = place;                                                                    \
        }                                                                                          \
    }

#define PLACES(suffix, type)                                                                       \
    PAIR_KERNEL(minloc_##suffix, type, <)                                                          \
    PAIR_KERNEL(maxloc_##suffix, type, >)

#define LOGIC(suffix, type)                                                                        \
    KERNEL(land_##suffix, type, l &&r)                                                             \
    KERNEL(lor_##suffix, type, l || r)                                                             \
    KERNEL(lxor_##suffix, type, !l != !r)

#define INTEGER(suffix, type)                                                                      \
    ARITHMETIC_OF_INTEGERS(suffix, type)                                                           \
    ORDER(suffix, type)                                                                            \
    PLACES(suffix, type)                                                                           \
    BITS(suffix, type)                                                                             \
    LOGIC(suffix, type)

INTEGER(i8, int8_t)
/* Every kernel is a function of its own, so that the compiler can vectorize its loop. */
INTEGER(i16, int16_t)
INTEGER(i32, int32_t)
INTEGER(i64, int64_t)
INTEGER(u8, uint8_t)
INTEGER(u16, uint16_t)
INTEGER(u32, uint32_t)
INTEGER(u64, uint64_t)
ARITHMETIC(f32, float)
ORDER(f32, float)
PLACES(f32, float)
ARITHMETIC(f64, double)
ORDER(f64, double)
PLACES(f64, double)
ARITHMETIC(c32, float complex)
ARITHMETIC(c64, double complex)
#ifdef HN_LDOUBLE
ARITHMETIC(long, long double)
ORDER(long, long double)
PLACES(long, long double)
ARITHMETIC(clong, long double complex)
#endif

#define INTEGER_ROW(suffix)                                                                        \
    {                                                                                              \
        [HN_SUM] = sum_##suffix, [HN_PROD] = prod_##suffix, [HN_MIN] = min_##suffix,               \
        [HN_MAX] = max_##suffix, [HN_LAND] = land_##suffix, [HN_LOR] = lor_##suffix,               \
        [HN_BAND] = band_##suffix, [HN_BOR] = bor_##suffix, [HN_BXOR] = bxor_##suffix,             \
        [HN_MINLOC] = minloc_##suffix, [HN_MAXLOC] = maxloc_##suffix, [HN_LXOR] = lxor_##suffix    \
    }
#define FLOAT_ROW(suffix)                                                                          \
    {                                                                                              \
        [HN_SUM] = sum_##suffix, [HN_PROD] = prod_##suffix, [HN_MIN] = min_##suffix,               \
        [HN_MAX] = max_##suffix, [HN_MINLOC] = minloc_##suffix, [HN_MAXLOC] = maxloc_##suffix      \
    }
#define COMPLEX_ROW(suffix)                                                                        \
    {                                                                                              \
        [HN_SUM] = sum_##suffix, [HN_PROD] = prod_##suffix                                         \
    }

/* HN_LXOR is the last predefined operator. */
enum { OPERATORS = HN_LXOR + 1 };

/* One row for each type; NULL: the operator is not defined for it. */
static const struct {
    hn_type type;
    fold_function *function[OPERATORS];
} table[] = {
    {HN_BYTE, {[HN_BAND] = band_u8, [HN_BOR] = bor_u8, [HN_BXOR] = bxor_u8}},
    {HN_INT8, INTEGER_ROW(i8)},
    {HN_INT16, INTEGER_ROW(i16)},
    {HN_INT32, INTEGER_ROW(i32)},
    {HN_INT64, INTEGER_ROW(i64)},
    {HN_UINT8, INTEGER_ROW(u8)},
    {HN_UINT16, INTEGER_ROW(u16)},
    {HN_UINT32, INTEGER_ROW(u32)},
    {HN_UINT64, INTEGER_ROW(u64)},
    {HN_FLOAT, FLOAT_ROW(f32)},
    {HN_DOUBLE, FLOAT_ROW(f64)},
    {HN_COMPLEX, COMPLEX_ROW(c32)},
    {HN_DOUBLE_COMPLEX, COMPLEX_ROW(c64)},
#ifdef HN_LDOUBLE
    {HN_LDOUBLE, FLOAT_ROW(long)},
    {HN_LDOUBLE_COMPLEX, COMPLEX_ROW(clong)},
#endif
};

/* The operators of a program have numbers beyond the table. */
fold_function *fold_of(hn_op op, hn_type type)
{
    if ((int)op < 0 || (int)op >= OPERATORS)
        return NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].type == type)
            return table[i].function[op];
    return NULL;
}

const char *fold_name(hn_op op)
{
    static const char *const names[OPERATORS] = {
        [HN_SUM] = "HN_SUM",       [HN_PROD] = "HN_PROD",     [HN_MIN] = "HN_MIN",
        [HN_MAX] = "HN_MAX",       [HN_LAND] = "HN_LAND",     [HN_LOR] = "HN_LOR",
        [HN_BAND] = "HN_BAND",     [HN_BOR] = "HN_BOR",       [HN_BXOR] = "HN_BXOR",
        [HN_MINLOC] = "HN_MINLOC", [HN_MAXLOC] = "HN_MAXLOC", [HN_LXOR] = "HN_LXOR",
    };
    return (int)op >= 0 && (int)op < OPERATORS ? names[op] : NULL;
}

/* Whether the result depends on the order of combining. A program's operator may compute anything,
 * so it counts as rounding. Minima and maxima never round. */
static bool rounds(const struct fold *fold, hn_op op, hn_type type)
{
    bool whole = type >> 8 < HN_CLASS_FLOAT;
    return !fold->function || (!whole && (op == HN_SUM || op == HN_PROD));
}

int fold_find(hn_op op, hn_type type, struct fold *fold)
{
    *fold = (struct fold){.type = type, .width = op == HN_MINLOC || op == HN_MAXLOC ? 2 : 1};
    fold->function = fold_of(op, type);
    fold->rounds = rounds(fold, op, type);
    return fold->function || operator_find(op, fold) ? HN_OK : HN_ETYPE;
}

/* Predefined operators compute with the wide type and need no conversion. */
int fold_narrow(struct fold *fold, hn_type type)
{
    if (fold->function)
        return HN_OK;
    fold->wide = fold->type;
    fold->type = type;
    return fold->width <= FOLD_NARROW ? HN_OK : HN_EARG;
}

/* Both sides are of this machine, so the byte order is its own. */
static void convert(const void *in, hn_type from, void *out, hn_type to, size_t count)
{
    type_convert(in, from, type_machine_is_big_endian(), out, to, count);
}

/* Applies the program's operator to copies with narrow elements, some operands at a time.
 * FOLD_NARROW elements of 4 bytes fit on the stack twice. */
static void apply_narrow(const struct fold *fold, uint8_t *own, const uint8_t *incoming,
                         size_t count, bool incoming_left)
{
    uint32_t mine[FOLD_NARROW], theirs[FOLD_NARROW];
    /* Whole operands at a time. */
    size_t most = FOLD_NARROW / fold->width * fold->width, wide = type_size(fold->wide);
    for (size_t at = 0, n; at < count; at += n) {
        n = count - at < most ? count - at : most;
        convert(own + at * wide, fold->wide, mine, fold->type, n);
        convert(incoming + at * wide, fold->wide, theirs, fold->type, n);
        fold->own(incoming_left ? theirs : mine, incoming_left ? mine : theirs, mine, n, fold->type,
                  fold->data);
        convert(mine, fold->type, own + at * wide, fold->wide, n);
    }
}

void fold_apply(const struct fold *fold, void *own, const void *incoming, size_t count,
                bool incoming_left)
{
    const void *left = incoming_left ? incoming : own, *right = incoming_left ? own : incoming;
    if (fold->wide)
        apply_narrow(fold, own, incoming, count, incoming_left);
    else if (fold->function)
        fold->function(own, incoming, count, incoming_left);
    else
        fold->own(left, right, own, count, fold->type, fold->data);
}

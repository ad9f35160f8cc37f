/* coll_task.c - collective operations of MPI beside what they are to yield: random operations,
 * types, counts, roots and ways to call them, in place and not, on several communicators and
 * between two.
 *
 *     coll_task CASES SEED
 *
 * All members draw the same cases.  Every value is a function of who gives it and where it stands,
 * so that each member knows what it has to get; bytes that nothing goes to have to stay as they
 * are.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 0xa5, COUNT_MOST = 40, RANKS_MOST = 16, PARTS = 2 };

static uint64_t state;
static int draw(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

/* ---- elements ------------------------------------------------------------------------------- */

/* A type: its elements are one or two numbers. */
struct kind {
    const char *name;
    MPI_Datatype type;
    size_t extent;
    int parts;
    int at[PARTS];
    char sort[PARTS]; /* i: int, l: long, d: double, s: short, c: unsigned char */
};
static struct kind kinds[] = {
    {"int", MPI_DATATYPE_NULL, sizeof(int), 1, {0}, "i"},
    {"double", MPI_DATATYPE_NULL, sizeof(double), 1, {0}, "d"},
    {"short", MPI_DATATYPE_NULL, sizeof(short), 1, {0}, "s"},
    {"uchar", MPI_DATATYPE_NULL, 1, 1, {0}, "c"},
    {"columns", MPI_DATATYPE_NULL, 16, 2, {0, 8}, "ii"},
    {"struct", MPI_DATATYPE_NULL, 24, 2, {8, 0}, "di"},
    {"widths", MPI_DATATYPE_NULL, 24, 2, {8, 0}, "ls"},
};
enum { PLAIN = 4, KINDS = sizeof kinds / sizeof *kinds };

static MPI_Datatype make_struct(MPI_Datatype second, MPI_Datatype first)
{
    MPI_Datatype t, types[] = {second, first}, made;
    int lengths[] = {1, 1};
    MPI_Aint places[] = {8, 0};

    MPI_Type_create_struct(2, lengths, places, types, &t);
    MPI_Type_create_resized(t, 0, 24, &made);
    MPI_Type_free(&t);
    MPI_Type_commit(&made);
    return made;
}

static void make_kinds(void)
{
    MPI_Datatype t;

    kinds[0].type = MPI_INT;
    kinds[1].type = MPI_DOUBLE;
    kinds[2].type = MPI_SHORT;
    kinds[3].type = MPI_UNSIGNED_CHAR;
    MPI_Type_vector(2, 1, 2, MPI_INT, &t);
    MPI_Type_create_resized(t, 0, 16, &kinds[4].type);
    MPI_Type_free(&t);
    MPI_Type_commit(&kinds[4].type);
    kinds[5].type = make_struct(MPI_DOUBLE, MPI_INT);
    kinds[6].type = make_struct(MPI_LONG, MPI_SHORT);
}

static void put(const struct kind *k, char *element, int part, int value)
{
    char *at = element + k->at[part];
    switch (k->sort[part]) {
    case 'i':
        memcpy(at, &(int){value}, sizeof(int));
        break;
    case 'l':
        memcpy(at, &(long){value}, sizeof(long));
        break;
    case 'd':
        memcpy(at, &(double){value}, sizeof(double));
        break;
    case 's':
        memcpy(at, &(short){(short)value}, sizeof(short));
        break;
    default:
        *(unsigned char *)at = (unsigned char)value;
    }
}

/* What member `rank` gives as part of element i of its block `block`. */
static int value_of(int rank, int block, int i, int part)
{
    return (rank * 31 + block * 17 + i * 7 + part * 3) % 11;
}

static char *buffer_new(size_t bytes)
{
    char *buffer = malloc(bytes + 1);
    memset(buffer, GUARD, bytes + 1);
    return buffer;
}

static void give(const struct kind *k, char *at, int n, int rank, int block)
{
    for (int i = 0; i < n; i++)
        for (int p = 0; p < k->parts; p++)
            put(k, at + (size_t)i * k->extent, p, value_of(rank, block, i, p));
}

/* ---- one case ------------------------------------------------------------------------------- */

enum way { BLOCKING, NONBLOCKING, PERSISTENT, WAYS };

static MPI_Comm comm;
static int rank, size, others; /* of comm; size of the other side, or of comm */
static int inter, root, in_place, count, way, case_number;
static const struct kind *kind;
static const char *operation;
static int counts[RANKS_MOST], displs[RANKS_MOST], room;

static void fail(const char *what)
{
    printf("case %d: %s of %d %s, root %d, way %d%s%s, rank %d of %d: %s\n", case_number, operation,
           count, kind->name, root, way, in_place ? ", in place" : "", inter ? ", inter" : "", rank,
           size, what);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void same(const char *got, const char *expected, size_t bytes)
{
    if (memcmp(got, expected, bytes + 1) != 0)
        fail("wrong data");
}

/* Calls an operation in the way of the case; a persistent one twice, where that changes nothing. */
#define CALL(Name, name, ...)                                                                      \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        operation = #name;                                                                         \
        if (way == BLOCKING) {                                                                     \
            MPI_##Name(__VA_ARGS__);                                                               \
        } else if (way == NONBLOCKING) {                                                           \
            MPI_I##name(__VA_ARGS__, &request);                                                    \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                                 \
        } else {                                                                                   \
            PERSISTENT(Name)(__VA_ARGS__, MPI_INFO_NULL, &request);                                \
            MPI_Start(&request);                                                                   \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                                 \
            MPI_Request_free(&request);                                                            \
        }                                                                                          \
    } while (0)
#if MPI_VERSION >= 4
#define PERSISTENT(Name) MPI_##Name##_init
#else /* Open MPI 4 */
#include <mpi-ext.h>
#define PERSISTENT(Name) MPIX_##Name##_init
#endif

/* Counts and places of all members, with gaps between them, in any order. */
static void draw_counts(void)
{
    room = 0;
    for (int i = 0; i < others; i++) {
        counts[i] = draw(5) == 0 ? 0 : draw(COUNT_MOST);
        displs[i] = room + draw(3);
        room = displs[i] + counts[i];
    }
}

static size_t bytes_of(int n)
{
    return (size_t)n * kind->extent;
}

static void test_bcast(void)
{
    int gives = inter ? root == MPI_ROOT : root == rank, from = inter ? 0 : root;
    char *data = buffer_new(bytes_of(count)), *expected = buffer_new(bytes_of(count));

    if (gives)
        give(kind, data, count, from, 0);
    if (root != MPI_PROC_NULL)
        give(kind, expected, count, from, 0);
    CALL(Bcast, bcast, data, count, kind->type, root, comm);
    same(data, expected, bytes_of(count));
    free(data);
    free(expected);
}

/* Gather and scatter, with lists or without: `all` is at the root. */
static void test_rooted(int gathers, int lists)
{
    int at_root = inter ? root == MPI_ROOT : root == rank;
    int takes_part = !inter || root >= 0;

    if (!lists)
        for (int i = 0; i < others; i++) {
            counts[i] = count;
            displs[i] = i * count;
            room = others * count;
        }
    /* Between two sides the members of one do not know the counts of their own: all alike. */
    for (int i = 0; inter && lists && i < others; i++)
        counts[i] = count, displs[i] = i * (count + 1), room = others * (count + 1);
    int own = inter ? count : counts[rank];
    char *all = buffer_new(bytes_of(room)), *all_expected = buffer_new(bytes_of(room));
    char *one = buffer_new(bytes_of(own)), *one_expected = buffer_new(bytes_of(own));
    for (int i = 0; i < others && at_root; i++) {
        give(kind, all_expected + bytes_of(displs[i]), counts[i], i, 3);
        if (!gathers || (in_place && i == rank))
            give(kind, all + bytes_of(displs[i]), counts[i], i, 3);
    }
    if (takes_part && !(gathers && at_root && in_place))
        give(kind, one_expected, own, rank, 3);
    if (!gathers && at_root && in_place)
        memset(one_expected, GUARD, bytes_of(own));
    if (gathers)
        memcpy(one, one_expected, bytes_of(own));
    void *single = at_root && in_place ? MPI_IN_PLACE : one;
    if (gathers && lists)
        CALL(Gatherv, gatherv, single, own, kind->type, all, counts, displs, kind->type, root,
             comm);
    else if (gathers)
        CALL(Gather, gather, single, count, kind->type, all, count, kind->type, root, comm);
    else if (lists)
        CALL(Scatterv, scatterv, all, counts, displs, kind->type, single, own, kind->type, root,
             comm);
    else
        CALL(Scatter, scatter, all, count, kind->type, single, count, kind->type, root, comm);
    same(all, all_expected, bytes_of(room));
    same(one, one_expected, bytes_of(own));
    free(all);
    free(all_expected);
    free(one);
    free(one_expected);
}

static void test_allgather(int lists)
{
    for (int i = 0; (!lists || inter) && i < others; i++) {
        counts[i] = count;
        displs[i] = i * (count + (lists != 0));
        room = others * (count + (lists != 0));
    }
    int own = inter ? count : counts[rank];
    char *all = buffer_new(bytes_of(room)), *expected = buffer_new(bytes_of(room));
    char *one = buffer_new(bytes_of(own));
    give(kind, one, own, rank, 5);
    for (int i = 0; i < others; i++)
        give(kind, expected + bytes_of(displs[i]), counts[i], i, 5);
    if (in_place)
        give(kind, all + bytes_of(displs[rank]), own, rank, 5);
    void *in = in_place ? MPI_IN_PLACE : one;
    if (lists)
        CALL(Allgatherv, allgatherv, in, own, kind->type, all, counts, displs, kind->type, comm);
    else
        CALL(Allgather, allgather, in, count, kind->type, all, count, kind->type, comm);
    same(all, expected, bytes_of(room));
    free(all);
    free(expected);
    free(one);
}

/* How much member a gives to b: the same for both in place. */
static int share(int a, int b)
{
    return in_place ? (a + b + count) % COUNT_MOST : (a * 3 + b * 5 + count) % COUNT_MOST;
}

static void test_alltoall(int form)
{
    int in_counts[RANKS_MOST], in_displs[RANKS_MOST], in_bytes[RANKS_MOST], bytes[RANKS_MOST];
    MPI_Datatype types[RANKS_MOST];
    int in_room = 0;

    room = 0;
    for (int i = 0; i < others; i++) {
        in_counts[i] = form ? share(rank, i) : count;
        counts[i] = form ? share(i, rank) : count;
        in_displs[i] = in_room + (form ? i % 2 : 0);
        displs[i] = room + (form ? i % 3 : 0);
        in_room = in_displs[i] + in_counts[i];
        room = displs[i] + counts[i];
        in_bytes[i] = (int)bytes_of(in_displs[i]);
        bytes[i] = (int)bytes_of(displs[i]);
        types[i] = in_counts[i] + counts[i] > 0 ? kind->type : MPI_DATATYPE_NULL;
    }
    char *in = buffer_new(bytes_of(in_room));
    char *out = buffer_new(bytes_of(room)), *expected = buffer_new(bytes_of(room));
    for (int i = 0; i < others; i++) {
        give(kind, in + bytes_of(in_displs[i]), in_counts[i], rank, i);
        give(kind, expected + bytes_of(displs[i]), counts[i], i, rank);
        if (in_place)
            give(kind, out + bytes_of(displs[i]), counts[i], rank, i);
    }
    void *from = in_place ? MPI_IN_PLACE : in;
    if (form == 0)
        CALL(Alltoall, alltoall, from, count, kind->type, out, count, kind->type, comm);
    else if (form == 1)
        CALL(Alltoallv, alltoallv, from, in_counts, in_displs, kind->type, out, counts, displs,
             kind->type, comm);
    else
        CALL(Alltoallw, alltoallw, from, in_counts, in_bytes, types, out, counts, bytes, types,
             comm);
    same(out, expected, bytes_of(room));
    free(in);
    free(out);
    free(expected);
}

/* ---- reductions ----------------------------------------------------------------------------- */

/* The program's own: sums of all parts; the left or the right operand (they do not commute). */
static int part_of(const struct kind *k, const char *element, int part)
{
    const char *at = element + k->at[part];
    double d;
    int i;
    long l;
    short s;

    switch (k->sort[part]) {
    case 'i':
        memcpy(&i, at, sizeof i);
        return i;
    case 'l':
        memcpy(&l, at, sizeof l);
        return (int)l;
    case 'd':
        memcpy(&d, at, sizeof d);
        return (int)d;
    case 's':
        memcpy(&s, at, sizeof s);
        return s;
    default:
        return *(const unsigned char *)at;
    }
}
static const struct kind *kind_of(MPI_Datatype type)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i].type == type)
            return &kinds[i];
    fail("the operator got another type");
    return NULL;
}
static void own_sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const struct kind *k = kind_of(*type);

    for (int i = 0; i < *n; i++)
        for (int p = 0; p < k->parts; p++) {
            char *at = (char *)inout + (size_t)i * k->extent;
            put(k, at, p, part_of(k, at, p) + part_of(k, (char *)in + (size_t)i * k->extent, p));
        }
}
static void own_left(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const struct kind *k = kind_of(*type);

    for (int i = 0; i < *n; i++)
        for (int p = 0; p < k->parts; p++)
            put(k, (char *)inout + (size_t)i * k->extent, p,
                part_of(k, (char *)in + (size_t)i * k->extent, p));
}
static void own_right(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

enum rule { SUM, MAX, MIN, OWN_SUM, OWN_LEFT, OWN_RIGHT, RULES };
static MPI_Op ops[RULES];

static int combine(enum rule rule, int a, int b)
{
    switch (rule) {
    case MAX:
        return a > b ? a : b;
    case MIN:
        return a < b ? a : b;
    case OWN_LEFT:
        return a;
    case OWN_RIGHT:
        return b;
    default:
        return a + b;
    }
}

/* The result of members first ... last for elements from `skip` on. */
static void result(enum rule rule, char *at, int n, int skip, int first, int last)
{
    for (int i = 0; i < n; i++)
        for (int p = 0; p < kind->parts; p++) {
            int value = value_of(first, 0, i + skip, p);
            for (int r = first + 1; r <= last; r++)
                value = combine(rule, value, value_of(r, 0, i + skip, p));
            put(kind, at + bytes_of(i), p, value);
        }
}

enum { REDUCE, ALLREDUCE, SCAN, EXSCAN, REDUCTIONS };

static void test_reduction(int what)
{
    enum rule rule = (enum rule)(kind - kinds < PLAIN ? draw(RULES) : OWN_SUM + draw(3));
    int at_root = inter ? root == MPI_ROOT : root == rank;
    int first = 0, last = others - 1, gets = 1;
    char *in = buffer_new(bytes_of(count));
    char *out = buffer_new(bytes_of(count)), *expected = buffer_new(bytes_of(count));

    if (what == SCAN || what == EXSCAN)
        last = what == SCAN ? rank : rank - 1;
    if (what == REDUCE) {
        gets = at_root;
        in_place = in_place && at_root;
    }
    gets = gets && last >= first;
    give(kind, in, count, rank, 0);
    if (in_place)
        give(kind, out, count, rank, 0);
    if (in_place && !gets)
        give(kind, expected, count, rank, 0);
    if (gets)
        result(rule, expected, count, 0, first, last);
    void *from = in_place ? MPI_IN_PLACE : in;
    if (what == REDUCE)
        CALL(Reduce, reduce, from, out, count, kind->type, ops[rule], root, comm);
    else if (what == ALLREDUCE)
        CALL(Allreduce, allreduce, from, out, count, kind->type, ops[rule], comm);
    else if (what == SCAN)
        CALL(Scan, scan, from, out, count, kind->type, ops[rule], comm);
    else
        CALL(Exscan, exscan, from, out, count, kind->type, ops[rule], comm);
    same(out, expected, bytes_of(count));
    free(in);
    free(out);
    free(expected);
}

static void test_reduce_scatter(int lists)
{
    enum rule rule = (enum rule)(kind - kinds < PLAIN ? draw(RULES) : OWN_SUM + draw(3));
    int shares[RANKS_MOST], total = 0, before = 0;

    if (inter) /* as much on both sides */
        lists = 0;
    int each = inter ? count * others : count;
    for (int i = 0; i < size; i++) {
        shares[i] = lists ? counts[i] : each;
        before += i < rank ? shares[i] : 0;
        total += shares[i];
    }
    int n = in_place ? total : shares[rank];
    char *in = buffer_new(bytes_of(total));
    char *out = buffer_new(bytes_of(n)), *expected = buffer_new(bytes_of(n));
    give(kind, in, total, rank, 0);
    if (in_place) {
        give(kind, out, total, rank, 0);
        give(kind, expected, total, rank, 0);
    }
    result(rule, expected, shares[rank], before, 0, others - 1);
    void *from = in_place ? MPI_IN_PLACE : in;
    if (lists)
        CALL(Reduce_scatter, reduce_scatter, from, out, shares, kind->type, ops[rule], comm);
    else
        CALL(Reduce_scatter_block, reduce_scatter_block, from, out, each, kind->type, ops[rule],
             comm);
    same(out, expected, bytes_of(shares[rank]));
    free(in);
    free(out);
    free(expected);
}

/* Pairs of a value and a place. */
static void test_places(void)
{
    struct {
        double value;
        int place;
    } in[COUNT_MOST], out[COUNT_MOST];

    memset(in, 0, sizeof in);
    for (int i = 0; i < count; i++) {
        in[i].value = value_of(rank, 1, i, 0);
        in[i].place = rank;
    }
    CALL(Allreduce, allreduce, in, out, count, MPI_DOUBLE_INT, draw(2) ? MPI_MINLOC : MPI_MAXLOC,
         comm);
    for (int i = 0; i < count; i++) {
        int best = out[i].place;
        if (best < 0 || best >= others || out[i].value != value_of(best, 1, i, 0))
            fail("no member's pair");
        for (int r = 0; r < best; r++)
            if (value_of(r, 1, i, 0) == (int)out[i].value)
                fail("not the first place");
    }
}

/* Each member gives to its neighbours in a ring, open or closed. */
static void test_neighbours(void)
{
    MPI_Comm ring;
    int periodic = draw(2), from[2];
    char *in = buffer_new(bytes_of(2 * count));
    char *out = buffer_new(bytes_of(2 * count)), *expected = buffer_new(bytes_of(2 * count));

    MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &from[0], &from[1]);
    for (int b = 0; b < 2; b++) {
        give(kind, in + bytes_of(b * count), count, rank, b);
        if (from[b] != MPI_PROC_NULL)
            give(kind, expected + bytes_of(b * count), count, from[b], 1 - b);
    }
    CALL(Neighbor_alltoall, neighbor_alltoall, in, count, kind->type, out, count, kind->type, ring);
    same(out, expected, bytes_of(2 * count));
    MPI_Comm_free(&ring);
    free(in);
    free(out);
    free(expected);
}

/* ---- all ------------------------------------------------------------------------------------ */

static MPI_Comm between;
static int low_side;

static void choose_comm(MPI_Comm *comms, int n)
{
    int which = draw(n + 1);

    inter = which == n && between != MPI_COMM_NULL;
    comm = inter ? between : comms[which % n];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    others = size;
    if (inter)
        MPI_Comm_remote_size(comm, &others);
    int drawn = draw(1000), side = draw(2);
    root = drawn % size;
    if (inter) {
        int root_side = side == low_side, root_size = root_side ? size : others;
        root = drawn % root_size;
        if (root_side)
            root = root == rank ? MPI_ROOT : MPI_PROC_NULL;
    }
}

static void one_case(MPI_Comm *comms, int n)
{
    int what = draw(15);

    choose_comm(comms, n);
    kind = &kinds[draw(KINDS)];
    count = draw(6) == 0 ? 0 : draw(COUNT_MOST);
    in_place = draw(3) == 0 && !inter;
    way = draw(WAYS);
    uint64_t after = state; /* lists are as long as the communicator: other members draw others */
    draw_counts();
    state = after + 1;
    if (what == 0)
        test_bcast();
    else if (what <= 4)
        test_rooted(what % 2, what > 2);
    else if (what <= 6)
        test_allgather(what - 5);
    else if (what <= 9)
        test_alltoall(what - 7);
    else if (what <= 11)
        test_reduction(inter ? draw(2) : draw(REDUCTIONS));
    else if (what == 12)
        test_reduce_scatter(draw(2));
    else if (what == 13)
        test_places();
    else if (!inter)
        test_neighbours();
    state = after + 2;
}

int main(int argc, char **argv)
{
    MPI_Comm comms[4], half;
    int world_rank, world_size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    int cases = argc > 1 ? atoi(argv[1]) : 100;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    make_kinds();
    ops[SUM] = MPI_SUM;
    ops[MAX] = MPI_MAX;
    ops[MIN] = MPI_MIN;
    MPI_Op_create(own_sum, 1, &ops[OWN_SUM]);
    MPI_Op_create(own_left, 0, &ops[OWN_LEFT]);
    MPI_Op_create(own_right, 0, &ops[OWN_RIGHT]);
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &comms[2]);
    comms[3] = MPI_COMM_SELF;
    between = MPI_COMM_NULL;
    low_side = world_rank < world_size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, low_side, 0, &half);
    if (world_size > 1)
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low_side ? world_size / 2 : 0, 7, &between);
    for (case_number = 0; case_number < cases; case_number++)
        one_case(comms, 4);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0)
        printf("%d cases\n", cases);
    MPI_Finalize();
    return 0;
}

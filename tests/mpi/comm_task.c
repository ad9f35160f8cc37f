/* comm_task.c - communicators of all kinds: members, ranks, messages in them; attributes; sessions:
 * comm_task [session] */
#include "mpi_check.h"

#include <string.h>

static int rank, size;

/* Everybody's rank goes round, and nothing of it meets another communicator's. */
static void round_trip(MPI_Comm c)
{
    int r, n, in = -1;
    MPI_Status status;

    OK(MPI_Comm_rank(c, &r));
    OK(MPI_Comm_size(c, &n));
    OK(MPI_Sendrecv(&r, 1, MPI_INT, (r + 1) % n, 1, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, c,
                    &status));
    CHECK(in == (r + n - 1) % n && status.MPI_SOURCE == in);
    OK(MPI_Barrier(c));
}

static void parts(void)
{
    MPI_Comm half, dup, group_comm, none;
    MPI_Group world, odd, even, both, rest;
    int r, n, ranges[1][3] = {{1, size - 1, 2}}, result, translated, zero = 0;

    OK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half));
    OK(MPI_Comm_rank(half, &r));
    OK(MPI_Comm_size(half, &n));
    CHECK(n == (size + 1 - rank % 2) / 2 && r == (size - 1 - rank) / 2);
    round_trip(half);
    OK(MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 3, 0, &none));
    CHECK((none == MPI_COMM_NULL) == (rank == 0));
    if (none != MPI_COMM_NULL)
        OK(MPI_Comm_free(&none));
    OK(MPI_Comm_dup(half, &dup));
    OK(MPI_Comm_compare(half, dup, &result));
    CHECK(result == MPI_CONGRUENT);
    OK(MPI_Comm_compare(half, MPI_COMM_WORLD, &result));
    CHECK(result == MPI_UNEQUAL);
    round_trip(dup);
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_range_incl(world, 1, ranges, &odd));
    OK(MPI_Group_difference(world, odd, &even));
    OK(MPI_Group_union(even, odd, &both));
    OK(MPI_Group_compare(both, world, &result));
    CHECK(result == (size > 2 ? MPI_SIMILAR : MPI_IDENT));
    OK(MPI_Group_intersection(odd, even, &rest));
    CHECK(rest == MPI_GROUP_EMPTY);
    OK(MPI_Group_translate_ranks(odd, 1, &zero, world, &translated));
    CHECK(translated == 1);
    OK(MPI_Comm_create(MPI_COMM_WORLD, rank % 2 ? odd : even, &group_comm));
    round_trip(group_comm);
    OK(MPI_Comm_free(&group_comm));
    if (rank % 2) {
        OK(MPI_Comm_create_group(MPI_COMM_WORLD, odd, 5, &group_comm));
        round_trip(group_comm);
        OK(MPI_Comm_free(&group_comm));
    }
    OK(MPI_Group_free(&world));
    OK(MPI_Group_free(&odd));
    OK(MPI_Group_free(&even));
    OK(MPI_Group_free(&both));
    OK(MPI_Comm_free(&dup));
    OK(MPI_Comm_free(&half));
}

static void between(void)
{
    MPI_Comm half, inter, merged, dup, some;
    MPI_Request r;
    int n, remote, flag, out = rank, in = -1;
    MPI_Status status;

    OK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half));
    OK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter));
    OK(MPI_Comm_test_inter(inter, &flag));
    OK(MPI_Comm_remote_size(inter, &remote));
    CHECK(flag && remote == (size + rank % 2) / 2);
    /* To the one of the same rank on the other side, where there is one. */
    n = rank / 2 < remote ? rank / 2 : MPI_PROC_NULL;
    OK(MPI_Sendrecv(&out, 1, MPI_INT, n, 2, &in, 1, MPI_INT, n, 2, inter, &status));
    CHECK(n == MPI_PROC_NULL || (in == (rank ^ 1) && status.MPI_SOURCE == n));
    OK(MPI_Comm_idup(inter, &dup, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Sendrecv(&out, 1, MPI_INT, n, 2, &in, 1, MPI_INT, n, 2, dup, &status));
    OK(MPI_Comm_split(inter, rank / 2 % 2, rank, &some));
    if (some != MPI_COMM_NULL)
        OK(MPI_Comm_free(&some));
    OK(MPI_Intercomm_merge(dup, rank % 2 == 0, &merged));
    OK(MPI_Comm_rank(merged, &n));
    CHECK(n == (rank % 2 ? rank / 2 : size / 2 + rank / 2));
    round_trip(merged);
    OK(MPI_Comm_free(&merged));
    OK(MPI_Comm_free(&dup));
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&half));
}

/* How many of the tasks [from, below) are on this task's host. */
static int count_here(int from, int below)
{
    char own[MPI_MAX_PROCESSOR_NAME] = "", names[size][MPI_MAX_PROCESSOR_NAME];
    int length, n = 0;

    OK(MPI_Get_processor_name(own, &length));
    OK(MPI_Allgather(own, sizeof own, MPI_CHAR, names, sizeof own, MPI_CHAR, MPI_COMM_WORLD));
    for (int r = from; r < below; r++)
        n += strcmp(names[r], own) == 0;
    return n;
}

/* MPI_Comm_split_type() with a key and its value gives `local` members, and `remote` ones. */
static void gives(MPI_Comm c, int type, const char *key, const char *value, int local, int remote)
{
    MPI_Comm part;
    MPI_Info info = MPI_INFO_NULL;
    char resource[32] = "";
    int n = 0, other = 0, is_inter, length = sizeof resource, is_set;

    if (key) {
        OK(MPI_Info_create(&info));
        OK(MPI_Info_set(info, key, value));
    }
    OK(MPI_Comm_split_type(c, type, -rank, info, &part));
    CHECK((part == MPI_COMM_NULL) == (local == 0));
    if (key) {
        OK(MPI_Info_get_string(info, "mpi_hw_resource_type", &length, resource, &is_set));
        CHECK(type != MPI_COMM_TYPE_HW_UNGUIDED || is_set == (local > 0));
        OK(MPI_Info_free(&info));
    }
    if (part == MPI_COMM_NULL)
        return;
    OK(MPI_Comm_size(part, &n));
    OK(MPI_Comm_test_inter(part, &is_inter));
    if (is_inter)
        OK(MPI_Comm_remote_size(part, &other));
    CHECK(n == local && other == remote);
    OK(MPI_Barrier(part));
    OK(MPI_Comm_free(&part));
}

/* The last task is alone on its side of an intercommunicator: equal hosts must meet. */
static void types_between(int here)
{
    MPI_Comm side, inter;
    int last = rank == size - 1, is_with_last = count_here(size - 1, size);
    int local = last ? here > 1 : is_with_last * (here - 1), remote = last ? here - 1 : 1;

    OK(MPI_Comm_split(MPI_COMM_WORLD, last, 0, &side));
    OK(MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, last ? 0 : size - 1, 9, &inter));
    gives(inter, MPI_COMM_TYPE_SHARED, NULL, NULL, local, remote);
    gives(inter, MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "mpi_shared_memory", local,
          remote);
    gives(inter, MPI_COMM_TYPE_HW_UNGUIDED, NULL, NULL, here < size ? local : 0, remote);
    gives(inter, MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://SELF", 0, 0);
    gives(inter, MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD", last ? 1 : size - 1,
          last ? size - 1 : 1);
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&side));
}

static void types(void)
{
    static const char resource[] = "mpi_hw_resource_type", pset[] = "mpi_pset_name";
    int here = count_here(0, size), part = here < size ? here : 0;
    MPI_Comm c = MPI_COMM_WORLD;

    gives(c, MPI_COMM_TYPE_SHARED, NULL, NULL, here, 0);
    gives(c, MPI_UNDEFINED, NULL, NULL, 0, 0);
    gives(c, MPI_COMM_TYPE_HW_GUIDED, NULL, NULL, 0, 0);
    gives(c, MPI_COMM_TYPE_HW_GUIDED, resource, "mpi_shared_memory", here, 0);
    gives(c, MPI_COMM_TYPE_HW_GUIDED, resource, "invented", 0, 0);
    gives(c, MPI_COMM_TYPE_HW_GUIDED, pset, "mpi://WORLD", 0, 0);
    gives(c, MPI_COMM_TYPE_HW_UNGUIDED, NULL, NULL, part, 0);
    gives(c, MPI_COMM_TYPE_HW_UNGUIDED, "invented", "1", part, 0);
    gives(c, MPI_COMM_TYPE_RESOURCE_GUIDED, resource, "mpi_shared_memory", here, 0);
    gives(c, MPI_COMM_TYPE_RESOURCE_GUIDED, pset, "mpi://WORLD", size, 0);
    gives(c, MPI_COMM_TYPE_RESOURCE_GUIDED, pset, "mpi://SELF", 1, 0);
    gives(c, MPI_COMM_TYPE_RESOURCE_GUIDED, pset, "mpi://NONE", 0, 0);
    types_between(here);
}

static int copies, deletions;

static int copy(MPI_Comm c, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)c, (void)keyval;
    copies++;
    *(void **)out = (char *)in + *(int *)extra;
    *flag = 1;
    return MPI_SUCCESS;
}

static int discard(MPI_Comm c, int keyval, void *value, void *extra)
{
    (void)c, (void)keyval, (void)value, (void)extra;
    deletions++;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    static char base[8];
    int keyval, copied, flag, step = 3, *most;
    MPI_Comm a, b;
    char *value;

    OK(MPI_Comm_create_keyval(copy, discard, &keyval, &step));
    OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &copied, NULL));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    OK(MPI_Comm_set_attr(a, keyval, base));
    OK(MPI_Comm_set_attr(a, copied, base));
    OK(MPI_Comm_dup(a, &b));
    OK(MPI_Comm_get_attr(b, keyval, &value, &flag));
    CHECK(flag && value == base + 3 && copies == 1);
    OK(MPI_Comm_get_attr(b, copied, &value, &flag));
    CHECK(!flag);
    OK(MPI_Comm_free_keyval(&keyval));
    OK(MPI_Comm_free(&a));
    OK(MPI_Comm_free(&b));
    CHECK(deletions == 2 && keyval == MPI_KEYVAL_INVALID);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &flag));
    CHECK(flag && *most >= 32767);
}

static int refuse(MPI_Comm c, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)c, (void)keyval, (void)extra, (void)in, (void)out, (void)flag;
    return MPI_ERR_OTHER;
}

/* A duplicate whose attributes cannot all be copied is freed, with those that were copied. */
static void refused_duplicates(void)
{
    int keyval[3], step = 0;
    MPI_Request request;
    MPI_Comm a, b;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    OK(MPI_Comm_set_errhandler(a, MPI_ERRORS_RETURN));
    for (int i = 0; i < 3; i++) {
        OK(MPI_Comm_create_keyval(i == 1 ? refuse : copy, discard, &keyval[i], &step));
        OK(MPI_Comm_set_attr(a, keyval[i], &step));
    }
    copies = deletions = 0;
    CHECK(MPI_Comm_dup(a, &b) != MPI_SUCCESS);
    CHECK(copies > 0 && deletions == copies);
    CHECK(MPI_Comm_idup(a, &b, &request) != MPI_SUCCESS);
    CHECK(copies > 1 && deletions == copies);
    OK(MPI_Comm_free(&a));
    for (int i = 0; i < 3; i++)
        OK(MPI_Comm_free_keyval(&keyval[i]));
}

static int has_hint(MPI_Comm c, const char *key, const char *value)
{
    MPI_Info info;
    char text[16] = "";
    int n = sizeof text, there;

    OK(MPI_Comm_get_info(c, &info));
    OK(MPI_Info_get_string(info, key, &n, text, &there));
    OK(MPI_Info_free(&info));
    return there && strcmp(text, value) == 0;
}

/* Hints that mean something are kept beside those that were there; others are ignored.  Duplicates
 * have only those that they are given. */
static void hints(void)
{
    MPI_Info one, other;
    MPI_Comm c, dup, part;
    MPI_Request request;

    OK(MPI_Info_create(&one));
    OK(MPI_Info_set(one, "mpi_assert_no_any_tag", "true"));
    OK(MPI_Info_set(one, "invented", "true"));
    OK(MPI_Info_create(&other));
    OK(MPI_Info_set(other, "mpi_assert_exact_length", "true"));
    OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, one, &c));
    OK(MPI_Comm_set_info(c, other));
    CHECK(has_hint(c, "mpi_assert_no_any_tag", "true"));
    CHECK(has_hint(c, "mpi_assert_exact_length", "true"));
    CHECK(!has_hint(c, "invented", "true"));
    OK(MPI_Comm_dup(c, &dup));
    CHECK(!has_hint(dup, "mpi_assert_no_any_tag", "true"));
    OK(MPI_Comm_free(&dup));
    OK(MPI_Comm_idup(c, &dup, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(!has_hint(dup, "mpi_assert_no_any_tag", "true"));
    OK(MPI_Comm_split_type(c, MPI_COMM_TYPE_SHARED, 0, one, &part));
    CHECK(has_hint(part, "mpi_assert_no_any_tag", "true"));
    CHECK(!has_hint(part, "mpi_assert_exact_length", "true"));
    OK(MPI_Comm_free(&part));
    OK(MPI_Info_free(&one));
    OK(MPI_Info_free(&other));
    OK(MPI_Comm_free(&c));
    OK(MPI_Comm_free(&dup));
    CHECK(has_hint(MPI_COMM_WORLD, "mpi_memory_alloc_kinds", "mpi,system"));
}

/* ---- sessions ------------------------------------------------------------------------------- */

static MPI_Comm comm_of(MPI_Group group, const char *tag)
{
    MPI_Comm c;

    OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &c));
    return c;
}

static void process_sets(MPI_Session s)
{
    char name[MPI_MAX_PSET_NAME_LEN], value[8];
    int n, length = 0, flag;
    MPI_Info info;

    OK(MPI_Session_get_num_psets(s, MPI_INFO_NULL, &n));
    CHECK(n == 2);
    OK(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 1, &length, NULL));
    CHECK(length == sizeof "mpi://SELF");
    OK(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, 1, &length, name));
    CHECK(strcmp(name, "mpi://SELF") == 0);
    OK(MPI_Session_get_pset_info(s, name, &info));
    OK(MPI_Info_get(info, "mpi_size", sizeof value - 1, value, &flag));
    CHECK(flag && strcmp(value, "1") == 0);
    OK(MPI_Info_free(&info));
    CHECK(MPI_Session_get_nth_pset(s, MPI_INFO_NULL, n, &length, name) == MPI_ERR_ARG);
    CHECK(MPI_Session_get_pset_info(s, "mpi://NONE", &info) == MPI_ERR_ARG);
}

/* Messages on a communicator of the session find room in the session's buffer. */
static void buffered(MPI_Session s, MPI_Comm comm)
{
    char data[8] = "", *base;
    int length;

    CHECK(MPI_Bsend(data, 8, MPI_CHAR, rank, 1, comm) == MPI_ERR_BUFFER);
    OK(MPI_Bsend(data, 8, MPI_CHAR, MPI_PROC_NULL, 1, comm));
    OK(MPI_Session_attach_buffer(s, data, sizeof data));
    OK(MPI_Bsend(data, 8, MPI_CHAR, (rank + 1) % size, 1, comm));
    OK(MPI_Recv(data, 8, MPI_CHAR, MPI_ANY_SOURCE, 1, comm, MPI_STATUS_IGNORE));
    OK(MPI_Session_flush_buffer(s));
    OK(MPI_Session_detach_buffer(s, &base, &length));
    CHECK(base == data && length == sizeof data);
}

/* A communicator of a session has no attributes of MPI_COMM_WORLD but MPI_TAG_UB, nor has a
 * duplicate of it. */
static void session_attributes(MPI_Comm first)
{
    const int of_world[] = {MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL};
    MPI_Comm comms[2] = {first};
    int *value, flag;

    OK(MPI_Comm_dup(first, &comms[1]));
    for (int i = 0; i < 2; i++) {
        OK(MPI_Comm_get_attr(comms[i], MPI_TAG_UB, &value, &flag));
        CHECK(flag && *value >= 32767);
        for (int j = 0; j < 3; j++) {
            OK(MPI_Comm_get_attr(comms[i], of_world[j], &value, &flag));
            CHECK(!flag);
        }
    }
    OK(MPI_Comm_free(&comms[1]));
}

/* Two communicators of one session, whose messages do not meet, and one between them. */
static void groups_of(MPI_Session s)
{
    MPI_Group all, even, odd;
    MPI_Comm part, between;
    int n;

    OK(MPI_Group_from_session_pset(s, "mpi://WORLD", &all));
    OK(MPI_Group_rank(all, &rank));
    OK(MPI_Group_size(all, &size));
    MPI_Comm first = comm_of(all, "first"), second = comm_of(all, "second");
    round_trip(first);
    round_trip(second);
    buffered(s, first);
    session_attributes(first);
    OK(MPI_Group_range_incl(all, 1, (int[][3]){{0, size - 1, 2}}, &even));
    OK(MPI_Group_difference(all, even, &odd));
    part = comm_of(rank % 2 ? odd : even, "half");
    round_trip(part);
    if (size > 1) {
        OK(MPI_Intercomm_create_from_groups(rank % 2 ? odd : even, 0, rank % 2 ? even : odd, 0,
                                            "between", MPI_INFO_NULL, MPI_ERRORS_RETURN, &between));
        OK(MPI_Comm_remote_size(between, &n));
        CHECK(n == (rank % 2 ? size + 1 : size) / 2);
        OK(MPI_Comm_free(&between));
    }
    CHECK(MPI_Comm_create_from_group(rank % 2 ? even : odd, "not in it", MPI_INFO_NULL,
                                     MPI_ERRORS_RETURN,
                                     &between) == (size > 1 ? MPI_ERR_GROUP : MPI_SUCCESS));
    /* Tags whose hashes are equal are not taken for each other; the first member only sends. */
    CHECK((MPI_Comm_create_from_group(all, rank == 0 ? "tag 332789" : "tag 529192", MPI_INFO_NULL,
                                      MPI_ERRORS_RETURN, &between) == MPI_SUCCESS) == (rank == 0));
    if (rank == 0)
        OK(MPI_Comm_free(&between));
    OK(MPI_Group_free(&all));
    OK(MPI_Group_free(&even));
    OK(MPI_Group_free(&odd));
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_free(&first));
    OK(MPI_Comm_free(&second));
}

static void thread_level(void)
{
    MPI_Session s;
    MPI_Info info, used;
    char kinds[80];
    int flag;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_MANY"));
    CHECK(MPI_Session_init(info, MPI_ERRORS_RETURN, &s) == MPI_ERR_INFO_VALUE);
    OK(MPI_Info_set(info, "thread_level", "MPI_THREAD_SINGLE"));
    OK(MPI_Info_set(info, "mpi_memory_alloc_kinds", "mpi:alloc_mem,cuda:device"));
    OK(MPI_Session_init(info, MPI_ERRORS_RETURN, &s));
    OK(MPI_Session_get_info(s, &used));
    OK(MPI_Info_get(used, "mpi_memory_alloc_kinds", sizeof kinds - 1, kinds, &flag));
    CHECK(flag && strcmp(kinds, "mpi,system,mpi:alloc_mem") == 0);
    OK(MPI_Info_free(&used));
    OK(MPI_Session_finalize(&s));
    OK(MPI_Info_free(&info));
}

/* Sessions one after the other, one inside another, and around MPI_Init() and MPI_Finalize(). */
static void sessions(int *argc, char ***argv)
{
    MPI_Session s, inner;
    MPI_Group self;
    int flag;

    thread_level();
    for (int i = 0; i < 2; i++) {
        OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s));
        OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &inner));
        process_sets(s);
        groups_of(inner);
        OK(MPI_Session_finalize(&inner));
        CHECK(inner == MPI_SESSION_NULL);
        OK(MPI_Group_from_session_pset(s, "mpi://SELF", &self));
        OK(MPI_Group_free(&self));
        if (i == 0)
            OK(MPI_Session_finalize(&s));
    }
    OK(MPI_Initialized(&flag));
    CHECK(!flag);
    OK(MPI_Init(argc, argv));
    round_trip(MPI_COMM_WORLD);
    OK(MPI_Finalize());
    groups_of(s);
    OK(MPI_Session_finalize(&s));
    if (rank == 0)
        puts("all right");
}

static int deleted[4]; /* values of attributes, in the order of their deletion */

static int note_deletion(MPI_Comm c, int keyval, void *value, void *extra)
{
    (void)c, (void)keyval, (void)extra;
    deleted[deletions++] = *(int *)value;
    return MPI_SUCCESS;
}

/* An attribute that is set again is the last one set, and the first one deleted. */
static void attributes_in_order(void)
{
    int keys[2], values[] = {1, 2, 3};
    MPI_Comm c;

    deletions = 0;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &c));
    for (int i = 0; i < 2; i++) {
        OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_deletion, &keys[i], NULL));
        OK(MPI_Comm_set_attr(c, keys[i], &values[i]));
    }
    OK(MPI_Comm_set_attr(c, keys[0], &values[2]));
    CHECK(deletions == 1 && deleted[0] == 1);
    OK(MPI_Comm_free(&c));
    CHECK(deletions == 3 && deleted[1] == 3 && deleted[2] == 2);
    for (int i = 0; i < 2; i++)
        OK(MPI_Comm_free_keyval(&keys[i]));
}

/* All members of a side get an error if the remote leader is none, and a graph needs no edges. */
static void wrong_leaders(void)
{
    int index[2] = {0, 0}, n, edges = -1;
    MPI_Comm c;

    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Intercomm_create(MPI_COMM_WORLD, 0, MPI_COMM_WORLD, size, 1, &c) == MPI_ERR_RANK ||
          rank > 0);
    CHECK(MPI_Intercomm_create(MPI_COMM_WORLD, 0, MPI_COMM_WORLD, 0, 1, &c) != MPI_SUCCESS);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Graph_create(MPI_COMM_WORLD, 1, index, NULL, 0, &c));
    if (rank == 0) {
        OK(MPI_Graphdims_get(c, &n, &edges));
        CHECK(n == 1 && edges == 0);
        OK(MPI_Comm_free(&c));
    }
}

/* MPI_INFO_ENV says how many processes were started. */
static void environment(void)
{
    char value[12];
    int flag;

    OK(MPI_Info_get(MPI_INFO_ENV, "maxprocs", sizeof value - 1, value, &flag));
    CHECK(flag && atoi(value) == size);
}

/* Memory is aligned as its info object asks for. */
static void alignment(void)
{
    MPI_Info info;
    MPI_Win win;
    void *memory;

    OK(MPI_Info_create(&info));
    for (unsigned bytes = 1; bytes <= 4096; bytes *= 2) {
        char text[12];
        snprintf(text, sizeof text, "%u", bytes);
        OK(MPI_Info_set(info, "mpi_minimum_memory_alignment", text));
        OK(MPI_Alloc_mem(100, info, &memory));
        CHECK((MPI_Aint)memory % bytes == 0);
        OK(MPI_Free_mem(memory));
        OK(MPI_Win_allocate(100 + rank, 1, info, MPI_COMM_WORLD, &memory, &win));
        CHECK((MPI_Aint)memory % bytes == 0);
        OK(MPI_Win_free(&win));
    }
    OK(MPI_Info_free(&info));
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        sessions(&argc, &argv);
        return 0;
    }
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    parts();
    between();
    types();
    attributes();
    refused_duplicates();
    attributes_in_order();
    wrong_leaders();
    hints();
    environment();
    alignment();
    return all_right();
}

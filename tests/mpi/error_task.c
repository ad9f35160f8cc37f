/* error_task.c - what MPI says of wrong calls: error_task WHAT
 *     returned   every call returns the class that the standard gives it, and none crashes
 *     fatal      one of them ends the job
 *     early      a call before MPI_Init()
 *     abort      ends the job with a multiple of 256, which is not 0
 */
#include "mpi_check.h"

#include <stdint.h>
#include <string.h>

static MPI_Comm comm;

/* The class of a code; its text names the call. */
static int class_with_text(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int class, length;

    OK(MPI_Error_class(code, &class));
    OK(MPI_Error_string(code, text, &length));
    CHECK(length == (int)strlen(text) && strstr(text, call));
    return class;
}
#define GIVES(class, call, ...) CHECK(class_with_text(call(__VA_ARGS__), #call) == (class))

static void messages(void)
{
    int x = 0;
    MPI_Fint fortran[sizeof(MPI_Status) / sizeof(MPI_Fint)];
    MPI_Request r = MPI_REQUEST_NULL, stale;
    MPI_Message message;
    MPI_Status status;

    GIVES(MPI_ERR_ARG, MPI_Status_c2f, MPI_STATUS_IGNORE, fortran);
    GIVES(MPI_ERR_RANK, MPI_Send, &x, 1, MPI_INT, 77, 1, comm);
    GIVES(MPI_ERR_RANK, MPI_Send, &x, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm);
    GIVES(MPI_ERR_TAG, MPI_Send, &x, 1, MPI_INT, 0, -7, comm);
    GIVES(MPI_ERR_TAG, MPI_Send, &x, 1, MPI_INT, 0, MPI_ANY_TAG, comm);
    GIVES(MPI_ERR_COUNT, MPI_Send, &x, -1, MPI_INT, 0, 1, comm);
    GIVES(MPI_ERR_TYPE, MPI_Send, &x, 1, MPI_DATATYPE_NULL, 0, 1, comm);
    GIVES(MPI_ERR_BUFFER, MPI_Send, NULL, 1, MPI_INT, 0, 1, comm);
    GIVES(MPI_ERR_COMM, MPI_Send, &x, 1, MPI_INT, 0, 1, MPI_COMM_NULL);
    GIVES(MPI_ERR_COMM, MPI_Send, &x, 1, MPI_INT, 0, 1, (MPI_Comm)(void *)&x);
    GIVES(MPI_ERR_COMM, MPI_Send, &x, 1, MPI_INT, 0, 1, (MPI_Comm)(void *)MPI_INT);
    GIVES(MPI_ERR_RANK, MPI_Recv, &x, 1, MPI_INT, 5, 1, comm, &status);
    GIVES(MPI_ERR_BUFFER, MPI_Bsend, &x, 1, MPI_INT, 0, 1, comm);
    GIVES(MPI_ERR_BUFFER, MPI_Send, MPI_IN_PLACE, 1, MPI_INT, 0, 1, comm);
    GIVES(MPI_ERR_BUFFER, MPI_Irecv, MPI_IN_PLACE, 1, MPI_INT, 0, 1, comm, &r);
    GIVES(MPI_ERR_BUFFER, MPI_Sendrecv_replace, MPI_IN_PLACE, 1, MPI_INT, 0, 1, 0, 1, comm,
          &status);
    OK(MPI_Irecv(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r));
    stale = r;
    OK(MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF));
    OK(MPI_Wait(&r, &status));
    GIVES(MPI_ERR_REQUEST, MPI_Wait, &stale, &status);
    OK(MPI_Recv_init(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r)); /* in the place of the first */
    GIVES(MPI_ERR_REQUEST, MPI_Wait, &stale, &status);
    OK(MPI_Request_free(&r));
    GIVES(MPI_ERR_REQUEST, MPI_Start, &r);
    GIVES(MPI_ERR_REQUEST, MPI_Request_free, &r);
    OK(MPI_Isend(&x, 1, MPI_INT, 0, 1, comm, &r));
    OK(MPI_Mprobe(0, 1, comm, &message, &status));
    GIVES(MPI_ERR_BUFFER, MPI_Mrecv, NULL, 1, MPI_INT, &message, &status);
    GIVES(MPI_ERR_BUFFER, MPI_Imrecv, MPI_IN_PLACE, 1, MPI_INT, &message, &stale);
    GIVES(MPI_ERR_ARG, MPI_Imrecv, &x, 1, MPI_INT, &message, NULL);
    OK(MPI_Mrecv(&x, 1, MPI_INT, &message, &status)); /* it is still there */
    OK(MPI_Wait(&r, &status));
}

/* A request twice in a list ends once; there are places for all results. */
static void lists(void)
{
    int x = 0, y = 1, n;
    MPI_Request r[2];

    OK(MPI_Irecv(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[0]));
    r[1] = r[0];
    OK(MPI_Send(&y, 1, MPI_INT, 0, 1, MPI_COMM_SELF));
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    CHECK(x == 1 && r[0] == MPI_REQUEST_NULL && r[1] == MPI_REQUEST_NULL);
    GIVES(MPI_ERR_ARG, MPI_Testall, 2, r, NULL, MPI_STATUSES_IGNORE);
    GIVES(MPI_ERR_ARG, MPI_Waitany, 2, r, NULL, MPI_STATUS_IGNORE);
    GIVES(MPI_ERR_ARG, MPI_Testany, 2, r, &n, NULL, MPI_STATUS_IGNORE);
    GIVES(MPI_ERR_ARG, MPI_Waitsome, 2, r, &n, NULL, MPI_STATUSES_IGNORE);
    GIVES(MPI_ERR_ARG, MPI_Request_get_status, r[0], NULL, MPI_STATUS_IGNORE);
    OK(MPI_Isend(&y, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[0]));
    OK(MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF, NULL)); /* no status is wanted */
    OK(MPI_Waitall(2, r, NULL));
}

/* Calls without places for their results. */
static void places(void)
{
    int x[2] = {1, 0}, n = 0, there;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Message message;
    MPI_Request request;
    MPI_Comm mesh;

    GIVES(MPI_ERR_ARG, MPI_Initialized, NULL);
    GIVES(MPI_ERR_ARG, MPI_Query_thread, NULL);
    GIVES(MPI_ERR_ARG, MPI_Get_version, &n, NULL);
    GIVES(MPI_ERR_ARG, MPI_Get_library_version, text, NULL);
    GIVES(MPI_ERR_ARG, MPI_Get_processor_name, NULL, &n);
    GIVES(MPI_ERR_ARG, MPI_Comm_get_name, MPI_COMM_NULL, NULL, &n);
    GIVES(MPI_ERR_ARG, MPI_Iprobe, 0, 0, comm, NULL, MPI_STATUS_IGNORE);
    GIVES(MPI_ERR_ARG, MPI_Improbe, 0, 0, comm, NULL, &message, MPI_STATUS_IGNORE);
    GIVES(MPI_ERR_ARG, MPI_Info_create, NULL);
    GIVES(MPI_ERR_ARG, MPI_Info_get_nkeys, MPI_INFO_ENV, NULL);
    GIVES(MPI_ERR_ARG, MPI_Info_get, MPI_INFO_ENV, "host", 5, NULL, &there);
    GIVES(MPI_ERR_BUFFER, MPI_Pack, x, 1, MPI_INT, NULL, 99, &n, comm);
    GIVES(MPI_ERR_BUFFER, MPI_Unpack, NULL, 99, &n, x, 1, MPI_INT, comm);
    GIVES(MPI_ERR_ARG, MPI_Cart_create, comm, 1, x, x + 1, 0, NULL);
    OK(MPI_Cart_create(comm, 1, x, x + 1, 0, &mesh));
    GIVES(MPI_ERR_ARG, MPI_Cart_get, mesh, 1, x, x, NULL);
    GIVES(MPI_ERR_ARG, MPI_Cart_get, mesh, -1, x, x, x);
    GIVES(MPI_ERR_ARG, MPI_Cart_rank, mesh, NULL, x);
    GIVES(MPI_ERR_ARG, MPI_Cart_coords, mesh, 0, 1, NULL);
    GIVES(MPI_ERR_ARG, MPI_Cart_shift, mesh, 0, 1, NULL, x);
    GIVES(MPI_ERR_ARG, MPI_Cart_sub, mesh, NULL, &mesh);
    GIVES(MPI_ERR_ARG, MPI_Cartdim_get, mesh, NULL);
    OK(MPI_Comm_free(&mesh));
    OK(MPI_Graph_create(comm, 1, x, x + 1, 0, &mesh));
    GIVES(MPI_ERR_ARG, MPI_Graphdims_get, mesh, NULL, &n);
    GIVES(MPI_ERR_ARG, MPI_Graph_get, mesh, 1, 1, x, NULL);
    GIVES(MPI_ERR_ARG, MPI_Graph_get, mesh, 1, -1, x, x);
    GIVES(MPI_ERR_ARG, MPI_Graph_neighbors_count, mesh, 0, NULL);
    GIVES(MPI_ERR_ARG, MPI_Graph_neighbors, mesh, 0, 1, NULL);
    GIVES(MPI_ERR_ARG, MPI_Graph_map, comm, 1, x, x + 1, NULL);
    GIVES(MPI_ERR_ARG, MPI_Graph_create, comm, 1, x, x + 1, 0, NULL);
    OK(MPI_Comm_free(&mesh));
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_create_adjacent, comm, 0, x, x, 0, x, x, MPI_INFO_NULL, 0,
          NULL);
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_create, comm, 0, x, x, x, x, MPI_INFO_NULL, 0, NULL);
    OK(MPI_Dist_graph_create(comm, 1, x + 1, x, x + 1, x, MPI_INFO_NULL, 0, &mesh));
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_neighbors_count, mesh, &n, NULL, &there);
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_neighbors, mesh, 1, x, x, 1, NULL, x);
    GIVES(MPI_ERR_ARG, MPI_Dist_graph_neighbors, mesh, -1, x, x, 1, x, x);
    OK(MPI_Comm_free(&mesh));
    GIVES(MPI_ERR_ARG, MPI_Type_ub, MPI_INT, NULL);
    GIVES(MPI_ERR_ARG, MPI_Status_c2f, NULL, &n);
    GIVES(MPI_ERR_INFO, MPI_Comm_idup_with_info, comm, (MPI_Info)(void *)x, &mesh, &request);
}

/* An info object that has been freed, in calls that use its keys and in calls that do not.  The
 * next object is in its place. */
static void infos(void)
{
    char port[MPI_MAX_PORT_NAME] = "";
    int x[2] = {1, 0}, n;
    MPI_Fint number;
    MPI_Info freed, info;
    MPI_Comm made;
    MPI_Request r;
    void *memory;
    MPI_Win win;

    OK(MPI_Info_create(&info));
    freed = info;
    number = MPI_Info_c2f(info);
    OK(MPI_Info_free(&info));
    OK(MPI_Info_create(&info));
    GIVES(MPI_ERR_INFO, MPI_Info_set, freed, "a", "b");
    GIVES(MPI_ERR_INFO, MPI_Info_set, MPI_Info_f2c(number), "a", "b");
    GIVES(MPI_ERR_INFO, MPI_Comm_set_info, comm, freed);
    GIVES(MPI_ERR_INFO, MPI_Comm_dup_with_info, comm, freed, &made);
    GIVES(MPI_ERR_INFO, MPI_Comm_split_type, comm, MPI_COMM_TYPE_SHARED, 0, freed, &made);
    GIVES(MPI_ERR_INFO, MPI_Comm_spawn, "x", MPI_ARGV_NULL, 1, freed, 0, comm, &made,
          MPI_ERRCODES_IGNORE);
    GIVES(MPI_ERR_INFO, MPI_Dist_graph_create_adjacent, comm, 0, x, x, 0, x, x, freed, 0, &made);
    GIVES(MPI_ERR_INFO, MPI_Dist_graph_create, comm, 1, x + 1, x, x + 1, x, freed, 0, &made);
    GIVES(MPI_ERR_INFO, MPI_Alloc_mem, 8, freed, &memory);
    GIVES(MPI_ERR_INFO, MPI_Win_create, x, 8, 1, freed, comm, &win);
    GIVES(MPI_ERR_INFO, MPI_Bcast_init, x, 1, MPI_INT, 0, comm, freed, &r);
    GIVES(MPI_ERR_INFO, MPI_Psend_init, x, 1, 1, MPI_INT, 0, 1, comm, freed, &r);
    GIVES(MPI_ERR_INFO, MPI_Open_port, freed, port);
    GIVES(MPI_ERR_INFO, MPI_Comm_accept, port, freed, 0, comm, &made);
    GIVES(MPI_ERR_INFO, MPI_Comm_connect, port, freed, 0, comm, &made);
    GIVES(MPI_ERR_INFO, MPI_Publish_name, "service", freed, port);
    GIVES(MPI_ERR_INFO, MPI_Lookup_name, "service", freed, port);
    GIVES(MPI_ERR_INFO, MPI_Unpublish_name, "service", freed, port);
    GIVES(MPI_ERR_ARG, MPI_Info_get, MPI_INFO_ENV, "host", -1, port, &n);
}

/* What programs may not do with some requests. */
static int query(void *extra, MPI_Status *status)
{
    (void)extra, (void)status;
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

static void requests(void)
{
    int x;
    MPI_Request r;

    GIVES(MPI_ERR_ARG, MPI_Grequest_start, NULL, release, cancel, NULL, &r);
    GIVES(MPI_ERR_ARG, MPI_Grequest_start, query, NULL, cancel, NULL, &r);
    GIVES(MPI_ERR_ARG, MPI_Grequest_start, query, release, NULL, NULL, &r);
    OK(MPI_Psend_init(&x, 1, 1, MPI_INT, MPI_PROC_NULL, 1, comm, MPI_INFO_NULL, &r));
    OK(MPI_Start(&r));
    GIVES(MPI_ERR_REQUEST, MPI_Cancel, &r);
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&r));
}

/* A communicator's own buffer counts, and no other. */
static void buffers(void)
{
    char data[8] = "", *base;
    int size;

    OK(MPI_Buffer_attach(data, 8));
    OK(MPI_Bsend(data, 8, MPI_CHAR, MPI_PROC_NULL, 1, comm));
    OK(MPI_Comm_attach_buffer(comm, data, 4));
    GIVES(MPI_ERR_BUFFER, MPI_Comm_attach_buffer, comm, data, 4);
    GIVES(MPI_ERR_BUFFER, MPI_Bsend, data, 8, MPI_CHAR, 0, 1, comm);
    OK(MPI_Bsend(data, 4, MPI_CHAR, 0, 1, comm));
    OK(MPI_Recv(data, 4, MPI_CHAR, 0, 1, comm, MPI_STATUS_IGNORE));
    OK(MPI_Comm_flush_buffer(comm));
    OK(MPI_Comm_detach_buffer(comm, &base, &size));
    CHECK(base == data && size == 4);
    OK(MPI_Buffer_detach(&base, &size));
    CHECK(base == data && size == 8);
#ifdef MPI_BUFFER_AUTOMATIC
    OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    OK(MPI_Bsend(data, 8, MPI_CHAR, 0, 1, comm));
    OK(MPI_Recv(data, 8, MPI_CHAR, 0, 1, comm, MPI_STATUS_IGNORE));
    OK(MPI_Comm_detach_buffer(comm, &base, &size));
    CHECK((void *)base == MPI_BUFFER_AUTOMATIC);
#endif
    GIVES(MPI_ERR_COMM, MPI_Comm_attach_buffer, MPI_COMM_NULL, data, 8);
}

#ifdef MPI_ABI_VERSION
/* What the binary interface says of itself; handles as integers. */
static void interface(void)
{
    char value[8];
    int size = sizeof value, there, yes = 9, no = 9;
    MPI_Datatype pair;
    MPI_Info info;

    OK(MPI_Abi_get_info(&info));
    OK(MPI_Info_get_string(info, "mpi_aint_size", &size, value, &there));
    CHECK(there && atoi(value) == sizeof(MPI_Aint));
    OK(MPI_Info_free(&info));
    OK(MPI_Abi_get_fortran_info(&info));
    size = sizeof value;
    OK(MPI_Info_get_string(info, "mpi_integer8_supported", &size, value, &there));
    CHECK(there && strcmp(value, "true") == 0);
    OK(MPI_Info_free(&info));
    OK(MPI_Abi_get_fortran_booleans(sizeof(int), &yes, &no, &there));
    CHECK(there && yes == 1 && no == 0);
    GIVES(MPI_ERR_ABI, MPI_Abi_set_fortran_info, info);
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(comm)) == comm);
    CHECK(MPI_Type_toint(MPI_INT) == (int)(intptr_t)MPI_INT);
    OK(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair));
    CHECK(pair == MPI_DOUBLE_INT);
    OK(MPI_Type_get_value_index(MPI_INT, MPI_DOUBLE, &pair));
    CHECK(pair == MPI_DATATYPE_NULL);
}
#endif

static void types(void)
{
    MPI_Datatype t, freed, made;
    int x[8], position = 0, sizes = 4, subsizes = 5, starts = 0;

    OK(MPI_Type_contiguous(2, MPI_INT, &t));
    GIVES(MPI_ERR_TYPE, MPI_Send, x, 1, t, 0, 1, comm); /* not committed */
    OK(MPI_Type_commit(&t));
    freed = t;
    OK(MPI_Type_free(&t));
    CHECK(t == MPI_DATATYPE_NULL);
    GIVES(MPI_ERR_TYPE, MPI_Send, x, 1, freed, 0, 1, comm);
    GIVES(MPI_ERR_TYPE, MPI_Type_free, &freed);
    GIVES(MPI_ERR_TYPE, MPI_Type_contiguous, 2, (MPI_Datatype)(void *)&x, &made);
    GIVES(MPI_ERR_COUNT, MPI_Type_contiguous, -2, MPI_INT, &made);
    GIVES(MPI_ERR_ARG, MPI_Type_create_subarray, 1, &sizes, &subsizes, &starts, MPI_ORDER_C,
          MPI_INT, &made);
    t = MPI_INT;
    GIVES(MPI_ERR_TYPE, MPI_Type_free, &t);
    GIVES(MPI_ERR_TRUNCATE, MPI_Pack, x, 8, MPI_INT, x, 7, &position, comm);
}

static void objects(void)
{
    MPI_Comm made, freed;
    MPI_Group group, other;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    int x, rank = 9, keyval = 12345, flag;
    void *value;

    OK(MPI_Comm_dup(comm, &made));
    freed = made;
    OK(MPI_Comm_free(&made));
    GIVES(MPI_ERR_COMM, MPI_Comm_rank, freed, &x);
    GIVES(MPI_ERR_COMM, MPI_Comm_free, &freed);
    made = MPI_COMM_WORLD;
    GIVES(MPI_ERR_COMM, MPI_Comm_free, &made);
    OK(MPI_Comm_group(comm, &group));
    GIVES(MPI_ERR_RANK, MPI_Group_incl, group, 1, &rank, &other);
    other = group;
    OK(MPI_Group_free(&group));
    GIVES(MPI_ERR_GROUP, MPI_Group_size, other, &x);
    GIVES(MPI_ERR_GROUP, MPI_Group_size, MPI_GROUP_NULL, &x);
    GIVES(MPI_ERR_KEYVAL, MPI_Comm_get_attr, comm, keyval, &value, &flag);
    CHECK(MPI_Errhandler_free(&handler) != MPI_SUCCESS);
    GIVES(MPI_ERR_ARG, MPI_Comm_rank, comm, NULL);
    GIVES(MPI_ERR_ARG, MPI_Comm_split, comm, -5, 0, &made);
    GIVES(MPI_ERR_ARG, MPI_Comm_split_type, comm, -5, 0, MPI_INFO_NULL, &made);
}

static int seen;

static void handler(MPI_Comm *c, int *code, ...)
{
    CHECK(*c == comm);
    seen = *code;
}

static void functions(void)
{
    MPI_Errhandler h, before;
    int class, code, x;

    OK(MPI_Comm_get_errhandler(comm, &before));
    OK(MPI_Comm_create_errhandler(handler, &h));
    OK(MPI_Comm_set_errhandler(comm, h));
    OK(MPI_Errhandler_free(&h));
    x = MPI_Send(&x, -1, MPI_INT, 0, 1, comm);
    CHECK(seen == x && x != MPI_SUCCESS);
    OK(MPI_Comm_set_errhandler(comm, before));
    OK(MPI_Add_error_class(&class));
    OK(MPI_Add_error_code(class, &code));
    OK(MPI_Add_error_string(code, "mine"));
    OK(MPI_Error_class(code, &x));
    CHECK(x == class && class > MPI_ERR_LASTCODE);
}

#ifndef MPI_ERR_ERRHANDLER
#define MPI_ERR_ERRHANDLER MPI_ERR_ARG
#endif

/* An error handler is for objects of the kind that it was made for. */
static void other_handlers(void)
{
    enum { COMM, FILES, WIN, SESSION, KINDS };
    MPI_Errhandler of[KINDS];
    MPI_Session session, made;
    MPI_Group group;
    MPI_Comm from;
    MPI_Win win;

    OK(MPI_Comm_create_errhandler(handler, &of[COMM]));
    OK(MPI_File_create_errhandler((MPI_File_errhandler_function *)handler, &of[FILES]));
    OK(MPI_Win_create_errhandler((MPI_Win_errhandler_function *)handler, &of[WIN]));
    OK(MPI_Session_create_errhandler((MPI_Session_errhandler_function *)handler, &of[SESSION]));
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, comm, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    OK(MPI_Comm_group(comm, &group));
    for (int kind = 0; kind < KINDS; kind++) {
        MPI_Errhandler h = of[kind];

        if (kind != COMM) {
            GIVES(MPI_ERR_ERRHANDLER, MPI_Comm_set_errhandler, comm, h);
            GIVES(MPI_ERR_ERRHANDLER, MPI_Comm_create_from_group, group, "t", MPI_INFO_NULL, h,
                  &from);
        }
        if (kind != FILES)
            GIVES(MPI_ERR_ERRHANDLER, MPI_File_set_errhandler, MPI_FILE_NULL, h);
        if (kind != WIN)
            GIVES(MPI_ERR_ERRHANDLER, MPI_Win_set_errhandler, win, h);
        if (kind != SESSION) {
            GIVES(MPI_ERR_ERRHANDLER, MPI_Session_set_errhandler, session, h);
            GIVES(MPI_ERR_ERRHANDLER, MPI_Session_init, MPI_INFO_NULL, h, &made);
        }
    }
    OK(MPI_Session_set_errhandler(session, of[SESSION]));
    OK(MPI_Win_set_errhandler(win, of[WIN]));
    OK(MPI_Win_free(&win));
    OK(MPI_Session_finalize(&session));
    OK(MPI_Group_free(&group));
    for (int kind = 0; kind < KINDS; kind++)
        OK(MPI_Errhandler_free(&of[kind]));
}

/* The interface for tools, which is of use before MPI_Init(), shows nothing. */
static void tools(void)
{
    MPI_T_pvar_session session;
    MPI_T_cvar_handle variable = MPI_T_CVAR_HANDLE_NULL;
    int n, provided;

    CHECK(MPI_T_cvar_get_num(&n) == MPI_T_ERR_NOT_INITIALIZED);
    OK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    CHECK(provided == MPI_THREAD_MULTIPLE);
    n = 1;
    OK(MPI_T_cvar_get_num(&n));
    CHECK(n == 0);
    CHECK(MPI_T_cvar_get_index("eager_limit", &n) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_cvar_handle_alloc(0, NULL, &variable, &n) == MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_cvar_read(variable, &n) == MPI_T_ERR_INVALID_HANDLE);
    OK(MPI_T_pvar_session_create(&session));
    OK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    OK(MPI_T_pvar_session_free(&session));
    CHECK(MPI_T_pvar_session_free(&session) == MPI_T_ERR_INVALID_SESSION);
    OK(MPI_T_finalize());
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int x = 0, rank;

    if (strcmp(what, "early") == 0)
        return MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD) == MPI_SUCCESS;
    tools();
    OK(MPI_Init(&argc, &argv));
    if (strcmp(what, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 512);
    if (strcmp(what, "fatal") == 0) {
        OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
        if (rank == 1)
            MPI_Send(&x, 1, MPI_INT, 4, 1, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    messages();
    lists();
    places();
    infos();
    requests();
    buffers();
#ifdef MPI_ABI_VERSION
    interface();
#endif
    types();
    objects();
    functions();
    other_handlers();
    puts("all returned");
    return MPI_Finalize();
}

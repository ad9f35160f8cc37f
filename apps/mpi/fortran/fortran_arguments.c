/* fortran_arguments.c - converts arguments from Fortran to C (fortran.h). Two kinds of
 * conversions: addresses with a meaning are recognised and replaced, and strings and lists are
 * copied. Copies live for one call. A lack of memory ends the job, since an error of a
 * conversion has no object to be reported on. */
#include "fortran/fortran.h"

#include "hnow.h"

#define COMMON(name, type) type name __attribute__((aligned(32)));
FORTRAN_COMMONS(COMMON)
#undef COMMON

/* ---- addresses with a special meaning ------------------------------------------------------- */

/* Fortran's constants are variables of a common block, known by their addresses (MPI 4.1,
 * 2.5.1). */
void *fortran_buffer(void *buffer)
{
    if (buffer == &mpi_fortran_bottom_)
        return MPI_BOTTOM;
    if (buffer == &mpi_fortran_in_place_)
        return MPI_IN_PLACE;
/* Older ABIs do not have it. */
#ifdef MPI_BUFFER_AUTOMATIC
    if (buffer == &mpi_fortran_buffer_automatic_)
        return MPI_BUFFER_AUTOMATIC;
#endif
    /* The address of ordinary data is the same in C. */
    return buffer;
}

/* An array of INTEGERs in the older interfaces, a derived type in mpi_f08: both have C's layout. */
MPI_Status *fortran_status(MPI_Status *status)
{
    return status == &mpi_fortran_status_ignore_ ? MPI_STATUS_IGNORE : status;
}

MPI_Status *fortran_statuses(MPI_Status *statuses)
{
    return statuses == &mpi_fortran_statuses_ignore_ ? MPI_STATUSES_IGNORE : statuses;
}

/* Other lists are passed on as they are: INTEGERs are C's ints. */
int *fortran_weights(int *weights)
{
    if (weights == &mpi_fortran_unweighted_)
        return MPI_UNWEIGHTED;
    return weights == &mpi_fortran_weights_empty_ ? MPI_WEIGHTS_EMPTY : weights;
}

/* ---- strings -------------------------------------------------------------------------------- */

enum { ROOM = 8192 }; /* bytes: more than any string of MPI */

/* bytes 0 is not passed: callers add 1. */
static void *memory(size_t bytes)
{
    void *p = malloc(bytes);

    if (!p)
        hn_abort(1, "out of memory for an argument of Fortran");
    return p;
}

/* MPI 4.1, 19.1: leading and trailing blanks of keys and names are not significant. The result is
 * never NULL. */
char *fortran_text(const char *text, size_t length)
{
    /* Stops at the end of a string of blanks, whose result is empty. */
    while (length && text[0] == ' ')
        text++, length--;
    return fortran_name(text, length);
}

/* Only trailing blanks are removed. */
char *fortran_name(const char *text, size_t length)
{
    while (length && text[length - 1] == ' ')
        length--;
    /* The C string ends with a null character, which Fortran's does not have. */
    char *copy = memory(length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

/* MPI functions write at most MPI_MAX_... characters, all below ROOM. */
char *fortran_room(size_t length, int needed)
{
    /* A string of the caller may be longer than what MPI can write. */
    size_t most = length > ROOM ? length : ROOM;

    return memory((needed > 0 && (size_t)needed > most ? (size_t)needed : most) + 1);
}

/* A longer C string is truncated, and a shorter one padded, as in an assignment of Fortran. */
void fortran_fill(char *text, size_t length, char *room, bool given)
{
    size_t n = given ? strnlen(room, length) : 0;

    if (given) {
        memcpy(text, room, n);
        /* The rest of the variable: Fortran's strings have no end mark. */
        memset(text + n, ' ', length - n);
    }
    free(room);
}

/* Grows by one entry each time: lists of arguments are short. */
char **fortran_texts(const char *texts, size_t length, size_t stride)
{
    size_t n = 0;
    char **list = NULL;

    for (;;) {
        list = realloc(list, (n + 1) * sizeof *list);
        if (!list)
            hn_abort(1, "out of memory for an argument of Fortran");
        /* Entry n begins n * stride strings behind the first one. */
        list[n] = fortran_text(texts + n * stride * length, length);
        if (!list[n][0])
            break;
        n++;
    }
    /* The blank string that ends the list. */
    free(list[n]);
    list[n] = NULL;
    return list;
}

/* The list must end with NULL, as that of fortran_texts() does. */
void fortran_free(char **texts)
{
    for (size_t i = 0; texts[i]; i++)
        free(texts[i]);
    free(texts);
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* Fortran counts from 1. The generated functions preset n, so that a call
 * that fails changes nothing here. */
void fortran_indices(int n, MPI_Fint *indices)
{
    /* n MPI_UNDEFINED is negative, so that nothing is changed. */
    for (int i = 0; i < n; i++)
        if (indices[i] != MPI_UNDEFINED)
            indices[i]++;
}

/* Between groups the lists have an entry for each member of the other side. */
int fortran_members(const void *sendbuf, MPI_Fint comm)
{
    MPI_Comm c = PMPI_Comm_f2c(comm);
    int n = 0, inter = 0;

    /* Then the list of types is not significant, and may be of any length. */
    if (sendbuf == &mpi_fortran_in_place_ || PMPI_Comm_test_inter(c, &inter) != MPI_SUCCESS)
        return 0;
    /* Errors are not reported here: the call itself finds them again. */
    int error = inter ? PMPI_Comm_remote_size(c, &n) : PMPI_Comm_size(c, &n);
    return error == MPI_SUCCESS ? n : 0;
}

/* A mesh has two neighbours in each dimension. 0 without a topology: the call itself then reports
 * the error. */
int fortran_neighbors(bool send, MPI_Fint comm)
{
    MPI_Comm c = PMPI_Comm_f2c(comm);
    int kind = MPI_UNDEFINED, in = 0, out = 0, weighted, rank;

    /* Queries return codes or call the error handler, as the call itself would. */
    if (PMPI_Topo_test(c, &kind) != MPI_SUCCESS)
        return 0;
    if (kind == MPI_CART && PMPI_Cartdim_get(c, &in) == MPI_SUCCESS)
        return 2 * in;
    /* Edges of a graph count in both directions. */
    if (kind == MPI_GRAPH && PMPI_Comm_rank(c, &rank) == MPI_SUCCESS &&
        PMPI_Graph_neighbors_count(c, rank, &in) == MPI_SUCCESS)
        return in;
    if (kind == MPI_DIST_GRAPH &&
        PMPI_Dist_graph_neighbors_count(c, &in, &out, &weighted) == MPI_SUCCESS)
        return send ? out : in;
    return 0;
}

/* Never returns NULL: the program ends if memory is short. */
void *fortran_list(int n, size_t size)
{
    /* calloc() is not needed: callers fill in all n entries. */
    return memory((n > 0 ? (size_t)n : 0) * size + 1);
}

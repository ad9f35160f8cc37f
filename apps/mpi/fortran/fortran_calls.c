/* fortran_calls.c - Fortran functions whose arguments differ from C: start, info, buffers,
 * datatypes of MPI-1, processes, statuses (fortran.h).
 *
 * bindings.py generates a function if its arguments can be converted one by one. Here are those
 * where an argument is missing or has another meaning in Fortran, and where one argument depends
 * on another.
 */
#include "fortran/fortran.h"

/* ---- start ---------------------------------------------------------------------------------- */

/* Fortran programs have no argc and argv. */
FORTRAN_CALL(void, init, (MPI_Fint * ierror))
{
    fortran_error(ierror, PMPI_Init(NULL, NULL));
}

/* INTEGERs are ints, so `provided` is written directly. */
FORTRAN_CALL(void, init_thread, (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *ierror))
{
    fortran_error(ierror, PMPI_Init_thread(NULL, NULL, *required, provided));
}

/* Without ierror, like in C it is a function for tools. */
FORTRAN_CALL(void, pcontrol, (MPI_Fint * level))
{
    PMPI_Pcontrol(*level);
}

/* The call alone makes the compiler store the buffer's variables. */
FORTRAN_CALL(void, f_sync_reg, (void *buffer))
{
    (void)buffer;
}

/* ---- info ----------------------------------------------------------------------------------- */

FORTRAN_CALL(void, info_create_env, (MPI_Fint * info, MPI_Fint *ierror))
{
    MPI_Info info_c = MPI_INFO_NULL;
    int error = PMPI_Info_create_env(0, NULL, &info_c);

    /* Also after an error: then it is the number of MPI_INFO_NULL. */
    *info = PMPI_Info_c2f(info_c);
    fortran_error(ierror, error);
}

/* Lengths in Fortran do not count the terminating zero. So 1 is added on the way to C and
 * subtracted on the way back. A length of 0 only queries. */
FORTRAN_CALL(void, info_get_string,
             (MPI_Fint * info, char *key, MPI_Fint *buflen, char *value, MPI_Fint *flag,
              MPI_Fint *ierror, size_t key_length, size_t value_length))
{
    char *key_c = fortran_text(key, key_length);
    char *value_c = fortran_room(value_length, *buflen);
    /* 0 or less stays a query. */
    int room = *buflen > 0 ? *buflen + 1 : 0, wanted = room;
    int error = PMPI_Info_get_string(PMPI_Info_f2c(*info), key_c, &wanted, value_c, flag);

    /* Unchanged if there is no such key, as in C. */
    if (error == MPI_SUCCESS && *flag)
        *buflen = wanted - 1;
    fortran_fill(value, value_length, value_c, error == MPI_SUCCESS && *flag && room);
    free(key_c);
    fortran_error(ierror, error);
}

/* ---- buffers -------------------------------------------------------------------------------- */

/* mpi_f08 receives the address.  For the other interfaces the argument is the buffer itself, and
 * nothing is stored. */
#define DETACH_CALL(name, args, detach, store)                                                     \
    extern MPI_API void mpi_##name args __attribute__((weak, alias("pmpi_" #name)));               \
    MPI_API void pmpi_##name args;                                                                 \
    void pmpi_##name args                                                                          \
    {                                                                                              \
        void *address = NULL;                                                                      \
        int error = detach;                                                                        \
        if (store && error == MPI_SUCCESS)                                                         \
            memcpy(buffer, &address, sizeof address);                                              \
        fortran_error(ierror, error);                                                              \
    }
/* The three owners of buffers: the process, a communicator, a session. */
#define DETACH(form, Form, Size, store)                                                            \
    DETACH_CALL(buffer_detach##form, (void *buffer, Size *size, MPI_Fint *ierror),                 \
                PMPI_Buffer_detach##Form(&address, size), store)                                   \
    DETACH_CALL(comm_detach_buffer##form,                                                          \
                (MPI_Fint * comm, void *buffer, Size *size, MPI_Fint *ierror),                     \
                PMPI_Comm_detach_buffer##Form(PMPI_Comm_f2c(*comm), &address, size), store)        \
    DETACH_CALL(session_detach_buffer##form,                                                       \
                (MPI_Fint * session, void *buffer, Size *size, MPI_Fint *ierror),                  \
                PMPI_Session_detach_buffer##Form(PMPI_Session_f2c(*session), &address, size),      \
                store)
/* For mpif.h and the module mpi, for mpi_f08, and for its form with large counts. */
DETACH(_, , int, false)
DETACH(_f08_, , int, true)
DETACH(_c_f08_, _c, MPI_Count, true)

/* ---- datatypes of MPI-1: addresses are INTEGERs --------------------------------------------- */

/* INTEGERs of 4 bytes cannot hold all addresses; MPI-2 replaced these routines for that reason. */
FORTRAN_CALL(void, address, (void *location, MPI_Fint *address, MPI_Fint *ierror))
{
    MPI_Aint at = 0;
    int error = PMPI_Get_address(fortran_buffer(location), &at);

    /* Loses the upper half of most addresses. */
    *address = (MPI_Fint)at;
    fortran_error(ierror, error);
}

/* Removed functions, whose results are default integers. */
#define BOUND_CALL(name, bound)                                                                    \
    FORTRAN_CALL(void, type_##name, (MPI_Fint * datatype, MPI_Fint * result, MPI_Fint * ierror))   \
    {                                                                                              \
        MPI_Aint lb = 0, extent = 0;                                                               \
        int error = PMPI_Type_get_extent(PMPI_Type_f2c(*datatype), &lb, &extent);                  \
                                                                                                   \
        *result = (MPI_Fint)(bound);                                                               \
        fortran_error(ierror, error);                                                              \
    }
BOUND_CALL(lb, lb)
BOUND_CALL(extent, extent)
BOUND_CALL(ub, lb + extent)

/* Removed functions, whose displacements are default integers. */
FORTRAN_CALL(void, type_hvector,
             (MPI_Fint * count, MPI_Fint *blocklength, MPI_Fint *stride, MPI_Fint *oldtype,
              MPI_Fint *newtype, MPI_Fint *ierror))
{
    /* Stays so after an error, and is stored in any case: a program may test it. */
    MPI_Datatype made = MPI_DATATYPE_NULL;
    int error =
        PMPI_Type_create_hvector(*count, *blocklength, *stride, PMPI_Type_f2c(*oldtype), &made);

    *newtype = PMPI_Type_c2f(made);
    fortran_error(ierror, error);
}

/* The caller frees the list. */
static MPI_Aint *widened(int n, const MPI_Fint *numbers)
{
    MPI_Aint *list = fortran_list(n, sizeof *list);

    for (int i = 0; i < n; i++)
        list[i] = numbers[i];
    return list;
}

/* Lengths need no conversion; displacements do. */
FORTRAN_CALL(void, type_hindexed,
             (MPI_Fint * count, MPI_Fint *lengths, MPI_Fint *displacements, MPI_Fint *oldtype,
              MPI_Fint *newtype, MPI_Fint *ierror))
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Aint *at = widened(*count, displacements);
    int error = PMPI_Type_create_hindexed(*count, lengths, at, PMPI_Type_f2c(*oldtype), &made);

    *newtype = PMPI_Type_c2f(made);
    free(at);
    fortran_error(ierror, error);
}

/* Three lists: lengths, displacements that are widened, and handles. */
FORTRAN_CALL(void, type_struct,
             (MPI_Fint * count, MPI_Fint *lengths, MPI_Fint *displacements, MPI_Fint *types,
              MPI_Fint *newtype, MPI_Fint *ierror))
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Aint *at = widened(*count, displacements);
    MPI_Datatype *list = fortran_Type_list(*count, types);
    /* An invalid handle in the list is reported by it. */
    int error = PMPI_Type_create_struct(*count, lengths, at, list, &made);

    *newtype = PMPI_Type_c2f(made);
    free(list);
    free(at);
    fortran_error(ierror, error);
}

/* ---- processes ------------------------------------------------------------------------------ */

/* The address of a variable in a common block becomes C's constant. */
static int *errcodes_of(MPI_Fint *errcodes)
{
    return errcodes == &mpi_fortran_errcodes_ignore_ ? MPI_ERRCODES_IGNORE : errcodes;
}

/* Most arguments are significant only at the root. Elsewhere the strings may be anything, so they
 * must not be converted. */
static bool at_root(MPI_Fint comm, MPI_Fint root)
{
    int rank = MPI_PROC_NULL;
    MPI_Comm c = PMPI_Comm_f2c(comm);

    /* An invalid communicator is reported by the call that follows. */
    return c != MPI_COMM_NULL && PMPI_Comm_rank(c, &rank) == MPI_SUCCESS && rank == root;
}

/* Texts are converted at the root only: elsewhere they may be anything. */
FORTRAN_CALL(void, comm_spawn,
             (char *command, char *argv, MPI_Fint *maxprocs, MPI_Fint *info, MPI_Fint *root,
              MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *errcodes, MPI_Fint *ierror,
              size_t command_length, size_t argv_length))
{
    bool starts = at_root(*comm, *root);
    /* Without the constant, the list ends with a blank string. */
    bool has_argv = starts && argv != &mpi_fortran_argv_null_;
    char *command_c = starts ? fortran_text(command, command_length) : NULL;
    char **argv_c = has_argv ? fortran_texts(argv, argv_length, 1) : NULL;
    MPI_Comm made = MPI_COMM_NULL;
    int error = PMPI_Comm_spawn(command_c, argv_c, *maxprocs, PMPI_Info_f2c(*info), *root,
                                PMPI_Comm_f2c(*comm), &made, errcodes_of(errcodes));

    /* The number of MPI_COMM_NULL after an error. */
    *intercomm = PMPI_Comm_c2f(made);
    if (argv_c)
        fortran_free(argv_c);
    free(command_c);
    fortran_error(ierror, error);
}

/* argvs has a column for each argument, and a row for each
 * command. Strings of one command are therefore n strings apart in memory. */
FORTRAN_CALL(void, comm_spawn_multiple,
             (MPI_Fint * count, char *commands, char *argvs, MPI_Fint *maxprocs, MPI_Fint *infos,
              MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *errcodes,
              MPI_Fint *ierror, size_t commands_length, size_t argvs_length))
{
    MPI_Comm made = MPI_COMM_NULL;
    /* Elsewhere no list is read; all lists are then empty. */
    int n = at_root(*comm, *root) && *count > 0 ? *count : 0;
    bool plain = argvs == &mpi_fortran_argvs_null_;
    char **commands_c = fortran_list(n, sizeof *commands_c);
    char ***argvs_c = fortran_list(n, sizeof *argvs_c);
    MPI_Info *infos_c = fortran_Info_list(n, infos);

    /* Fortran stores arrays by columns: argvs(i, 1), argvs(i, 2), ... are n strings apart. */
    for (int i = 0; i < n; i++) {
        commands_c[i] = fortran_text(commands + (size_t)i * commands_length, commands_length);
        argvs_c[i] =
            plain ? NULL : fortran_texts(argvs + (size_t)i * argvs_length, argvs_length, (size_t)n);
    }
    /* *count is passed on unchanged: the root checks it. */
    int error = PMPI_Comm_spawn_multiple(*count, commands_c, plain ? MPI_ARGVS_NULL : argvs_c,
                                         maxprocs, infos_c, *root, PMPI_Comm_f2c(*comm), &made,
                                         errcodes_of(errcodes));
    *intercomm = PMPI_Comm_c2f(made);
    for (int i = 0; i < n; i++) {
        free(commands_c[i]);
        if (argvs_c[i])
            fortran_free(argvs_c[i]);
    }
    /* Not the texts only: the lists are copies, too. */
    free(commands_c);
    free(argvs_c);
    free(infos_c);
    fortran_error(ierror, error);
}

/* ---- statuses: the same in all Fortran interfaces ------------------------------------------- */

/* Both forms are the same in memory. */
FORTRAN_CALL(void, status_f2f08, (MPI_Status * from, MPI_Status *to, MPI_Fint *ierror))
{
    *to = *from;
    fortran_error(ierror, MPI_SUCCESS);
}

/* The reverse. Neither calls C, which has the same layout. */
FORTRAN_CALL(void, status_f082f, (MPI_Status * from, MPI_Status *to, MPI_Fint *ierror))
{
    *to = *from;
    fortran_error(ierror, MPI_SUCCESS);
}

/* ---- sizes: the compiler's descriptor of an array of any type and rank ---------------------- */

/* Of CFI_cdesc_t only the size of an element is used (ISO_Fortran_binding.h). */
struct descriptor { /* the beginning of CFI_cdesc_t */
    void *base;
    size_t element;
};

/* Called by hnow's modules for an argument of any type and rank; they pass its descriptor. */
MPI_API void mpi_sizeof_any(const struct descriptor *x, MPI_Fint *size, MPI_Fint *ierror);
void mpi_sizeof_any(const struct descriptor *x, MPI_Fint *size, MPI_Fint *ierror)
{
    *size = (MPI_Fint)x->element;
    fortran_error(ierror, MPI_SUCCESS);
}

/* mpi_file_forms.h - file access calls in one of two forms; mpi_file_calls.c includes this
 * twice. MPI_FILE_ACCESSES lists all of them, by name, way (blocking ...), place (explicit
 * offset, pointer ...) and direction. The three last words select arguments and fields. */

#define FILE_CALL(name, way, place, direction)                                                     \
    MPI_DEFINE(int, MPI_F(File_##name), (MPI_ARGS_##place, MPI_ARGS_##direction##_##way))          \
    {                                                                                              \
        return file_do(&(const struct file_call){.call = MPI_CALL,                                 \
                                                 .file = fh,                                       \
                                                 .data = (void *)buf,                              \
                                                 .count = count,                                   \
                                                 .datatype = datatype,                             \
                                                 IS_##direction,                                   \
                                                 IS_##place,                                       \
                                                 IS_##way});                                       \
    }

/* Declarations and definitions come from the same list, so neither can miss a form. */
MPI_FILE_ACCESSES(FILE_CALL)
#undef FILE_CALL

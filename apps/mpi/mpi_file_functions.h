/* mpi_file_functions.h - file functions without counts; mpi_functions.h includes this file. MPI
 * 4.1, chapter 14; the definitions are in file/. A file's errors go to its own handler, which is
 * MPI_ERRORS_RETURN by default. */

/* Names for programs written for ROMIO, as MPICH defines them. */
#define MPIO_Request      MPI_Request
#define MPIO_Wait         MPI_Wait
#define MPIO_Test         MPI_Test
#define MPIO_REQUEST_NULL MPI_REQUEST_NULL
#define MPIO_USES_MPI_REQUEST
#define MPIO_REQUEST_DEFINED

/* Opening and closing are collective; deleting is not. */
MPI_DECLARE(int, File_open,
            (MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh));
MPI_DECLARE(int, File_close, (MPI_File * fh));
MPI_DECLARE(int, File_delete, (const char *filename, MPI_Info info));
/* Collective. etype and filetype stay referenced by the file. */
MPI_DECLARE(int, File_set_view,
            (MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
             const char *datarep, MPI_Info info));
MPI_DECLARE(int, File_get_view,
            (MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype,
             char *datarep));
/* Positions are in etypes of the view. The individual pointer is local, the shared one a round
 * trip to rank 0; moving the shared one is collective. */
MPI_DECLARE(int, File_seek, (MPI_File fh, MPI_Offset offset, int whence));
MPI_DECLARE(int, File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence));
MPI_DECLARE(int, File_get_position, (MPI_File fh, MPI_Offset *offset));
MPI_DECLARE(int, File_get_position_shared, (MPI_File fh, MPI_Offset *offset));
MPI_DECLARE(int, File_get_byte_offset, (MPI_File fh, MPI_Offset offset, MPI_Offset *disp));
/* Collective, with the same size at all members, except for the query. */
MPI_DECLARE(int, File_set_size, (MPI_File fh, MPI_Offset size));
MPI_DECLARE(int, File_preallocate, (MPI_File fh, MPI_Offset size));
MPI_DECLARE(int, File_get_size, (MPI_File fh, MPI_Offset *size));
MPI_DECLARE(int, File_sync, (MPI_File fh));
/* Local queries. The group and the info object are the program's to free. */
MPI_DECLARE(int, File_get_amode, (MPI_File fh, int *amode));
MPI_DECLARE(int, File_get_group, (MPI_File fh, MPI_Group *group));
MPI_DECLARE(int, File_set_info, (MPI_File fh, MPI_Info info));
MPI_DECLARE(int, File_get_info, (MPI_File fh, MPI_Info *info_used));
/* Collective. In atomic mode each access locks its range of the file. */
MPI_DECLARE(int, File_set_atomicity, (MPI_File fh, int flag));
MPI_DECLARE(int, File_get_atomicity, (MPI_File fh, int *flag));
MPI_DECLARE(int, File_get_type_extent, (MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent));
MPI_DECLARE(int, File_get_type_extent_c, (MPI_File fh, MPI_Datatype datatype, MPI_Count *extent));
/* Always fail: hnow has the standard's own representations only. */
MPI_DECLARE(int, Register_datarep,
            (const char *name, MPI_Datarep_conversion_function *read,
             MPI_Datarep_conversion_function *write, MPI_Datarep_extent_function *extent,
             void *extra));
MPI_DECLARE(int, Register_datarep_c,
            (const char *name, MPI_Datarep_conversion_function_c *read,
             MPI_Datarep_conversion_function_c *write, MPI_Datarep_extent_function *extent,
             void *extra));
/* MPI_FILE_NULL is accepted for the handler that later files inherit. */
MPI_DECLARE(int, File_create_errhandler,
            (MPI_File_errhandler_function * function, MPI_Errhandler *errhandler));
MPI_DECLARE(int, File_set_errhandler, (MPI_File file, MPI_Errhandler errhandler));
MPI_DECLARE(int, File_get_errhandler, (MPI_File file, MPI_Errhandler *errhandler));
MPI_DECLARE(int, File_call_errhandler, (MPI_File fh, int errorcode));
/* End a split access: the data was moved at its begin. */
MPI_DECLARE(int, File_read_at_all_end, (MPI_File fh, void *buf, MPI_Status *status));
MPI_DECLARE(int, File_write_at_all_end, (MPI_File fh, const void *buf, MPI_Status *status));
MPI_DECLARE(int, File_read_all_end, (MPI_File fh, void *buf, MPI_Status *status));
MPI_DECLARE(int, File_write_all_end, (MPI_File fh, const void *buf, MPI_Status *status));
MPI_DECLARE(int, File_read_ordered_end, (MPI_File fh, void *buf, MPI_Status *status));
MPI_DECLARE(int, File_write_ordered_end, (MPI_File fh, const void *buf, MPI_Status *status));

/* mpi_file_counted.h - accesses to files, in both forms; mpi_counted.h includes this. */

MPI_DECLARE(int, MPI_F(File_read_at),
            (MPI_File fh, MPI_Offset offset, void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_iread_at),
            (MPI_File fh, MPI_Offset offset, void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(File_write_at),
            (MPI_File fh, MPI_Offset offset, const void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_iwrite_at),
            (MPI_File fh, MPI_Offset offset, const void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(File_read_at_all),
            (MPI_File fh, MPI_Offset offset, void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_iread_at_all),
            (MPI_File fh, MPI_Offset offset, void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(File_read_at_all_begin),
            (MPI_File fh, MPI_Offset offset, void *buf, MPI_N count, MPI_Datatype datatype));
MPI_DECLARE(int, MPI_F(File_write_at_all),
            (MPI_File fh, MPI_Offset offset, const void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_iwrite_at_all),
            (MPI_File fh, MPI_Offset offset, const void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(File_write_at_all_begin),
            (MPI_File fh, MPI_Offset offset, const void *buf, MPI_N count, MPI_Datatype datatype));
MPI_DECLARE(int, MPI_F(File_read),
            (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_iread),
            (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Request *request));
MPI_DECLARE(int, MPI_F(File_write),
            (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_iwrite),
            (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(File_read_all),
            (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_iread_all),
            (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Request *request));
MPI_DECLARE(int, MPI_F(File_read_all_begin),
            (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype));
MPI_DECLARE(int, MPI_F(File_write_all),
            (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_iwrite_all),
            (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(File_write_all_begin),
            (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype));
MPI_DECLARE(int, MPI_F(File_read_shared),
            (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_iread_shared),
            (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Request *request));
MPI_DECLARE(int, MPI_F(File_write_shared),
            (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_iwrite_shared),
            (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype,
             MPI_Request *request));
MPI_DECLARE(int, MPI_F(File_read_ordered),
            (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_read_ordered_begin),
            (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype));
MPI_DECLARE(int, MPI_F(File_write_ordered),
            (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status));
MPI_DECLARE(int, MPI_F(File_write_ordered_begin),
            (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype));

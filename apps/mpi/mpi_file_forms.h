/* mpi_file_forms.h - the accesses to files, in one form; mpi_file_calls.c includes this twice. */

#define ACCESS(...)                                                                                \
    return file_do(&(const struct file_call){.call = MPI_CALL,                                     \
                                             .file = fh,                                           \
                                             .data = (void *)buf,                                  \
                                             .count = count,                                       \
                                             .datatype = datatype,                                 \
                                             __VA_ARGS__})

MPI_DEFINE(int, MPI_F(File_read_at),
           (MPI_File fh, MPI_Offset offset, void *buf, MPI_N count, MPI_Datatype datatype,
            MPI_Status *status))
{
    ACCESS(.writes = false, .pointer = FILE_AT, .offset = offset, .way = FILE_BLOCKING,
           .status = status);
}

MPI_DEFINE(int, MPI_F(File_iread_at),
           (MPI_File fh, MPI_Offset offset, void *buf, MPI_N count, MPI_Datatype datatype,
            MPI_Request *request))
{
    ACCESS(.writes = false, .pointer = FILE_AT, .offset = offset, .way = FILE_NONBLOCKING,
           .request = request);
}

MPI_DEFINE(int, MPI_F(File_write_at),
           (MPI_File fh, MPI_Offset offset, const void *buf, MPI_N count, MPI_Datatype datatype,
            MPI_Status *status))
{
    ACCESS(.writes = true, .pointer = FILE_AT, .offset = offset, .way = FILE_BLOCKING,
           .status = status);
}

MPI_DEFINE(int, MPI_F(File_iwrite_at),
           (MPI_File fh, MPI_Offset offset, const void *buf, MPI_N count, MPI_Datatype datatype,
            MPI_Request *request))
{
    ACCESS(.writes = true, .pointer = FILE_AT, .offset = offset, .way = FILE_NONBLOCKING,
           .request = request);
}

MPI_DEFINE(int, MPI_F(File_read_at_all),
           (MPI_File fh, MPI_Offset offset, void *buf, MPI_N count, MPI_Datatype datatype,
            MPI_Status *status))
{
    ACCESS(.writes = false, .pointer = FILE_AT, .offset = offset, .way = FILE_BLOCKING,
           .status = status);
}

MPI_DEFINE(int, MPI_F(File_iread_at_all),
           (MPI_File fh, MPI_Offset offset, void *buf, MPI_N count, MPI_Datatype datatype,
            MPI_Request *request))
{
    ACCESS(.writes = false, .pointer = FILE_AT, .offset = offset, .way = FILE_NONBLOCKING,
           .request = request);
}

MPI_DEFINE(int, MPI_F(File_read_at_all_begin),
           (MPI_File fh, MPI_Offset offset, void *buf, MPI_N count, MPI_Datatype datatype))
{
    ACCESS(.writes = false, .pointer = FILE_AT, .offset = offset, .way = FILE_SPLIT);
}

MPI_DEFINE(int, MPI_F(File_write_at_all),
           (MPI_File fh, MPI_Offset offset, const void *buf, MPI_N count, MPI_Datatype datatype,
            MPI_Status *status))
{
    ACCESS(.writes = true, .pointer = FILE_AT, .offset = offset, .way = FILE_BLOCKING,
           .status = status);
}

MPI_DEFINE(int, MPI_F(File_iwrite_at_all),
           (MPI_File fh, MPI_Offset offset, const void *buf, MPI_N count, MPI_Datatype datatype,
            MPI_Request *request))
{
    ACCESS(.writes = true, .pointer = FILE_AT, .offset = offset, .way = FILE_NONBLOCKING,
           .request = request);
}

MPI_DEFINE(int, MPI_F(File_write_at_all_begin),
           (MPI_File fh, MPI_Offset offset, const void *buf, MPI_N count, MPI_Datatype datatype))
{
    ACCESS(.writes = true, .pointer = FILE_AT, .offset = offset, .way = FILE_SPLIT);
}

MPI_DEFINE(int, MPI_F(File_read),
           (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status))
{
    ACCESS(.writes = false, .pointer = FILE_OWN, .way = FILE_BLOCKING, .status = status);
}

MPI_DEFINE(int, MPI_F(File_iread),
           (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Request *request))
{
    ACCESS(.writes = false, .pointer = FILE_OWN, .way = FILE_NONBLOCKING, .request = request);
}

MPI_DEFINE(int, MPI_F(File_write),
           (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status))
{
    ACCESS(.writes = true, .pointer = FILE_OWN, .way = FILE_BLOCKING, .status = status);
}

MPI_DEFINE(int, MPI_F(File_iwrite),
           (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Request *request))
{
    ACCESS(.writes = true, .pointer = FILE_OWN, .way = FILE_NONBLOCKING, .request = request);
}

MPI_DEFINE(int, MPI_F(File_read_all),
           (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status))
{
    ACCESS(.writes = false, .pointer = FILE_OWN, .way = FILE_BLOCKING, .status = status);
}

MPI_DEFINE(int, MPI_F(File_iread_all),
           (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Request *request))
{
    ACCESS(.writes = false, .pointer = FILE_OWN, .way = FILE_NONBLOCKING, .request = request);
}

MPI_DEFINE(int, MPI_F(File_read_all_begin),
           (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype))
{
    ACCESS(.writes = false, .pointer = FILE_OWN, .way = FILE_SPLIT);
}

MPI_DEFINE(int, MPI_F(File_write_all),
           (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status))
{
    ACCESS(.writes = true, .pointer = FILE_OWN, .way = FILE_BLOCKING, .status = status);
}

MPI_DEFINE(int, MPI_F(File_iwrite_all),
           (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Request *request))
{
    ACCESS(.writes = true, .pointer = FILE_OWN, .way = FILE_NONBLOCKING, .request = request);
}

MPI_DEFINE(int, MPI_F(File_write_all_begin),
           (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype))
{
    ACCESS(.writes = true, .pointer = FILE_OWN, .way = FILE_SPLIT);
}

MPI_DEFINE(int, MPI_F(File_read_shared),
           (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status))
{
    ACCESS(.writes = false, .pointer = FILE_SHARED, .way = FILE_BLOCKING, .status = status);
}

MPI_DEFINE(int, MPI_F(File_iread_shared),
           (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Request *request))
{
    ACCESS(.writes = false, .pointer = FILE_SHARED, .way = FILE_NONBLOCKING, .request = request);
}

MPI_DEFINE(int, MPI_F(File_write_shared),
           (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status))
{
    ACCESS(.writes = true, .pointer = FILE_SHARED, .way = FILE_BLOCKING, .status = status);
}

MPI_DEFINE(int, MPI_F(File_iwrite_shared),
           (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Request *request))
{
    ACCESS(.writes = true, .pointer = FILE_SHARED, .way = FILE_NONBLOCKING, .request = request);
}

MPI_DEFINE(int, MPI_F(File_read_ordered),
           (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status))
{
    ACCESS(.writes = false, .pointer = FILE_ORDERED, .way = FILE_BLOCKING, .status = status);
}

MPI_DEFINE(int, MPI_F(File_read_ordered_begin),
           (MPI_File fh, void *buf, MPI_N count, MPI_Datatype datatype))
{
    ACCESS(.writes = false, .pointer = FILE_ORDERED, .way = FILE_SPLIT);
}

MPI_DEFINE(int, MPI_F(File_write_ordered),
           (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype, MPI_Status *status))
{
    ACCESS(.writes = true, .pointer = FILE_ORDERED, .way = FILE_BLOCKING, .status = status);
}

MPI_DEFINE(int, MPI_F(File_write_ordered_begin),
           (MPI_File fh, const void *buf, MPI_N count, MPI_Datatype datatype))
{
    ACCESS(.writes = true, .pointer = FILE_ORDERED, .way = FILE_SPLIT);
}

#undef ACCESS

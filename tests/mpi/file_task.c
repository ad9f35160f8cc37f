/* file_task.c - MPI-IO with any number of tasks: views, pointers, errors.  Argument: a directory.
 */
#include "mpi_check.h"

#include <string.h>

static int rank, size, seen;
static char path[500];

static MPI_File open_file(int amode)
{
    MPI_File fh;

    OK(MPI_File_open(MPI_COMM_WORLD, path, amode, MPI_INFO_NULL, &fh));
    return fh;
}

static int count_of(const MPI_Status *s, MPI_Datatype type)
{
    int n;

    OK(MPI_Get_count(s, type, &n));
    return n;
}

/* Member r writes elements r, r + size, ... through a view; all read them as one row. */
static void views(void)
{
    enum { N = 100 };
    MPI_File fh = open_file(MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_Datatype column, one, e, t;
    MPI_Offset at, disp, bytes;
    MPI_Status s;
    int own[2 * N], all[N];
    char datarep[MPI_MAX_DATAREP_STRING];

    OK(MPI_Type_create_resized(MPI_INT, 0, size * (MPI_Aint)sizeof(int), &column));
    OK(MPI_Type_vector(N, 1, 2, MPI_INT, &one));
    OK(MPI_Type_commit(&column));
    OK(MPI_Type_commit(&one));
    for (int i = 0; i < N; i++)
        own[2 * i] = i * size + rank, own[2 * i + 1] = -1;
    OK(MPI_File_set_view(fh, 8 + rank * (MPI_Offset)sizeof(int), MPI_INT, column, "native",
                         MPI_INFO_NULL));
    OK(MPI_File_get_view(fh, &disp, &e, &t, datarep));
    CHECK(disp == 8 + 4 * rank && e == MPI_INT && strcmp(datarep, "native") == 0);
    OK(MPI_File_write_all(fh, own, 1, one, &s)); /* gaps in memory and in the file */
    CHECK(count_of(&s, MPI_INT) == N);
    OK(MPI_File_get_position(fh, &at));
    CHECK(at == N);
    OK(MPI_File_get_byte_offset(fh, 3, &at));
    CHECK(at == 8 + 4 * (rank + 3 * size));
    OK(MPI_File_sync(fh));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_get_size(fh, &bytes));
    CHECK(bytes == 8 + 4 * N * size);
    OK(MPI_File_seek(fh, 0, MPI_SEEK_END));
    OK(MPI_File_get_position(fh, &at));
    CHECK(at == N);
    memset(own, 0, sizeof own);
    OK(MPI_File_read_at(fh, 0, own, 1, one, &s));
    for (int i = 0; i < N; i++)
        CHECK(own[2 * i] == i * size + rank && own[2 * i + 1] == 0);
    OK(MPI_File_set_view(fh, 8, MPI_INT, MPI_INT, "internal", MPI_INFO_NULL));
    OK(MPI_File_read_at_all(fh, N * (size - 1), all, N, MPI_INT, &s));
    for (int i = 0; i < N; i++)
        CHECK(all[i] == N * (size - 1) + i);
    OK(MPI_File_read_at(fh, N * size - 3, all, N, MPI_INT, &s)); /* the end of the file */
    CHECK(count_of(&s, MPI_INT) == 3);
    OK(MPI_Type_free(&column));
    OK(MPI_Type_free(&one));
    OK(MPI_File_close(&fh));
    CHECK(fh == MPI_FILE_NULL);
}

/* A filetype that is longer than its extent, as of HDF5's chunks: used once, it shows its places.
 */
static void short_extents(void)
{
    MPI_File fh = open_file(MPI_MODE_RDWR);
    MPI_Datatype far, type;
    int own[2] = {rank, -rank}, back[2] = {7, 7};

    OK(MPI_Type_indexed(2, (int[]){1, 1}, (int[]){0, size}, MPI_INT, &far));
    for (MPI_Aint extent = 0; extent < 8; extent += 4) {
        OK(MPI_Type_create_resized(far, 0, extent, &type));
        OK(MPI_Type_commit(&type));
        OK(MPI_File_set_view(fh, 4 * rank, MPI_INT, type, "native", MPI_INFO_NULL));
        OK(MPI_File_write_at_all(fh, 0, own, 2, MPI_INT, MPI_STATUS_IGNORE));
        OK(MPI_File_seek(fh, 0, MPI_SEEK_END));
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_File_set_view(fh, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
        for (int i = 0; i < 2; i++)
            OK(MPI_File_read_at(fh, rank + i * size, &back[i], 1, MPI_INT, MPI_STATUS_IGNORE));
        CHECK(back[0] == rank && back[1] == -rank);
        OK(MPI_Type_free(&type));
    }
    OK(MPI_Type_free(&far));
    OK(MPI_File_close(&fh));
}

/* Big-endian in the file; a long has 4 bytes there. */
static void external(void)
{
    MPI_File fh = open_file(MPI_MODE_RDWR);
    unsigned char raw[8];
    long values[2] = {0x01020304, -2}, back[2] = {0, 0};
    MPI_Aint extent;
    MPI_Status s;

    OK(MPI_File_set_view(fh, 0, MPI_LONG, MPI_LONG, "external32", MPI_INFO_NULL));
    OK(MPI_File_get_type_extent(fh, MPI_LONG, &extent));
    CHECK(extent == 4);
    OK(MPI_File_write_at(fh, 2 * rank, values, 2, MPI_LONG, &s));
    CHECK(count_of(&s, MPI_LONG) == 2);
    OK(MPI_File_read_at(fh, 2 * rank, back, 2, MPI_LONG, &s));
    CHECK(back[0] == values[0] && back[1] == values[1]);
    OK(MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at(fh, 8 * rank, raw, 8, MPI_BYTE, &s));
    CHECK(memcmp(raw, "\1\2\3\4\377\377\377\376", 8) == 0);
    OK(MPI_File_close(&fh));
}

/* Each member takes the next element ten times: all are taken once. */
static void shared(void)
{
    MPI_File fh = open_file(MPI_MODE_RDWR);
    MPI_Offset at;
    MPIO_Request request; /* as programs for ROMIO do */
    MPI_Status s;
    int value, sum = 0, total;

    OK(MPI_File_set_size(fh, 0));
    OK(MPI_File_set_view(fh, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int i = 0; i < 10; i++) {
        value = 10 * rank + i;
        OK(MPI_File_iwrite_shared(fh, &value, 1, MPI_INT, &request));
        OK(MPIO_Wait(&request, &s));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_get_position_shared(fh, &at));
    CHECK(at == 10 * size);
    OK(MPI_File_seek_shared(fh, -10 * size, MPI_SEEK_CUR));
    for (int i = 0; i < 10; i++) {
        OK(MPI_File_read_shared(fh, &value, 1, MPI_INT, &s));
        sum += value;
    }
    OK(MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(total == 10 * size * (10 * size - 1) / 2);
    OK(MPI_File_seek_shared(fh, 1, MPI_SEEK_SET));
    OK(MPI_File_write_ordered_begin(fh, &rank, rank % 2, MPI_INT)); /* odd ranks only */
    CHECK(class_of(MPI_File_write_all_end(fh, &rank, &s)) == MPI_ERR_OTHER);
    OK(MPI_File_write_ordered_end(fh, &rank, &s));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_File_seek_shared(fh, 1, MPI_SEEK_SET));
    OK(MPI_File_read_ordered(fh, &value, rank % 2, MPI_INT, &s));
    CHECK(rank % 2 == 0 || value == rank);
    OK(MPI_File_get_position_shared(fh, &at));
    CHECK(at == 1 + size / 2);
    OK(MPI_File_close(&fh));
}

static void note(MPI_File *fh, int *code, ...)
{
    (void)fh;
    seen = *code;
}

static void errors(void)
{
    MPI_File fh = open_file(MPI_MODE_RDONLY);
    MPI_Errhandler own;
    MPI_Datatype down;
    MPI_Status s;
    char text[MPI_MAX_ERROR_STRING];
    int length, code;
    const int at[2] = {3, 0};

    code = MPI_File_write(fh, &rank, 1, MPI_INT, &s);
    CHECK(class_of(code) == MPI_ERR_READ_ONLY);
    OK(MPI_Error_string(code, text, &length));
    CHECK(strstr(text, "MPI_File_write") && strstr(text, path));
    OK(MPI_File_create_errhandler(note, &own));
    OK(MPI_File_set_errhandler(fh, own));
    CHECK(class_of(MPI_File_read_at(fh, -1, &code, 1, MPI_INT, &s)) == MPI_ERR_ARG);
    CHECK(class_of(seen) == MPI_ERR_ARG);
    OK(MPI_Errhandler_free(&own));
    CHECK(class_of(MPI_File_read(fh, &code, -1, MPI_INT, &s)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_File_set_view(fh, 0, MPI_INT, MPI_INT, "other", MPI_INFO_NULL)) ==
          MPI_ERR_UNSUPPORTED_DATAREP);
    CHECK(class_of(MPI_File_set_view(fh, 0, MPI_INT, MPI_BYTE, "native", MPI_INFO_NULL)) ==
          MPI_ERR_TYPE);
    OK(MPI_Type_indexed(2, (int[]){1, 1}, at, MPI_INT, &down));
    OK(MPI_Type_commit(&down));
    CHECK(class_of(MPI_File_set_view(fh, 0, MPI_INT, down, "native", MPI_INFO_NULL)) == MPI_ERR_IO);
    OK(MPI_Type_free(&down));
    CHECK(class_of(MPI_File_set_size(fh, 5)) == MPI_ERR_READ_ONLY);
    if (size > 1)
        CHECK(class_of(MPI_File_read_ordered(fh, &code, rank == 0 ? -1 : 0, MPI_INT, &s)) ==
              (rank == 0 ? MPI_ERR_COUNT : MPI_ERR_OTHER));
    OK(MPI_File_close(&fh));
    CHECK(class_of(MPI_File_close(&fh)) == MPI_ERR_FILE);
}

static int try_open(const char *name, int amode)
{
    MPI_File fh;
    int code = MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &fh);

    CHECK(code == MPI_SUCCESS || fh == MPI_FILE_NULL);
    return class_of(code);
}

static void opening(void)
{
    char none[600];
    MPI_File fh;

    snprintf(none, sizeof none, "%s.none", path);
    CHECK(try_open(none, MPI_MODE_RDONLY) == MPI_ERR_NO_SUCH_FILE);
    CHECK(try_open(path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL) == MPI_ERR_FILE_EXISTS);
    CHECK(try_open(path, MPI_MODE_RDWR | MPI_MODE_RDONLY) == MPI_ERR_AMODE);
    CHECK(try_open(path, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL) == MPI_ERR_AMODE);
    CHECK(try_open("/", MPI_MODE_RDONLY) == MPI_ERR_BAD_FILE);
    snprintf(none, sizeof none, "ufs:%s", path);
    CHECK(try_open(none, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL) == MPI_ERR_FILE_EXISTS);
    if (size > 1)
        CHECK(try_open(path, rank == 0 ? MPI_MODE_RDONLY : MPI_MODE_RDWR) == MPI_ERR_NOT_SAME);
    fh = open_file(MPI_MODE_RDWR | MPI_MODE_APPEND | MPI_MODE_DELETE_ON_CLOSE);
    MPI_Offset at, bytes;
    OK(MPI_File_get_size(fh, &bytes));
    OK(MPI_File_get_position(fh, &at));
    CHECK(bytes > 0 && at == bytes);
    OK(MPI_File_get_position_shared(fh, &at));
    CHECK(at == bytes && MPI_File_f2c(MPI_File_c2f(fh)) == fh);
    OK(MPI_File_close(&fh));
    CHECK(class_of(MPI_File_delete(path, MPI_INFO_NULL)) == MPI_ERR_NO_SUCH_FILE);
}

/* In atomic mode, each member's block is found whole. */
static void atomic(void)
{
    MPI_File fh = open_file(MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    static char block[1 << 16];
    MPI_Datatype gaps;
    int flag;

    OK(MPI_Type_vector(2, 1, 3, MPI_BYTE, &gaps));
    OK(MPI_Type_commit(&gaps));
    OK(MPI_File_set_view(fh, 0, MPI_BYTE, gaps, "native", MPI_INFO_NULL));
    OK(MPI_File_set_atomicity(fh, 1));
    OK(MPI_File_get_atomicity(fh, &flag));
    CHECK(flag);
    for (int i = 0; i < 2; i++) {
        memset(block, 'a' + rank, sizeof block);
        OK(MPI_File_write_at(fh, 0, block, 2000, MPI_BYTE, MPI_STATUS_IGNORE));
        OK(MPI_File_read_at(fh, 0, block, 2000, MPI_BYTE, MPI_STATUS_IGNORE));
        for (int k = 1; k < 2000; k++)
            CHECK(block[k] == block[0]);
    }
    OK(MPI_Type_free(&gaps));
    OK(MPI_File_close(&fh));
}

int main(int argc, char **argv)
{
    OK(MPI_Init(&argc, &argv));
    OK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    snprintf(path, sizeof path, "%s/file", argc > 1 ? argv[1] : ".");
    views();
    external();
    short_extents();
    shared();
    errors();
    opening();
    atomic();
    return all_right();
}

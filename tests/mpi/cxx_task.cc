// cxx_task.cc - MPI's C++ classes, which Open MPI's and MPICH's libraries for C++ have: operators,
// attributes and (MPICH's) error handlers whose functions are written in C++.
#include <cstdio>
#include <mpi.h>

static int deleted;
static void add_tenfold(const void *in, void *inout, int n, const MPI::Datatype &)
{
    for (int i = 0; i < n; i++)
        static_cast<int *>(inout)[i] += 10 * static_cast<const int *>(in)[i];
}
static int drop(MPI::Comm &, int, void *, void *)
{
    return deleted += 1, MPI_SUCCESS;
}
static int drop_type(MPI::Datatype &, int, void *, void *)
{
    return deleted += 10, MPI_SUCCESS;
}
static int drop_window(MPI::Win &, int, void *, void *)
{
    return deleted += 100, MPI_SUCCESS;
}
#ifdef MPICH
#define NO_COPY_TYPE MPI::Datatype::NULL_COPY_FN
#define NO_COPY_WIN  MPI::Win::NULL_COPY_FN
static int errors;
static void count_error(MPI::Comm &comm, int *code, ...)
{
    errors += comm == MPI::COMM_SELF && *code != MPI_SUCCESS;
}
static int copy_twice(const MPI::Comm &, int, void *extra, void *from, void *to, bool &flag)
{
    *static_cast<void **>(to) = static_cast<int *>(from) + *static_cast<int *>(extra);
    flag = true;
    return MPI_SUCCESS;
}
static void library_functions()
{
    int numbers[3], two = 2;
    void *copied = NULL;
    MPI::COMM_SELF.Set_errhandler(MPI::Comm::Create_errhandler(count_error));
    MPI::COMM_SELF.Send(numbers, 1, MPI::INT, 7, 0);
    MPI::COMM_SELF.Send(numbers, 1, MPI::INT, 7, 0);
    for (int i = 0; i < 3; i++)
        MPI::COMM_SELF.Call_errhandler(MPI_ERR_OTHER);
    MPI::COMM_SELF.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    try {
        MPI::COMM_SELF.Send(numbers, 1, MPI::INT, 7, 0);
    } catch (MPI::Exception &e) {
        errors += e.Get_error_class() == MPI_ERR_RANK ? 10 : 0;
    }
    int key = MPI::Comm::Create_keyval(copy_twice, drop, &two);
    MPI::Intracomm self = MPI::COMM_SELF.Dup();
    self.Set_attr(key, numbers);
    MPI::Intracomm copy = self.Dup();
    bool there = copy.Get_attr(key, &copied);
    self.Free();
    copy.Free();
    if (MPI::COMM_WORLD.Get_rank() == 0)
        std::printf("errors %d, copied %d, deleted %d\n", errors, there && copied == numbers + 2,
                    deleted);
}
#else
#define NO_COPY_TYPE MPI_TYPE_NULL_COPY_FN
#define NO_COPY_WIN  MPI_WIN_NULL_COPY_FN
#endif
static void functions()
{
    int one = 1, sum = 0;
    MPI::Op op;
    op.Init(add_tenfold, true);
    MPI::COMM_WORLD.Split(MPI::COMM_WORLD.Get_rank() / 2, 0).Allreduce(&one, &sum, 1, MPI::INT, op);
    op.Free();
    MPI::Intracomm copy = MPI::COMM_WORLD.Dup();
    copy.Set_attr(MPI::Comm::Create_keyval(MPI::Comm::NULL_COPY_FN, drop, NULL), &one);
    copy.Free();
    MPI::Datatype type = MPI::INT.Create_contiguous(2);
    type.Set_attr(MPI::Datatype::Create_keyval(NO_COPY_TYPE, drop_type, NULL), &one);
    type.Free();
    MPI::Win win = MPI::Win::Create(&one, sizeof one, 1, MPI::INFO_NULL, MPI::COMM_WORLD);
    win.Set_attr(MPI::Win::Create_keyval(NO_COPY_WIN, drop_window, NULL), &one);
    win.Free();
    if (MPI::COMM_WORLD.Get_rank() == 0)
        std::printf("tenfold %d, deleted %d\n", sum, deleted);
}
int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    int rank = MPI::COMM_WORLD.Get_rank(), size = MPI::COMM_WORLD.Get_size(), in = -1, sum = 0;
    MPI::Request r = MPI::COMM_WORLD.Irecv(&in, 1, MPI::INT, (rank + size - 1) % size, 3);
    MPI::COMM_WORLD.Send(&rank, 1, MPI::INT, (rank + 1) % size, 3);
    r.Wait();
    MPI::Intracomm half = MPI::COMM_WORLD.Split(rank % 2, rank);
    half.Allreduce(&in, &sum, 1, MPI::INT, MPI::SUM);
    half.Free();
    if (rank == 0)
        std::printf("from %d, sum %d\n", in, sum);
    functions();
#ifdef MPICH
    library_functions();
#endif
    MPI::Finalize();
}

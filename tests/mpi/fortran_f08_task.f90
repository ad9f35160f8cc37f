! Fortran's side of MPI by mpi_f08: addresses with a meaning, handles, strings, indices, LOGICALs,
! functions of the program.  Every task prints a line for each thing that is wrong, and rank 0 "all
! right" if there is none.
module functions
  use mpi_f08
  implicit none
  integer :: errors_seen = 0, deleted = 0
contains
  subroutine largest(invec, inoutvec, len, datatype)
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    if (datatype /= MPI_INTEGER) call MPI_Abort(MPI_COMM_WORLD, 3)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = max(a, b)
  end subroutine
  subroutine seen(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    if (comm == MPI_COMM_SELF .and. error_code /= MPI_SUCCESS) errors_seen = errors_seen + 1
  end subroutine
  subroutine copied(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    attribute_val_out = attribute_val_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine discarded(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state
    if (extra_state == 1000) deleted = deleted + int(attribute_val)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine queried(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    extra_state = 2 * extra_state
    call MPI_Status_set_elements(status, MPI_INTEGER, 3, ierror)
  end subroutine
  subroutine ended(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    extra_state = extra_state + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancelled(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (complete) extra_state = -1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine extent_of(datatype, extent, extra_state, ierror)
    type(MPI_Datatype) :: datatype
    integer(kind=MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
    call MPI_Type_get_extent(datatype, extra_state, extent, ierror)
  end subroutine
end module

program fortran_f08_task
  use mpi_f08
  use functions
  implicit none
  integer :: rank, size, wrong = 0, total
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call collectives()
  call requests()
  call generalized()
  call representations()
  call conversions()
  call strings()
  call attributes()
  call errors()
  call topologies()
  call MPI_Allreduce(wrong, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0 .and. total == 0) print '(a)', 'all right'
  call MPI_Finalize()
contains
  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    print *, 'rank', rank, 'wrong: ', what
    wrong = wrong + 1
  end subroutine

  subroutine collectives()
    type(MPI_Op) :: op
    type(MPI_Datatype) :: types(0:size - 1)
    integer :: mine(2), lengths(0:size - 1), places(0:size - 1), from(0:size - 1), to(0:size - 1), i
    logical :: all_true
    mine = [rank, -rank]
    call MPI_Op_create(largest, .true., op)
    call MPI_Allreduce(MPI_IN_PLACE, mine, 2, MPI_INTEGER, op, MPI_COMM_WORLD)
    call check(mine(1) == size - 1 .and. mine(2) == 0, 'the program''s operator, MPI_IN_PLACE')
    call MPI_Op_free(op)
    call check(op == MPI_OP_NULL, 'MPI_Op_free')
    call MPI_Allreduce(rank < size, all_true, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD)
    call check(all_true, 'MPI_LOGICAL')
    types = MPI_INTEGER
    lengths = 1
    places = [(4 * i, i = 0, size - 1)]
    from = [(100 * rank + i, i = 0, size - 1)]
    call MPI_Alltoallw(from, lengths, places, types, to, lengths, places, types, MPI_COMM_WORLD)
    call check(all(to == [(100 * i + rank, i = 0, size - 1)]), 'MPI_Alltoallw')
    from = rank
    call MPI_Bcast(from, 2_MPI_COUNT_KIND, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call check(from(0) == 0 .and. from(size - 1) == merge(rank, 0, size > 2), 'a large count')
  end subroutine

  subroutine requests()
    type(MPI_Request) :: open(2)
    type(MPI_Status) :: status, statuses(2)
    type(MPI_Datatype) :: absolute
    integer :: first, done, got(2), got_at(2), count, ierror
    integer(kind=MPI_ADDRESS_KIND) :: at(1)
    call MPI_Irecv(got(1), 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, open(1))
    call MPI_Irecv(got(2), 1, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_SELF, open(2))
    first = 22
    call MPI_Send(first, 1, MPI_INTEGER, 0, 2, MPI_COMM_SELF, ierror)
    done = 0
    do while (done == 0)
      call MPI_Testsome(incount=2, array_of_requests=open, outcount=done, array_of_indices=got_at, &
                        array_of_statuses=statuses)
    end do
    status = statuses(1)
    done = got_at(1)
    call check(done == 2 .and. open(2) == MPI_REQUEST_NULL .and. got(2) == 22, 'MPI_Testsome')
    call MPI_Get_count(status, MPI_INTEGER, count)
    call check(status%MPI_SOURCE == 0 .and. status%MPI_TAG == 2 .and. count == 1, 'a status')
    call MPI_Get_address(first, at(1))
    call MPI_Type_create_hindexed(1, [1], at, MPI_INTEGER, absolute)
    call MPI_Type_commit(absolute)
    first = 11
    call MPI_F_sync_reg(first)
    call MPI_Send(MPI_BOTTOM, 1, absolute, 0, 1, MPI_COMM_SELF)
    call MPI_Waitall(2, open, MPI_STATUSES_IGNORE)
    call check(got(1) == 11, 'MPI_BOTTOM')
    call MPI_Type_free(absolute)
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, MPI_PROC_NULL, 0, first, 1, MPI_INTEGER, MPI_PROC_NULL, &
                      0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine

  subroutine generalized()
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    integer :: count
    integer(kind=MPI_ADDRESS_KIND) :: state
    state = 20
    call MPI_Grequest_start(queried, ended, cancelled, state, request)
    call MPI_Grequest_complete(request)
    call MPI_Wait(request, status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call MPI_F_sync_reg(state)
    call check(count == 3 .and. state == 41, 'a generalized request changes its state')
  end subroutine

  subroutine representations()
    integer :: known, new
    call MPI_Register_datarep('external32', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, &
                              0_MPI_ADDRESS_KIND, known)
    call MPI_Register_datarep('own', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_of, &
                              0_MPI_ADDRESS_KIND, new)
    call MPI_Error_class(known, known)
    call MPI_Error_class(new, new)
    call check(known == MPI_ERR_DUP_DATAREP .and. new == MPI_ERR_UNSUPPORTED_OPERATION, 'MPI_Register_datarep')
  end subroutine

  subroutine conversions()
    type(MPI_Status) :: status, back
    type(MPI_Win) :: win
    integer :: numbers(MPI_STATUS_SIZE)
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    status%MPI_SOURCE = 5
    status%MPI_TAG = 6
    status%MPI_ERROR = 7
    call MPI_Status_f082f(status, numbers)
    numbers(MPI_TAG) = numbers(MPI_TAG) + 10
    call MPI_Status_f2f08(numbers, back)
    call check(back%MPI_SOURCE == 5 .and. back%MPI_TAG == 16 .and. back%MPI_ERROR == 7, 'MPI_Status_f2f08')
    call MPI_Pack_external_size('external32', 10, MPI_INTEGER, bytes)
    call check(bytes == 40, 'MPI_Pack_external_size')
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_attach(win, numbers, bytes)
    call MPI_Win_detach(win, numbers)
    call MPI_Win_free(win)
  end subroutine

  subroutine strings()
    type(MPI_Comm) :: comm
    type(MPI_Info) :: info
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=8) :: value
    integer :: length
    logical :: flag
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_set_name(comm, 'ocean model   ')
    name = repeat('x', len(name))
    call MPI_Comm_get_name(comm, name, length)
    call check(name == 'ocean model' .and. length == 11, 'the name of a communicator')
    call MPI_Comm_free(comm)
    call check(comm == MPI_COMM_NULL, 'MPI_Comm_free')
    call MPI_Info_create(info)
    call MPI_Info_set(info, ' key ', ' some value ')
    call MPI_Info_get(info, 'key', 4, value, flag)
    call check(flag .and. value == 'some', 'MPI_Info_get')
    length = len(value)
    call MPI_Info_get_string(info, 'key', length, value, flag)
    call check(flag .and. value == 'some val' .and. length == 10, 'MPI_Info_get_string')
    call MPI_Info_get(info, 'none', 4, value, flag)
    call check(.not. flag .and. value == 'some val', 'no value')
    call MPI_Info_free(info)
  end subroutine

  subroutine attributes()
    type(MPI_Comm) :: one, two
    type(MPI_Datatype) :: copy
    integer :: key
    integer(kind=MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
    call check(flag .and. value >= 32767, 'MPI_TAG_UB')
    call MPI_Comm_create_keyval(copied, discarded, key, 1000_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_SELF, one)
    call MPI_Comm_get_attr(one, key, value, flag)
    call check(.not. flag, 'no attribute')
    call MPI_Comm_set_attr(one, key, 7_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(one, two)
    call MPI_Comm_get_attr(two, key, value, flag)
    call check(flag .and. value == 1007, 'a copied attribute')
    call MPI_Comm_free(two)
    call MPI_Comm_free(one)
    call check(deleted == 1014, 'deleted attributes')
    call MPI_Comm_free_keyval(key)
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND)
    call MPI_Type_set_attr(MPI_INTEGER, key, 70_MPI_ADDRESS_KIND)
    call MPI_Type_dup(MPI_INTEGER, copy)
    call MPI_Type_get_attr(copy, key, value, flag)
    call check(flag .and. value == 70, 'MPI_TYPE_DUP_FN')
    call MPI_Type_free(copy)
    call MPI_Type_delete_attr(MPI_INTEGER, key)
    call MPI_Type_free_keyval(key)
  end subroutine

  subroutine errors()
    type(MPI_Errhandler) :: handler
    integer :: code, class, length
    character(len=MPI_MAX_ERROR_STRING) :: text
    call MPI_Comm_create_errhandler(seen, handler)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler)
    call MPI_Send(rank, 1, MPI_INTEGER, 5, 0, MPI_COMM_SELF, code)
    call check(errors_seen == 1, 'an error handler')
    call MPI_Error_class(code, class)
    call MPI_Error_string(code, text, length)
    call check(class == MPI_ERR_RANK .and. index(text(1:length), 'rank') > 0, 'an error''s text')
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL)
    call MPI_Errhandler_free(handler)
  end subroutine

  subroutine topologies()
    type(MPI_Comm) :: ring
    logical :: periodic(1)
    integer :: dims(1), coords(1), left, right
    call MPI_Cart_create(comm_old=MPI_COMM_WORLD, ndims=1, dims=[size], periods=[.true.], &
                         reorder=.false., comm_cart=ring)
    call MPI_Cart_get(ring, 1, dims, periodic, coords)
    call MPI_Cart_shift(ring, 0, 1, left, right)
    call check(periodic(1) .and. dims(1) == size .and. right == modulo(rank + 1, size), 'a ring')
    call MPI_Comm_free(ring)
  end subroutine
end program

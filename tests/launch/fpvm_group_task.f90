! fpvm_group_task.f90 - tasks that test PVM's subroutines for groups: hrun -np 4 fpvm_group_task
! WHAT. All tasks of the job do the same. Free form.

program group_task
  implicit none
  include 'fpvm3.h'
  integer, parameter :: members = 4
  character(20) :: what
  character(12) :: name = 'group' ! its blanks are no part of the name
  integer :: mine, info

  call get_command_argument(1, what)
  call pvmfsetopt(PvmAutoErr, 0, info)
  call pvmfjoingroup(name, mine)
  call check(mine >= 0 .and. mine < members, 'pvmfjoingroup')
  call pvmfbarrier('group', members, info)
  call check(info == PvmOk, 'pvmfbarrier')
  select case (what)
  case ('membership')
    call membership
  case ('operations')
    call operations
  case ('frozen')
    call pvmffreezegroup(name, members, info)
    call check(info == members, 'pvmffreezegroup')
    call pvmffreezegroup(name, members, info)
    call check(info == PvmDupGroup, 'pvmffreezegroup, twice')
    call operations
  case default
    stop 2
  end select
  call pvmfbarrier(name, members, info)
  call check(info == PvmOk, 'pvmfbarrier at the end')
  call pvmfexit(info)
  call check(info == PvmOk, 'pvmfexit')

contains

  subroutine membership
    integer :: me, tid, instance, size, buffer, i, from(members - 1)

    call pvmfmytid(me)
    call pvmfgsize('group   ', size)
    call check(size == members, 'pvmfgsize')
    call pvmfgettid(name, mine, tid)
    call check(tid == me, 'pvmfgettid')
    call pvmfgetinst(name, me, instance)
    call check(instance == mine, 'pvmfgetinst')
    call pvmfgettid(name, members, tid)
    call check(tid == PvmNoInst, 'pvmfgettid of nobody')
    call pvmfgsize('no', size)
    call check(size == PvmNoGroup, 'pvmfgsize of no group')
    call pvmfjoingroup('   ', instance)
    call check(instance == PvmNullGroup, 'a name of blanks')
    call pvmfjoingroup(name, instance)
    call check(instance == PvmDupGroup, 'pvmfjoingroup, twice')
    call pvmfinitsend(PvmDataDefault, buffer)
    call pvmfpack(INTEGER4, mine, 1, 1, info)
    call pvmfbcast(name, 1, info)
    call check(info == PvmOk, 'pvmfbcast')
    do i = 1, members - 1
      call pvmfrecv(-1, 1, buffer)
      call pvmfunpack(INTEGER4, from(i), 1, 1, info)
    end do
    call check(sum(from) == sum((/0, 1, 2, 3/)) - mine .and. all(from /= mine), 'all others')
    call pvmfbarrier(name, members, info)
    if (mine == 1) then
      call pvmflvgroup(name, info)
      call check(info == PvmOk, 'pvmflvgroup')
      call pvmfgetinst(name, me, instance)
      call check(instance == PvmNotInGroup, 'it has left')
      call pvmfjoingroup(name, instance)
      call check(instance == 1, 'the first place that is free')
    end if
    call pvmfbarrier(name, members, info)
  end subroutine

  subroutine operations
    integer :: root

    do root = 0, members - 1
      call reduce(root)
      call move(root)
    end do
  end subroutine

  ! Each member gives 1 + instance, and instance - 1.
  subroutine reduce(root)
    integer, intent(in) :: root
    external :: PvmSum, PvmProduct, PvmMax, PvmMin, greatest_place
    integer(1) :: b(2)
    integer(2) :: h(2)
    integer(4) :: i(2)
    integer(8) :: l(2)
    real(4) :: f(2)
    real(8) :: d(2), place(4)
    complex(4) :: c(2)
    complex(8) :: z(2)

    b = int((/mine + 1, mine - 1/), 1)
    call pvmfreduce(PvmMax, b, 2, BYTE1, 5, name, root, info)
    call check(info == PvmOk .and. (mine /= root .or. all(b == (/4, 2/))), 'BYTE1')
    h = int((/mine + 1, mine - 1/), 2)
    call pvmfreduce(PvmSum, h, 2, INTEGER2, 5, name, root, info)
    call check(info == PvmOk .and. (mine /= root .or. all(h == (/10, 2/))), 'INTEGER2')
    i = (/mine + 1, mine - 1/)
    call pvmfreduce(PvmProduct, i, 2, INTEGER4, 5, name, root, info)
    call check(info == PvmOk .and. (mine /= root .or. all(i == (/24, 0/))), 'INTEGER4')
    l = (/mine + 1, mine - 1/) * 10000000000_8
    call pvmfreduce(PvmMin, l, 2, INTEGER8, 5, name, root, info)
    call check(info == PvmOk .and. (mine /= root .or. all(l == (/1, -1/) * 10000000000_8)), 'INTEGER8')
    f = (/mine + 1.5, mine - 1.0/)
    call pvmfreduce(PvmSum, f, 2, REAL4, 5, name, root, info)
    call check(info == PvmOk .and. (mine /= root .or. all(f == (/12.0, 2.0/))), 'REAL4')
    d = (/mine + 1, mine - 1/)
    call pvmfreduce(PvmMax, d, 2, REAL8, 5, name, root, info)
    call check(info == PvmOk .and. (mine /= root .or. all(d == (/4, 2/))), 'REAL8')
    c = cmplx(mine, -mine)
    call pvmfreduce(PvmSum, c, 2, COMPLEX8, 5, name, root, info)
    call check(info == PvmOk .and. (mine /= root .or. all(c == (6, -6))), 'COMPLEX8')
    z = (0, 1)
    call pvmfreduce(PvmProduct, z, 2, COMPLEX16, 5, name, root, info)
    call check(info == PvmOk .and. (mine /= root .or. all(z == 1)), 'COMPLEX16')
    place = (/merge(1, 0, mine == 2), -mine, mine, mine/)
    call pvmfreduce(greatest_place, place, 4, REAL8, 5, name, root, info)
    call check(info == PvmOk .and. (mine /= root .or. all(place == (/1, 0, 2, 0/))), 'a function of its own')
    call pvmfreduce(PvmSum, i, 2, 99, 5, name, root, info)
    call check(info == PvmBadParam, 'pvmfreduce of no type')
    call pvmfreduce(PvmSum, i, 2, INTEGER4, 5, 'no', root, info)
    call check(info == PvmNoGroup, 'pvmfreduce in no group')
    i = (/7, 8/)
    call PvmMin(INTEGER4, i, (/9, 3/), 2, info)
    call check(info == PvmOk .and. all(i == (/7, 3/)), 'PvmMin as such')
  end subroutine

  subroutine move(root)
    integer, intent(in) :: root
    real(8) :: part(2), all_parts(2, members), back(2)
    integer :: i

    part = (/10 * mine, 10 * mine + 1/)
    call pvmfgather(all_parts, part, 2, REAL8, 6, name, root, info)
    call check(info == PvmOk, 'pvmfgather')
    if (mine == root) then
      do i = 1, members
        call check(all(all_parts(:, i) == (/10 * i - 10, 10 * i - 9/)), 'the parts')
      end do
      all_parts = all_parts + 100
    end if
    call pvmfscatter(back, all_parts, 2, REAL8, 6, name, root, info)
    call check(info == PvmOk .and. all(back == part + 100), 'pvmfscatter')
    call pvmfgather(all_parts, part, -1, REAL8, 6, name, root, info)
    call check(info == PvmBadParam, 'pvmfgather of -1 elements')
    call pvmfscatter(back, all_parts, 2, 99, 6, name, root, info)
    call check(info == PvmBadParam, 'pvmfscatter of no type')
  end subroutine

end program

! The greatest values of the first half, and in the second one, where they come from.
subroutine greatest_place(datatype, x, y, n, info)
  implicit none
  include 'fpvm3.h'
  integer :: datatype, n, info, i
  real(8) :: x(n), y(n)

  call check(datatype == REAL8 .and. n == 4, 'the arguments of the function')
  do i = 1, n / 2
    if (y(i) > x(i)) then
      x(i) = y(i)
      x(i + n / 2) = y(i + n / 2)
    end if
  end do
  info = PvmOk
end subroutine

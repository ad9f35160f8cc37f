! fpvm_job_task.f - a task that tests PVM's subroutines with tasks of its own: fpvm_job_task WHAT.
! It spawns itself; children are told by a message what they are to do. Fixed form. The header is
! once included as PVM's examples do it.
      program jobtask
      implicit none
      include '../include/fpvm3.h'
      character*20 what
      integer parent, info

      call get_command_argument(1, what)
      call pvmfsetopt(PvmAutoErr, 0, info)
      call pvmfparent(parent)
      if (parent .ne. PvmNoParent) then
        call child(parent)
      else if (what .eq. 'family') then
        call family
      else if (what .eq. 'killing') then
        call killing
      else if (what .eq. 'failing') then
        call failing
      else if (what .eq. 'catching') then
        call catching
      else if (what .eq. 'hosts') then
        call hosts
      else if (what .eq. 'halting') then
        call halting
      else
        stop 2
      end if
      call pvmfexit(info)
      call check(info .eq. PvmOk, 'pvmfexit')
      end

! ---- messages of one number: tag 1 tells a child what to do, 2 is its answer, 3 ends it ----

      subroutine tell(tid, tag, value)
      implicit none
      include 'fpvm3.h'
      integer tid, tag, value, info

      call pvmfinitsend(PvmDataDefault, info)
      call pvmfpack(INTEGER4, value, 1, 1, info)
      call pvmfsend(tid, tag, info)
      call check(info .eq. PvmOk, 'pvmfsend')
      end

      integer function hear(tid, tag)
      implicit none
      include 'fpvm3.h'
      integer tid, tag, buffer, info

      call pvmfrecv(tid, tag, buffer)
      call check(buffer .gt. 0, 'pvmfrecv')
      call pvmfunpack(INTEGER4, hear, 1, 1, info)
      call check(info .eq. PvmOk, 'pvmfunpack')
      end

! The name has blanks behind it, as names in variables have.
      subroutine spawn(count, tids, what)
      implicit none
      include 'fpvm3.h'
      integer count, tids(count), what, started, i
      character*40 task

      task = 'fpvm_job_task'
      call pvmfspawn(task, PvmTaskDefault, '*', count, tids, started)
      call check(started .eq. count, 'pvmfspawn')
      do i = 1, count
        call tell(tids(i), 1, what)
      end do
      end

! ---- children: 1 tells of its siblings and waits, 2 prints ----

      subroutine child(parent)
      implicit none
      include 'fpvm3.h'
      integer parent, what, me, count, i, tid, mine, hear

      what = hear(parent, 1)
      if (what .eq. 1) then
        call pvmfmytid(me)
        call pvmfsiblings(count, -1, tid)
        mine = -1
        do i = 0, count - 1
          call pvmfsiblings(count, i, tid)
          if (tid .eq. me) mine = i
        end do
        call tell(parent, 2, 100 * count + mine)
        what = hear(parent, 3)
      else
        write (6, '(a)') 'printed by a child'
      end if
      end

! ---- tests ----

      subroutine family
      implicit none
      include 'fpvm3.h'
      integer me, tids(3), gone(3), i, count, tid, host, info
      integer hear

      call pvmfmytid(me)
      call pvmfsiblings(count, -1, tid)
      call check(count .eq. 1, 'no siblings')
      call pvmfsiblings(count, 0, tid)
      call check(count .eq. 1 .and. tid .eq. me, 'pvmfsiblings')
      call pvmfsiblings(count, 1, tid)
      call check(count .eq. 1 .and. tid .eq. PvmNoTask, 'no sibling')
      call spawn(3, tids, 1)
      do i = 1, 3
        call check(hear(tids(i), 2) .eq. 299 + i, 'siblings')
      end do
      call listing(me, tids)
      call pvmftidtohost(tids(1), host)
      call pvmftidtohost(me, tid)
      call check(host .gt. 0 .and. tid .eq. host, 'pvmftidtohost')
      call pvmfpstat(tids(2), info)
      call check(info .eq. PvmOk, 'pvmfpstat')
      call pvmfnotify(PvmTaskExit, 9, 3, tids, info)
      call check(info .eq. PvmOk, 'pvmfnotify')
      call pvmfinitsend(PvmDataDefault, info)
      call pvmfpack(INTEGER4, 0, 1, 1, info)
      call pvmfmcast(3, tids, 3, info)
      call check(info .eq. PvmOk, 'pvmfmcast')
      do i = 1, 3
        gone(i) = hear(-1, 9)
      end do
      call check(sum(gone) .eq. sum(tids), 'all of them have ended')
      call pvmfpstat(tids(2), info)
      call check(info .eq. PvmNoTask, 'pvmfpstat of one that ended')
      end

! All tasks one after the other, twice: the list begins again at its end, and when -1 is said.
      subroutine listing(me, tids)
      implicit none
      include 'fpvm3.h'
      integer me, tids(3), seen, i, count, tid, parent, host, flag
      integer info
      character*80 program

      seen = 0
      count = -1
      do i = 1, 8
        call pvmftasks(0, count, tid, parent, host, flag, program,
     &    info)
        call check(info .eq. 1 .and. count .eq. 4, 'pvmftasks')
        call check(tid .eq. me .or. any(tid .eq. tids), 'a task')
        call check(tid .eq. me .or. parent .eq. me, 'its parent')
        call check(index(program, 'fpvm_job_task ') .gt. 0, 'program')
        if (any(tid .eq. tids)) seen = seen + 1
      end do
      call check(seen .eq. 6, 'all tasks are seen')
      call pvmftasks(0, count, tid, parent, host, flag, program, info)
      count = -1
      call pvmftasks(tids(2), count, tid, parent, host, flag, program,
     &  info)
      call check(count .eq. 1 .and. tid .eq. tids(2), 'one task')
      call pvmftasks(99, count, tid, parent, host, flag, program, info)
      call check(info .eq. PvmNoHost .and. count .eq. 1, 'none')
      end

      subroutine killing
      implicit none
      include 'fpvm3.h'
      integer tids(2), buffer, info, hear

      call spawn(2, tids, 1)
      call check(hear(tids(1), 2) .eq. 200, 'the first')
      call check(hear(tids(2), 2) .eq. 201, 'the second')
      call pvmfnotify(PvmTaskExit, 9, 2, tids, info)
      call pvmfsendsig(tids(2), 0, info)
      call check(info .eq. PvmOk, 'pvmfsendsig of nothing')
      call pvmfkill(tids(1), info)
      call check(info .eq. PvmOk, 'pvmfkill')
      call check(hear(-1, 9) .eq. tids(1), 'it was killed')
      call pvmfnrecv(-1, 9, buffer)
      call check(buffer .eq. 0, 'the other was not')
      call pvmfsendsig(tids(2), 9, info)
      call check(info .eq. PvmOk, 'pvmfsendsig')
      call check(hear(-1, 9) .eq. tids(2), 'it was killed, too')
      end

      subroutine failing
      implicit none
      include 'fpvm3.h'
      integer tids(2), started, info

      call pvmfspawn('/nonexistent/program', PvmTaskDefault, '*', 2,
     &  tids, started)
      call check(started .eq. 0 .and. all(tids .eq. PvmNoFile),
     &  'pvmfspawn of no program')
      call pvmfspawn('fpvm_job_task', PvmTaskHost, 'nohost  ', 1, tids,
     &  started)
      call check(started .eq. 0 .and. tids(1) .eq. PvmNoHost,
     &  'pvmfspawn on no host')
      call pvmfspawn('fpvm_job_task', PvmTaskHost, '*', 1, tids,
     &  started)
      call check(started .lt. 1, 'pvmfspawn on no host in particular')
      call pvmfspawn('fpvm_job_task', PvmTaskArch, 'SUN4', 1, tids,
     &  started)
      call check(started .eq. 0 .and. tids(1) .eq. PvmNoHost,
     &  'pvmfspawn on no machine')
      call pvmfspawn('fpvm_job_task', PvmTaskDefault, '*', 0, tids,
     &  started)
      call check(started .eq. PvmBadParam, 'pvmfspawn of nothing')
      call pvmfnotify(99, 9, 2, tids, info)
      call check(info .eq. PvmBadParam, 'pvmfnotify of nothing')
      end

! What the child printed is on standard output when pvmfexit() returns: test_fpvm looks.
      subroutine catching
      implicit none
      include 'fpvm3.h'
      integer tids(1), info

      call pvmfcatchout(1, info)
      call check(info .eq. PvmOk, 'pvmfcatchout')
      call spawn(1, tids, 2)
      end

! Ends a child that would wait for ever, and the caller.
      subroutine halting
      implicit none
      include 'fpvm3.h'
      integer tids(1), info, hear

      call pvmfcatchout(0, info)
      call spawn(1, tids, 1)
      call check(hear(tids(1), 2) .eq. 100, 'the child')
      call pvmfhalt(info)
      call check(.false., 'still there')
      end

! Hosts that come and go: a and b of hosts "a" and "& b", both this machine.
      subroutine hosts
      implicit none
      include 'fpvm3.h'
      integer count, kinds, tid, speed, code, info, added, hear
      integer clock(2), delta(2)
      character*12 name, arch

      call pvmfconfig(count, kinds, tid, name, arch, speed, info)
      call check(info .eq. 1 .and. count .eq. 1, 'pvmfconfig')
      call check(kinds .eq. 1 .and. speed .gt. 0, 'kinds and speed')
      call check(name .eq. 'a' .and. arch(1:5) .eq. 'LINUX', 'names')
      call check(index(arch, char(0)) .eq. 0, 'blanks up to the end')
      call pvmfarchcode(arch, code)
      call check(code .gt. 0, 'pvmfarchcode')
      call pvmfarchcode('SUN4', code)
      call check(code .eq. PvmNotFound, 'pvmfarchcode of none')
      call pvmfmstat(name, info)
      call check(info .eq. PvmOk, 'pvmfmstat')
      call pvmfmstat('b', info)
      call check(info .eq. PvmNoHost, 'pvmfmstat of none')
      call pvmfhostsync(tid, clock(1), clock(2), delta(1), delta(2),
     &  info)
      call check(info .eq. PvmOk .and. clock(1) .gt. 1000000000
     &  .and. all(delta .eq. 0), 'pvmfhostsync')
      call pvmfhostsync(0, clock(1), clock(2), delta(1), delta(2),
     &  info)
      call check(info .eq. PvmNoHost, 'pvmfhostsync of none')
      name = 'b'
      call pvmfnotify(PvmHostAdd, 9, -1, tid, info)
      call pvmfaddhost(name, info)
      call check(info .gt. 0, 'pvmfaddhost')
      added = info
      call pvmfaddhost('b', info)
      call check(info .eq. PvmDupHost, 'pvmfaddhost, twice')
      call check(hear(-1, 9) .eq. 1, 'PvmHostAdd')
      call pvmfnotify(PvmHostDelete, 8, 1, added, info)
      call two(added)
      call pvmfdelhost(name, info)
      call check(info .eq. PvmOk, 'pvmfdelhost')
      call check(hear(-1, 8) .eq. added, 'PvmHostDelete')
      call pvmfdelhost('b', info)
      call check(info .eq. PvmNoHost, 'pvmfdelhost, twice')
      call pvmfmstat('b', info)
      call check(info .eq. PvmNoHost, 'pvmfmstat of what was deleted')
      call pvmfconfig(count, kinds, tid, name, arch, speed, info)
      call check(count .eq. 1 .and. name .eq. 'a', 'the list is new')
      end

! Both hosts, and the first again. A name that is too long for its variable is cut off.
      subroutine two(added)
      implicit none
      include 'fpvm3.h'
      integer added, count, kinds, tid, speed, info
      character*8 name
      character*2 arch

      call pvmfconfig(count, kinds, tid, name, arch, speed, info)
      call check(count .eq. 2 .and. name .eq. 'a', 'the first host')
      call check(arch .eq. 'LI', 'what is cut off')
      call pvmfconfig(count, kinds, tid, name, arch, speed, info)
      call check(count .eq. 2 .and. name .eq. 'b', 'the second host')
      call check(tid .eq. added, 'its number')
      call pvmfconfig(count, kinds, tid, name, arch, speed, info)
      call check(count .eq. 2 .and. name .eq. 'a', 'the first again')
      count = -1
      call pvmfconfig(count, kinds, tid, name, arch, speed, info)
      call check(count .eq. 2 .and. name .eq. 'a', 'from the start')
      end

! fpvm_task.f - a task that tests what PVM's subroutines do with messages, alone: fpvm_task WHAT.
! It sends to itself. Fixed form.
      program task
      implicit none
      include 'fpvm3.h'
      character*20 what
      integer info

      call get_command_argument(1, what)
      call pvmfsetopt(PvmAutoErr, 0, info)
      if (what .eq. 'buffers') then
        call buffers
      else if (what .eq. 'packing') then
        call packing
      else if (what .eq. 'refusing') then
        call refusing
      else if (what .eq. 'rows') then
        call rows
      else if (what .eq. 'text') then
        call text
      else if (what .eq. 'receiving') then
        call receiving
      else if (what .eq. 'without-buffer') then
        call nobuf
      else if (what .eq. 'contexts') then
        call contexts
      else if (what .eq. 'handlers') then
        call handlers
      else if (what .eq. 'mailboxes') then
        call mboxes
      else if (what .eq. 'options') then
        call options
      else if (what .eq. 'loud') then
        call loud
      else
        stop 2
      end if
      call pvmfexit(info)
      call check(info .eq. PvmOk, 'pvmfexit')
      call pvmfmytid(info)
      call check(info .gt. 0, 'a task again')
      end

! Sends what is packed to oneself and receives it.
      subroutine through(tag, buffer)
      implicit none
      include 'fpvm3.h'
      integer tag, buffer, me, info

      call pvmfmytid(me)
      call pvmfsend(me, tag, info)
      call check(info .eq. PvmOk, 'pvmfsend')
      call pvmfrecv(-1, tag, buffer)
      call check(buffer .gt. 0, 'pvmfrecv')
      end

! Sends one number to oneself.
      subroutine put(tag, value)
      implicit none
      include 'fpvm3.h'
      integer tag, value, me, info

      call pvmfmytid(me)
      call pvmfinitsend(PvmDataDefault, info)
      call pvmfpack(INTEGER4, value, 1, 1, info)
      call pvmfsend(me, tag, info)
      call check(info .eq. PvmOk, 'a message to oneself')
      end

! A message with that number was received.
      subroutine got(buffer, value)
      implicit none
      include 'fpvm3.h'
      integer buffer, value, there, info

      call check(buffer .gt. 0, 'a message')
      call pvmfunpack(INTEGER4, there, 1, 1, info)
      call check(info .eq. PvmOk, 'pvmfunpack')
      call check(there .eq. value, 'the number of the message')
      end

! What is sent from its place stands in common, so that the compiler does not keep it elsewhere.
      subroutine buffers
      implicit none
      include 'fpvm3.h'
      integer a(4), b(4), me, one, two, before, bytes, tag, tid, info
      common /place/ b
      data a /1, 2, 3, 4/

      call pvmfmytid(me)
      call pvmfgetsbuf(one)
      call pvmfgetrbuf(two)
      call check(one .eq. 0 .and. two .eq. 0, 'no buffers yet')
      call pvmfinitsend(77, info)
      call check(info .eq. PvmBadParam, 'pvmfinitsend of nonsense')
      call pvmfinitsend(PvmRaw, one)
      call pvmfpack(INTEGER4, a, 4, 1, info)
      call pvmfgetsbuf(two)
      call check(info .eq. PvmOk .and. one .eq. two, 'pvmfgetsbuf')
      call pvmfbufinfo(one, bytes, tag, tid, info)
      call check(info .eq. PvmOk .and. bytes .eq. 16, 'what is packed')
      call through(3, two)
      call pvmfgetrbuf(tid)
      call check(tid .eq. two, 'pvmfgetrbuf')
      call pvmfbufinfo(two, bytes, tag, tid, info)
      call check(info .eq. PvmOk .and. bytes .eq. 16 .and. tag .eq. 3
     &  .and. tid .eq. me, 'pvmfbufinfo')
      call got(two, 1)
      call pvmfsetrbuf(0, before)
      call check(before .eq. two, 'pvmfsetrbuf')
      call pvmfmkbuf(PvmDataInPlace, info)
      call pvmfsetsbuf(info, before)
      call check(info .gt. 0 .and. before .eq. one, 'pvmfsetsbuf')
      call pvmfpack(INTEGER4, b, 2, 1, info)
      b(1) = 8
      b(2) = 9
      call through(4, info)
      call got(info, 8)
      call got(info, 9)
      call pvmfsetrbuf(two, before)
      call got(two, 2)
      call pvmffreebuf(one, info)
      call check(info .eq. PvmOk, 'pvmffreebuf')
      call pvmffreebuf(one, info)
      call check(info .eq. PvmNoSuchBuf, 'pvmffreebuf of nothing')
      end

! Every type: each second element is packed.
      subroutine packing
      implicit none
      include 'fpvm3.h'
      character c(6), d(3)
      integer*1 b(6), s(3)
      integer*2 h(6), t(3)
      integer*4 i(6), u(3)
      integer*8 l(6), v(3)
      real*4 f(6), w(3)
      real*8 g(6), x(3)
      complex*8 p(6), y(3)
      complex*16 q(6), z(3)
      integer n, buffer, bytes, tag, tid, r(9)

      do n = 1, 6
        c(n) = char(64 + n)
        b(n) = int(-n, 1)
        h(n) = int(-300 * n, 2)
        i(n) = -100000 * n
        l(n) = -10000000000_8 * n
        f(n) = n + 0.5
        g(n) = n + 0.1d0
        p(n) = cmplx(n, -n)
        q(n) = cmplx(n + 0.1d0, -n, 8)
      end do
      call pvmfinitsend(PvmDataDefault, buffer)
      call pvmfpack(STRING, c, 3, 2, r(1))
      call pvmfpack(BYTE1, b, 3, 2, r(2))
      call pvmfpack(INTEGER2, h, 3, 2, r(3))
      call pvmfpack(INTEGER4, i, 3, 2, r(4))
      call pvmfpack(INTEGER8, l, 3, 2, r(5))
      call pvmfpack(REAL4, f, 3, 2, r(6))
      call pvmfpack(REAL8, g, 3, 2, r(7))
      call pvmfpack(COMPLEX8, p, 3, 2, r(8))
      call pvmfpack(COMPLEX16, q, 3, 2, r(9))
      call check(all(r .eq. PvmOk), 'pvmfpack')
      call through(5, buffer)
      call pvmfbufinfo(buffer, bytes, tag, tid, n)
      call check(bytes .eq. 3 * (1 + 1 + 2 + 4 + 8 + 4 + 8 + 8 + 16),
     &  'the size of everything')
      call pvmfunpack(STRING, d, 3, 1, r(1))
      call pvmfunpack(BYTE1, s, 3, 1, r(2))
      call pvmfunpack(INTEGER2, t, 3, 1, r(3))
      call pvmfunpack(INTEGER4, u, 3, 1, r(4))
      call pvmfunpack(INTEGER8, v, 3, 1, r(5))
      call pvmfunpack(REAL4, w, 3, 1, r(6))
      call pvmfunpack(REAL8, x, 3, 1, r(7))
      call pvmfunpack(COMPLEX8, y, 3, 1, r(8))
      call pvmfunpack(COMPLEX16, z, 3, 1, r(9))
      call check(all(r .eq. PvmOk), 'pvmfunpack')
      call check(all(d .eq. c(1:5:2)), 'STRING')
      call check(all(s .eq. b(1:5:2)), 'BYTE1')
      call check(all(t .eq. h(1:5:2)), 'INTEGER2')
      call check(all(u .eq. i(1:5:2)), 'INTEGER4')
      call check(all(v .eq. l(1:5:2)), 'INTEGER8')
      call check(all(w .eq. f(1:5:2)), 'REAL4')
      call check(all(x .eq. g(1:5:2)), 'REAL8')
      call check(all(y .eq. p(1:5:2)), 'COMPLEX8')
      call check(all(z .eq. q(1:5:2)), 'COMPLEX16')
      end

      subroutine refusing
      implicit none
      include 'fpvm3.h'
      integer a, buffer, info

      call pvmfpack(INTEGER4, a, 1, 1, info)
      call check(info .eq. PvmNoBuf, 'pvmfpack without a buffer')
      call pvmfunpack(INTEGER4, a, 1, 1, info)
      call check(info .eq. PvmNoBuf, 'pvmfunpack without a buffer')
      call pvmfinitsend(PvmDataDefault, buffer)
      call pvmfpack(99, a, 1, 1, info)
      call check(info .eq. PvmBadParam, 'pvmfpack of no type')
      call pvmfpack(INTEGER4, a, -1, 1, info)
      call check(info .eq. PvmBadParam, 'pvmfpack of -1 elements')
      call pvmfpack(INTEGER4, 5, 1, 1, info)
      call through(1, buffer)
      call pvmfunpack(99, a, 1, 1, info)
      call check(info .eq. PvmBadParam, 'pvmfunpack of no type')
      call pvmfunpack(REAL8, a, 1, 1, info)
      call check(info .eq. PvmBadMsg, 'pvmfunpack of another type')
      call got(buffer, 5)
      call pvmfunpack(INTEGER4, a, 1, 1, info)
      call check(info .eq. PvmNoData, 'pvmfunpack of nothing')
      call pvmfsend(0, 1, info)
      call check(info .eq. PvmBadParam, 'pvmfsend to nobody')
      end

! What does not stand side by side in memory, numbers without a variable, and a stride backwards.
      subroutine rows
      implicit none
      include 'fpvm3.h'
      integer a(2, 3), b(2, 3), buffer, info
      real*8 x
      data a /1, 4, 2, 5, 3, 6/, b /6 * 0/

      call pvmfinitsend(PvmDataDefault, buffer)
      call pvmfpack(INTEGER4, a(2, :), 3, 1, info)
      call pvmfpack(INTEGER4, a(1, 1), 3, 2, info)
      call pvmfpack(REAL8, 0.5d0, 1, 1, info)
      call pvmfpack(INTEGER4, a(1, 3), 3, -2, info)
      call through(1, buffer)
      call pvmfunpack(INTEGER4, b(1, :), 3, 1, info)
      call check(info .eq. PvmOk, 'pvmfunpack of a row')
      call pvmfunpack(INTEGER4, b(2, 1), 3, 2, info)
      call check(all(b(1, :) .eq. a(2, :)), 'a row')
      call check(all(b(2, :) .eq. a(1, :)), 'a row by its stride')
      call pvmfunpack(REAL8, x, 1, 1, info)
      call check(info .eq. PvmOk .and. x .eq. 0.5d0, 'a number')
      call pvmfunpack(INTEGER4, b, 3, 1, info)
      call check(b(1, 1) .eq. 3 .and. b(2, 1) .eq. 2
     &  .and. b(1, 2) .eq. 1, 'a row backwards')
      end

! Text is as many characters as one says; blanks travel, too.
      subroutine text
      implicit none
      include 'fpvm3.h'
      character*10 a, b
      integer buffer, bytes, tag, tid, info

      a = 'hello'
      b = '**********'
      call pvmfinitsend(PvmDataDefault, buffer)
      call pvmfpack(STRING, a, 7, 1, info)
      call check(info .eq. PvmOk, 'pvmfpack of text')
      call pvmfpack(STRING, 'row 5', 5, 1, info)
      call pvmfpack(INTEGER4, 6, 1, 1, info)
      call through(1, buffer)
      call pvmfbufinfo(buffer, bytes, tag, tid, info)
      call check(bytes .eq. 16, 'the size of text')
      call pvmfunpack(STRING, b, 7, 1, info)
      call check(info .eq. PvmOk .and. b .eq. 'hello  ***', 'text')
      call pvmfunpack(STRING, b(3:), 5, 1, info)
      call check(info .eq. PvmOk .and. b .eq. 'herow 5***', 'a row')
      call got(buffer, 6)
      end

      subroutine receiving
      implicit none
      include 'fpvm3.h'
      integer me, buffer, bytes, tag, tid, info
      integer*8 begun, now, rate

      call pvmfmytid(me)
      call pvmfnrecv(-1, -1, buffer)
      call check(buffer .eq. 0, 'pvmfnrecv of nothing')
      call pvmfprobe(-1, -1, buffer)
      call check(buffer .eq. 0, 'pvmfprobe of nothing')
      call system_clock(begun, rate)
      call pvmftrecv(-1, 1, 0, 200000, buffer)
      call system_clock(now)
      call check(buffer .eq. 0, 'pvmftrecv of nothing')
      call check(now - begun .ge. rate / 6, 'pvmftrecv waits')
      call put(1, 10)
      call put(2, 20)
      call put(1, 11)
      call put(3, 30)
      call pvmfprobe(me, 2, buffer)
      call check(buffer .gt. 0, 'pvmfprobe')
      call pvmfbufinfo(buffer, bytes, tag, tid, info)
      call check(bytes .eq. 4 .and. tag .eq. 2, 'what is probed')
      call pvmfrecv(-1, -1, buffer)
      call got(buffer, 10)
      call pvmfnrecv(-1, 2, buffer)
      call got(buffer, 20)
      call pvmftrecv(-1, -1, 5, 0, buffer)
      call got(buffer, 11)
      call pvmftrecv(-1, -1, -1, 0, buffer)
      call got(buffer, 30)
      call pvmfrecv(-1, -2, buffer)
      call check(buffer .eq. PvmBadParam, 'pvmfrecv of no tag')
      call pvmfrecv(-1, 1, buffer)
      call check(buffer .eq. PvmNoTask, 'nobody is left who sends')
      call pvmftrecv(-1, 1, -1, 0, buffer)
      call check(buffer .eq. PvmNoTask, 'pvmftrecv for ever')
      end

      subroutine nobuf
      implicit none
      include 'fpvm3.h'
      integer me, a(3), b(4), tid, tag, bytes, info
      integer*8 l(2), m(2)
      real*8 d(2)
      character*8 c
      data a /1, 2, 3/, b /4 * 0/, l /-1_8, 10000000000_8/

      call pvmfmytid(me)
      call pvmfpsend(me, 6, a, 3, INTEGER4, info)
      call check(info .eq. PvmOk, 'pvmfpsend')
      call pvmfprecv(-1, 6, b, 4, INTEGER4, tid, tag, bytes, info)
      call check(info .eq. PvmOk, 'pvmfprecv')
      call check(all(b .eq. (/1, 2, 3, 0/)), 'the numbers')
      call check(tid .eq. me .and. tag .eq. 6 .and. bytes .eq. 12,
     &  'what pvmfprecv tells')
      call pvmfpsend(me, 7, (/1.5d0, -2.5d0/), 2, REAL8, info)
      call pvmfprecv(me, -1, d, 2, REAL8, tid, tag, bytes, info)
      call check(info .eq. PvmOk .and. d(1) .eq. 1.5d0
     &  .and. d(2) .eq. -2.5d0, 'REAL8')
      call pvmfpsend(me, 7, l, 2, INTEGER8, info)
      call pvmfprecv(me, 7, m, 2, INTEGER8, tid, tag, bytes, info)
      call check(all(l .eq. m) .and. bytes .eq. 16, 'INTEGER8')
      c = 'abcdefgh'
      call pvmfpsend(me, 8, 'text', 4, STRING, info)
      call check(info .eq. PvmNotImpl, 'pvmfpsend of STRING')
      call pvmfpsend(me, 8, 'text', 4, BYTE1, info)
      call pvmfprecv(me, 8, c, 8, BYTE1, tid, tag, bytes, info)
      call check(c .eq. 'textefgh' .and. bytes .eq. 4, 'BYTE1')
      call pvmfpsend(me, 1, a, 1, 99, info)
      call check(info .eq. PvmBadParam, 'pvmfpsend of no type')
      call pvmfprecv(me, 1, a, 1, 99, tid, tag, bytes, info)
      call check(info .eq. PvmBadParam, 'pvmfprecv of no type')
      end

      subroutine contexts
      implicit none
      include 'fpvm3.h'
      integer other, context, buffer, info

      call pvmfgetcontext(context)
      call check(context .eq. 0, 'the first context')
      call pvmfnewcontext(context)
      call pvmfnewcontext(other)
      call check(other .gt. 0 .and. other .ne. context, 'new contexts')
      call put(1, 1)
      call pvmfsetcontext(other, context)
      call check(context .eq. 0, 'pvmfsetcontext')
      call pvmfgetcontext(context)
      call check(context .eq. other, 'pvmfgetcontext')
      call pvmfnrecv(-1, 1, buffer)
      call check(buffer .eq. 0, 'a message of another context')
      call pvmfsetcontext(0, context)
      call check(context .eq. other, 'pvmfsetcontext, back')
      call pvmfrecv(-1, 1, buffer)
      call got(buffer, 1)
      call pvmffreecontext(other, info)
      call check(info .eq. PvmOk, 'pvmffreecontext')
      call pvmfgetcontext(context)
      call check(context .eq. 0, 'the context afterwards')
      end

! A function for messages gets the number of the buffer as C has it.
      integer function handle(buffer)
      implicit none
      include 'fpvm3.h'
      integer, value :: buffer
      integer now, number, info
      integer handled
      common /seen/ handled

      call pvmfgetrbuf(now)
      call check(now .eq. buffer, 'the buffer of a handler')
      call pvmfunpack(INTEGER4, number, 1, 1, info)
      handled = handled + number
      handle = 0
      end

      subroutine handlers
      implicit none
      include 'fpvm3.h'
      external handle
      integer id, buffer, info
      integer handled
      common /seen/ handled

      handled = 0
      call pvmfaddmhf(-1, 50, 0, 0, handle, id)
      call check(id .ge. 0, 'pvmfaddmhf')
      call pvmfaddmhf(-1, 50, 0, 0, handle, info)
      call check(info .eq. PvmExists, 'pvmfaddmhf, twice')
      call put(50, 5)
      call put(50, 7)
      call put(1, 1)
      call pvmfrecv(-1, 1, buffer)
      call got(buffer, 1)
      call check(handled .eq. 12, 'the handler was called')
      call pvmfdelmhf(id, info)
      call check(info .eq. PvmOk, 'pvmfdelmhf')
      call pvmfdelmhf(id, info)
      call check(info .eq. PvmNotFound, 'pvmfdelmhf, twice')
      call put(50, 9)
      call pvmfrecv(-1, 50, buffer)
      call got(buffer, 9)
      call check(handled .eq. 12, 'the handler was not called')
      end

! Blanks at the end are not a part of a name, others are; a long one is taken as a whole.
      subroutine mboxes
      implicit none
      include 'fpvm3.h'
      character*30 name
      character*240 long
      integer buffer, index, info

      name = 'my box'
      call pvmfinitsend(PvmDataDefault, buffer)
      call pvmfpack(INTEGER4, 7, 1, 1, info)
      call pvmfputinfo(name, buffer, PvmMboxDefault, index)
      call check(index .eq. 0, 'pvmfputinfo')
      call pvmfrecvinfo('my box', 0, PvmMboxDefault, buffer)
      call got(buffer, 7)
      call pvmfrecvinfo(' my box', 0, PvmMboxDefault, buffer)
      call check(buffer .eq. PvmNotFound, 'another name')
      call listing
      call pvmfputinfo(name, 99, PvmMboxDefault, index)
      call check(index .eq. PvmNoSuchBuf, 'pvmfputinfo of nothing')
      call pvmfdelinfo('my box  ', 0, 0, info)
      call check(info .eq. PvmOk, 'pvmfdelinfo')
      call pvmfdelinfo(name, 0, 0, info)
      call check(info .eq. PvmNotFound, 'pvmfdelinfo, twice')
      long = repeat('x', 239) // 'a'
      call pvmfgetsbuf(buffer)
      call pvmfputinfo(long, buffer, PvmMboxDefault, index)
      call check(index .eq. 0, 'a long name')
      call pvmfrecvinfo(long(1:239) // 'b', 0, 0, buffer)
      call check(buffer .eq. PvmNotFound, 'another long name')
      call pvmfdelinfo(long, 0, 0, info)
      call check(info .eq. PvmOk, 'pvmfdelinfo of a long name')
      end

! Three entries of one name beside the one that is there: one name a call.
      subroutine listing
      implicit none
      include 'fpvm3.h'
      integer buffer, names, entries, index(3), owner(3), flags(3)
      integer me, i, info
      character*8 name

      call pvmfmytid(me)
      call pvmfinitsend(PvmDataDefault, buffer)
      do i = 1, 3
        call pvmfputinfo('many', buffer, PvmMboxMultiInstance, info)
        call check(info .eq. i - 1, 'pvmfputinfo of many')
      end do
      do i = 1, 2
        names = 0
        info = 0
        call pvmfgetmboxinfo('*', name, names, entries, index, owner,
     &    flags, info)
        call check(info .eq. PvmOk .and. names .eq. 2, 'two names')
        call check(name .eq. 'many' .and. entries .eq. 3, 'many')
        call check(all(index .eq. (/0, 1, 2/)), 'indices')
        call check(all(owner .eq. me), 'owners')
        call check(all(flags .eq. PvmMboxMultiInstance), 'flags')
        call pvmfgetmboxinfo('*', name, names, entries, index, owner,
     &    flags, info)
        call check(info .eq. PvmOk .and. entries .eq. 1, 'one')
        call check(name .eq. 'my box' .and. flags(1) .eq. 0, 'my box')
        call pvmfgetmboxinfo('*', name, names, entries, index, owner,
     &    flags, info)
        call check(info .eq. PvmNotFound, 'no third')
      end do
      call again(-1, 0)
      call again(0, -1)
      names = -1
      call pvmfgetmboxinfo('none', name, names, entries, index, owner,
     &  flags, info)
      call check(info .eq. PvmNotFound, 'no name')
      end

! Begins with another pattern in the middle of a list.
      subroutine again(names, info)
      implicit none
      include 'fpvm3.h'
      integer names, info, n, code, entries, index(3), owner(3)
      integer flags(3)
      character*8 name

      n = -1
      call pvmfgetmboxinfo('*', name, n, entries, index, owner, flags,
     &  code)
      n = names
      code = info
      call pvmfgetmboxinfo('y*ox', name, n, entries, index, owner,
     &  flags, code)
      call check(code .eq. PvmOk .and. n .eq. 1, 'a new list')
      call check(name .eq. 'my box', 'the name of another pattern')
      end

      subroutine options
      implicit none
      include 'fpvm3.h'
      integer value, info
      integer*8 begun, now, rate

      call pvmfgetopt(PvmRoute, value)
      call check(value .eq. PvmAllowDirect, 'pvmfgetopt')
      call pvmfsetopt(PvmRoute, PvmRouteDirect, value)
      call check(value .eq. PvmAllowDirect, 'pvmfsetopt')
      call pvmfgetopt(PvmRoute, value)
      call check(value .eq. PvmRouteDirect, 'what was set')
      call pvmfsetopt(99, 1, value)
      call check(value .eq. PvmBadParam, 'pvmfsetopt of nothing')
      call pvmfstartpvmd('-d41 /nonexistent', 1, info)
      call check(info .eq. PvmDupHost, 'pvmfstartpvmd')
      call system_clock(begun, rate)
      call pvmfsleep(1)
      call system_clock(now)
      call check(now - begun .ge. rate - rate / 100, 'pvmfsleep')
      end

! What is printed is looked at by test_fpvm.
      subroutine loud
      implicit none
      include 'fpvm3.h'
      character*12 words
      integer info

      words = 'mine'
      call pvmffreebuf(99, info)
      call pvmfperror(words, info)
      call check(info .eq. PvmOk, 'pvmfperror')
      end

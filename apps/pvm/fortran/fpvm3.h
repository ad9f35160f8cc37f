! // clang-format off
! fpvm3.h - PVM 3's Fortran interface on hnow, for gfortran: libhnowfpvm.
!
! include 'fpvm3.h', in fixed or in free form: every statement stands in the columns 7 to 72 of one
! line. The names are PVM's and no others, as a program may have variables of any other name; their
! values are those of pvm3.h, but for PvmDupEntry, which has another one in PVM's C.
!
! The first line is for who formats C: all files named *.h are taken for that.

! What is packed, and what pvmfpsend(), pvmfprecv(), pvmfreduce(), pvmfgather() and
! pvmfscatter() are given
      integer STRING, BYTE1, INTEGER2, INTEGER4
      parameter (STRING = 0, BYTE1 = 1, INTEGER2 = 2, INTEGER4 = 3)
      integer INTEGER8
      parameter (INTEGER8 = 8)
      integer REAL4, REAL8, COMPLEX8, COMPLEX16
      parameter (REAL4 = 4, REAL8 = 6, COMPLEX8 = 5, COMPLEX16 = 7)

! How a buffer is packed; older names for the same come last, here and below
      integer PvmDataDefault, PvmDataRaw
      parameter (PvmDataDefault = 0, PvmDataRaw = 1)
      integer PvmDataInPlace, PvmDataTrace
      parameter (PvmDataInPlace = 2, PvmDataTrace = 4)
      integer PvmDefault, PvmRaw, PvmInPlace
      parameter (PvmDefault = 0, PvmRaw = 1, PvmInPlace = 2)

! pvmfspawn()
      integer PvmTaskDefault, PvmTaskHost, PvmTaskArch
      parameter (PvmTaskDefault = 0, PvmTaskHost = 1, PvmTaskArch = 2)
      integer PvmTaskDebug, PvmTaskTrace, PvmMppFront
      parameter (PvmTaskDebug = 4, PvmTaskTrace = 8, PvmMppFront = 16)
      integer PvmHostCompl, PvmNoSpawnParent
      parameter (PvmHostCompl = 32, PvmNoSpawnParent = 64)
      integer PvmHost, PvmArch, PvmDebug, PvmTrace
      parameter (PvmHost = 1, PvmArch = 2, PvmDebug = 4, PvmTrace = 8)

! pvmfnotify()
      integer PvmTaskExit, PvmHostDelete, PvmHostAdd
      parameter (PvmTaskExit = 1, PvmHostDelete = 2, PvmHostAdd = 3)
      integer PvmRouteAdd, PvmRouteDelete
      parameter (PvmRouteAdd = 4, PvmRouteDelete = 5)
      integer PvmNotifyCancel
      parameter (PvmNotifyCancel = 256)

! pvmfsetopt(), pvmfgetopt()
      integer PvmRoute, PvmDebugMask, PvmAutoErr
      parameter (PvmRoute = 1, PvmDebugMask = 2, PvmAutoErr = 3)
      integer PvmOutputTid, PvmOutputCode, PvmOutputCtx
      parameter (PvmOutputTid = 4, PvmOutputCode = 5, PvmOutputCtx = 21)
      integer PvmTraceTid, PvmTraceCode, PvmTraceCtx
      parameter (PvmTraceTid = 6, PvmTraceCode = 7, PvmTraceCtx = 22)
      integer PvmTraceBuffer, PvmTraceOptions
      parameter (PvmTraceBuffer = 8, PvmTraceOptions = 9)
      integer PvmSOutputTid, PvmSOutputCode
      parameter (PvmSOutputTid = 12, PvmSOutputCode = 13)
      integer PvmSOutputCtx
      parameter (PvmSOutputCtx = 23)
      integer PvmSTraceTid, PvmSTraceCode
      parameter (PvmSTraceTid = 14, PvmSTraceCode = 15)
      integer PvmSTraceCtx
      parameter (PvmSTraceCtx = 24)
      integer PvmSTraceBuffer, PvmSTraceOptions
      parameter (PvmSTraceBuffer = 16, PvmSTraceOptions = 17)
      integer PvmFragSize, PvmResvTids, PvmShowTids
      parameter (PvmFragSize = 10, PvmResvTids = 11, PvmShowTids = 18)
      integer PvmPollType, PvmPollTime, PvmNoReset
      parameter (PvmPollType = 19, PvmPollTime = 20, PvmNoReset = 25)

! ... and the values of some of them
      integer PvmDontRoute, PvmAllowDirect
      parameter (PvmDontRoute = 1, PvmAllowDirect = 2)
      integer PvmRouteDirect
      parameter (PvmRouteDirect = 3)
      integer PvmTraceFull, PvmTraceTime, PvmTraceCount
      parameter (PvmTraceFull = 1, PvmTraceTime = 2, PvmTraceCount = 3)
      integer PvmPollConstant, PvmPollSleep
      parameter (PvmPollConstant = 1, PvmPollSleep = 2)

! Mailboxes
      integer PvmMboxDefault, PvmMboxPersistent
      parameter (PvmMboxDefault = 0, PvmMboxPersistent = 1)
      integer PvmMboxMultiInstance, PvmMboxOverWritable
      parameter (PvmMboxMultiInstance = 2, PvmMboxOverWritable = 4)
      integer PvmMboxFirstAvail, PvmMboxReadAndDelete
      parameter (PvmMboxFirstAvail = 8, PvmMboxReadAndDelete = 16)
      integer PvmMboxWaitForInfo
      parameter (PvmMboxWaitForInfo = 32)

! What comes back from what has failed
      integer PvmOk, PvmBadParam, PvmMismatch
      parameter (PvmOk = 0, PvmBadParam = -2, PvmMismatch = -3)
      integer PvmOverflow, PvmNoData, PvmNoHost
      parameter (PvmOverflow = -4, PvmNoData = -5, PvmNoHost = -6)
      integer PvmNoFile, PvmDenied, PvmNoMem
      parameter (PvmNoFile = -7, PvmDenied = -8, PvmNoMem = -10)
      integer PvmBadMsg, PvmSysErr, PvmNoBuf
      parameter (PvmBadMsg = -12, PvmSysErr = -14, PvmNoBuf = -15)
      integer PvmNoSuchBuf, PvmNullGroup
      parameter (PvmNoSuchBuf = -16, PvmNullGroup = -17)
      integer PvmDupGroup, PvmNoGroup
      parameter (PvmDupGroup = -18, PvmNoGroup = -19)
      integer PvmNotInGroup, PvmNoInst
      parameter (PvmNotInGroup = -20, PvmNoInst = -21)
      integer PvmHostFail, PvmNoParent, PvmNotImpl
      parameter (PvmHostFail = -22, PvmNoParent = -23, PvmNotImpl = -24)
      integer PvmDSysErr, PvmBadVersion
      parameter (PvmDSysErr = -25, PvmBadVersion = -26)
      integer PvmOutOfRes, PvmDupHost
      parameter (PvmOutOfRes = -27, PvmDupHost = -28)
      integer PvmCantStart, PvmAlready, PvmNoTask
      parameter (PvmCantStart = -29, PvmAlready = -30, PvmNoTask = -31)
      integer PvmNotFound, PvmExists
      parameter (PvmNotFound = -32, PvmExists = -33)
      integer PvmHostrNMstr, PvmParentNotSet
      parameter (PvmHostrNMstr = -34, PvmParentNotSet = -35)
      integer PvmIPLoopback
      parameter (PvmIPLoopback = -36)
      integer PvmNoEntry, PvmDupEntry
      parameter (PvmNoEntry = -32, PvmDupEntry = -33)

! Data (x, y) are of any type. Without this, gfortran finds fault with two calls in one file whose
! data have not the same type, or of which one hands over an array and the other one number.
      interface
        subroutine pvmfpack(what, x, n, stride, info)
!GCC$ attributes no_arg_check :: what, x, n, stride, info
        integer, dimension(*) :: what, x, n, stride, info
        end subroutine
        subroutine pvmfunpack(what, x, n, stride, info)
!GCC$ attributes no_arg_check :: what, x, n, stride, info
        integer, dimension(*) :: what, x, n, stride, info
        end subroutine
        subroutine pvmfpsend(tid, tag, x, n, what, info)
!GCC$ attributes no_arg_check :: tid, tag, x, n, what, info
        integer, dimension(*) :: tid, tag, x, n, what, info
        end subroutine
        subroutine pvmfprecv(tid, tag, x, n, what, t, g, b, info)
!GCC$ attributes no_arg_check :: tid, tag, x, n, what, t, g, b, info
        integer, dimension(*) :: tid, tag, x, n, what, t, g, b, info
        end subroutine
        subroutine pvmfreduce(f, x, n, what, tag, group, to, info)
!GCC$ attributes no_arg_check :: x, n, what, tag, to, info
        integer, dimension(*) :: x, n, what, tag, to, info
        character(len=*) :: group
        external :: f
        end subroutine
        subroutine pvmfgather(y, x, n, what, tag, group, to, info)
!GCC$ attributes no_arg_check :: y, x, n, what, tag, to, info
        integer, dimension(*) :: y, x, n, what, tag, to, info
        character(len=*) :: group
        end subroutine
        subroutine pvmfscatter(y, x, n, what, tag, group, to, info)
!GCC$ attributes no_arg_check :: y, x, n, what, tag, to, info
        integer, dimension(*) :: y, x, n, what, tag, to, info
        character(len=*) :: group
        end subroutine
        subroutine pvmfspawn(task, flags, where, n, tids, started)
!GCC$ attributes no_arg_check :: flags, n, tids, started
        integer, dimension(*) :: flags, n, tids, started
        character(len=*) :: task, where
        end subroutine
        subroutine pvmfmcast(n, tids, tag, info)
!GCC$ attributes no_arg_check :: n, tids, tag, info
        integer, dimension(*) :: n, tids, tag, info
        end subroutine
        subroutine pvmfnotify(what, tag, n, tids, info)
!GCC$ attributes no_arg_check :: what, tag, n, tids, info
        integer, dimension(*) :: what, tag, n, tids, info
        end subroutine
      end interface

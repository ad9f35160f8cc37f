! fpvm_check.f - what must be true in a task of the tests of PVM's Fortran: else it says so and ends
! with status 1.
      subroutine check(good, what)
      implicit none
      logical good
      character*(*) what

      if (good) return
      write (0, '(2a)') what, ' is false'
      stop 1
      end

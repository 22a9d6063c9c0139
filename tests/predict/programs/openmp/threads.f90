! OpenMP in Fortran: a file of each thread, a sum that one of them writes, and lines that only OpenMP compiles.
module own
  implicit none
  integer, save :: written = 3
!$omp threadprivate(written)
end module

program threads
  use omp_lib
  use own
  implicit none
  integer :: i, iterations, me, unit, many
  real(8) :: total
  character(len=32) :: name, word

  call get_command_argument(1, word)
  read (word, *) iterations
  many = 1
  !$ many = omp_get_max_threads()
  open (20, file='sum.txt', status='replace', action='write')
  total = 0
!$omp parallel private(me, unit, name)
  me = omp_get_thread_num()
  unit = 30 + me
  write (name, '(a, i0)') 'part.', me
  open (unit, file=name, form='unformatted', access='stream', status='replace', action='write')
!$omp do reduction(+:total)
  do i = 1, iterations
    total = total + i
    write (unit) real(i, 8)
    written = written + 1
  end do
!$omp end do
!$omp single
  write (20, '(f20.1)') total
!$omp end single
  write (unit) written
!$omp critical
  if (written > 3) total = total + 1
!$omp end critical
  close (unit)
!$omp end parallel
  write (20, '(f20.1)') total
  write (20, '(a, i0)') 'threads: ', many
  close (20)
end program

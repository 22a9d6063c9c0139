! Waves on a string: unformatted checkpoints every so many steps, a table of numbers as text, both read back.
module waves_of
  implicit none
contains
  subroutine step(now, before, next, n)
    integer, intent(in) :: n
    real(8), intent(in) :: now(n), before(n)
    real(8), intent(inout) :: next(n)
    integer :: i
    do i = 2, n - 1
      next(i) = 2d0 * now(i) - before(i) + 0.25d0 * (now(i + 1) - 2d0 * now(i) + now(i - 1))
    end do
  end subroutine

  real(8) function energy(now, n)
    integer, intent(in) :: n
    real(8), intent(in) :: now(n)
    integer :: i
    energy = 0d0
    do i = 1, n
      energy = energy + sqrt(abs(now(i)) + 1d0)
    end do
  end function

  subroutine checkpoint(now, n, number)
    integer, intent(in) :: n, number
    real(8), intent(in) :: now(n)
    character(len=32) :: name
    write (name, '(A,I4.4,A)') 'waves', number, '.bin'
    open (20, file=name, form='unformatted', status='replace', action='write')
    write (20) number, n
    write (20) now
    close (20)
  end subroutine

  subroutine table(now, n, lines)
    integer, intent(in) :: n, lines
    real(8), intent(in) :: now(n)
    integer :: i
    open (21, file='waves.txt', form='formatted', status='replace', action='write')
    do i = 1, lines
      write (21, '(I8,2F14.6)') i, now(mod(i, n) + 1), 0.5d0 * i
    end do
    close (21)
  end subroutine

  real(8) function read_table(lines)
    integer, intent(in) :: lines
    integer :: i, number
    real(8) :: a, b
    read_table = 0d0
    open (22, file='waves.txt', form='formatted', status='old', action='read')
    do i = 1, lines
      read (22, '(I8,2F14.6)') number, a, b
      read_table = read_table + a + b
    end do
    close (22)
  end function
end module

program waves
  use waves_of
  implicit none
  integer :: n, steps, every, lines, s
  real(8), allocatable :: now(:), before(:), next(:)
  real(8) :: sum
  character(len=16) :: word
  call get_command_argument(1, word)
  read (word, *) n
  call get_command_argument(2, word)
  read (word, *) steps
  call get_command_argument(3, word)
  read (word, *) every
  call get_command_argument(4, word)
  read (word, *) lines
  allocate (now(n), before(n), next(n))
  do s = 1, n
    now(s) = sin(0.001d0 * s)
    before(s) = now(s)
    next(s) = 0d0
  end do
  sum = 0d0
  do s = 1, steps
    call step(now, before, next, n)
    call step(next, now, before, n)
    sum = sum + energy(now, n)
    if (mod(s, every) == 0) call checkpoint(now, n, s / every)
  end do
  call table(now, n, lines)
  sum = sum + read_table(lines)
  print *, sum
end program

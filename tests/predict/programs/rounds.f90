! Items of one statement that come one by one out of an implied loop: they go round in the format, some of them end a line,
! and some are longer than those before.
program rounds
  implicit none
  integer :: count, i, k
  integer, allocatable :: numbers(:)
  real(8), allocatable :: values(:)
  character(len=8) :: words(3000)
  character(len=4000) :: line
  character(len=16) :: word
  call get_command_argument(1, word)
  read (word, *) count
  allocate (values(count), numbers(count))
  values = 0
  numbers = 1
  do i = 1, count
    words(i) = 'ab'
  end do
  if (count > 7) numbers(8) = 123456
  if (count > 9) words(10) = 'abcdefg'
  if (count > 11) values(12) = 22.75d0
  call table('ten.txt', '(10f10.4)')
  call table('twos.txt', '(2(3f8.3,1x))')
  call table('many.txt', '(1000f7.2)')
  call table('odd.txt', '(2f8.3,/,3(f6.1,1x))')
  open (20, file='numbers.txt')
  write (20, '(*(i0,1x))') (numbers(i), i = 1, count)
  write (20, '(*(g0,1x))') (values(i), i = 1, count)
  write (20, '(*(i0,1x))') numbers
  write (20, *) (trim(words(i)), i = 1, count)
  write (20, '(*(a,1x))') (trim(words(i)), i = 1, count)
  do k = 1, count
    write (20, '(i0,1x,a)') numbers(k), trim(words(k))
  end do
  write (20, *) (numbers(i), values(i), i = 1, count)
  close (20)
  call back()
  if (count <= 200) then
    line = ' '
    write (line, '(*(i0,1x))') (numbers(i), i = 1, count)
    numbers = -1
    read (line, *) (numbers(i), i = 1, count)
    open (22, file='again.txt')
    do k = 1, count
      do i = 1, numbers(k), 1000
        write (22, '(i0)') i
      end do
    end do
    close (22)
  end if
contains
  subroutine table(name, form)
    character(len=*), intent(in) :: name, form
    open (10, file=name)
    write (10, form) (values(i), i = 1, count)
    close (10)
  end subroutine
  ! What was written is read, in a loop and as a whole; what was found says how much is written.
  subroutine back()
    integer :: steps
    open (10, file='ten.txt')
    values = -1
    read (10, '(10f10.4)') (values(i), i = 1, count)
    rewind (10)
    read (10, *) (values(i), i = 1, count)
    close (10)
    steps = nint(sum(values))
    open (21, file='sum.txt')
    do i = 1, steps
      write (21, *) i
    end do
    close (21)
  end subroutine
end program

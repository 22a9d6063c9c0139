! The same in Fortran: lines, and numbers of a list.
program unread
  implicit none
  character(len=16) :: how
  integer :: n, i, number, status
  real(8) :: value
  character(len=80) :: line
  call get_command_argument(1, how)
  open (10, file='large.csv', status='old')
  open (11, file='lines.txt')
  n = 0
  do
    if (how == 'w') then
      read (10, *, iostat=status) number, value
    else
      read (10, '(a)', iostat=status) line
    end if
    if (status /= 0) exit
    n = n + 1
  end do
  write (11, '(i0)') n
  do i = 0, n - 1, 1000
    write (11, '(i0)') i
  end do
end program

! Numbers that look the same for a while, and then do not.
program reading
  integer :: i, number, ones, stat
  character(len=20) :: line
  open(10, file='given.txt')
  ones = 0
  do
    read(10, *, iostat=stat) number
    if (stat /= 0) exit
    if (number == 1) ones = ones + 1
  end do
  rewind(10)
  do
    read(10, '(a)', iostat=stat) line
    if (stat /= 0) exit
    if (line(1:1) == '1') ones = ones + 10
  end do
  close(10)
  open(11, file='ones.txt', status='replace')
  do i = 1, ones
    write(11, '(a)') 'x'
  end do
  close(11)
end program

! List-directed and formatted reading of a small file: a head, a table until it ends, words.
program inputs
  implicit none
  integer :: rows, columns, i, j, status, lines, length
  real(8), allocatable :: table(:, :)
  real(8) :: scale
  logical :: flag
  character(len=80) :: line
  character(len=20) :: title
  open (10, file='table.txt', status='old', action='read', iostat=status)
  if (status /= 0) error stop 'no table'
  read (10, *) title, rows, columns
  read (10, *) scale, flag
  allocate (table(columns, rows))
  do i = 1, rows
    read (10, *) (table(j, i), j=1, columns)
  end do
  rewind (10)
  lines = 0
  do
    read (10, '(A)', iostat=status) line
    if (status < 0) exit
    if (len_trim(line) == 0) cycle
    if (line(1:1) == '#') cycle
    lines = lines + 1
  end do
  close (10)
  open (11, file='table.bin', form='unformatted', access='stream', status='replace')
  do i = 1, rows
    write (11) scale * table(:, i)
  end do
  if (flag) write (11) table(1, :)
  close (11)
  open (12, file=trim(title)//'.out')
  write (12, '(A,1X,I0)') trim(adjustl(title)), lines
  do i = 1, columns
    write (12, '(F10.3)') sum(table(i, :))
  end do
  close (12)
  inquire (file='table.bin', size=length)
  if (length > 1000) stop 5
end program

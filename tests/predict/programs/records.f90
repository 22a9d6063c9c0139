! Direct access: records written in order, every seventh read and written again from the end, the file then looked at as a whole.
program records
  implicit none
  integer :: count, width, i, length, bytes
  character(len=16) :: word
  real(8), allocatable :: row(:)
  integer :: small
  call get_command_argument(1, word)
  read (word, *) count
  call get_command_argument(2, word)
  read (word, '(I16)') width
  allocate (row(width))
  row = 0d0
  inquire (iolength=length) row
  open (11, file='records.bin', form='unformatted', access='direct', recl=length, status='replace')
  do i = 1, count
    row(1) = i
    write (11, rec=i) row
  end do
  do i = count, 1, -7
    read (11, rec=i) row
    row(1) = -row(1)
    write (11, rec=i) row
  end do
  inquire (unit=11, size=bytes)
  close (11)
  inquire (file='records.bin', size=bytes)
  open (12, file='short.bin', form='unformatted', access='direct', recl=64)
  do i = 1, count
    write (12, rec=i) i
  end do
  read (12, rec=count) small
  close (12)
  open (13, file='lines.txt', form='formatted', access='direct', recl=32)
  do i = 1, count
    write (13, '(A,I8)', rec=i) 'line', i
  end do
  close (13)
  write (*, '(I0,1X,I0)') bytes, small
end program

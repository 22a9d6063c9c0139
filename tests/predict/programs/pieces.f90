! Stream access with positions, and sequential records with markers: large, small and gone back over.
program pieces
  implicit none
  integer :: blocks, size, i, n, status
  character(len=16) :: word
  real(8), allocatable :: data(:)
  real(8) :: one
  call get_command_argument(1, word)
  read (word, *) blocks
  call get_command_argument(2, word)
  read (word, *) size
  allocate (data(size))
  data = 1d0
  open (10, file='stream.bin', form='unformatted', access='stream', status='replace')
  do i = 1, blocks
    write (10) i, data
    if (mod(i, 10) == 0) flush (10)
  end do
  read (10, pos=5) one
  write (10, pos=1) -1
  read (10, pos=5 + 8 * size) n
  close (10)
  open (11, file='markers.bin', form='unformatted')
  do i = 1, blocks
    write (11) data
    write (11) i
  end do
  rewind (11)
  n = 0
  do
    read (11, iostat=status) data
    if (status /= 0) exit
    read (11) i
    n = n + 1
  end do
  backspace (11)
  backspace (11)
  read (11) i
  write (11) 7, 8
  close (11)
  open (11, file='markers.bin', form='unformatted', status='old', position='append')
  write (11) 'last'
  close (11)
  write (12, '(A,I6)') 'no open', n
end program

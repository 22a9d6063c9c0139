! Text: by formats, list-directed and without advancing; written, gone over again and added to.
program tables
  implicit none
  integer :: lines, i, k, status
  real(8) :: x, total
  real :: small
  character(len=40) :: word, name
  character(len=80) :: line
  lines = 100
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
    read (word, *) lines
  end if
  open (10, file='fixed.txt', status='replace', action='readwrite')
  do i = 1, lines
    x = i * 0.5d0
    write (10, '(I8,1X,F12.4,1X,ES16.8E2)') i, x, x
  end do
  rewind (10)
  total = 0
  k = 0
  do
    read (10, *, iostat=status) i, x
    if (status /= 0) exit
    k = k + 1
  end do
  close (10)
  open (11, file='free.txt', status='replace')
  do i = 1, lines
    small = i
    write (11, *) 'value', i, small, i > 3, small * 2d0
  end do
  write (11, '(3(I6,","),/,"end",T20,"x")') 1, 2, 3
  write (11, '(2I4)') 1, 2, 3, 4, 5
  close (11)
  do i = 1, 5
    write (name, '("part",I0,".txt")') i
    open (12, file=trim(name))
    write (12, '(*(I0,:,","))') i, 10 * i, 100 * i
    write (12, '(A)', advance='no') 'no end'
    write (12, '(1X,A)') trim(name)
    if (mod(i, 2) == 0) then
      backspace (12)
      read (12, '(A)') line
    end if
    close (12)
  end do
  open (12, file='part1.txt', position='append', status='old')
  write (12, '(A)') 'more'
  flush (12)
  write (12, '(A)') 'and more'
  close (12)
  open (12, file='part2.txt', status='old')
  close (12, status='delete')
  open (13, file='counted.txt', status='replace')
  do i = 1, lines
    write (13, '(I0)') i
  end do
  write (13, *) (i, i=1, lines)
  endfile (13)
  close (13)
  print *, 'lines', k
end program

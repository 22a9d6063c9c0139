! A table of text: each line flushed, or not.
program table
  implicit none
  integer :: row, unit
  logical :: flushes
  character(len=16) :: how
  call get_command_argument(1, how)
  flushes = how == 'flush'
  open(newunit=unit, file='table.txt', form='formatted', status='replace')
  do row = 1, 200000
     write(unit, '(i8,1x,es20.12)') row, sqrt(dble(row))
     if (flushes) flush(unit)
  end do
  close(unit)
end program

! Lines through libgfortran.
program lines
  implicit none
  integer :: i, unit
  open(newunit=unit, file='out.dat', form='formatted', status='replace')
  do i = 1, 300
     write(unit, '(a,i6)') 'line ', i
     flush(unit) ! the line
  end do
  close(unit)
end program

! A stencil with settings from a namelist, unformatted checkpoints, a log, and a restart from the last checkpoint.
module fields
  implicit none
  real(8), allocatable :: now(:, :), next(:, :)
contains
  subroutine make(rows, columns)
    integer, intent(in) :: rows, columns
    allocate (now(rows, columns), next(rows, columns))
    now = 0d0
    now(rows / 2, columns / 2) = 100d0
    next = now
  end subroutine
  subroutine advance(rows, columns)
    integer, intent(in) :: rows, columns
    integer :: i, j
    do j = 2, columns - 1
      do i = 2, rows - 1
        next(i, j) = 0.25d0 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1))
      end do
    end do
    now = next
  end subroutine
end module

module checkpoints
  use fields
  implicit none
contains
  subroutine save(prefix, step, rows, columns)
    character(len=*), intent(in) :: prefix
    integer, intent(in) :: step, rows, columns
    character(len=64) :: name
    integer :: unit
    write (name, '(A,"-",I6.6,".ckp")') trim(prefix), step
    open (newunit=unit, file=name, form='unformatted', status='replace', action='write')
    write (unit) step, rows, columns
    write (unit) now
    close (unit)
  end subroutine
  subroutine restore(prefix, step, rows, columns)
    character(len=*), intent(in) :: prefix
    integer, intent(inout) :: step
    integer, intent(in) :: rows, columns
    character(len=64) :: name
    integer :: unit, status, r, c
    logical :: there
    write (name, '(A,"-",I6.6,".ckp")') trim(prefix), step
    inquire (file=name, exist=there)
    if (.not. there) return
    open (newunit=unit, file=name, form='unformatted', status='old', action='read', iostat=status)
    if (status /= 0) return
    read (unit) step, r, c
    if (r == rows .and. c == columns) read (unit) now
    close (unit)
  end subroutine
end module

program heat
  use checkpoints
  implicit none
  integer :: rows = 100, columns = 100, steps = 10, every = 5, restart = 0
  character(len=32) :: prefix = 'heat', file
  logical :: verbose = .false.
  integer :: step, status
  namelist /settings/ rows, columns, steps, every, prefix, verbose, restart
  call get_command_argument(1, file)
  open (10, file=file, status='old', iostat=status)
  if (status /= 0) stop 3
  read (10, nml=settings, iostat=status)
  close (10)
  if (status /= 0) stop 4
  call make(rows, columns)
  open (20, file=trim(prefix)//'.log', status='replace')
  do step = 1, steps
    call advance(rows, columns)
    if (mod(step, every) == 0) call save(prefix, step, rows, columns)
    if (verbose) write (20, '(A,I8,2X,ES14.6)') 'step', step, now(rows / 2, columns / 2)
  end do
  step = restart
  if (restart > 0) call restore(prefix, step, rows, columns)
  write (20, *) 'steps', steps, 'rows', rows, 'columns', columns
  close (20)
end program

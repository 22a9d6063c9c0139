! The current folder: where OPEN and INQUIRE look after chdir. The argument: how many folders.
program directories
  use iso_c_binding, only: c_char, c_int, c_null_char
  implicit none
  interface
    function go(path) bind(C, name="chdir") result(said)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: said
    end function
    function make(path, mode) bind(C, name="mkdir") result(said)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: mode
      integer(c_int) :: said
    end function
  end interface
  character(len=24) :: word, name
  integer :: count, i, status
  logical :: there
  call get_command_argument(1, word)
  read (word, *) count
  do i = 1, count
    write (name, '(a,i0)') 'directory', i
    if (make(trim(name)//c_null_char, 493) /= 0) stop 1
    if (go(trim(name)//c_null_char) /= 0) stop 2
    open (10, file='own.dat', form='unformatted', access='stream', status='new')
    write (10) i, count
    close (10)
    if (go('..'//c_null_char) /= 0) stop 3
  end do
  inquire (file='directory1/own.dat', exist=there)
  if (.not. there) stop 4
  inquire (file='own.dat', exist=there)
  if (there) stop 5
  if (go('nowhere'//c_null_char) == 0) stop 6
  open (11, file='nowhere/x', iostat=status)
  if (status == 0) stop 7
  if (go('directory1'//c_null_char) /= 0) stop 8
  open (12, file='../answers', status='replace')
  write (12, '(i0)') count
  close (12)
  open (13, file='own.dat', status='old')
  close (13, status='delete')
end program

! Fortran that C calls, and that calls C.
module kernels
  use iso_c_binding
  implicit none
  interface
    subroutine c_note(text, count) bind(c, name='c_note')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: text(*)
      integer(c_int), value :: count
    end subroutine
  end interface
contains
  subroutine save_field(values, count, step) bind(c, name='save_field')
    integer(c_int), value :: count, step
    real(c_double), intent(in) :: values(count)
    character(len=20) :: name
    write (name, '("field.",I3.3)') step
    open (40, file=name, form='unformatted', status='replace')
    write (40) count
    write (40) values
    close (40)
    call c_note('saved'//c_null_char, step)
  end subroutine
end module

subroutine summary(total)
  implicit none
  real(8), intent(in) :: total
  write (41, '(A,F10.2)') 'total', total
end subroutine

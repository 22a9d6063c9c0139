! Values of every kind: derived types, parts of arrays, implied loops, texts of any length, internal files.
program kinds
 implicit none
 type point
  integer :: id
  real(8) :: x(3)
 end type
 type(point) :: p, q(10)
 real(4) :: a(100,50)
 complex(8) :: z(5)
 character(len=10) :: names(3) = ['ab', 'cd', 'ef']
 integer(8) :: big = 5
 integer :: i, j, n, nstep
 logical :: ok(4) = .true.
 character(len=:), allocatable :: s
 character(len=100) :: buf
 a = 1.0; z = (1d0, 2d0); p%id = 3; p%x = 0; q = p
 s = 'dynamic'
 open(unit=7, file='types.bin', form='unformatted')
 write(7) p
 write(7) q
 write(7) a(1:100:2, 3:20)
 write(7) z, names, big, ok, s
 write(7) (a(i,1), i=1,100)
 write(7) ((a(i,j), i=1,10), j=1,5)
 close(7)
 open(unit=8, file='types.txt')
 write(8,*) z(1), names, big, ok, s
 write(8,'(10F8.2)') a(1:20,1)
 write(8,'(5(1X,A))') names
 write(8,'(A,L2,I5)') s, ok(1), big
 write(8,*) a(:,1)
 write(8,'(1X,3(F6.2,:,","))') 1.0, 2.0
 write(8,'(G0,1X,G0)') 5, 2.5d0
 write(8,'(2(E15.7))') z(1)
 close(8)
 write(buf, *) 1, 2
 read(buf, *) i, j
 write(buf, '(I3,I3)') 4, 5
 read(buf, '(I3,I3)') i, j
 if (i + j == 9) then
   open(9, file='nine')
   write(9, '(A)') repeat('=', 50)
   close(9)
 end if
 select case (trim(s))
 case ('dynamic')
   open(9, file='ten.txt'); write(9,*) 'x'; close(9)
 end select
 n = 0
 do while (n < 5)
   n = n + 1
   nstep = max(n, 2)
   open(12, file='app.txt', position='append')
   write(12, '(I0)') nstep
   close(12)
 end do
 if (index(s, 'nam') == 3) call finish('good')
contains
 subroutine finish(w)
  character(*), intent(in) :: w
  open(15, file=w//'.txt', form='formatted', access='stream')
  write(15, '(A)') w
  write(15, '(A)') w
  close(15)
 end subroutine
end program

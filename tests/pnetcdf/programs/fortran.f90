! The Fortran functions lie in the library itself and call those of C.
program fortran
  implicit none
  include 'mpif.h'
  include 'pnetcdf.inc'
  integer :: error, nc, dimension_id(1), v, cells(8)
  integer(kind=MPI_OFFSET_KIND) :: eight = 8, first(1) = 1, size(1) = 8
  character(len=4096) :: folder

  call get_command_argument(1, folder)
  call MPI_Init(error)
  cells = 1
  call must(nfmpi_create(MPI_COMM_WORLD, trim(folder)//'/f.nc', NF_CLOBBER, MPI_INFO_NULL, nc))
  call must(nfmpi_def_dim(nc, 'x', eight, dimension_id(1)))
  call must(nfmpi_def_var(nc, 'v', NF_INT, 1, dimension_id, v))
  call must(nfmpi_enddef(nc))
  call must(nfmpi_put_vara_int_all(nc, v, first, size, cells))
  call must(nfmpi_get_vara_int_all(nc, v, first, size, cells))
  call must(nfmpi_close(nc))
  call MPI_Finalize(error)
contains
  subroutine must(result)
    integer, intent(in) :: result
    if (result /= NF_NOERR) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine
end program

"""The transfers of the other programs here, from Python: MPI comes with an extension module that is loaded late."""
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
data = bytearray(1000)
mine = world.rank * 4000

hints = MPI.Info.Create()
hints.Set("cb_nodes", "1")
shared = MPI.File.Open(world, sys.argv[1] + "/python.dat", MPI.MODE_CREATE | MPI.MODE_RDWR, hints)
hints.Free()
shared.Write_at(mine, data)
shared.Write_at_all(mine + 1000, [data, 500, MPI.BYTE])
shared.Iwrite_at(mine + 1500, [data, 20, MPI.INT]).Wait()
shared.Sync()
world.Barrier()
shared.Read_at(mine, [data, 600, MPI.BYTE])
shared.Close()

own = MPI.File.Open(MPI.COMM_SELF, f"{sys.argv[1]}/own.{world.rank}", MPI.MODE_CREATE | MPI.MODE_WRONLY)
own.Write(data)
own.Close()

"""What an expert says of each real log of the shared folder, written by hand after reading its counters.

Of each: the share of the run in I/O (in percent, from, to), the codes of the findings that cost most (in this order, no more
than three have a price that matters), and why that is right. test_real_logs.py holds `trikal insights` to it.
"""

import typing


class Judgement(typing.NamedTuple):
    share: tuple  # of the run in I/O, percent
    top: tuple  # codes; only the order of these is certain, further findings may follow
    why: str


LOADER = ("A loader worker: five epochs read each of its 7 or 14 images of about 140 MB in full, in pieces of 4 MiB, at 2 GB/s. What is "
          "left to save is reading them once; its pauses are what a worker is for, and a seek costs no server anything.")
NO_WORK = "A process of the loader that never got work: 7 KiB of its own start-up files in 4 ms."
MAIN = "A rank that waits for loaders: it reads 13 KiB of package descriptions in a hundredth of a second of 139."
SAME_FILE = ("Four ranks write 16 MiB each to one file of a local disk or memory and read it back at a GiB/s from the page cache: a "
             "test that takes hundredths of a second, where only the reading back is superfluous.")
GPFS = ("Four ranks of a BlueGene write 16 MiB each and read them back: 0.13 s of POSIX a rank is reading what was just written, and "
        "as much time again is in MPI-IO above POSIX.")
STRIPE = ("As on local disks, but the file is on Lustre with one stripe: with four ranks and 64 MiB the stripe costs at most "
          "hundredths of a second, as does reading back.")

JUDGEMENTS = {
    "apmpi_apxc--mpi-io-test": Judgement((45, 55), ("straggler",), (
        "Writing 64 MiB takes rank 1 1.01 s, the mean 0.63 s and the fastest 0.25 s, for the same 16 MiB each; one stripe of Lustre comes "
        "second, for 64 MiB are nothing for a storage target.")),
    "dlio-3116902-2110365": Judgement((0, 1), (), (
        "The rank that writes the checkpoint: 500 MB in 0.48 s of 139 s, three large writes a file. Nothing to save.")),
    **{f"dlio-3116902-{job}": Judgement((0, 1), (), MAIN) for job in (2110366, 2110367, 2110368)},
    **{f"dlio-3116902-{job}": Judgement((0, 1), (), NO_WORK) for job in (2110484, 2110485, 2110486)},
    **{f"dlio-3116902-{job}": Judgement((3, 9), ("reread",), LOADER)
       for job in (2110483, 2110531, 2110532, 2110533, 2110720, 2111157, 2111220, 2111375, 2111438)},
    "empty_log--empty_log": Judgement((0, 0), (), "No module has a record: there is nothing to judge."),
    "hdf5_diagonal_write_only--hdf5_diagonal_write_1_byte_dxt": Judgement((0, 3), ("every-rank-reads",), (
        "Ten ranks import h5py from one file system, 0.03 s each of 4 s; what they write is 10 bytes.")),
    "hdf5_diagonal_write_only--hdf5_diagonal_write_bytes_range_dxt": Judgement((5, 10), ("every-rank-reads",), (
        "The same with a cold cache: each of ten ranks reads the same 60 files of Python for 0.25 s of 4 s.")),
    "hdf5_diagonal_write_only--hdf5_diagonal_write_half_ranks_dxt": Judgement((0, 2), (), (
        "The imports come from the cache: 0.03 s of 3 s, nearly all of it stat calls.")),
    "hdf5_orthogonality--treddy_h5d_no_h5f": Judgement((0, 1), (), "Three ranks write 15 bytes in 0.2 ms."),
    "ior_daos--snyder_ior-DFS_id4681120-53379": Judgement((5, 15), (), (
        "16 ranks move 32 MiB through DFS in 0.05 s at most each: too little to judge, and POSIX sees none of it.")),
    "ior_pnetcdf_hdf5--shane_ior-PNETCDF_id438100-438100": Judgement((20, 70), (), (
        "8 MiB in 5 ms through PnetCDF; half of that is opening the file.")),
    **{f"mpi-io-test-ppc64-{version}": Judgement((5, 65), ("read-back",), GPFS)
       for version in ("3.0.0", "3.0.1", "3.1.0", "3.1.1", "3.1.2", "3.1.3", "3.1.5", "3.1.7")},
    "mpi-io-test-ppc64-3.1.8": Judgement((5, 65), ("slow-file-system", "read-back"), (
        "As the others, but on a directory of NFS while GPFS is mounted: 64 MiB each way at about 300 MiB/s of four ranks together, where "
        "each rank could have more than that.")),
    **{f"mpi-io-test-x86_64-{version}": Judgement((2, 95), ("read-back",), SAME_FILE)
       for version in ("3.0.0", "3.0.1", "3.1.0", "3.1.1", "3.1.2", "3.1.3", "3.1.4", "3.1.5", "3.1.7", "3.1.8", "3.2.1", "3.3.1",
                       "3.4.0-pre1", "3.4.0", "3.4.2", "3.4.4", "3.4.5")},
    "mpi-io-test-x86_64-3.4.1": Judgement((80, 90), (), (
        "As the others, 0.03 s of POSIX; but the first rank began to read before the last had written, so nobody read back what was there "
        "before.")),
    **{f"mpi-io-test-x86_64-{version}": Judgement((80, 95), ("single-stripe", "read-back"), STRIPE)
       for version in ("3.4.6", "3.4.7", "3.5.0")},
    "mpi_io_test_with_dxt--treddy_mpi-io-test_id4373053": Judgement((60, 75), ("time-above-posix", "read-back", "slow-file-system"), (
        "32 ranks are 172 s in MPI_File_write and 1 s in write: each waits seconds in MPI-IO for locks around independent writes of "
        "16 MiB; then 2 GiB are read back in 55 s of all ranks, all of it on a network home while Lustre is mounted; rank 14 takes 2.7 s where "
        "the mean is 1.8 s.")),
    "partial_data_dxt--partial_data_dxt": Judgement((20, 35), ("small-reads", "time-above-posix"), (
        "A million reads of one and the same byte: 0.25 s in read, 0.29 s more in MPI-IO around it. The trace is incomplete.")),
    "runtime_and_dxt_heatmaps_diagonal_write_only--runtime_and_dxt_heatmaps_diagonal_write_only": Judgement((0, 1), (), (
        "32 ranks write a byte each, in 1.5 ms.")),
    "skew_io--skew-autobench-ior": Judgement((95, 100), ("straggler", "time-above-posix", "stalled-access"), (
        "2,048 ranks read 512 GiB collectively and are 599 to 651 s of 659 s in it. 56 aggregators read 9.1 GiB each; the slowest takes "
        "337 s, their mean is 165 s, and single reads of 1 MiB hang for 10 s: each round waits for the slowest, which MPI-IO shows "
        "as 314 s above POSIX.")),
    "stdio_no_posix--laytonjb_test1_id28730": Judgement((0, 1), (), "151 bytes into one file."),
}

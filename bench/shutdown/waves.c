/* What the model of bench/run-simulation needs to know of this machine and this MPI:
     waves          prints "<ranks> <message> <bandwidth> <poll> <slice> <nap> <share> <first> <late>"
   message    seconds of a small message between two ranks; bandwidth: bytes a second of a large one into fresh memory
   poll       seconds of processor time that a look for a message takes a rank that waits, the change to the next one with it
   slice      seconds for which a rank that computes keeps the processor while others want it
   nap        seconds that a nap of 100 us takes
   share      of the processors these ranks could use, what they got while all of them computed: 1 on a quiet machine
   first      seconds of processor time that the first message of one rank to another takes more than later ones do
   late       seconds by which the others leave a barrier later than rank 0 does, on average */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { kBranches = 8, kWaves = 5, kSmall = 1024, kLarge = 1 << 20, kRounds = 200, kLargeRounds = 16, kNaps = 50, kMostSlices = 4096 };

static long looks; /* in vain */

static void wait_for(MPI_Request* request) {
  for (int over = 0; !over;) {
    MPI_Test(request, &over, MPI_STATUS_IGNORE);
    if (!over) sched_yield(), ++looks;
  }
}

static void move(void* data, int bytes, int peer, int receive) {
  MPI_Request request;
  if (receive) MPI_Irecv(data, bytes, MPI_BYTE, peer, 5, MPI_COMM_WORLD, &request);
  else MPI_Isend(data, bytes, MPI_BYTE, peer, 5, MPI_COMM_WORLD, &request);
  wait_for(&request);
}

/* There and back between ranks 0 and 1, as often; the best round counts. */
static double ping(int bytes, int rounds, int rank) {
  double best = 1e9;
  for (int round = 0; rank < 2 && round < rounds; ++round) {
    char* data = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (rank == 0) data[0] = 1;
    const double begin = MPI_Wtime();
    move(data, bytes, 1 - rank, rank != 0);
    move(data, bytes, 1 - rank, rank == 0);
    const double took = (MPI_Wtime() - begin) / 2;
    if (took < best) best = took;
    munmap(data, (size_t)bytes);
  }
  return best;
}

static double usable(int ranks) {
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return (double)(ranks < processors ? ranks : processors);
}

static double used_seconds(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* A small message of every rank to its parent and back, in a tree of eight branches as the runtime has. Answers with this
   rank's processor time; `wait` is how often it looked in vain meanwhile. */
static double wave(int rank, int ranks, long* wait) {
  static char data[kSmall];
  int parent = -1;
  looks = 0;
  const double before = used_seconds();
  for (int up = 1; up >= 0; --up) {
    for (int unit = 1; rank > 0 && parent < 0; unit *= kBranches)
      if (rank / unit % kBranches != 0) parent = rank - rank / unit % kBranches * unit;
    if (!up && parent >= 0) move(data, kSmall, parent, 1);
    for (int unit = 1; unit < ranks && rank / unit % kBranches == 0; unit *= kBranches)
      for (int digit = 1; digit < kBranches && rank + digit * unit < ranks; ++digit)
        move(data, kSmall, rank + digit * unit, up);
    if (up && parent >= 0) move(data, kSmall, parent, 0);
  }
  *wait = looks;
  return used_seconds() - before;
}

struct Waves {
  double used[kWaves];
  long waited[kWaves];
};

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Waits as the runtime does (capture/mpi/messages.cpp): looks for two milliseconds, then naps between looks. The first time that
   these ranks do it, as at the end of a job: much of the time goes into messages to ranks that nothing was sent to before, and so
   some look and some nap when it is over. */
static double leave_barrier(void) {
  const struct timespec nap = {0, 100000};
  MPI_Request all;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  MPI_Ibarrier(MPI_COMM_WORLD, &all);
  for (int over = 0; !over;) {
    MPI_Test(&all, &over, MPI_STATUS_IGNORE);
    if (!over && MPI_Wtime() - begin < 0.002) sched_yield();
    else if (!over) nanosleep(&nap, NULL);
  }
  return MPI_Wtime();
}

static double late(double left, int ranks) {
  double of_first = left, sum;
  MPI_Bcast(&of_first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  left = left > of_first ? left - of_first : 0;
  MPI_Allreduce(&left, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum / (ranks - 1);
}

/* Before anything but the barriers' messages was sent, as at the end of a job. */
static struct Waves first_waves(int rank, int ranks) {
  struct Waves all;
  for (int i = 0; i < kWaves; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    all.used[i] = wave(rank, ranks, &all.waited[i]);
  }
  return all;
}

/* What the first wave took more than the one in the middle of the others, by message: all ranks together. */
static double first_message(const struct Waves* all, double look, int ranks) {
  double more[kWaves], mine, sum;
  for (int i = 0; i < kWaves; ++i) more[i] = all->used[i] - look * (double)all->waited[i];
  qsort(more + 1, kWaves - 1, sizeof *more, ascending);
  mine = more[0] - more[kWaves / 2];
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  sum /= 2.0 * (ranks - 1);
  return sum > 0 ? sum : 0;
}

/* Everybody looks for a message that does not come, for a while. Processor time: time that a stranger gets is not ours. */
static double poll_seconds(void) {
  char byte;
  MPI_Request never;
  MPI_Irecv(&byte, 1, MPI_BYTE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &never);
  MPI_Barrier(MPI_COMM_WORLD);
  double mine[2] = {0, 0}, all[2];
  const double before = used_seconds(), begin = MPI_Wtime();
  while (MPI_Wtime() - begin < 0.2) {
    int over;
    MPI_Test(&never, &over, MPI_STATUS_IGNORE);
    sched_yield();
    mine[0] += 1;
  }
  mine[1] = used_seconds() - before;
  MPI_Cancel(&never);
  MPI_Request_free(&never);
  MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all[1] / all[0];
}

/* Everybody computes: a gap in the clock is somebody else's slice. */
static double slice(int ranks, double* share) {
  static double lengths[kMostSlices];
  int count = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = used_seconds();
  const double begin = MPI_Wtime();
  double from = begin, last = begin;
  while (last - begin < 0.4 && count < kMostSlices) {
    const double now = MPI_Wtime();
    if (now - last > 200e-6) lengths[count++] = last - from, from = now;
    last = now;
  }
  double mine = used_seconds() - before, all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  *share = all / (last - begin) / usable(ranks);
  if (*share > 1) *share = 1; /* the ranks' clocks do not run from the same moment */
  if (count < 3) return last - begin;
  qsort(lengths, (size_t)count, sizeof *lengths, ascending);
  return lengths[count / 2];
}

static double nap(void) {
  const struct timespec length = {0, 100000};
  double naps[kNaps];
  for (int i = 0; i < kNaps; ++i) {
    const double begin = MPI_Wtime();
    nanosleep(&length, NULL);
    naps[i] = MPI_Wtime() - begin;
  }
  qsort(naps, kNaps, sizeof *naps, ascending);
  return naps[kNaps / 2];
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double left = leave_barrier();
  const struct Waves waves = first_waves(rank, ranks);
  const double small = ping(kSmall, kRounds, rank), large = ping(kLarge, kLargeRounds, rank);
  double share = 1;
  const double look = poll_seconds(), kept = slice(ranks, &share), slept = nap();
  const double first = first_message(&waves, look, ranks), after = late(left, ranks);
  if (rank == 0)
    printf("%d %.9f %.0f %.9f %.9f %.9f %.3f %.9f %.9f\n", ranks, small, kLarge / large, look, kept, slept, share, first,
           after);
  return MPI_Finalize();
}

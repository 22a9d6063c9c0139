// Linked into instrumented copies of training programs: time and I/O time of blocks. What the timers take themselves is
// measured and left out, and so is the time that the process waited for a processor.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct block {
  const char* name;
  struct block* next;
  uint64_t runs, ticks, io, depth;
};
struct
    site {  // a call that does I/O; how many of its calls are not to be timed comes first: programs count it down themselves
  uint64_t left, gap, timed;
  int64_t ticks;  // of those that were timed
};
struct frame {
  struct block* block;
  uint64_t begin, waited;
  int64_t own, io;
};

enum { kDeepest = 4096 };
static __thread struct frame stack[kDeepest];
static __thread unsigned depth;
static __thread int64_t own;  // ticks that the timers took themselves: measured like everything else
static __thread int64_t io_ticks, io_weight, io_reading;
static __thread uint64_t io_entered, io_begin, last_waited, last_look;
static __thread struct site* io_site;
static __thread int io_depth, io_exact;
static __thread uint64_t random_state;
static struct block* first;
static int wait_file = -1;
static int64_t exact_rest, plain_read, plain_cost;  // what is left to be left out, in ticks
static uint64_t first_tick;
static struct timespec first_time;
static double ticks_per_nanosecond;

static inline uint64_t tick(void) {
#if defined(__aarch64__)
  uint64_t now;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
#elif defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

// The same, when everything before is done and nothing after has begun: calls of a few nanoseconds would otherwise be
// timed together with what is around them.
static inline uint64_t exact_tick(void) {
#if defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
  const uint64_t now = tick();
  __asm__ volatile("isb" ::: "memory");
#elif defined(__x86_64__)
  __builtin_ia32_lfence();
  const uint64_t now = tick();
  __builtin_ia32_lfence();
#else
  const uint64_t now = tick();
#endif
  return now;
}

// Nanoseconds that this thread stood in a queue for a processor: others' work, not its own. To ask takes a microsecond, so
// it is asked only when there was time enough for others to have run.
static uint64_t waited(uint64_t now) {
  enum { kLeastNanoseconds = 50000 };
  if ((double)(now - last_look) < kLeastNanoseconds * ticks_per_nanosecond) return last_waited;
  char text[96];
  const ssize_t got = wait_file < 0 ? 0 : pread(wait_file, text, sizeof text - 1, 0);
  last_look = tick();
  if (got <= 0) return last_waited;
  text[got] = 0;
  char* second = 0;
  strtoull(text, &second, 10);
  return last_waited = strtoull(second, 0, 10);
}

__attribute__((noinline)) void trikal_block_enter(struct block* block) {
  const uint64_t entered = tick();
  if (block->runs++ == 0) {
    block->next = first;
    first = block;
  }
  ++block->depth;
  if (depth < kDeepest) {
    struct frame* frame = &stack[depth];
    frame->block = block;
    frame->io = io_ticks;
    frame->waited = waited(entered);
    frame->begin = tick();
    own += (int64_t)(frame->begin - entered);
    frame->own = own;
  }
  ++depth;
}

// Frames above belong to functions that were left by longjmp or the like.
__attribute__((noinline)) void trikal_block_leave(struct block* block) {
  const uint64_t now = tick();
  const uint64_t waited_now = waited(now);
  while (depth > 0) {
    if (--depth >= kDeepest) return;
    struct frame* frame = &stack[depth];
    if (--frame->block->depth == 0) {
      const int64_t others = (int64_t)((double)(waited_now - frame->waited) * ticks_per_nanosecond) + own - frame->own;
      const int64_t all = (int64_t)(now - frame->begin);
      frame->block->ticks += all > others ? (uint64_t)(all - others) : 0;
      if (io_ticks > frame->io) frame->block->io += (uint64_t)(io_ticks - frame->io);
    }
    if (frame->block == block) break;
  }
  own += (int64_t)(tick() - now);
}

// A call site that is passed often and is through quickly is timed only now and then, at random, and counts for the times
// before: reading clocks would take longer than many of its calls. What takes longer is always timed, by clocks that need
// not be exact.
enum { kShortest = 25, kShort = 250, kAlways = 512 };  // nanoseconds; calls
static double mean_of(const struct site* site) {
  return site->timed == 0 ? 0 : (double)site->ticks / (double)site->timed / ticks_per_nanosecond;
}
static uint64_t next_gap(const struct site* site) {
  const double each = mean_of(site);
  if (site->timed < kAlways || each > kShort) return 0;
  const uint64_t longest = each > kShortest ? 16 : 64;
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (random_state >> 33) % longest;
}
__attribute__((noinline)) void trikal_io_begin(struct site* site) {
  if (io_depth++ != 0) return;
  io_exact = site->timed < kAlways / 8 || mean_of(site) <= kShort;
  if (io_exact) io_entered = tick();
  io_weight = 1 + (int64_t)site->gap;
  site->gap = site->left = next_gap(site);
  io_site = site;
  if (!io_exact) {
    io_begin = tick();
    return;
  }
  const uint64_t before = exact_tick();
  io_begin = exact_tick();
  io_reading = (int64_t)(io_begin - before);  // as fast as the machine is just now
}
// One that took a hundred times as long as the others, and longer than a page takes, was interrupted: it counts for
// itself alone.
__attribute__((noinline)) void trikal_io_end(void) {
  if (--io_depth != 0) return;
  const uint64_t now = io_exact ? exact_tick() : tick();
  const int64_t call = (int64_t)(now - io_begin) - (io_exact ? io_reading + exact_rest : plain_read);
  int64_t all = call;
  if ((double)all > 300e3 * ticks_per_nanosecond) {  // long enough to have been interrupted
    const uint64_t before = last_waited;
    const int64_t others = (int64_t)((double)(waited(now) - before) * ticks_per_nanosecond);
    all = all > others ? all - others : 0;
  }
  if (io_weight > 1 && (double)all > 30e3 * ticks_per_nanosecond &&
      all > 100 * (io_site->ticks / (int64_t)io_site->timed + 1))
    io_weight = 1;
  io_site->ticks += all;
  ++io_site->timed;
  io_ticks += io_weight * all;
  own += io_exact ? (int64_t)(tick() - io_entered) - call : plain_cost;
}

static int by_size(const void* a, const void* b) {
  const int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
  return x < y ? -1 : x > y;
}
// What a call that does nothing takes with its timers, and what it is found to take: in the mean of a round, of which the
// one in the middle counts.
static int64_t time_nothing(uint64_t timed, double nanoseconds, int64_t* found) {
  enum { kRounds = 25, kTimes = 400 };
  int64_t all[kRounds], seen[kRounds];
  for (int round = 0; round < kRounds; ++round) {
    io_ticks = 0;
    const uint64_t begin = tick();
    for (int i = 0; i < kTimes; ++i) {
      struct site one = {0, 0, timed, (int64_t)(nanoseconds * ticks_per_nanosecond * (double)timed)};
      trikal_io_begin(&one);
      trikal_io_end();
    }
    all[round] = (int64_t)(tick() - begin) / kTimes;
    seen[round] = io_ticks / kTimes;
  }
  qsort(all, kRounds, sizeof all[0], by_size);
  qsort(seen, kRounds, sizeof seen[0], by_size);
  *found = seen[kRounds / 2];
  return all[kRounds / 2];
}

__attribute__((constructor)) static void start(void) {
  enum { kMilliseconds = 5 };
  wait_file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  struct timespec then, now;
  clock_gettime(CLOCK_MONOTONIC, &then);
  const uint64_t tick_then = tick();
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - then.tv_sec) * 1000 + (now.tv_nsec - then.tv_nsec) / 1000000 < kMilliseconds);
  ticks_per_nanosecond =
      (double)(tick() - tick_then) / (1e9 * (double)(now.tv_sec - then.tv_sec) + (double)(now.tv_nsec - then.tv_nsec));
  random_state = tick();
  time_nothing(1, 0, &exact_rest);
  plain_cost = time_nothing(kAlways, 1000 * kShort, &plain_read);
  io_ticks = own = 0;
  clock_gettime(CLOCK_MONOTONIC, &first_time);
  first_tick = tick();
}

__attribute__((destructor)) static void finish(void) {
  while (depth > 0) trikal_block_leave(stack[depth <= kDeepest ? depth - 1 : kDeepest - 1].block);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double seconds = (double)(now.tv_sec - first_time.tv_sec) + 1e-9 * (double)(now.tv_nsec - first_time.tv_nsec);
  const double each = seconds / (double)(tick() - first_tick);
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == 0) rank = getenv("PMI_RANK");
  const char* where = getenv("TRIKAL_BLOCKS");
  if (where == 0) return;
  char path[4096];
  snprintf(path, sizeof path, "%s.%s", where, rank != 0 ? rank : "0");
  FILE* out = fopen(path, "w");
  if (out == 0) return;
  for (const struct block* block = first; block != 0; block = block->next)
    fprintf(out, "%s\t%llu\t%.9f\t%.9f\n", block->name, (unsigned long long)block->runs, (double)block->ticks * each,
            (double)block->io * each);
  fclose(out);
}

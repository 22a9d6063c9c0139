// Linked into instrumented copies of training programs: time and I/O time of blocks. What the timers take themselves is
// measured at the start and left out, and so is the time that the process waited for a processor.
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
struct site {  // a call that does I/O; ticks of it so far, and the number of times that were timed
  uint64_t calls, gap;
  int64_t ticks;
  uint64_t timed;
};
struct frame {
  struct block* block;
  uint64_t begin, pairs, calls, skips, waited;
  int64_t io;
};

enum { kDeepest = 4096 };
static __thread struct frame stack[kDeepest];
static __thread unsigned depth;
static __thread int64_t io_ticks, io_weight;
static __thread uint64_t io_begin, pairs, calls, skips;
static __thread struct site* io_site;
static __thread int io_depth;
static __thread uint64_t random_state = 1;
static struct block* first;
static __thread uint64_t last_waited;
static int wait_file = -1;
static uint64_t pair_cost, call_cost, skip_cost, first_tick;
static int64_t read_cost;
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

// Nanoseconds that this thread stood in a queue for a processor: others' work, not its own.
static uint64_t waited(void) {
  char text[96];
  const ssize_t got = wait_file < 0 ? 0 : pread(wait_file, text, sizeof text - 1, 0);
  if (got <= 0) return last_waited;
  text[got] = 0;
  char* second = 0;
  strtoull(text, &second, 10);
  return strtoull(second, 0, 10);
}

__attribute__((noinline)) void trikal_block_enter(struct block* block) {
  if (block->runs++ == 0) {
    block->next = first;
    first = block;
  }
  ++block->depth;
  if (depth < kDeepest) {
    struct frame* frame = &stack[depth];
    frame->block = block;
    frame->io = io_ticks;
    frame->pairs = pairs;
    frame->calls = calls;
    frame->skips = skips;
    frame->waited = last_waited = waited();
    frame->begin = tick();
  }
  ++depth;
}

// Frames above belong to functions that were left by longjmp or the like.
__attribute__((noinline)) void trikal_block_leave(struct block* block) {
  const uint64_t now = tick();
  last_waited = waited();
  while (depth > 0) {
    if (--depth >= kDeepest) return;
    struct frame* frame = &stack[depth];
    ++pairs;
    if (--frame->block->depth == 0) {
      const uint64_t own =
          (pairs - frame->pairs) * pair_cost + (calls - frame->calls) * call_cost + (skips - frame->skips) * skip_cost;
      const uint64_t all = now - frame->begin;
      const uint64_t others = (uint64_t)((double)(last_waited - frame->waited) * ticks_per_nanosecond) + own;
      frame->block->ticks += all > others ? all - others : 0;
      if (io_ticks > frame->io) frame->block->io += (uint64_t)(io_ticks - frame->io);
    }
    if (frame->block == block) return;
  }
}

// A place that is passed often and is through quickly is timed only now and then, at random, and counts for the times
// between: two clock readings would take longer than many of its calls.
static uint64_t longest_gap(const struct site* site) {
  enum { kAlways = 1024 };
  if (site->calls <= kAlways || site->timed == 0) return 0;
  const double each = (double)site->ticks / (double)site->timed / ticks_per_nanosecond;
  return each > 3000 ? 0 : each > 30 ? 15 : 63;
}
__attribute__((noinline)) void trikal_io_begin(struct site* site) {
  if (io_depth++ != 0) return;
  ++site->calls;
  io_weight = 0;
  if (site->gap > 0 && --site->gap > 0) {
    ++skips;
    return;
  }
  io_weight = 1;
  const uint64_t longest = longest_gap(site);
  if (longest > 0) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    site->gap = 1 + (random_state >> 33) % longest;
    io_weight = (int64_t)(1 + longest) / 2;
  }
  io_site = site;
  io_begin = exact_tick();
}
// One that took a hundred times as long as the others, and longer than a page takes, was interrupted: it counts for
// itself alone.
__attribute__((noinline)) void trikal_io_end(void) {
  if (--io_depth != 0 || io_weight == 0) return;
  int64_t all = (int64_t)(exact_tick() - io_begin) - read_cost;
  if ((double)all > 300e3 * ticks_per_nanosecond) {  // long enough to have been interrupted
    const uint64_t now = waited();
    const int64_t others = (int64_t)((double)(now - last_waited) * ticks_per_nanosecond);
    last_waited = now;
    all = all > others ? all - others : 0;
  }
  if (io_weight > 1 && (double)all > 30e3 * ticks_per_nanosecond &&
      all > 100 * (io_site->ticks / (int64_t)io_site->timed + 1))
    io_weight = 1;
  io_site->ticks += all;
  ++io_site->timed;
  io_ticks += io_weight * all;
  ++calls;
}

__attribute__((constructor)) static void start(void) {
  enum { kTimes = 20000, kPairs = 2000, kMilliseconds = 5 };
  wait_file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  struct timespec then, now;
  clock_gettime(CLOCK_MONOTONIC, &then);
  const uint64_t tick_then = tick();
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - then.tv_sec) * 1000 + (now.tv_nsec - then.tv_nsec) / 1000000 < kMilliseconds);
  ticks_per_nanosecond =
      (double)(tick() - tick_then) / (1e9 * (double)(now.tv_sec - then.tv_sec) + (double)(now.tv_nsec - then.tv_nsec));
  struct block probe = {"", 0, 1, 0, 0, 0};
  uint64_t begin = tick();
  for (int i = 0; i < kPairs; ++i) {
    trikal_block_enter(&probe);
    trikal_block_leave(&probe);
  }
  pair_cost = (tick() - begin) / kPairs;
  begin = tick();
  for (int i = 0; i < kTimes; ++i) {
    struct site one = {0, 0, 0, 0};
    trikal_io_begin(&one);
    trikal_io_end();
  }
  call_cost = (tick() - begin) / kTimes;
  read_cost = io_ticks / kTimes;
  struct site skipping = {1 << 20, 1 << 20, 0, 1};
  begin = tick();
  for (int i = 0; i < kTimes; ++i) {
    trikal_io_begin(&skipping);
    trikal_io_end();
  }
  skip_cost = (tick() - begin) / kTimes;
  io_ticks = pairs = calls = skips = 0;
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

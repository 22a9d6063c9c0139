/* What the parts of the stress program share. */
#pragma once
#include "../hazards/check.h"

struct Totals {
  unsigned long long writes, jumps;
  unsigned seed, signals;
  const char* program;
};
extern struct Totals* totals; /* shared with children */

static inline unsigned next_random(unsigned* state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

/* Full or not at all; a number that was closed meanwhile is no mistake. */
static inline void count_write(ssize_t result) {
  CHECK(result == 10 || (result < 0 && (errno == EBADF || errno == ENOSPC)));
  if (result == 10) __atomic_fetch_add(&totals->writes, 1, __ATOMIC_RELAXED);
}

/* calls.c: on a descriptor, on streams, on names. */
ssize_t write_in_parts(int fd);
void map_and_unmap(int fd);
void use_stream(unsigned random, unsigned which);
void use_shared_stream(unsigned random);
void use_names(unsigned random, unsigned which);
void close_a_range(unsigned which);
void ask_for_the_first_time(unsigned random);

/* processes.c: what children end as, what is started, who stops and continues the whole process, who jumps. */
_Noreturn void end_child(unsigned random);
void spawn_something(void);
int use_handed_down(void);
pid_t begin_stopping(void);
void end_stopping(pid_t stopper);
void begin_jumps(void);
void end_jumps(void);

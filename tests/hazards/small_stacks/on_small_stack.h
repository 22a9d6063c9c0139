// Runs what a signal's handler does on a stack of its own, with nothing behind its end.
#pragma once
#include "../check.h"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>

// 8 KiB, or half of that beyond what the kernel puts there, which is more where a processor has large registers.
static inline size_t handlers_stack(size_t page) {
  const size_t kernels = getauxval(51); /* AT_MINSIGSTKSZ */
  const size_t least = 2 * 4096 > kernels + 4096 ? 2 * 4096 : kernels + 4096;
  return (least + page - 1) / page * page;
}

static inline void on_handlers_stack(void (*handler)(int)) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = handlers_stack(page);
  char* memory = mmap(NULL, size + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED && mprotect(memory + page, size, PROT_READ | PROT_WRITE) == 0);
  const stack_t stack = {.ss_sp = memory + page, .ss_size = size};
  CHECK(sigaltstack(&stack, NULL) == 0);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && raise(SIGUSR1) == 0);
}

static inline void write_ten(const char* path) {
  const int fd = open(path, O_CREAT | O_WRONLY | O_APPEND, 0600);
  CHECK(fd >= 0 && write(fd, "ten bytes\n", 10) == 10 && close(fd) == 0);
}

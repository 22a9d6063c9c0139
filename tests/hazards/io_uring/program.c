// A ring: by the system call, or with an argument by mapping what another way has made. 77: the kernel has none.
#include "../check.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static long past_libc(long number, long a, long b) {
  long result;
#if defined(__x86_64__)
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b) : "rcx", "r11", "memory");
#else
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1) : "memory");
  result = x0;
#endif
  return result;
}

int main(int argc, char** argv) {
  struct io_uring_params params;
  memset(&params, 0, sizeof params);
  (void)argv;
  const long ring =
      argc > 1 ? past_libc(__NR_io_uring_setup, 4, (long)&params) : syscall(__NR_io_uring_setup, 4, &params);
  if (ring < 0) return 77;
  if (argc > 1) {
    const size_t bytes = params.sq_entries * sizeof(struct io_uring_sqe);
    CHECK(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, (int)ring, IORING_OFF_SQES) != MAP_FAILED);
  }
  write_tens(open_new("seen"), 1);
  return 0;
}

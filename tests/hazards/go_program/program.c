// As a program of the Go linker is made, without its compiler, which would be a large thing to install for this: no
// libc, no dynamic linker, system calls by itself, and the note by which such programs are known.
#include <asm/unistd.h>
#include <fcntl.h>

__asm__(
    ".pushsection .note.go.buildid, \"a\", %note\n"
    ".long 4, 8, 4\n"
    ".ascii \"Go\\0\\0\"\n"
    ".ascii \"build-id\"\n"
    ".popsection\n");

static long call(long number, long a, long b, long c, long d) {
#if defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
  return result;
#else
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
#endif
}

void _start(void) {
  static const char kText[] = "0123456789";
  long fd = call(__NR_openat, AT_FDCWD, (long)"unseen", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  long wrote = call(__NR_write, fd, (long)kText, 10, 0);
  call(__NR_exit_group, fd >= 0 && wrote == 10 ? 5 : 1, 0, 0, 0);
  for (;;) {
  }
}

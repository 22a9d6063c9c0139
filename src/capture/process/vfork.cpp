// vfork: the child runs in the parent's memory, on the parent's stack, until it calls exec or _exit. Everything it
// does to descriptors is its own, so while it runs the wrappers must not touch the parent's tables: the parent's
// thread counts as being inside our bookkeeping. Returning twice through a C++ frame is not possible, hence the
// assembly: the return address is kept in a register across the system call.

#include <asm/unistd.h>

#include "capture/guard/inside.hpp"

extern "C" {

// Called from the assembly with the stack in order.
__attribute__((used, visibility("hidden"))) void trikal_vfork_begins() { trikal::capture::begin_vfork(); }
__attribute__((used, visibility("hidden"))) void trikal_vfork_ended() { trikal::capture::end_vfork(); }
}

#if defined(__x86_64__)
asm(R"(
.text
.globl vfork
.type vfork, @function
vfork:
  .cfi_startproc
  endbr64
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call trikal_vfork_begins
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  .cfi_register %rip, %rdi
  movl $58, %eax
  syscall
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  testq %rax, %rax
  jz 1f
  pushq %rax
  .cfi_adjust_cfa_offset 8
  call trikal_vfork_ended
  popq %rax
  .cfi_adjust_cfa_offset -8
  cmpq $-4095, %rax
  jae 2f
1:
  ret
2:
  negl %eax
  pushq %rax
  .cfi_adjust_cfa_offset 8
  call __errno_location@PLT
  popq %rdx
  .cfi_adjust_cfa_offset -8
  movl %edx, (%rax)
  movl $-1, %eax
  ret
  .cfi_endproc
.size vfork, .-vfork
)");
static_assert(__NR_vfork == 58);
#elif defined(__aarch64__)
// No vfork system call: clone(CLONE_VM | CLONE_VFORK | SIGCHLD). The return address stays in x30, which the child
// shares in no way; what the child's calls put on the stack lies below.
asm(R"(
.text
.globl vfork
.type vfork, %function
vfork:
  stp x29, x30, [sp, #-16]!
  bl trikal_vfork_begins
  ldp x29, x30, [sp], #16
  mov x9, x30
  mov x0, #0x4111
  mov x1, #0
  mov x2, #0
  mov x3, #0
  mov x4, #0
  mov x8, #220
  svc #0
  mov x30, x9
  cbz x0, 1f
  stp x0, x30, [sp, #-16]!
  bl trikal_vfork_ended
  ldp x0, x30, [sp], #16
  cmn x0, #4095
  b.cs 2f
1:
  ret
2:
  neg x0, x0
  stp x0, x30, [sp, #-16]!
  bl __errno_location
  mov x1, x0
  ldp x0, x30, [sp], #16
  str w0, [x1]
  mov x0, #-1
  ret
.size vfork, .-vfork
)");
#endif

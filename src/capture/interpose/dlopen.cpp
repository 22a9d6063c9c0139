// dlopen looks for libraries beside its caller, which it knows from the return address: a wrapper that called it would
// send it looking beside us. This one only leaves a mark and jumps. The objects that were loaded are looked at with
// the next call that opens a file. Those that look past preloaded libraries are named: their calls cannot be seen.

#include <dlfcn.h>
#include <errno.h>

#include "capture/interpose/imports.hpp"
#include "capture/loader/symbols.hpp"
#include "capture/session/unseen.hpp"

using Dlopen = void*(const char*, int);
using Dlmopen = void*(Lmid_t, const char*, int);

extern "C" {

// For calls before the session began, which are rare and have to do without the return address.
__attribute__((used, visibility("hidden"))) void* trikal_first_dlopen(const char* path, int mode) {
  auto* real = reinterpret_cast<Dlopen*>(trikal::capture::find_next("dlopen"));
  return real == nullptr ? nullptr : real(path, mode);
}
__attribute__((used, visibility("hidden"))) void* trikal_first_dlmopen(Lmid_t where, const char* path, int mode) {
  auto* real = reinterpret_cast<Dlmopen*>(trikal::capture::find_next("dlmopen"));
  return real == nullptr ? nullptr : real(where, path, mode);
}
__attribute__((used, visibility("hidden"))) constinit Dlopen* trikal_real_dlopen = trikal_first_dlopen;
__attribute__((used, visibility("hidden"))) constinit Dlmopen* trikal_real_dlmopen = trikal_first_dlmopen;

// Called before the jump, with the arguments kept.
__attribute__((used, visibility("hidden"))) void trikal_note_deepbind(const char* path) {
  const int saved = errno;
  if (path != nullptr) trikal::capture::note_unseen_part(trikal::Unseen::kDeepBind, path);
  errno = saved;
}
__attribute__((used, visibility("hidden"))) void trikal_note_dlmopen(Lmid_t where, const char* path) {
  const int saved = errno;
  if (where != LM_ID_BASE && path != nullptr) trikal::capture::note_unseen_part(trikal::Unseen::kNamespace, path);
  errno = saved;
}
}

namespace trikal::capture {

static_assert(RTLD_DEEPBIND == 8);

void find_dlopen() noexcept {
  auto* real = reinterpret_cast<Dlopen*>(find_next("dlopen"));
  if (real != nullptr) __atomic_store_n(&trikal_real_dlopen, real, __ATOMIC_RELEASE);
  auto* other = reinterpret_cast<Dlmopen*>(find_next("dlmopen"));
  if (other != nullptr) __atomic_store_n(&trikal_real_dlmopen, other, __ATOMIC_RELEASE);
}

}  // namespace trikal::capture

#if defined(__x86_64__)
asm(R"(
.text
.globl dlopen
.type dlopen, @function
dlopen:
  .cfi_startproc
  endbr64
  movb $1, trikal_objects_loaded(%rip)
  testl $8, %esi
  jz 1f
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call trikal_note_deepbind
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
1:
  jmp *trikal_real_dlopen(%rip)
  .cfi_endproc
.size dlopen, .-dlopen

.globl dlmopen
.type dlmopen, @function
dlmopen:
  .cfi_startproc
  endbr64
  movb $1, trikal_objects_loaded(%rip)
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  pushq %rdx
  .cfi_adjust_cfa_offset 8
  call trikal_note_dlmopen
  popq %rdx
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  jmp *trikal_real_dlmopen(%rip)
  .cfi_endproc
.size dlmopen, .-dlmopen
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl dlopen
.type dlopen, %function
dlopen:
  .cfi_startproc
  hint #34
  adrp x16, trikal_objects_loaded
  add x16, x16, :lo12:trikal_objects_loaded
  mov w17, #1
  strb w17, [x16]
  tbz w1, #3, 1f
  stp x29, x30, [sp, #-32]!
  .cfi_adjust_cfa_offset 32
  stp x0, x1, [sp, #16]
  bl trikal_note_deepbind
  ldp x0, x1, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_adjust_cfa_offset -32
1:
  adrp x16, trikal_real_dlopen
  ldr x16, [x16, :lo12:trikal_real_dlopen]
  br x16
  .cfi_endproc
.size dlopen, .-dlopen

.globl dlmopen
.type dlmopen, %function
dlmopen:
  .cfi_startproc
  hint #34
  adrp x16, trikal_objects_loaded
  add x16, x16, :lo12:trikal_objects_loaded
  mov w17, #1
  strb w17, [x16]
  stp x29, x30, [sp, #-48]!
  .cfi_adjust_cfa_offset 48
  stp x0, x1, [sp, #16]
  str x2, [sp, #32]
  bl trikal_note_dlmopen
  ldp x0, x1, [sp, #16]
  ldr x2, [sp, #32]
  ldp x29, x30, [sp], #48
  .cfi_adjust_cfa_offset -48
  adrp x16, trikal_real_dlmopen
  ldr x16, [x16, :lo12:trikal_real_dlmopen]
  br x16
  .cfi_endproc
.size dlmopen, .-dlmopen
)");
#endif

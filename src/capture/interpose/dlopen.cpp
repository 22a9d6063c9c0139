// dlopen looks for libraries beside its caller, which it knows from the return address: a wrapper that called it would
// send it looking beside us. This one only leaves a mark and jumps. The objects that were loaded are looked at with
// the next call that opens a file.

#include "capture/interpose/imports.hpp"
#include "capture/interpose/symbols.hpp"

using Dlopen = void*(const char*, int);

extern "C" {

// For calls before the session began, which are rare and have to do without the return address.
__attribute__((used, visibility("hidden"))) void* trikal_first_dlopen(const char* path, int mode) {
  auto* real = reinterpret_cast<Dlopen*>(trikal::capture::find_next("dlopen"));
  return real == nullptr ? nullptr : real(path, mode);
}
__attribute__((used, visibility("hidden"))) constinit Dlopen* trikal_real_dlopen = trikal_first_dlopen;
}

namespace trikal::capture {

void find_dlopen() noexcept {
  auto* real = reinterpret_cast<Dlopen*>(find_next("dlopen"));
  if (real != nullptr) __atomic_store_n(&trikal_real_dlopen, real, __ATOMIC_RELEASE);
}

}  // namespace trikal::capture

#if defined(__x86_64__)
asm(R"(
.text
.globl dlopen
.type dlopen, @function
dlopen:
  endbr64
  movb $1, trikal_objects_loaded(%rip)
  jmp *trikal_real_dlopen(%rip)
.size dlopen, .-dlopen
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl dlopen
.type dlopen, %function
dlopen:
  hint #34
  adrp x16, trikal_objects_loaded
  add x16, x16, :lo12:trikal_objects_loaded
  mov w17, #1
  strb w17, [x16]
  adrp x16, trikal_real_dlopen
  ldr x16, [x16, :lo12:trikal_real_dlopen]
  br x16
.size dlopen, .-dlopen
)");
#endif

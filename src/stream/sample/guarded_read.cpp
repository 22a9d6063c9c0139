#include "stream/sample/guarded_read.hpp"

#include <setjmp.h>
#include <signal.h>

#include <cstring>

namespace trikal::stream {
namespace {

constinit thread_local sigjmp_buf* way_out = nullptr;  // while something is guarded

void on_bus_error(int signal) {
  if (way_out != nullptr) siglongjmp(*way_out, 1);
  // Not ours: it ends the process once the instruction that caused it runs again.
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
}

bool catch_bus_errors() {
  struct sigaction ours{};
  ours.sa_handler = on_bus_error;
  ours.sa_flags = SA_NODEFER;  // it is left by a jump
  return ::sigaction(SIGBUS, &ours, nullptr) == 0;
}

struct Copy {
  std::byte* into;
  const std::byte* from;
  std::size_t bytes;
};

}  // namespace

bool guarded(void (*body)(void* context), void* context) {
  static const bool caught = catch_bus_errors();
  sigjmp_buf here;
  if (!caught || sigsetjmp(here, 0) != 0) {
    way_out = nullptr;
    return false;
  }
  way_out = &here;
  body(context);
  way_out = nullptr;
  return true;
}

bool guarded_copy(std::byte* into, const std::byte* from, std::size_t bytes) {
  Copy copy{into, from, bytes};
  return guarded(
      [](void* context) {
        const Copy& what = *static_cast<const Copy*>(context);
        std::memcpy(what.into, what.from, what.bytes);
      },
      &copy);
}

}  // namespace trikal::stream

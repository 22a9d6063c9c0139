// liburing makes its system calls itself: what goes through a ring is not seen, but that there is one.

#include "modules/posix/wrappers_uring.hpp"

#include "base/fixed_string.hpp"
#include "capture/session/unseen.hpp"

namespace trikal::modules::posix {
namespace {

using capture::ImportGroup, capture::ImportUse, capture::tell_imports;

// All of them answer an int, negative where there is no ring; none has more than five arguments.
template <FixedString Name>
struct RingCall {
  static int wrapper(long a, long b, long c, long d, long e) noexcept {
    using Function = int (*)(long, long, long, long, long);
    const int result = reinterpret_cast<Function>(function.load(std::memory_order_relaxed))(a, b, c, d, e);
    if (result >= 0) capture::note_unseen_part(Unseen::kIoUring, nullptr);
    return result;
  }
  static inline constinit std::atomic<void*> function{nullptr};
};

template <FixedString Name>
[[gnu::noinline]] void import_of(const ImportUse& use) noexcept {
  use.use({Name.text, reinterpret_cast<void*>(&RingCall<Name>::wrapper), &RingCall<Name>::function}, use.with);
}

constexpr ImportGroup kWrappers =
    tell_imports<import_of<"io_uring_queue_init">, import_of<"io_uring_queue_init_params">,
                 import_of<"io_uring_queue_init_mem">, import_of<"io_uring_setup">>;

}  // namespace

void ring_wrappers(const ImportUse& use) noexcept { kWrappers(use); }
bool find_rings() noexcept { return true; }

}  // namespace trikal::modules::posix

#pragma once
// From a wrapper outwards to the first frame of the program, through the libraries that stand between: by rules that are read
// from the tables of the objects once for each address (loader/unwind_table.hpp) and looked up from then on.
// Under the lock of the objects. No memory beyond this thread's stack is read.

#include <cstddef>
#include <cstdint>

#include "capture/loader/unwind_table.hpp"
#include "capture/records/code_owner.hpp"
#include "capture/records/loaded_objects.hpp"

namespace trikal::capture {

// Addresses that frames return to, from the wrapper's caller outwards.
struct Stack {
  static constexpr std::size_t kMost = log::crash::StackSlot::kMost;
  enum class End : std::uint8_t { kNowhere, kProgram, kInterpreter, kUnknownObject };

  End end = End::kNowhere;  // of whom the last one is; nowhere: there is no more to see, or the stack is deeper
  std::size_t depth = 0;
  std::uint64_t key = 0;  // of these addresses
  std::uintptr_t returns[kMost] = {};
};

// A sum of addresses in their order.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t sum, std::uint64_t value) noexcept {
  return ((sum ^ value) * 0x9e3779b97f4a7c15ULL) ^ (sum >> 29U);
}

class StackWalk {
 public:
  // `caller`: what the wrapper returns to, on whose stack this is called. `leave_out`: code of objects that nobody knows ends
  // the walk; else it is to be repeated when the loader was asked.
  // Valid until the next walk.
  [[gnu::noinline]] const Stack& walk(LoadedObjects& objects, std::uintptr_t caller, bool leave_out) noexcept;

  // Objects came or went.
  void forget() noexcept;

 private:
  struct Entry {
    std::uintptr_t address = 0;
    FrameRule rule;
    CodeOwner owner = CodeOwner::kLibrary;
  };
  static constexpr std::size_t kEntries = 4096, kTries = 4;
  static constexpr std::size_t kMostOwn = 24;  // frames of ours from here to the wrapper

  // A walk and where on the stack it found its addresses. As long as they all are there, it would end as it did: a loop of cheap
  // calls comes the same way every time.
  struct Memo {
    std::uintptr_t from = 0, caller = 0;  // where it began; 0: it led nowhere
    std::uint32_t count = 0;
    std::uint32_t slots[Stack::kMost + kMostOwn];  // counted from there
    std::uintptr_t values[Stack::kMost + kMostOwn];
    Stack stack;
  };
  static constexpr std::size_t kMemos = 16;

  const Entry* entry_of(LoadedObjects& objects, std::uintptr_t address) noexcept;
  void walk_on(LoadedObjects& objects, std::uintptr_t address, std::uintptr_t frame, bool leave_out,
               Memo& memo) noexcept;
  [[nodiscard]] static bool is_still_so(const Memo& memo) noexcept;
  [[nodiscard]] bool begin() noexcept;

  Memo* memos_ = nullptr;
  Entry* entries_ = nullptr;
  bool is_dirty_ = false;
};

}  // namespace trikal::capture

#include "capture/records/stack_walk.hpp"

#include <algorithm>
#include <span>

#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

constexpr std::uintptr_t kPage = 4096;

struct Registers {
  std::uintptr_t address, stack, frame;
};

// The pages of this thread's stack that are known to be there. Frames that are under way lie next to each other, and stay.
struct KnownStack {
  std::uintptr_t begin = 0, end = 0;
};
constinit thread_local KnownStack known_stack;

bool is_stack(std::uintptr_t at) noexcept {
  constexpr std::uintptr_t kMostAtOnce = 64 * kPage;
  KnownStack& known = known_stack;
  if (at - known.begin < known.end - known.begin && known.end - at >= sizeof(std::uintptr_t)) [[likely]]
    return true;
  const std::uintptr_t page = at & ~(kPage - 1), last = (at + sizeof(std::uintptr_t) - 1) & ~(kPage - 1);
  if (at < known.begin || at >= known.end + kMostAtOnce) known = {page, page};
  while (known.end <= last) {
    if (!can_be_read(known.end)) return false;
    known.end += kPage;
  }
  return true;
}

// Sanitizers watch over variables; here a frame's own words are read.
__attribute__((no_sanitize("address"), no_sanitize("thread"))) bool load(std::uintptr_t at,
                                                                         std::uintptr_t& value) noexcept {
  if (at % sizeof value != 0 || !is_stack(at)) return false;
  value = *reinterpret_cast<const volatile std::uintptr_t*>(at);
  return true;
}

// The frame that `here` was called by; false: there is none that the tables lead to. Frames grow in one direction only.
// `slot`: where it was found what the frame returns to.
bool step(const FrameRule& rule, Registers& here, std::uintptr_t& slot) noexcept {
  constexpr std::uintptr_t kLargest = 16U << 20U;  // frame
  const std::uintptr_t base = rule.base == FrameRule::Base::kStackPointer ? here.stack : here.frame;
  const std::uintptr_t end = base + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(rule.offset));
  const auto at = [end](std::int32_t offset) noexcept {
    return end + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(offset));
  };
  if (end <= here.stack || end - here.stack > kLargest || end % sizeof(std::uintptr_t) != 0) return false;
  slot = at(rule.return_at);
  if (!load(slot, here.address)) return false;
  if (rule.frame_at != FrameRule::kNotSaved && !load(at(rule.frame_at), here.frame)) return false;
  here.stack = end;
  return here.address != 0;
}

// Only where the tables say so: the first function of a thread, or of the program, returns to nobody.
[[gnu::always_inline]] inline Registers here() noexcept {
  Registers registers{};
#if defined(__x86_64__)
  asm volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
               : "=r"(registers.address), "=r"(registers.stack), "=r"(registers.frame));
#elif defined(__aarch64__)
  asm volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29"
               : "=r"(registers.address), "=r"(registers.stack), "=r"(registers.frame));
#endif
  return registers;
}

}  // namespace

const StackWalk::Entry* StackWalk::entry_of(LoadedObjects& objects, std::uintptr_t address) noexcept {
  const std::size_t first = static_cast<std::size_t>(address * 0x9e3779b97f4a7c15ULL >> 40U);
  Entry* entry = nullptr;
  for (std::size_t i = 0; i < kTries; ++i) {
    entry = &entries_[(first + i) % kEntries];
    if (entry->address == address) [[likely]]
      return entry;
    if (entry->address == 0) break;
  }
  const LoadedObjects::Object* object = objects.find(address);
  if (object == nullptr) return nullptr;
  if (entry->address != 0) entry = &entries_[first % kEntries];
  *entry = {address, object->number == 0 ? FrameRule{} : object->unwind.rule_at(address - 1), object->owner};
  is_dirty_ = true;
  return entry;
}

bool StackWalk::begin() noexcept {
  if (entries_ == nullptr) entries_ = static_cast<Entry*>(private_pages(kEntries * sizeof(Entry)));
  if (memos_ == nullptr) memos_ = static_cast<Memo*>(private_pages(kMemos * sizeof(Memo)));
  return entries_ != nullptr && memos_ != nullptr;
}

bool StackWalk::is_still_so(const Memo& memo) noexcept {
  if (memo.count == 0) return false;
  std::uintptr_t value = 0;
  // The outermost first: then all below are on pages that are there.
  for (std::uint32_t i = memo.count; i-- > 0;) {
    if (!load(memo.from + memo.slots[i], value) || value != memo.values[i]) return false;
  }
  return true;
}

const Stack& StackWalk::walk(LoadedObjects& objects, std::uintptr_t caller, bool leave_out) noexcept {
  static constexpr Stack kNothing{};
  if (!begin()) return kNothing;
  const Registers registers = here();
  Memo& memo = memos_[((caller >> 2U) ^ (registers.stack >> 4U)) % kMemos];
  if (memo.from == registers.stack && memo.caller == caller && is_still_so(memo)) [[likely]]
    return memo.stack;
  is_dirty_ = true;
  memo.from = registers.stack, memo.caller = caller, memo.count = 0;
  walk_on(objects, registers.address, registers.frame, leave_out, memo);
  const bool led_on = memo.stack.end == Stack::End::kProgram || memo.stack.end == Stack::End::kInterpreter;
  if (!led_on) memo.from = 0;
  return memo.stack;
}

// Our own frames first: what they were called by is known, and tells when they are over.
void StackWalk::walk_on(LoadedObjects& objects, std::uintptr_t address, std::uintptr_t frame, bool leave_out,
                        Memo& memo) noexcept {
  Stack& stack = memo.stack;
  stack.depth = 0, stack.end = Stack::End::kNowhere, stack.key = 1;
  Registers registers{address, memo.from, frame};
  while (memo.count < Stack::kMost + kMostOwn) {
    const Entry* entry = entry_of(objects, registers.address);
    if (entry == nullptr) return void(stack.end = leave_out ? Stack::End::kNowhere : Stack::End::kUnknownObject);
    if (stack.depth != 0 && entry->owner != CodeOwner::kLibrary) {
      stack.end = entry->owner == CodeOwner::kProgram ? Stack::End::kProgram : Stack::End::kInterpreter;
      return;
    }
    std::uintptr_t slot = 0;
    if (!entry->rule.leads_on() || !step(entry->rule, registers, slot)) return;
    memo.slots[memo.count] = static_cast<std::uint32_t>(slot - memo.from);
    memo.values[memo.count++] = registers.address;
    if (stack.depth == 0 && registers.address != memo.caller) continue;
    if (stack.depth == Stack::kMost) return;
    stack.returns[stack.depth++] = registers.address;
    stack.key = mixed(stack.key, registers.address);
  }
}

void StackWalk::forget() noexcept {
  if (!is_dirty_) return;
  std::fill_n(entries_, kEntries, Entry{});
  for (Memo& memo : std::span(memos_, kMemos)) memo.from = 0;
  is_dirty_ = false;
}

}  // namespace trikal::capture

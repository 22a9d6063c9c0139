#pragma once
// Calls that failed, by file, module and errno. Kept in the crash map like everything else.

#include "capture/records/slot_chunks.hpp"
#include "capture/session/session.hpp"
#include "schema/module.hpp"

namespace trikal::capture {

class Errors {
 public:
  // `file` null: the call named no file that is in the log. Under the guard.
  void count(ModuleId module, const File* file, int error) noexcept;
  // A call on a path failed: on a file that is known, or on a name that leads nowhere.
  void count_at(ModuleId module, int directory, const char* path, int error) noexcept;
  void after_fork() noexcept { lock_.reset(); }

 private:
  using Slot = log::crash::ErrorSlot;
  Slot* find_or_add(const Slot& wanted) noexcept;
  Slot* add(const Slot& wanted) noexcept;

  static constexpr std::size_t kEntries = 4096;  // a power of two
  static constexpr std::size_t kMost = 3072;    // pairs of file and errno; what comes later goes to "no file"

  Spin lock_;
  Slot** table_ = nullptr;
  std::size_t used_ = 0;
  SlotChunks<Slot, log::crash::ChunkKind::kErrors, 64> slots_;
  const log::crash::Header* owner_ = nullptr;  // a forked child has a map of its own
};
extern constinit Errors errors;

}  // namespace trikal::capture

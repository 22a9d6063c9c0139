#pragma once
// The programs and libraries of this process by their addresses, and their names in the crash map: an address alone
// means nothing once the process is gone.

#include <link.h>

#include <cstdint>

#include "capture/guard/spin.hpp"
#include "capture/loader/unwind_table.hpp"
#include "capture/records/code_owner.hpp"
#include "capture/records/python_frames.hpp"
#include "capture/records/slot_chunks.hpp"
#include "log/crash/call_sites.hpp"
#include "log/crash/layout.hpp"

namespace trikal::capture {

class LoadedObjects {
 public:
  struct Object {
    std::uintptr_t begin = 0, end = 0;
    std::uintptr_t base = 0;   // what offsets in its file are counted from
    std::uint64_t name = 0;    // a hash of it
    std::uint64_t number = 0;  // in the map; 0: code that belongs to no file
    bool loaded = false;
    CodeOwner owner = CodeOwner::kLibrary;
    UnwindTable unwind;
  };

  // The object an address lies in; null if none is known, then look() may find it. With the lock held.
  [[nodiscard]] const Object* find(std::uintptr_t address) noexcept;
  // Asks the loader, and must not hold the lock: the loader has one of its own, and somebody may do I/O under that.
  void look() noexcept;
  // No object lies there: not to be looked for again until more are loaded. With the lock held.
  void leave_out(std::uintptr_t address) noexcept;

  // Objects came or went: what lies where must be asked again. With the lock held.
  void forget() noexcept;
  // A forked child has a map of its own. With the lock held.
  void begin_again() noexcept { slots_.begin_again(), used_ = 0, numbers_ = 0, last_ = nullptr; }

  // The interpreter among them, if there is one. With the lock held.
  [[nodiscard]] const Python& python() const noexcept { return python_; }

  Spin lock;

 private:
  static constexpr std::size_t kMost = 1024;

  static int visit(dl_phdr_info* info, std::size_t size, void* self);
  void add(const dl_phdr_info& info) noexcept;
  [[nodiscard]] std::uint64_t name_it(const dl_phdr_info& info) noexcept;

  Object* objects_ = nullptr;
  std::size_t used_ = 0;
  const Object* last_ = nullptr;
  std::uint64_t numbers_ = 0;
  Python python_;
  SlotChunks<log::crash::ObjectSlot, log::crash::ChunkKind::kObjects, 16> slots_;
};

}  // namespace trikal::capture

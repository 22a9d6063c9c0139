#pragma once
// Ways from a call site to an observed function, by number: what a walk has found, looked up by the addresses it went through, and
// kept in the map when it is new. Under the lock of the objects.

#include <cstddef>
#include <cstdint>

#include "capture/records/loaded_objects.hpp"
#include "capture/records/slot_chunks.hpp"
#include "capture/records/stack_walk.hpp"
#include "log/crash/call_sites.hpp"

namespace trikal::capture {

class CallPaths {
 public:
  struct Path {
    std::uint64_t key = 0;
    std::uint64_t object = 0, offset = 0;  // the call site, as a SiteSlot has it
    std::uint32_t stack = 0;  // number of a StackSlot
  };

  // Null: it leads to no program; the caller's own address is all there is.
  [[nodiscard]] const Path* find(LoadedObjects& objects, const Stack& stack) noexcept;

  // Objects came or went: other code may lie at the same addresses.
  void forget() noexcept;
  // A forked child has a map of its own.
  void begin_again() noexcept;

 private:
  static constexpr std::size_t kEntries = 4096, kTries = 8, kMostKept = 2048;
  struct Kept {
    std::uint64_t content = 0;
    std::uint64_t number = 0;
  };

  bool make(LoadedObjects& objects, const Stack& stack, const Python::Spot& spot, Path& path) noexcept;
  std::uint64_t keep_script(const Python& python, const Python::Frame& frame) noexcept;
  std::uint32_t keep_stack(log::crash::StackSlot& slot) noexcept;
  Kept* kept(std::uint64_t content) noexcept;

  Path* paths_ = nullptr;
  Kept* kept_ = nullptr;  // scripts and stacks that are in the map, by what they are
  std::size_t used_ = 0;
  std::uint64_t scripts_ = 0, stacks_ = 0;
  SlotChunks<log::crash::ScriptSlot, log::crash::ChunkKind::kScripts, 16> script_slots_;
  SlotChunks<log::crash::StackSlot, log::crash::ChunkKind::kStacks, 16> stack_slots_;
};

}  // namespace trikal::capture

#pragma once
// Every file a process has used, by the hash of its name. Looked up when a path is used, never by a read or write.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "capture/tables/arena.hpp"
#include "modules/list_slots.hpp"

namespace trikal::capture {

// A record that other threads find whole, or not yet.
class RecordPointer {
 public:
  template <class Record>
  [[nodiscard]] Record* as() const noexcept {
    return static_cast<Record*>(pointer_.load(std::memory_order_acquire));
  }
  [[nodiscard]] bool is_set() const noexcept { return as<void>() != nullptr; }
  void set(void* record) noexcept { pointer_.store(record, std::memory_order_release); }

 private:
  std::atomic<void*> pointer_{nullptr};
};

// What all modules share of a file. The modules' own records hang off it. Aligned: the table of descriptors keeps flags
// in the low bits of its address.
struct alignas(16) File {
  std::uint64_t id = 0;
  const char* name = nullptr;  // not terminated; in the names of this session or, after a fork, of the parent
  std::uint32_t name_bytes = 0;
  std::uint32_t stands_for_many = 0;  // memory ran out
  RecordPointer records[kModuleSlotCount];  // by ModuleSlot

  [[nodiscard]] std::string_view text() const noexcept { return {name, name_bytes}; }
};

class Files {
 public:
  void begin(Arena& arena) noexcept { arena_ = &arena; }
  void begin_again(Arena& arena) noexcept;  // after a fork: forget the parent's

  // The file of that (clean) name, new if it was not known. Null when there is no memory left.
  File* find_or_add(std::string_view name) noexcept;
  // The same where the caller has the name's record_id.
  File* find_or_add(std::uint64_t id, std::string_view name) noexcept;
  // The same from the arena's reserve, for files that stand for many.
  File* find_or_add_reserved(std::string_view name) noexcept;
  // By the name's record_id. Takes no lock: a file that is being added may be missed.
  [[nodiscard]] File* find(std::uint64_t id) const noexcept;

 private:
  struct Entry {
    std::uint64_t id;
    std::atomic<File*> file;  // set last
  };
  // Replaced by a larger one when half full; the old one stays, others may be reading it.
  struct Table {
    std::size_t slots;
    [[nodiscard]] Entry* entries() noexcept { return reinterpret_cast<Entry*>(this + 1); }
    [[nodiscard]] Entry* entry_for(std::uint64_t id) noexcept;
  };
  bool begin_tables() noexcept;
  bool grow() noexcept;
  File* look_up(std::uint64_t id, std::string_view name, Arena::Use use) noexcept;
  File* add(std::uint64_t id, std::string_view name, Arena::Use use) noexcept;
  const char* keep_name(std::uint64_t id, std::string_view name, Arena::Use use) noexcept;
  File* new_file() noexcept;

  Arena* arena_ = nullptr;
  Spin lock_;
  std::atomic<Table*> table_{nullptr};
  std::size_t count_ = 0;
  log::crash::Chunk* names_ = nullptr;
  File* pool_ = nullptr;
  std::size_t pool_left_ = 0;
};

}  // namespace trikal::capture

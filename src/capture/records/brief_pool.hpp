#pragma once
// Brief records: the front of a record, for files that were opened, closed or asked about and no more. Memory is most of
// what a new file costs, and most of a record is about data. When a file's data is first touched, it gets a whole record,
// which takes over what the brief one has (Absorbing); the brief one then serves another file.

#include <cstring>

#include "capture/records/record_pool.hpp"

namespace trikal::capture {

// Brief has `record` (a BriefRecord), `lock` and `next_free`.
template <class Brief, const ModuleSchema& Schema>
class BriefPool {
 public:
  // Null: no memory, or the module is off.
  Brief* make(File& file, ModuleSlot which) noexcept {
    const Locked locked(lock_);
    if (!locked) return nullptr;
    if (auto* known = file.records[which].template as<Brief>()) return known;
    if (session.arena.header() != owner_) free_ = nullptr, owner_ = session.arena.header();
    Brief* again = free_;
    if (again == nullptr) return fresh_.make(file, which);
    // Whoever still holds it for the file it was about finds with its lock that it is not.
    const Locked its_own(again->lock);
    if (!its_own) return nullptr;
    free_ = again->next_free;
    again->record.words = {};
    again->record.set_base({file.id, 0});  // it counts again
    file.records[which].set(again);
    return again;
  }
  void give_back(Brief* brief) noexcept {
    const Locked locked(lock_);
    if (!locked) return;
    brief->next_free = free_;
    free_ = brief;
  }
  void after_fork() noexcept { lock_.reset(), fresh_.after_fork(); }

 private:
  Spin lock_;
  Brief* free_ = nullptr;
  RecordPool<Brief, Schema, log::crash::ChunkKind::kBriefs> fresh_;
  const log::crash::Header* owner_ = nullptr;  // a forked child has a map of its own
};

// Whether that brief record, whose lock the caller holds, is still about the file.
template <class Brief>
[[nodiscard]] bool is_about(const Brief& brief, const File& file) noexcept {
  return brief.record.base().id == file.id && brief.record.base().rank != log::crash::kMoved;
}

// Lives while a whole record replaces a file's brief one: whoever waits for the brief one's lock meanwhile
// finds that it is about the file no more.
template <class Brief, const ModuleSchema& Schema>
class Absorbing {
 public:
  // `taken` is called with the brief record when its counters are in the whole one; it may be null.
  template <class Whole, class Taken>
  Absorbing(BriefPool<Brief, Schema>& pool, Brief* brief, Whole& whole, const Taken& taken) noexcept
      : pool_(pool), brief_(brief) {
    if (brief_ == nullptr) return;
    has_ = brief_->lock.lock();
    if (!has_) return;
    std::memcpy(whole.record.words.data(), brief_->record.words.data(), sizeof brief_->record);
    taken(*brief_);
  }
  ~Absorbing() {
    if (!has_) return;
    brief_->record.set_base({brief_->record.base().id, log::crash::kMoved});
    brief_->lock.unlock();
    pool_.give_back(brief_);
  }
  Absorbing(const Absorbing&) = delete;
  Absorbing& operator=(const Absorbing&) = delete;

  // False: there is one, and it cannot be had.
  explicit operator bool() const noexcept { return has_ || brief_ == nullptr; }

 private:
  BriefPool<Brief, Schema>& pool_;
  Brief* brief_;
  bool has_ = false;
};

}  // namespace trikal::capture

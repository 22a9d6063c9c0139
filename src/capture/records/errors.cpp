#include "capture/records/errors.hpp"

#include <errno.h>

#include <algorithm>

#include "capture/tables/private_memory.hpp"

namespace trikal::capture {

constinit Errors errors;

Errors::Slot* Errors::add(const Slot& wanted) noexcept {
  Slot* slot = slots_.next();
  if (slot == nullptr) return nullptr;
  *slot = wanted;
  slots_.publish();
  ++used_;
  return slot;
}

Errors::Slot* Errors::find_or_add(const Slot& wanted) noexcept {
  std::size_t at = static_cast<std::size_t>(wanted.id >> 16) + 31 * wanted.error + 7 * wanted.module;
  for (;; ++at) {
    Slot*& entry = table_[at % kEntries];
    if (entry == nullptr) return used_ < kMost || wanted.id == 0 ? entry = add(wanted) : nullptr;
    if (entry->id == wanted.id && entry->error == wanted.error && entry->module == wanted.module) return entry;
  }
}

void Errors::count(ModuleId module, const File* file, int error) noexcept {
  const Locked locked(lock_);
  if (!locked) return;
  if (owner_ != session.arena.header()) {
    owner_ = session.arena.header(), used_ = 0;
    slots_.begin_again();
    if (table_ != nullptr) std::fill_n(table_, kEntries, nullptr);
  }
  if (table_ == nullptr) table_ = static_cast<Slot**>(private_pages(kEntries * sizeof(Slot*)));
  if (table_ == nullptr) return session.missed();
  Slot wanted{file != nullptr ? file->id : 0, static_cast<std::uint32_t>(error), module, 0};
  Slot* slot = find_or_add(wanted);
  if (slot == nullptr && wanted.id != 0) {
    wanted.id = 0;
    slot = find_or_add(wanted);
  }
  if (slot == nullptr) return session.missed();
  ++slot->count;
}

// Names that lead nowhere are not worth a record of the log each: programs probe for hundreds.
void Errors::count_at(ModuleId module, int directory, const char* path, int error) noexcept {
  const bool nowhere = error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG || error == ELOOP;
  bool watched = false;
  File* file = error == EFAULT ? nullptr : session.known_file_at(directory, path, &watched);
  if (file == nullptr && watched && !nowhere) file = session.file_at(directory, path);
  if (file != nullptr || watched) count(module, file, error);
}

}  // namespace trikal::capture

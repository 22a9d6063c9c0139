#include "stream/sample/file_sums.hpp"

#include <algorithm>

namespace trikal::stream {

FileSums::Index FileSums::of(std::uint64_t file, ModuleId module) {
  const auto [found, is_new] = index_.try_emplace({file, module}, static_cast<Index>(files_.size()));
  if (is_new) {
    files_.push_back({.id = file, .module = module});
    if (before_) files_.back().told = before_(file, module);
  }
  return found->second;
}

void FileSums::note(Index index) {
  if (files_[index].changed) return;
  files_[index].changed = true;
  changed_.push_back(index);
}

void FileSums::change(Index index, Slot slot, const FileAmounts& was, const FileAmounts& now) {
  FileAmounts& sum = slot == Slot::kWhole ? files_[index].whole : files_[index].brief;
  subtract(sum, was);
  add(sum, now);
  note(index);
}

void FileSums::set(Index index, const FileAmounts& now) {
  files_[index].whole_slots = 1;
  files_[index].whole = now;
  note(index);
}

bool FileSums::has_gone_back() const {
  return std::ranges::any_of(changed_, [&](Index i) { return is_below(files_[i].now(), files_[i].told); });
}

std::size_t FileSums::tell(const TellMore& tell_more) {
  std::size_t kept = 0;
  for (const Index index : changed_) {
    File& file = files_[index];
    file.changed = false;
    kept += is_below(file.now(), file.told) ? 1U : 0U;
    FileAmounts next = file.told;
    raise(next, file.now());
    if (next == file.told) continue;
    FileAmounts more = next;
    subtract(more, file.told);
    file.told = next;
    tell_more(file.id, file.module, more);
  }
  changed_.clear();
  return kept;
}

}  // namespace trikal::stream

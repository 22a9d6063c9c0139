#include "analyze/compare/ranking.hpp"

#include <algorithm>
#include <tuple>

namespace trikal::analyze {
namespace {

// A change kept: itself and a name that does not fit into the string.
constexpr std::uint64_t kChangeBytes = sizeof(RankedChange) + 32;
constexpr std::uint64_t kFileBytes = sizeof(FileDifferences) + 48;

bool larger(const RankedChange& x, const RankedChange& y) {
  return std::tuple(-x.relative, x.number) < std::tuple(-y.relative, y.number);
}

bool before(const FileDifferences* x, const FileDifferences* y) {
  return std::tuple(x->changes == 0, -x->largest, x->number) < std::tuple(y->changes == 0, -y->largest, y->number);
}

}  // namespace

FileDifferences& Ranking::file_of(const RecordPair& record) {
  const auto [at, fresh] = files_.try_emplace(record.file);
  FileDifferences& file = at->second;
  if (fresh) {
    file.number = numbers_++;
    bytes_ += kFileBytes;
  }
  if (file.id_a == 0) file.id_a = record.id_a;
  if (file.id_b == 0) file.id_b = record.id_b;
  return file;
}

void Ranking::name(FileDifferences& file, const RecordPair& record) {
  if (file.name_a.empty()) file.name_a = record.name_a;
  if (file.name_b.empty()) file.name_b = record.name_b;
}

void Ranking::add(const RecordPair& record, const Change& change) {
  FileDifferences& file = file_of(record);
  name(file, record);
  ++file.changes;
  file.largest = std::max(file.largest, change.relative);
  if (file.kept.empty()) with_changes_.push_back(&file);
  file.kept.push_back({&record.module->schema(), record.rank, std::string(change.name), change.a, change.b, change.unit,
                       change.relative, numbers_++});
  bytes_ += kChangeBytes;
  if (changes_wanted_ != kNoBound && file.kept.size() > 2 * changes_wanted_ + 16) keep_largest(file, changes_wanted_);
  if (files_wanted_ != kNoBound && with_changes_.size() > 4 * files_wanted_ + 1024) drop_small_files();
}

void Ranking::add_only(Side side, const RecordPair& record) {
  FileDifferences& file = file_of(record);
  const std::uint64_t module = std::uint64_t{1} << record.module->schema().id;
  // Such files are shown in the order they came. Some of the first have changes as well, which is seen later, so more than
  // will be shown get their names.
  const bool known = !file.name_a.empty() || !file.name_b.empty();
  if (known || files_wanted_ == kNoBound || only_named_ < 4 * files_wanted_ + 1024) {
    if (!known) ++only_named_;
    name(file, record);
  }
  ++(side == Side::kA ? file.only_a : file.only_b);
  (side == Side::kA ? file.modules_a : file.modules_b) |= module;
}

void Ranking::keep_largest(FileDifferences& file, std::size_t count) {
  if (file.kept.size() <= count) return;
  std::ranges::nth_element(file.kept, file.kept.begin() + static_cast<std::ptrdiff_t>(count), larger);
  bytes_ -= (file.kept.size() - count) * kChangeBytes;
  file.kept.resize(count);
}

// Files that cannot be among those shown give up their changes and names, not their number.
void Ranking::drop_small_files() {
  const auto end_of_large = with_changes_.begin() + static_cast<std::ptrdiff_t>(2 * files_wanted_ + 512);
  std::ranges::nth_element(with_changes_, end_of_large, before);
  for (auto at = end_of_large; at != with_changes_.end(); ++at) {
    bytes_ -= (*at)->kept.size() * kChangeBytes;
    (*at)->kept = {};
    (*at)->name_a = (*at)->name_b = std::string();
  }
  with_changes_.erase(end_of_large, with_changes_.end());
}

std::vector<const FileDifferences*> Ranking::ranked() {
  std::vector<const FileDifferences*> all;
  all.reserve(files_.size());
  for (auto& [key, file] : files_) {
    if (changes_wanted_ != kNoBound) keep_largest(file, changes_wanted_);
    std::ranges::sort(file.kept, larger);
    all.push_back(&file);
  }
  std::ranges::sort(all, before);
  return all;
}

}  // namespace trikal::analyze

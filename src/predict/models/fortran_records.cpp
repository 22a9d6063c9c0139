// What is known of a file's records without its bytes.

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "predict/models/fortran_transfer.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kMarker = 4;

using Records = std::map<Word, Word>;
using Found = std::optional<std::pair<Word, Word>>;  // where a record begins, and its length

// Between two records that were seen lie those of iterations that were not run. They are like the last few before them, where
// those came twice and a whole number of them fits.
Found in_gap(const Records& all, Records::const_iterator last, Word offset, Word stop, Word around) {
  constexpr std::size_t kMost = 8;
  const Word begin = last->first + last->second + around;
  std::vector<Word> lengths;  // from the last one backwards
  for (auto at = last;; --at) {
    lengths.push_back(at->second);
    if (at == all.begin() || lengths.size() == 2 * kMost) break;
  }
  Word period = 0;
  for (std::size_t count = 1; 2 * count <= lengths.size(); ++count) {
    period += lengths[count - 1] + around;
    if (!std::equal(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(count),
                    lengths.begin() + static_cast<std::ptrdiff_t>(count)))
      continue;
    if (period == 0 || stop < begin || (stop - begin) % period != 0) continue;
    Word head = begin + (offset - begin) / period * period;
    for (std::size_t i = count; i > 0; --i) {
      if (offset < head + lengths[i - 1] + around) return std::pair(head, lengths[i - 1]);
      head += lengths[i - 1] + around;
    }
  }
  return std::nullopt;
}

// The record that the byte at `offset` belongs to.
Found record_with(const Records& all, Word location, Word end, Word around) {
  const auto after = all.upper_bound(location);
  if (after == all.begin()) return std::nullopt;
  const auto before = std::prev(after);
  if (location < before->first + before->second + around) return *before;
  return in_gap(all, before, location, after == all.end() ? end : after->first, around);
}

}  // namespace

void remember_record(Machine& machine, const FortranUnit& unit, Word head, Word length) {
  constexpr std::size_t kMost = 1 << 14;
  const std::uint32_t number = file_of(machine, unit);
  if (number == kNoFile) return;
  File& file = machine.world.files[number];
  if (!file.records) file.records = std::make_shared<const std::map<Word, Word>>();
  if (file.records.use_count() > 1) file.records = std::make_shared<const std::map<Word, Word>>(*file.records);
  auto& all = const_cast<std::map<Word, Word>&>(*file.records);  // nobody else has it
  all.erase(all.lower_bound(head), all.lower_bound(head + length));
  if (all.size() < kMost) all[head] = length;
}

std::optional<Word> record_length(Machine& machine, const FortranUnit& unit, Word head, Word around) {
  const std::uint32_t number = file_of(machine, unit);
  if (number == kNoFile) return std::nullopt;
  const File& file = machine.world.files[number];
  std::string text;
  if (around > 0 && bytes_of_file(file, head, kMarker, text)) {
    std::int32_t told = 0;
    std::memcpy(&told, text.data(), kMarker);
    return told < 0 ? std::nullopt : std::optional(static_cast<Word>(told));
  }
  if (file.original || !file.records) return std::nullopt;
  const Found found = record_with(*file.records, head, file.size, around);
  return found && found->first == head ? std::optional(found->second) : std::nullopt;
}

std::optional<Word> record_before(Machine& machine, const FortranUnit& unit) {
  const std::uint32_t number = file_of(machine, unit);
  const File* file = number == kNoFile ? nullptr : &machine.world.files[number];
  if (file == nullptr || unit.position < 2 * kMarker) return std::nullopt;
  const Word tail = unit.position - kMarker;
  std::string text;
  if (bytes_of_file(*file, tail, kMarker, text)) {
    std::int32_t told = 0;
    std::memcpy(&told, text.data(), kMarker);
    const auto length = static_cast<Word>(std::abs(static_cast<std::int64_t>(told)));
    return tail < length + kMarker ? std::nullopt : std::optional(tail - length - kMarker);
  }
  if (file->original || !file->records) return std::nullopt;
  const Found found = record_with(*file->records, tail, file->size, 2 * kMarker);
  return found ? std::optional(found->first) : std::nullopt;
}

void forget_records_from(File& file, Word offset) {
  if (!file.records || file.records->lower_bound(offset) == file.records->end()) return;
  auto kept = std::make_shared<std::map<Word, Word>>(*file.records);
  kept->erase(kept->lower_bound(offset), kept->end());
  file.records = std::move(kept);
}

}  // namespace trikal::predict

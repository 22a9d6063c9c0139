// Which traces are kept by what was counted of their file: Darshan's triggers.

#include <algorithm>

#include "log/crash/trace.hpp"
#include "modules/posix/schema.hpp"

namespace trikal::log::crash {
namespace {

namespace posix = modules::posix;

struct Numbered {
  std::uint64_t id = 0;
  std::size_t number = 0;
};

double counter(Bytes record, std::size_t slot) noexcept {
  const std::size_t at = posix::kSchema.counters_at + 8 * slot;
  return at + 8 <= record.size() ? static_cast<double>(load<std::int64_t>(record.data() + at)) : 0;
}

consteval std::size_t slot(std::string_view name) { return slot_of(posix::kCounters, name); }

bool meets(const TraceRules& rules, Bytes record) noexcept {
  const double all = counter(record, slot("POSIX_READS")) + counter(record, slot("POSIX_WRITES"));
  if (!(all > 0)) return false;
  double small = 0;
  for (std::size_t size = 0; size < 3; ++size)  // up to 10 KiB
    small += counter(record, slot("POSIX_SIZE_READ_#") + size) + counter(record, slot("POSIX_SIZE_WRITE_#") + size);
  const double unaligned = counter(record, slot("POSIX_FILE_NOT_ALIGNED"));
  return (rules.small > 0 && small / all >= rules.small) || (rules.unaligned > 0 && unaligned / all >= rules.unaligned);
}

// Marks the files of a trace that a record is about.
struct Marking {
  const TraceRules& rules;
  std::span<Numbered> numbers;  // by id
  std::span<TracedFile> files;
  std::span<std::uint8_t> meets;

  void mark(Bytes record) const noexcept {
    if (!crash::meets(rules, record)) return;
    const auto id = load<std::uint64_t>(record.data());
    for (auto at = std::ranges::lower_bound(numbers, id, {}, &Numbered::id); at != numbers.end() && at->id == id; ++at)
      meets[at->number] = 1;
  }
};

}  // namespace

bool has_trace_rules(const MapView& map) noexcept {
  bool has = false;
  map.for_each_chunk([&](const Chunk& chunk, Bytes) { has = has || chunk.kind == ChunkKind::kTraceRules; });
  return has;
}

void apply_rules(const MapView& map, std::span<TracedFile> files) noexcept {
  TraceRules rules;
  for_each_slot_of<TraceRules>(map, ChunkKind::kTraceRules, [&](const TraceRules& told) { rules = told; });
  if (!(rules.small > 0) && !(rules.unaligned > 0)) return;
  const TracePages number_pages(files.size() * sizeof(Numbered)), mark_pages(files.size());
  if (mark_pages.as<std::uint8_t>() == nullptr || number_pages.as<Numbered>() == nullptr) return;
  const std::span numbers(number_pages.as<Numbered>(), files.size());
  for (std::size_t i = 0; i < files.size(); ++i) numbers[i] = {files[i].id, i};
  std::ranges::sort(numbers, {}, &Numbered::id);
  Marking marking{rules, numbers, files, {mark_pages.as<std::uint8_t>(), files.size()}};
  for_each_record(Process{&map, 0, 0}, posix::kSchema,
                  {[](void* self, Bytes record) { static_cast<Marking*>(self)->mark(record); }, &marking});
  for (std::size_t i = 0; i < files.size(); ++i)
    if (marking.meets[i] == 0) files[i].interface = TracedFile::kLeftOut;
}

}  // namespace trikal::log::crash

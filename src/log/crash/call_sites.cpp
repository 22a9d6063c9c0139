#include "log/crash/call_sites.hpp"

#include <algorithm>
#include <cmath>

#include "log/crash/notes.hpp"
#include "log/crash/section.hpp"

namespace trikal::log::crash {
namespace {

constexpr Column kSiteColumns[] = {
    {"id", ColumnType::kU64, kUnitRecordId, "the file; 0 where there was no space to tell files apart"},
    {"rank", ColumnType::kI64, kUnitRank, "the process's rank in this log; -1 if it did no I/O"},
    {"pid", ColumnType::kI64, "", "the process"},
    {"interface", ColumnType::kText, "", "POSIX, STDIO or MPI-IO"},
    {"operation", ColumnType::kText, "", "what was called"},
    {"count", ColumnType::kI64, "calls", "how often, failed calls not counted"},
    {"bytes", ColumnType::kI64, kUnitBytes, "moved by these calls"},
    {"seconds", ColumnType::kF64, "seconds", "these calls took"},
    {"object", ColumnType::kText, "", "the program or library that called, or why it is not known"},
    {"build_id", ColumnType::kText, "", "of that file"},
    {"offset", ColumnType::kU64, "", "in that file, of the instruction behind the call"},
    {"function", ColumnType::kText, "", "that holds the call, where it was known when the log was written"},
    {"source", ColumnType::kText, "", "its file"},
    {"line", ColumnType::kU64, "", "of that file; 0 where it was not known"},
};
constexpr SectionSchema kSiteSection = {"sites", "calls by the location in the code they came from", kSiteColumns};

std::string_view path_of(const ObjectSlot& slot) noexcept {
  return {slot.path, std::min<std::size_t>(slot.path_bytes, ObjectSlot::kPathBytes)};
}

class BuildText {
 public:
  explicit BuildText(const ObjectSlot* slot) noexcept {
    constexpr char kDigits[] = "0123456789abcdef";
    const std::size_t bytes = slot == nullptr ? 0 : std::min<std::size_t>(slot->build_bytes, ObjectSlot::kBuildBytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      text_[length_++] = kDigits[slot->build[i] >> 4];
      text_[length_++] = kDigits[slot->build[i] & 15];
    }
  }
  [[nodiscard]] std::string_view text() const noexcept { return {text_, length_}; }

 private:
  char text_[2 * ObjectSlot::kBuildBytes];
  std::size_t length_ = 0;
};

const ObjectSlot* object_of(const MapView& map, std::uint64_t number) noexcept {
  const ObjectSlot* found = nullptr;
  for_each_note<ObjectSlot>(map, ChunkKind::kObjects, [&](const ObjectSlot& slot) {
    if (slot.number == number && number != SiteSlot::kUnknown) found = &slot;
  });
  return found;
}

std::string_view why_unknown(const SiteSlot& site) noexcept {
  if (site.object == SiteSlot::kTableFull) return "<no space for more call sites>";
  return site.offset == 0 ? "<inlined by the compiler>" : "<code outside of any file>";
}

void put_site(Section& section, const Process& process, const SiteSlot& site, const SiteNames& names) noexcept {
  const Operation operation{site.operation};
  const MapPin map = *process.map;
  const OperationName called = operation_name(map, operation);
  const ObjectSlot* object = object_of(map, site.object);
  const BuildText build(object);
  const std::string_view path = object != nullptr ? path_of(*object) : why_unknown(site);
  SiteName name;
  if (object != nullptr && names.find != nullptr) name = names.find(names.context, path, build.text(), site.offset);
  section.row(u64(site.id), i64(process.rank), i64(map->header().identity.pid), text(called.interface),
              text(called.word), i64(site.count), i64(site.bytes), f64(site.seconds), text(path), text(build.text()),
              u64(site.offset), text(name.function), text(name.source), u64(name.line));
}

bool is_sane(const SiteSlot& site) noexcept {
  return site.count > 0 && site.bytes >= 0 && is_operation(site.operation) && std::isfinite(site.seconds);
}

}  // namespace

Status put_sites(TrailerWriter& trailer, std::span<const Process> processes, const SiteNames& names) noexcept {
  Section section(trailer, kSiteSection);
  for (const Process& process : processes) {
    for_each_note<SiteSlot>(process.map, ChunkKind::kSites, [&](const SiteSlot& site) {
      if (is_sane(site)) put_site(section, process, site, names);
    });
  }
  return section.end();
}

}  // namespace trikal::log::crash

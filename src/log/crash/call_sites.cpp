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
    {"through", ColumnType::kText, "",
     "libraries between the call and what was called, that one's caller first, with their functions"},
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

const ScriptSlot* script_of(const MapView& map, std::uint64_t number) noexcept {
  const ScriptSlot* found = nullptr;
  for_each_note<ScriptSlot>(map, ChunkKind::kScripts, [&](const ScriptSlot& slot) {
    if (slot.number == number) found = &slot;
  });
  return found;
}

std::string_view path_of(const ScriptSlot& slot) noexcept {
  return {slot.path, std::min<std::size_t>(slot.path_bytes, ScriptSlot::kPathBytes)};
}
std::string_view function_of(const ScriptSlot& slot) noexcept {
  return {slot.function, std::min<std::size_t>(slot.function_bytes, ScriptSlot::kFunctionBytes)};
}

// "libgfortran.so.5 (_gfortran_st_write_done) < ...": of frames of one library that lie next to each other, the outermost.
class Through {
 public:
  Through(const MapView& map, const SiteNames& names) noexcept : map_(map), names_(names) {}

  void take(const StackSlot& stack) noexcept {
    const std::size_t depth = std::min<std::size_t>(stack.depth, StackSlot::kMost);
    for (std::size_t i = 0; i < depth; ++i) {
      if (i + 1 < depth && stack.frames[i + 1].object == stack.frames[i].object) continue;
      if ((stack.frames[i].object & StackSlot::kScript) != 0) take_script(stack.frames[i].object & ~StackSlot::kScript);
      else take_object(stack.frames[i]);
    }
  }
  [[nodiscard]] std::string_view text() const noexcept { return {text_, length_}; }

 private:
  void take_script(std::uint64_t number) noexcept {
    if (const ScriptSlot* script = script_of(map_, number)) put(path_of(*script), function_of(*script));
  }
  void take_object(const StackSlot::Frame& frame) noexcept {
    const ObjectSlot* object = object_of(map_, frame.object);
    if (object == nullptr) return;
    const BuildText build(object);
    SiteName name;
    if (names_.find != nullptr) name = names_.find(names_.context, path_of(*object), build.text(), frame.offset);
    put(path_of(*object), name.function);
  }
  void put(std::string_view path, std::string_view function) noexcept {
    if (length_ > 0) add(" < ");
    path.remove_prefix(path.rfind('/') + 1);  // substr throws, and would need the C++ library
    add(path);
    if (!function.empty()) add(" ("), add(function), add(")");
  }
  void add(std::string_view part) noexcept {
    const std::size_t bytes = std::min(part.size(), sizeof text_ - length_);
    std::copy_n(part.data(), bytes, text_ + length_);
    length_ += bytes;
  }

  const MapView& map_;
  const SiteNames& names_;
  char text_[1024];
  std::size_t length_ = 0;
};

void take_stack(const MapView& map, std::uint32_t number, Through& through) noexcept {
  if (number == 0) return;
  for_each_note<StackSlot>(map, ChunkKind::kStacks, [&](const StackSlot& slot) {
    if (slot.number == number) through.take(slot);
  });
}

std::string_view why_unknown(const SiteSlot& site) noexcept {
  if (site.object == SiteSlot::kTableFull) return "<no space for more call sites>";
  return site.offset == 0 ? "<inlined by the compiler>" : "<code outside of any file>";
}

void put_site(Section& section, const Process& process, const SiteSlot& site, const SiteNames& names) noexcept {
  const Operation operation{site.operation};
  const MapPin map = *process.map;
  const OperationName called = operation_name(map, operation);
  Through through(map, names);
  take_stack(map, site.stack, through);
  const bool is_script = (site.object & SiteSlot::kScript) != 0 && site.object != SiteSlot::kTableFull;
  const ScriptSlot* script = is_script ? script_of(map, site.object & ~SiteSlot::kScript) : nullptr;
  const ObjectSlot* object = is_script ? nullptr : object_of(map, site.object);
  const BuildText build(object);
  const std::string_view path = object != nullptr   ? path_of(*object)
                                : script != nullptr ? path_of(*script)
                                                    : why_unknown(site);
  SiteName name;
  if (object != nullptr && names.find != nullptr) name = names.find(names.context, path, build.text(), site.offset);
  if (script != nullptr) name = {function_of(*script), path, script->line};
  section.row(u64(site.id), i64(process.rank), i64(map->header().identity.pid), text(called.interface),
              text(called.word), i64(site.count), i64(site.bytes), f64(site.seconds), text(path), text(build.text()),
              u64(site.offset), text(name.function), text(name.source), u64(name.line), text(through.text()));
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

#include "log/read/extension_modules.hpp"

#include <algorithm>
#include <atomic>

#include "log/trailer/extension_modules.hpp"
#include "modules/list.hpp"

namespace trikal::log {
namespace {

constinit std::atomic<bool> hidden{false};

const ModuleFormat* find_extension(std::string_view name) {
  for (const ModuleFormat* module : all_modules()) {
    if (module->schema->id >= kKnownModules && module->schema->name == name) return module;
  }
  return nullptr;
}

struct Row {
  std::string name;
  std::uint64_t version = 0;
  Extent extent;
};

// What can be read of the section.
std::vector<Row> extension_rows(const Trailer& trailer) {
  std::vector<Row> found;
  const Section* section = trailer.find(kExtensionModulesSection.name);
  if (section == nullptr || !begins_with(section->columns, kExtensionModuleColumns)) return found;
  auto rows = trailer.rows(*section);
  std::span<const Cell> row;
  while (rows && found.size() < kModuleSlots) {
    const auto more = (*rows)->next(row);
    if (!more || !*more) break;
    found.push_back({std::string(row[0].text), row[2].u64(), {row[3].u64(), row[4].u64()}});
  }
  return found;
}

bool lies_within(const Extent& extent, std::uint64_t begin, std::uint64_t end) {
  return extent.offset >= begin && extent.offset <= end && extent.length <= end - extent.offset;
}

}  // namespace

std::uint64_t end_of_regions(const Header& header) {
  std::uint64_t end = header.bytes;
  const auto reach = [&end](const Extent& extent) { end = std::max(end, extent.offset + extent.length); };
  reach(header.names);
  // The job has no entry of its own: it ends where the names begin.
  if (header.names.offset == 0) reach(header.job);
  for (const Extent& extent : header.modules) reach(extent);
  return end;
}

void add_extension_modules(const Source& source, Header& header) {
  if (hidden.load(std::memory_order_relaxed) || all_modules().back()->schema->id < kKnownModules) return;
  const auto trailer = Trailer::read(source, end_of_regions(header), {});
  if (!trailer || !*trailer) return;
  for (const Row& row : extension_rows(**trailer)) {
    const ModuleFormat* module = find_extension(row.name);
    if (module == nullptr || row.version > UINT32_MAX) continue;
    const ModuleId id = module->schema->id;
    // A later Darshan may use the number for another module: what the header says is Darshan's.
    if (header.modules[id].length > 0 || header.module_versions[id] > 0) continue;
    if (!lies_within(row.extent, header.bytes, source.size())) continue;
    header.modules[id] = row.extent;
    header.module_versions[id] = static_cast<std::uint32_t>(row.version);
  }
}

void hide_extension_modules() noexcept { hidden.store(true, std::memory_order_relaxed); }

std::vector<std::string> unknown_extension_modules(const Trailer& trailer) {
  std::vector<std::string> unknown;
  if (hidden.load(std::memory_order_relaxed)) return unknown;
  for (const Row& row : extension_rows(trailer)) {
    if (find_extension(row.name) == nullptr) unknown.push_back(row.name);
  }
  return unknown;
}

}  // namespace trikal::log

#include "schema/operations.hpp"

#include <algorithm>

namespace trikal {
namespace {

constexpr std::string_view kNames[] = {"read", "write", "metadata"};
// In front of what every module calls its operations: a module with one of these has no plain ones beside them.
constexpr std::string_view kWays[] = {"", "INDEP_", "COLL_", "SPLIT_", "NB_"};
constexpr std::string_view kOthers[] = {"OPENS",   "SEEKS",   "STATS", "MMAPS", "FSYNCS",
                                        "FDSYNCS", "FLUSHES", "SYNCS", "VIEWS"};

// "MPIIO_COLL_READS" -> "READS"; of anything else the whole rest.
std::string_view without_prefix(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || name.size() <= prefix.size()) return name;
  name.remove_prefix(prefix.size() + 1);
  for (const std::string_view way : kWays) {
    if (!way.empty() && name.starts_with(way)) return name.substr(way.size());
  }
  return name;
}

// None: it counts no calls.
const Operation* operation_of(std::string_view what) {
  static constexpr Operation kAll[] = {Operation::kRead, Operation::kWrite, Operation::kMetadata};
  if (what == "READS") return &kAll[0];
  if (what == "WRITES") return &kAll[1];
  return std::ranges::find(kOthers, what) != std::end(kOthers) ? &kAll[2] : nullptr;
}

}  // namespace

std::string_view operation_name(Operation operation) { return kNames[static_cast<std::size_t>(operation)]; }

bool is_lowest_interface(std::string_view module) { return module == "POSIX" || module == "STDIO"; }

std::array<OperationSlots, kOperations> operation_slots(const ModuleSchema& schema) {
  std::array<OperationSlots, kOperations> found;
  const Roles& roles = schema.roles;
  found[0].bytes = roles.bytes_read, found[0].seconds = roles.read_time;
  found[1].bytes = roles.bytes_written, found[1].seconds = roles.write_time;
  found[2].seconds = roles.meta_time;
  std::size_t slot = 0;
  for (const Counter& counter : schema.counters) {
    const Operation* operation =
        counter.width() == 1 ? operation_of(without_prefix(counter.name, schema.prefix)) : nullptr;
    const bool counts = schema.calls.empty() || std::ranges::find(schema.calls, slot) != schema.calls.end();
    if (operation != nullptr && counts) found[static_cast<std::size_t>(*operation)].calls.push_back(slot);
    slot += counter.width();
  }
  return found;
}

}  // namespace trikal

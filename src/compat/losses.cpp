#include "compat/losses.hpp"

#include "base/bytes.hpp"
#include "modules/posix/schema.hpp"
#include "schema/counter.hpp"

namespace trikal::compat {
namespace {

constexpr const ModuleSchema& kPosix = modules::posix::kSchema;

consteval std::size_t slot_of(std::string_view counter) {
  return kPosix.counters_at + 8 * slot_of(kPosix.counters, counter);
}

struct Loss {
  ModuleId module;
  std::uint32_t version;
  std::size_t offset;
};
constexpr Loss kLosses[] = {
    {kPosix.id, 3, slot_of("POSIX_F_VARIANCE_RANK_TIME")},
    {kPosix.id, 3, slot_of("POSIX_F_VARIANCE_RANK_BYTES")},
};

}  // namespace

void lose_values(ModuleId module, std::uint32_t version, std::byte* record) {
  for (const Loss& loss : kLosses) {
    if (loss.module == module && loss.version == version) store(record + loss.offset, 0.0);
  }
}

std::string command_line(const log::Job& job) { return job.mounts.empty() ? std::string() : job.exe; }

}  // namespace trikal::compat

#pragma once
// Which operations the connector publishes, under which names, and which of its modules are on.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "log/crash/operation.hpp"

namespace trikal::report::ldms {

enum class Module : std::uint8_t { kPosix, kStdio, kMpiio, kH5f, kH5d };
enum class Action : std::uint8_t { kNone, kOpen, kRead, kWrite, kClose };  // kNone: no message
// Which time of a record an operation adds to.
enum class Timer : std::uint8_t { kRead, kWrite, kMeta, kNone };
inline constexpr std::size_t kActions = 5, kTimers = 3;

struct OperationRole {
  Module module;
  Action action;
  Timer timer;
};

// Nothing: an operation that the connector knows nothing of, and that no time of a record has in it.
[[nodiscard]] std::optional<OperationRole> role_of(log::crash::Operation operation);
// By the name that files of events have for it; nothing: there is none of that name.
[[nodiscard]] std::optional<log::crash::Operation> operation_named(std::string_view word);

[[nodiscard]] std::string_view name_of(Module module);  // "MPIIO"
[[nodiscard]] std::string_view name_of(Action action);  // "open"

class ModuleSet {
 public:
  [[nodiscard]] static ModuleSet all() { return ModuleSet(kAll); }
  // DARSHAN_LDMS_ENABLE_ALL, _POSIX, _STDIO, _MPIIO, _HDF5: whether they are set, not to what. None of them set: all modules.
  [[nodiscard]] static ModuleSet of_environment();
  // By names in any case, with or without a dash: "posix", "MPI-IO", "hdf5" for both of its modules. Nothing: one is unknown.
  [[nodiscard]] static std::optional<ModuleSet> of_names(const std::vector<std::string>& names);
  [[nodiscard]] bool has(Module module) const { return (bits_ & bit(module)) != 0; }

 private:
  static constexpr unsigned kAll = 0x1f;
  explicit ModuleSet(unsigned bits) : bits_(bits) {}
  static constexpr unsigned bit(Module module) { return 1U << static_cast<unsigned>(module); }
  unsigned bits_;
};

}  // namespace trikal::report::ldms

#include "capture/sink/local_time.hpp"

#include <fcntl.h>

#include "base/text.hpp"
#include "capture/rare.hpp"
#include "capture/session/small_file.hpp"

namespace trikal::capture {
namespace {

constexpr std::string_view kSystemsZone = "/etc/localtime", kZones = "/usr/share/zoneinfo";

// `name` is a path, or that of a zone below the system's.
std::optional<std::int64_t> by_file_named(std::string_view name, std::int64_t when,
                                          const KeptEnvironment& environment) noexcept {
  static constinit char path[512];
  TRIKAL_RARE static constinit char file[16 * 1024];  // the largest have four; a log is named by one thread
  FixedText text(path, sizeof path);
  if (!name.starts_with('/')) {
    const char* zones = environment.find("TZDIR");
    text.put(zones != nullptr && zones[0] != '\0' ? std::string_view(zones) : kZones).put("/");
  }
  text.put(name);
  if (!text.whole()) return {};
  const std::string_view found = read_small_file(path, file, sizeof file, O_NONBLOCK | O_NOCTTY);
  return offset_by_file(std::as_bytes(std::span(found)), when);
}

// In the C library's order: without TZ the system's zone, with it a file, then a rule; what is neither is UTC.
std::int64_t offset_at(std::int64_t when, const KeptEnvironment& environment) noexcept {
  const char* variable = environment.find("TZ");
  std::string_view zone = variable == nullptr ? kSystemsZone : std::string_view(variable);
  if (zone.starts_with(':')) zone.remove_prefix(1);
  if (zone.empty()) return 0;
  std::optional<std::int64_t> offset = by_file_named(zone, when, environment);
  if (!offset) offset = offset_by_rule(zone, when);
  return offset ? *offset : 0;
}

}  // namespace

CalendarTime local_time(std::int64_t when, const KeptEnvironment& environment) noexcept {
  return calendar_time(when + offset_at(when, environment));
}

}  // namespace trikal::capture

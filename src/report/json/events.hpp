#pragma once
// Events as lines of JSON, one object each: docs/formats/events.md.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "report/sink.hpp"
#include "stream/wire/ring.hpp"

namespace trikal::report {

// Whose events follow.
struct EventProcess {
  std::uint64_t number = 0;
  const log::crash::Identity* identity = nullptr;
  std::uint32_t sample = 1;
};

// What it is; the log's table of processes has more.
struct EventProgram {
  std::int64_t uid = 0, job_id = 0, start = 0;  // `start` in nanoseconds since 1970
  std::string_view node, program;
};

struct EventTotals {
  std::uint64_t stored = 0, ring_full = 0, without_ring = 0, without_file = 0, sampled_out = 0, filtered = 0;
  [[nodiscard]] std::uint64_t dropped() const { return ring_full + without_ring + without_file; }
};

class EventLines {
 public:
  explicit EventLines(Sink& out) : out_(out) {}

  void put_head(std::span<const std::string> command, std::string_view asked);
  void put_process(const EventProcess& process);
  void put_event(std::uint64_t process, const stream::EventRecord& event, const stream::EventDetails* details);
  void put_program(std::uint64_t process, const EventProgram& program);
  void put_file(std::uint64_t id, std::string_view name);
  // What an operation is called that only its module knows.
  void put_operation(std::uint64_t process, std::uint32_t number, std::string_view interface, std::string_view word);
  // A program or library that call sites lie in.
  void put_object(std::uint64_t process, std::uint64_t number, std::string_view path);
  void put_thread(std::uint64_t process, std::uint32_t thread, const EventTotals& totals);
  void put_totals(const EventTotals& totals, std::uint64_t processes, std::uint64_t refused);

 private:
  void put_details(const stream::EventDetails& details);
  Sink& out_;
};

}  // namespace trikal::report

#pragma once
// The root's part of a job's log: it names the file, writes what was sent to it, leaves space for what others write
// themselves, and puts the header in front once all of them are done.

#include "base/result.hpp"
#include "capture/reduce/packed_map.hpp"
#include "capture/reduce/part.hpp"
#include "capture/reduce/shared_records.hpp"
#include "capture/session/config.hpp"
#include "capture/sink/log_name.hpp"
#include "log/write/writer.hpp"

namespace trikal::capture {

// What the owner of a part that was not sent is told: where in the file each of its streams goes.
struct Order {
  std::int64_t owner = 0;
  std::array<std::uint64_t, kRegions> offsets{};
};

class JobWriter {
 public:
  struct Job {
    log::crash::MapRef map = nullptr;  // the root's own
    std::int64_t ranks = 0;
    Moment start, end;
    std::uint64_t modules = 0;  // a bit for each that was used
    SharedRecords* shared = nullptr;
    Bytes parts;  // one behind the other, ascending by owner
    std::uint64_t left_out = 0;  // ranks of which the trailer says nothing
  };

  JobWriter(const Config& config, log::crash::Schemas schemas) noexcept;

  // Everything but the trailer and the header. Orders are appended for parts that were not sent.
  [[nodiscard]] Status begin(const Job& job, Buffer& orders) noexcept;
  // `maps`: what the trailer says of each process.
  [[nodiscard]] Status finish(const Job& job, UnpackedMaps& maps) noexcept;
  void abandon() noexcept { writer_.abandon(); }

  [[nodiscard]] const char* temporary() const noexcept { return name_.temporary(); }

 private:
  [[nodiscard]] Status put_job(const Job& job) noexcept;
  [[nodiscard]] Status put_region(std::size_t region, Bytes parts, Buffer& orders) noexcept;
  [[nodiscard]] Status put_module(std::size_t module, const Job& job, Buffer& orders) noexcept;

  const Config& config_;
  log::crash::Schemas schemas_;
  LogName name_;
  log::Writer writer_;
};

}  // namespace trikal::capture

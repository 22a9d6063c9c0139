#pragma once
// A log, opened. Everything a tool may ask of it; nothing here knows a module.
//
//   auto reader = Reader::open(source, options);
//   auto records = (*reader)->records(id);
//   Batch batch;
//   for (;;) { auto more = (*records)->next(batch); if (!more) return more.error(); if (!*more) break; ... }
//
// With options.salvage, damage ends a region instead of the reading; reader->damage() tells what was lost.

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "log/read/damage.hpp"
#include "log/read/header.hpp"
#include "log/read/job.hpp"
#include "log/read/names.hpp"
#include "log/read/records.hpp"
#include "log/read/stream_index.hpp"
#include "log/trailer/reader.hpp"

namespace trikal::log {

struct ReadOptions {
  Limits limits;
  bool salvage = false;
  bool threads = true;                     // decompress large regions ahead
  std::uint64_t ahead_bytes = 256 * 1024;  // of compressed data: below this a thread costs more than it saves
};

class Reader {
 public:
  static Result<std::unique_ptr<Reader>> open(std::unique_ptr<Source> source, const ReadOptions& options = {});

  [[nodiscard]] const Header& header() const { return header_; }
  [[nodiscard]] const Job& job() const { return job_; }
  [[nodiscard]] std::uint64_t file_size() const { return source_->size(); }
  [[nodiscard]] const Source& source() const { return *source_; }
  [[nodiscard]] const ReadOptions& options() const { return options_; }

  // Read at the first call, kept. Not for several threads at once.
  Result<const NameTable*> names();

  // Modules with data that can be read, ascending.
  [[nodiscard]] std::vector<ModuleId> modules() const;
  // kMissing: no data; kUnsupported: a module or a version nobody knows.
  Result<std::unique_ptr<RecordStream>> records(ModuleId module);

  // A module's bytes as they were written, for whoever cannot or will not take them apart.
  [[nodiscard]] std::unique_ptr<BlockStream> plain_bytes(ModuleId module);

  // Read at the first call, by any thread. Null: the log has none, or a damaged one (then damage() says so).
  const Trailer* trailer();

  [[nodiscard]] std::vector<Damage> damage() const;
  void note(Damage damage);  // the same thing, seen again, is not noted twice
  // For a region that cannot be read at all: with salvage that is damage and reading goes on, else it is the error.
  Status tolerate(std::string where, const Error& error);

 private:
  Reader(std::unique_ptr<Source> source, const ReadOptions& options) : source_(std::move(source)), options_(options) {}
  Status load_job();
  void load_trailer();
  [[nodiscard]] std::unique_ptr<BlockStream> open_extent(const Extent& extent, std::uint64_t region);

  std::unique_ptr<Source> source_;
  ReadOptions options_;
  Header header_;
  Job job_;
  NameTable names_;
  bool names_loaded_ = false;
  Status names_read_;  // without salvage an error stays one
  std::once_flag trailer_once_;
  std::optional<Trailer> trailer_;
  StreamIndex streams_;
  mutable std::mutex mutex_;
  std::vector<Damage> damage_;
};

}  // namespace trikal::log

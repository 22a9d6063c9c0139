#pragma once
// Writes a log of version 3.41, region by region, with a trailer behind it. Runs inside applications: no heap
// after the memory was handed over, no exceptions, no streams; every failure is returned. docs: src/README.md.
//
//   Writer writer(memory);
//   writer.create(target, options);
//   writer.put_job(numbers, text);
//   writer.begin_names();  writer.put_name(id, name) ...  writer.end_region();
//   writer.begin_module(schema, version);  writer.append(records) ...  writer.end_region();   // ids ascending
//   writer.trailer() ...                                                                  // own sections
//   writer.finish(partial);
//
// The header is written last, so that a log that was cut off is never taken for a whole one. After an error
// everything else fails with the same error; abandon() (or the destructor) removes what was written.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/codec/encoder.hpp"
#include "log/layout.hpp"
#include "log/trailer/streams.hpp"
#include "log/trailer/writer.hpp"
#include "log/write/file_calls.hpp"
#include "log/write/job_text.hpp"
#include "log/write/output.hpp"

namespace trikal::log {

// What a writer works in; the caller's, for as long as the writer lives.
struct WriterMemory {
  MutableBytes encoder;             // kZlibEncoderBytes; may be empty where options bring an encoder
  MutableBytes output;              // collects what goes to the file; 64 KiB is plenty
  std::span<StreamEntry> streams;   // the index in the trailer; regions that do not fit are left out of it
  MutableBytes rows;                // of a section of the trailer, held to be compressed together; may be empty
};

template <std::size_t OutputBytes = 64 * 1024, std::size_t Streams = 1024, std::size_t RowBytes = 64 * 1024>
struct FixedWriterMemory {
  alignas(64) std::array<std::byte, kZlibEncoderBytes> encoder;
  std::array<std::byte, OutputBytes> output;
  std::array<StreamEntry, Streams> streams;
  std::array<std::byte, RowBytes> rows;

  [[nodiscard]] WriterMemory spans() { return {encoder, output, streams, rows}; }
};

// Paths must live until finish() or abandon().
struct WriteTarget {
  const char* path = nullptr;
  const char* temporary = nullptr;  // written under this name first and renamed at the end; null: `path`
  int descriptor = -1;              // an open, empty file instead of a path; stays open
  unsigned mode = 0400;             // of the new file, less the umask
  bool replace = false;             // whether `path` may exist already
  // Another name if it does and may not; null, or no name: then that is an error.
  const char* (*another)(void* context) noexcept = nullptr;
  void* context = nullptr;
};

struct WriteOptions {
  int level = kDefaultLevel;
  Encoder encoder;                // another codec than zlib
  std::uint64_t stream_bytes = 0; // a new stream after so many plain bytes; 0: only where the caller ends one
  std::uint64_t size_limit = kNoSizeLimit;
  bool trailer = true;
  const FileCalls* calls = nullptr;  // null: system_calls()
};

class Writer {
 public:
  explicit Writer(const WriterMemory& memory) : memory_(memory) {}
  ~Writer() { abandon(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  Status create(const WriteTarget& target, const WriteOptions& options = {});

  Result<JobFit> put_job(const JobNumbers& numbers, const JobText& text);
  Status begin_names();
  Status put_name(std::uint64_t id, std::string_view name);
  // A module that was in use but has nothing to say is begun and ended.
  Status begin_module(ModuleId module, std::uint32_t version);
  // The same for a module that is known. Where Darshan has no id for it, its region is in the trailer, not in the header: its
  // schema must live until the log is finished, and a log without a trailer cannot hold it.
  Status begin_module(const ModuleSchema& schema, std::uint32_t version);
  [[nodiscard]] bool can_store(const ModuleSchema& schema) const {
    return schema.id < kKnownModules || options_.trailer;
  }
  Status append(Bytes plain);
  Status end_stream();
  Status end_region();

  // Streams made elsewhere: other ranks' bytes, or a gap of that size which another process fills. Where the
  // gap lies is the offset() before the call.
  Status append_stream(Bytes packed, std::uint64_t plain_bytes);
  Status reserve_stream(std::uint64_t packed_bytes, std::uint64_t plain_bytes);
  [[nodiscard]] std::uint64_t offset() const { return output_.offset(); }

  // Null where there shall be none, or after an error. The first call ends the regions.
  TrailerWriter* trailer();

  // `partial`: bit i says that module i ran out of memory.
  Status finish(std::uint64_t partial);
  void abandon();

  // Whether writing has failed, for callers that both read and write.
  [[nodiscard]] const Status& health() const { return health_; }
  [[nodiscard]] Codec codec() const { return packer_.codec(); }
  [[nodiscard]] std::uint64_t file_bytes() const { return output_.offset(); }  // once finished

 private:
  enum class Phase : std::uint8_t { kClosed, kJob, kInJob, kNames, kInNames, kModules, kInModule, kTrailer };

  Status open_target();
  Status choose_encoder();
  void keep_command(std::string_view command) noexcept;
  Status begin_region(std::uint64_t region);
  void note_stream(Extent packed, std::uint64_t plain_bytes);
  void close_region(Extent& extent);
  [[nodiscard]] std::size_t drop_single_streams();
  Status put_streams_section();
  Status put_extensions();
  Status put_trailer(Bytes header);
  Status publish();
  [[nodiscard]] std::array<std::byte, NewHeader::kBytes> header_bytes(std::uint64_t partial) const;
  Status settle(Status status);  // remembers the first error in health_
  Status in_region() const;

  WriterMemory memory_;
  WriteTarget target_;
  WriteOptions options_;
  const FileCalls* calls_ = nullptr;
  int descriptor_ = -1;
  bool created_ = false;  // a file of ours exists
  Phase phase_ = Phase::kClosed;
  Status health_;  // ok, or the first error

  Output output_;
  Packer packer_;
  TrailerWriter trailer_;
  Extent names_;
  std::array<Extent, kModuleSlots> modules_{};
  std::array<std::uint32_t, kModuleSlots> versions_{};
  std::array<const ModuleSchema*, kModuleSlots> extensions_{};  // by id; null: the header has it
  int last_module_ = -1;

  std::uint64_t region_ = 0, region_start_ = 0, region_plain_ = 0, stream_start_ = 0;
  std::size_t stream_count_ = 0, region_first_stream_ = 0;
  bool region_indexed_ = false;
  std::string_view command_;  // as the job has it, in front of the memory for rows
};

}  // namespace trikal::log

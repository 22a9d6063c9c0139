#pragma once
// A module's records, in the order of the log, all in their newest form and in our byte order.

#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/read/byte_reader.hpp"
#include "schema/form.hpp"

namespace trikal::log {

// An item of a sliced record in its newest form: a trace segment with its thread.
inline constexpr std::size_t kNewestItemBytes = 40;

// What one call of RecordStream::next hands out; valid until the next call.
//  kFixed:  `count` records of schema.head_bytes each, one behind the other, in `bytes`.
//  kWhole:  one record, head and tail, in `bytes`.
//  kSliced: the head in `bytes`; `items` are whole items, the first being number `first_item` of the record.
//           A record comes in one or more of these; `last` tells its end.
struct Batch {
  Bytes bytes;
  std::size_t count = 0;
  Bytes items;
  std::uint64_t first_item = 0;
  bool last = true;

  [[nodiscard]] const std::byte* record(std::size_t i, const ModuleSchema& schema) const {
    return bytes.data() + i * schema.head_bytes;
  }
};

struct RecordOrigin {
  const ModuleFormat* format = nullptr;
  const Form* form = nullptr;
  bool foreign = false;
  std::uint64_t memory_limit = 0;
};

class RecordStream {
 public:
  virtual ~RecordStream() = default;
  // False at the end. On an error, everything before it has been handed out.
  virtual Result<bool> next(Batch& batch) = 0;

  [[nodiscard]] const ModuleSchema& schema() const { return *origin_.format->schema; }
  [[nodiscard]] std::uint64_t records_read() const { return records_read_; }
  // Bytes behind the last whole record, once the end was reached. Old tools ignore them; so do we, aloud.
  [[nodiscard]] std::size_t leftover_bytes() const { return leftover_; }
  [[nodiscard]] std::uint64_t file_offset() const { return file_offset_; }

 protected:
  explicit RecordStream(const RecordOrigin& origin) : origin_(origin) {}

  RecordOrigin origin_;
  std::uint64_t records_read_ = 0;
  std::size_t leftover_ = 0;
  std::uint64_t file_offset_ = 0;
};

[[nodiscard]] std::unique_ptr<RecordStream> make_record_stream(std::unique_ptr<BlockStream> blocks,
                                                               const RecordOrigin& origin);

}  // namespace trikal::log

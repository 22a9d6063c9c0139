#pragma once
// Where a caller is in a log. There is one position at a time: going to another region forgets it, and so does reaching
// the end, so that a loop over a module can be run again. That is how the original behaves, and callers rely on it.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/read/reader.hpp"

namespace trikal::compat {

class Cursor {
 public:
  // The next whole record of a module in its newest form, tail included; segments of a trace are 40 bytes each.
  // Empty at the end. Valid until the next call.
  Result<Bytes> next_record(log::Reader& reader, ModuleId module);

  // Bytes of the region as they are. Fewer than asked for only at its end.
  Result<std::size_t> read_plain(log::Reader& reader, ModuleId module, MutableBytes out);

  // Another region was read.
  void leave();

 private:
  enum class Way : std::uint8_t { kRecords, kPlain };

  bool at(ModuleId module, Way way) const { return module_ == module && way_ == way; }
  Result<Bytes> advance(log::Reader& reader);
  Result<Bytes> gather();
  Status ended(log::Reader& reader);

  std::optional<ModuleId> module_;
  Way way_ = Way::kRecords;
  std::unique_ptr<log::RecordStream> records_;
  log::Batch batch_;
  std::size_t in_batch_ = 0;  // records of batch_ that were handed out
  std::unique_ptr<log::ByteReader> plain_;
  std::vector<std::byte> whole_;  // a record that came in slices
};

}  // namespace trikal::compat

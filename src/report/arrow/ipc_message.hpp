#pragma once
// Messages of the Arrow IPC format, framed with flatbuffers by the field numbers of Arrow's published schemas.
// https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc

#include <cstdint>
#include <string>
#include <vector>

#include "log/read/columns.hpp"

namespace trikal::report::arrow {

// A buffer of a record batch: where it lies in the message's body.
struct BufferExtent {
  std::int64_t offset = 0;
  std::int64_t length = 0;
};

// What the footer of a file says of one record batch.
struct BlockExtent {
  std::int64_t offset = 0;
  std::int32_t metadata_bytes = 0;
  std::int64_t body_bytes = 0;
};

// The metadata of a message without its length prefix, padded to 8 bytes.
[[nodiscard]] std::string schema_message(const log::TableInfo& table);
[[nodiscard]] std::string batch_message(const Chunk& chunk, const std::vector<BufferExtent>& buffers,
                                        std::int64_t body_bytes);
// The footer of a file.
[[nodiscard]] std::string footer(const log::TableInfo& table, const std::vector<BlockExtent>& blocks);

}  // namespace trikal::report::arrow

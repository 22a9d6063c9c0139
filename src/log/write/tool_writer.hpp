#pragma once
// A writer for tools: its own memory from the heap, every codec, a temporary name beside the final one.

#include <memory>
#include <string>
#include <vector>

#include "log/codec/bzip2_encoder.hpp"
#include "log/write/writer.hpp"

namespace trikal::log {

struct ToolWriteOptions {
  Codec codec = Codec::kZlib;
  int level = kDefaultLevel;
  std::uint64_t stream_bytes = 0;
  bool trailer = true;
  bool replace = false;  // a regular file of that name may be replaced
  unsigned mode = 0600;
};

class ToolWriter {
 public:
  // Nothing of that name is touched before finish() succeeds.
  static Result<std::unique_ptr<ToolWriter>> create(const std::string& path, const ToolWriteOptions& options = {});

  [[nodiscard]] Writer& writer() { return writer_; }

 private:
  ToolWriter(const std::string& path, const ToolWriteOptions& options);
  Status start(const ToolWriteOptions& options);

  std::string path_, temporary_;
  std::vector<std::byte> encoder_memory_, output_, rows_;
  std::vector<StreamEntry> streams_;
  std::unique_ptr<Bzip2Encoder> bzip2_;
  Writer writer_;
};

}  // namespace trikal::log

#pragma once
// Takes compressed bytes, gives plain ones, step by step, with bounded memory. One decoder a region.

#include <memory>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/layout.hpp"

namespace trikal::log {

class Decoder {
 public:
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    bool stream_end = false;  // a complete stream ended here; call begin_stream before the next
  };

  virtual ~Decoder() = default;
  // Fails on bytes that are no such stream or whose checksum is wrong. Both sizes zero: needs more input.
  virtual Result<Step> decode(Bytes in, MutableBytes out) = 0;
  virtual void begin_stream() = 0;
};

// Null for a codec nobody knows.
[[nodiscard]] std::unique_ptr<Decoder> make_decoder(Codec codec);

}  // namespace trikal::log

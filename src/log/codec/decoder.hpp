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
    std::ptrdiff_t consumed = 0;  // may be negative at a stream's end: up to kGivenBack bytes of the input before
    std::size_t produced = 0;
    bool stream_end = false;  // a complete stream ended here; call begin_stream before the next
  };

  // A decoder may hold this many input bytes; those behind a stream's end it gives back.
  static constexpr std::size_t kGivenBack = 8;

  virtual ~Decoder() = default;
  // Fails on bytes that are no such stream or whose checksum is wrong. Both sizes zero: needs more input.
  virtual Result<Step> decode(Bytes in, MutableBytes out) = 0;
  virtual void begin_stream() = 0;
};

// Null for a codec nobody knows.
[[nodiscard]] std::unique_ptr<Decoder> make_decoder(Codec codec);

}  // namespace trikal::log

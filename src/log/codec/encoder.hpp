#pragma once
// Takes plain bytes, gives compressed ones, step by step. Runs inside applications: no heap, no exceptions,
// no virtual functions; all memory is the caller's. (bzip2 is for tools: codec/bzip2_encoder.hpp.)

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/layout.hpp"

namespace trikal::log {

// A codec's functions and its state; copying one copies neither.
class Encoder {
 public:
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    bool stream_end = false;  // finish was asked for and all of the stream is out
  };
  struct Calls {
    Codec codec;
    Status (*begin)(void* state);
    Result<Step> (*encode)(void* state, Bytes in, MutableBytes out, bool finish);
  };

  Encoder() = default;
  Encoder(const Calls& calls, void* state) : calls_(&calls), state_(state) {}

  [[nodiscard]] bool ready() const { return calls_ != nullptr; }
  [[nodiscard]] Codec codec() const { return calls_->codec; }

  // Before the first byte of every stream.
  Status begin_stream() { return calls_->begin(state_); }
  // With `finish`, call again with no input until stream_end. `out` must not be empty.
  Result<Step> encode(Bytes in, MutableBytes out, bool finish) { return calls_->encode(state_, in, out, finish); }

 private:
  const Calls* calls_ = nullptr;
  void* state_ = nullptr;
};

inline constexpr std::size_t kZlibEncoderBytes = 288 * 1024;  // what zlib takes with its default window, and some
inline constexpr int kDefaultLevel = 6;

// Lives in `memory` (any alignment) for as long as that does. Levels 0 to 9.
[[nodiscard]] Result<Encoder> make_zlib_encoder(MutableBytes memory, int level = kDefaultLevel) noexcept;

[[nodiscard]] Encoder make_plain_encoder() noexcept;

}  // namespace trikal::log

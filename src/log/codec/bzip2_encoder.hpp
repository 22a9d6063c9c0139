#pragma once
// bzip2, as darshan-convert writes it: block size 9, work factor 30. For tools: it takes memory from the heap.

#include <memory>

#include "log/codec/encoder.hpp"

namespace trikal::log {

class Bzip2Encoder {
 public:
  Bzip2Encoder();
  ~Bzip2Encoder();
  Bzip2Encoder(const Bzip2Encoder&) = delete;
  Bzip2Encoder& operator=(const Bzip2Encoder&) = delete;

  // Must not outlive this.
  [[nodiscard]] Encoder encoder();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trikal::log

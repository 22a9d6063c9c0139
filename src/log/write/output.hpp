#pragma once
// Bytes into a file, front to back, through a buffer that the caller owns. Runs inside applications.

#include <cstdint>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/codec/encoder.hpp"
#include "log/write/file_calls.hpp"

namespace trikal::log {

inline constexpr std::uint64_t kNoSizeLimit = ~std::uint64_t{0};

class Output {
 public:
  // `limit` is the largest size the file may get: the kernel kills who writes past RLIMIT_FSIZE, we do not.
  void attach(const FileCalls& calls, int descriptor, MutableBytes buffer, std::uint64_t offset, std::uint64_t limit);

  [[nodiscard]] std::uint64_t offset() const { return flushed_ + used_; }  // where the next byte goes

  Status append(Bytes bytes);
  // Space for a caller who makes bytes there; not empty. Then made().
  Result<MutableBytes> space();
  void made(std::size_t count);
  // Leaves a gap that another process fills.
  Status skip(std::uint64_t count);
  Status flush();
  Status write_at(std::uint64_t offset, Bytes bytes);

  // CRC-32C of what is appended from now on.
  void start_checksum() { checksum_ = 0; }
  [[nodiscard]] std::uint32_t checksum() const { return checksum_; }

 private:
  const FileCalls* calls_ = nullptr;
  int descriptor_ = -1;
  MutableBytes buffer_;
  std::size_t used_ = 0;
  std::uint64_t flushed_ = 0;
  std::uint64_t limit_ = kNoSizeLimit;
  std::uint32_t checksum_ = 0;
};

// Compressed streams into an Output.
class Packer {
 public:
  void attach(Output& output, Encoder encoder) { output_ = &output, encoder_ = encoder; }

  [[nodiscard]] Codec codec() const { return encoder_.codec(); }
  [[nodiscard]] bool open() const { return open_; }
  [[nodiscard]] std::uint64_t plain_bytes() const { return plain_bytes_; }  // of this stream so far

  Status begin();
  Status append(Bytes plain);
  Status end();

 private:
  Output* output_ = nullptr;
  Encoder encoder_;
  std::uint64_t plain_bytes_ = 0;
  bool open_ = false;
};

}  // namespace trikal::log

// What the encoder of records makes of any bytes with any effort, read by zlib: the same bytes, in no more than was said.

#include <zlib.h>

#include <vector>

#include "log/write/record_stream.hpp"

namespace {

using namespace trikal;  // NOLINT: this file is the program

constexpr std::size_t kEffort = 4;  // bytes in front: stride, positions, long enough, skipped

void must(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < kEffort) return 0;
  const log::RecordEffort effort{std::size_t{8} * data[0], data[1] % 10U, data[2], data[3]};
  const Bytes once = std::as_bytes(std::span(data, size)).subspan(kEffort);
  // Several times over, with another byte in between: long matches and more than one chunk need more than a fuzzer gives.
  std::vector<std::byte> plain;
  for (int i = 0; i < 1 + data[1] / 10; ++i) {
    plain.insert(plain.end(), once.begin(), once.end());
    plain.push_back(static_cast<std::byte>(i));
  }
  std::vector<std::uint64_t> memory(log::kRecordDeflateMemory / 8, 0xa5a5a5a5a5a5a5a5);
  std::vector<std::byte> packed(log::record_deflate_bound(plain.size()));
  const std::size_t bytes = log::record_deflate(plain, effort, packed, std::as_writable_bytes(std::span(memory)));
  must(bytes <= packed.size());
  std::vector<std::byte> back(plain.size() + 1);
  uLongf length = back.size();
  must(uncompress(reinterpret_cast<Bytef*>(back.data()), &length, reinterpret_cast<const Bytef*>(packed.data()),
                  bytes) == Z_OK);
  back.resize(length);
  must(back == plain);
  return 0;
}

// Batches of the stream: whatever is accepted is written the same again. The mutator makes length and checksum right again, or
// nothing behind them would ever be reached.

#include "base/hash.hpp"
#include "stream/wire/batch.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace trikal;  // NOLINT: this file is the program

constexpr std::size_t kHead = 16;

void must(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  size = LLVMFuzzerMutate(data, size, max_size);
  if (size < kHead || seed % 8 == 0) return size;
  auto* bytes = reinterpret_cast<std::byte*>(data);
  const std::vector<std::byte> head = stream::encode({});
  std::copy(head.begin(), head.begin() + 8, bytes);
  store_le(bytes + 8, static_cast<std::uint32_t>(size - kHead));
  store_le(bytes + 12, crc32c(Bytes{bytes, size}.subspan(kHead)));
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto batch = stream::decode(std::as_bytes(std::span(data, size)));
  if (!batch) {
    must(batch.error().what[0] != '\0');
    return 0;
  }
  const std::vector<std::byte> again = stream::encode(*batch);
  const auto read = stream::decode(again);
  must(read.ok() && stream::encode(*read) == again);
  return 0;
}

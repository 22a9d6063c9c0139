#pragma once
// Logs put together by hand, right or wrong, for unit tests and fuzzers. Knows the format by itself: nothing of
// log/write is used, so that a mistake there cannot hide one here.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "log/layout.hpp"

namespace testing {}
namespace trikal::testing {
using namespace ::testing;  // for a test beside this one in a group: it means GoogleTest's by testing::Test

using Buffer = std::vector<std::byte>;

[[nodiscard]] Buffer bytes_of(std::string_view text);
[[nodiscard]] std::string text_of(Bytes bytes);
void append(Buffer& to, Bytes more);

// Numbers one behind the other, in the order of this machine or the other one.
class Packer {
 public:
  explicit Packer(bool foreign = false) : foreign_(foreign) {}
  Packer& u32(std::uint32_t value);
  Packer& u64(std::uint64_t value);
  Packer& i64(std::int64_t value) { return u64(static_cast<std::uint64_t>(value)); }
  Packer& f64(double value);
  Packer& text(std::string_view text);                       // as it is
  Packer& padded(std::string_view text, std::size_t bytes);  // with zeros behind
  Packer& fill(std::uint64_t value, std::size_t words);
  [[nodiscard]] Buffer take() { return std::move(bytes_); }

 private:
  bool foreign_;
  Buffer bytes_;
};

// One complete stream.
[[nodiscard]] Buffer pack(Bytes plain, log::Codec codec);
// Several streams, cut at these plain offsets (ascending); equal offsets make empty streams.
[[nodiscard]] Buffer pack_cut(Bytes plain, log::Codec codec, std::span<const std::size_t> cuts);

struct JobParts {
  std::int64_t uid = 1000, start = 100, start_ns = 5, end = 200, end_ns = 6, nprocs = 4, job_id = 77;
  std::string metadata = "lib_ver=3.4.4\nh=romio_no_indep_rw=true;cb_nodes=4\n";
  std::string text{"/bin/app -x\next4\t/\nlustre\t/scratch\0", 34};  // with its NUL
};
// `minor` and `foreign` as in LogParts.
[[nodiscard]] Buffer job_bytes(const JobParts& job, int minor = 41, bool foreign = false);
[[nodiscard]] Buffer name_bytes(std::span<const std::pair<std::uint64_t, std::string>> names, int minor = 41,
                                bool foreign = false);

// A whole file. Regions are given packed, in the numbering of the file's own version.
struct LogParts {
  struct Module {
    std::uint32_t version = 1;
    Buffer packed;
  };

  int minor = 41;
  bool foreign = false;
  log::Codec codec = log::Codec::kZlib;
  std::uint64_t partial = 0;
  Buffer job, names;
  std::map<std::size_t, Module> modules;

  // Job and names that make sense, packed with `codec`.
  LogParts& with_usual_job();
  LogParts& with_names(std::span<const std::pair<std::uint64_t, std::string>> list);
  LogParts& with_module(std::size_t index, std::uint32_t version, Bytes plain);
  [[nodiscard]] Buffer build() const;
};

// A record of a fixed-size module: id, rank, then `words` words counting up from `first`.
void fixed_record(Packer& to, std::uint64_t id, std::int64_t rank, std::size_t words, std::uint64_t first = 0);
// A trace record with `writes` + `reads` segments of 4 words (5 with a thread), each told apart by its number.
void trace_record(Packer& to, std::uint64_t id, std::int64_t writes, std::int64_t reads, bool thread = false);

}  // namespace trikal::testing

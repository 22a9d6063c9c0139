#pragma once
// The job region as bytes. Runs inside applications.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/bytes.hpp"
#include "log/layout.hpp"

namespace trikal::log {

struct JobNumbers {
  std::int64_t uid = 0;
  std::int64_t start_sec = 0, start_nsec = 0;
  std::int64_t end_sec = 0, end_nsec = 0;
  std::int64_t nprocs = 0;
  std::int64_t job_id = 0;
};

struct MountText {
  std::string_view type;
  std::string_view path;
};

struct JobText {
  std::string_view metadata;  // "key=value\n" lines
  std::string_view exe;
  std::span<const MountText> mounts;  // written in this order, as far as they fit
};

// What had to be left out.
struct JobFit {
  bool metadata_cut = false;  // lines that did not fit
  bool exe_cut = false;
  std::size_t mounts_left_out = 0;
};

class JobRegion {
 public:
  JobRegion(const JobNumbers& numbers, const JobText& text) noexcept;

  [[nodiscard]] Bytes bytes() const { return Bytes{bytes_}.first(used_); }
  [[nodiscard]] const JobFit& fit() const { return fit_; }
  // The command line, as far as it fits.
  [[nodiscard]] std::string_view command() const {
    return {reinterpret_cast<const char*>(bytes_.data()) + kJobBytes, command_bytes_};
  }

 private:
  void put_metadata(std::string_view metadata) noexcept;
  void put_exe(std::string_view exe) noexcept;
  void put_mount(const MountText& mount) noexcept;
  void put(std::string_view text) noexcept;
  [[nodiscard]] std::size_t left() const { return bytes_.size() - 1 - used_; }  // the last byte is a NUL

  std::array<std::byte, kJobRegion> bytes_{};
  std::size_t used_ = kJobBytes, command_bytes_ = 0;
  JobFit fit_;
};

}  // namespace trikal::log

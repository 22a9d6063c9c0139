#pragma once
// Puts rows into a section of the trailer that begins with its first row: sections without rows are left out.

#include <cstdint>
#include <string_view>

#include "log/trailer/writer.hpp"

namespace trikal::log::crash {

class Section {
 public:
  Section(TrailerWriter& trailer, const SectionSchema& schema) noexcept : trailer_(trailer), schema_(schema) {}

  // Calls put(trailer) for each value of a row.
  template <class... Put>
  void row(const Put&... put) noexcept {
    if (!begun_ && status_.ok()) status_ = trailer_.begin_section(schema_);
    begun_ = true;
    (step(put), ...);
  }
  Status end() noexcept { return begun_ && status_.ok() ? trailer_.end_section() : status_; }

 private:
  template <class Put>
  void step(const Put& put) noexcept {
    if (status_.ok()) status_ = put(trailer_);
  }

  TrailerWriter& trailer_;
  const SectionSchema& schema_;
  bool begun_ = false;
  Status status_;
};

inline auto i64(std::int64_t value) {
  return [value](TrailerWriter& to) { return to.put_i64(value); };
}
inline auto u64(std::uint64_t value) {
  return [value](TrailerWriter& to) { return to.put_u64(value); };
}
inline auto f64(double value) {
  return [value](TrailerWriter& to) { return to.put_f64(value); };
}
inline auto text(std::string_view value) {
  return [value](TrailerWriter& to) { return to.put_text(value); };
}

}  // namespace trikal::log::crash

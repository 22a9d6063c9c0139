#pragma once
// What opening, closing and asking count, in whole and brief records alike. With the record's lock held.

#include "capture/records/brief_pool.hpp"
#include "modules/posix/capture.hpp"

namespace trikal::modules::posix {

// On cache lines of its own, as a whole one.
struct alignas(64) BriefFile {
  BriefRecord<kSchema> record;
  capture::Spin lock;
  double meta_end = 0;
  BriefFile* next_free = nullptr;
};
static_assert(sizeof(BriefFile) == 128);

template <FixedString Name, class File>
void add_time(File& file, Span when, double& last) noexcept {
  file.record.template set_real<Name>(file.record.template real<Name>() + capture::added_time(when, last));
}

template <class File>
void add_meta(File& file, Span when) noexcept {
  add_time<"POSIX_F_META_TIME">(file, when, file.meta_end);
}

template <FixedString Start, FixedString End, class File>
void add_span(File& file, Span when) noexcept {
  auto& record = file.record;
  record.template set_real<Start>(capture::earlier(record.template real<Start>(), when.begin));
  record.template set_real<End>(capture::later(record.template real<End>(), when.end));
  add_meta(file, when);
}

template <class File>
void count_open(File& file, Span when, mode_t mode) noexcept {
  if (mode != 0) file.record.template at<"POSIX_MODE">() = mode;
  file.record.template at<"POSIX_OPENS">() += 1;
  add_span<"POSIX_F_OPEN_START_TIMESTAMP", "POSIX_F_OPEN_END_TIMESTAMP">(file, when);
}

template <class File>
void count_close(File& file, Span when) noexcept {
  add_span<"POSIX_F_CLOSE_START_TIMESTAMP", "POSIX_F_CLOSE_END_TIMESTAMP">(file, when);
}

template <class File>
void count_stat(File& file, Span when) noexcept {
  file.record.template at<"POSIX_STATS">() += 1;
  add_meta(file, when);
}

// What is known of a file before anything is counted.
template <class File>
void begin_record(File& file, const capture::File& about) noexcept {
  file.record.template at<"POSIX_MEM_ALIGNMENT">() =
      static_cast<std::int64_t>(capture::session.config.memory_alignment);
  file.record.template at<"POSIX_FILE_ALIGNMENT">() = capture::session.mounts.block_size(about.text());
}

// Begins the file's whole record. While what is returned lives, it replaces the brief one, if there is one.
using AbsorbingBrief = capture::Absorbing<BriefFile, kSchema>;
[[nodiscard]] AbsorbingBrief begin_whole(const capture::File& file, PosixFile& whole) noexcept;
void forget_briefs() noexcept;  // in a forked child

}  // namespace trikal::modules::posix

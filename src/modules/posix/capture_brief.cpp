#include "modules/posix/capture_brief.hpp"

#include "capture/events/event.hpp"
#include "modules/posix/capture_meta.hpp"

namespace trikal::modules::posix {
namespace {

using capture::File;
using capture::Operation;

constinit capture::BriefPool<BriefFile, kSchema> briefs;

BriefFile* brief_of(File& file) noexcept {
  if (file.records[capture::kPosixSlot].is_set()) return nullptr;
  if (auto* known = file.records[capture::kPosixBriefSlot].as<BriefFile>()) [[likely]]
    return known;
  return briefs.make(file, capture::kPosixBriefSlot);
}

template <class Count>
bool count_briefly(File& file, Operation operation, Span when, const Count& count) noexcept {
  BriefFile* brief = brief_of(file);
  if (brief == nullptr) return false;
  {
    const capture::Locked locked(brief->lock);
    if (!locked) return true;
    if (!capture::is_about(*brief, file)) return false;
    if (brief->record.at<"POSIX_MEM_ALIGNMENT">() == 0) begin_record(*brief, file);
    count(*brief);
  }
  capture::tell(operation, file.id, when);
  return true;
}

}  // namespace

bool opened_briefly(File& file, Span when, mode_t mode) noexcept {
  return count_briefly(file, Operation::kOpen, when, [&](BriefFile& brief) { count_open(brief, when, mode); });
}
bool closed_briefly(File& file, Span when) noexcept {
  return count_briefly(file, Operation::kClose, when, [&](BriefFile& brief) { count_close(brief, when); });
}
bool stated_briefly(File& file, Span when) noexcept {
  return count_briefly(file, Operation::kStat, when, [&](BriefFile& brief) { count_stat(brief, when); });
}

AbsorbingBrief begin_whole(const File& file, PosixFile& whole) noexcept {
  begin_record(whole, file);
  return {briefs, file.records[capture::kPosixBriefSlot].as<BriefFile>(), whole, [&](BriefFile& brief) {
            whole.meta_end = brief.meta_end;
            if (brief.record.at<"POSIX_MEM_ALIGNMENT">() == 0) begin_record(whole, file);  // was just made
          }};
}

void forget_briefs() noexcept { briefs.after_fork(); }

}  // namespace trikal::modules::posix

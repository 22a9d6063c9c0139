#include "log/crash/trace_code.hpp"

namespace trikal::log::crash {

bool TraceReader::next(TraceEvent& event) noexcept {
  std::uint8_t flags = 0;
  if (!byte(flags) || (flags & ~unsigned{kTraceFlags}) != 0) return false;
  event.traced = state_.traced;
  if ((flags & kSameFile) == 0 && !small(event.traced)) return false;
  TraceState::Known& file = state_.of(event.traced);
  event.operation = file.operation, event.length = file.length, event.thread = state_.thread;
  event.offset = (flags & kWithoutOffset) != 0 ? TraceEvent::kNoOffset : file.next;
  if ((flags & kSameOperation) == 0 && !small(event.operation)) return false;
  if ((flags & (kWithoutOffset | kNextOffset)) == 0 && !differs(event.offset)) return false;
  if ((flags & kSameLength) == 0 && !differs(event.length)) return false;
  if ((flags & kSameThread) == 0 && !small(event.thread)) return false;
  std::uint64_t gap = 0;
  if (!number(gap) || !number(event.duration) || !is_operation(event.operation)) return false;
  event.begin = state_.end + unfold_sign(gap);
  state_.note(event, file);
  return true;
}

bool TraceReader::byte(std::uint8_t& value) noexcept {
  if (at_ == end_) return false;
  value = static_cast<std::uint8_t>(*at_++);
  return true;
}

bool TraceReader::number(std::uint64_t& value) noexcept {
  return take_varint([this](std::uint8_t& next) { return byte(next); }, value);
}

bool TraceReader::small(std::uint32_t& value) noexcept {
  std::uint64_t wide = 0;
  if (!number(wide) || wide > UINT32_MAX) return false;
  value = static_cast<std::uint32_t>(wide);
  return true;
}

bool TraceReader::differs(std::int64_t& value) noexcept {
  std::uint64_t difference = 0;
  if (!number(difference)) return false;
  value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) + unfold_sign(difference));
  return true;
}

}  // namespace trikal::log::crash

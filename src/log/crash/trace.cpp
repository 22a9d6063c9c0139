#include "log/crash/trace.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "modules/dxt_mpiio/format.hpp"
#include "modules/dxt_posix/format.hpp"

namespace trikal::log::crash {
namespace {

namespace dxt = modules::dxt;
using Segment = TraceSegments::Segment;

constexpr std::uint64_t kMostPages = std::uint64_t{1} << 36;

bool is_of(const TraceForm& form, const TracedFile& file) noexcept { return file.interface == form.interface; }

std::uint64_t segments_of(const TracedFile& file) noexcept { return file.writes + file.reads; }

void sort_by_time(std::span<Segment> segments) noexcept {
  const auto is_before = [](const Segment& a, const Segment& b) { return a.start < b.start; };
  if (!std::is_sorted(segments.begin(), segments.end(), is_before))
    std::sort(segments.begin(), segments.end(), is_before);
}

Segment segment_of(const TraceEvent& event, double shift) noexcept {
  const double start = trace_seconds(event.begin) + shift;
  return {event.offset, event.length, start, start + trace_seconds(event.duration), std::uint64_t{event.thread} + 1};
}

// A record as logs have it: no thread in it.
std::size_t make_record(std::byte* record, const Process& process, const MapView& map, const TracedFile& file,
                        std::span<const Segment> segments) noexcept {
  std::memset(record, 0, dxt::kHeadBytes);
  store(record, BaseRecord{file.id, process.rank});
  const auto& host = map.header().host;
  std::memcpy(record + dxt::kHostAt, host, std::min<std::size_t>(sizeof host, dxt::kHostBytes - 1));
  store(record + dxt::kWritesAt, file.writes);
  store(record + dxt::kReadsAt, file.reads);
  std::byte* at = record + dxt::kHeadBytes;
  for (const Segment& segment : segments) std::memcpy(at, &segment, dxt::kThreadlessBytes), at += dxt::kThreadlessBytes;
  return static_cast<std::size_t>(at - record);
}

}  // namespace

double trace_seconds(std::uint64_t nanoseconds) noexcept {
  constexpr double kSteps = 1073741824;
  const double steps = static_cast<double>(nanoseconds) * 1e-9 * kSteps;
  return steps < 9e18 ? static_cast<double>(static_cast<std::int64_t>(steps + 0.5)) / kSteps : 0;
}

TracePages::TracePages(std::uint64_t bytes) noexcept { take(bytes); }

// By system call: inside an application the C library's function may be somebody else's.
void TracePages::take(std::uint64_t bytes) noexcept {
  if (bytes == 0 || bytes > kMostPages) return;
  const long at =
      ::syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
  if (at == -1) return;
  at_ = reinterpret_cast<void*>(at), bytes_ = static_cast<std::size_t>(bytes);  // NOLINT: an address
}

TracePages::~TracePages() {
  if (at_ != nullptr) (void)::syscall(SYS_munmap, at_, bytes_);
}

std::uint64_t TracedFile::kept(bool has_events) const noexcept {
  const std::uint64_t counted = lost < events ? events - lost : 0;
  return has_events ? found : counted;
}

TracedFiles::TracedFiles(const MapView& map) noexcept {
  std::uint64_t slots = 0;
  for_each_slot_of<TracedSlot>(map, ChunkKind::kTraced, [&](const TracedSlot&) { ++slots; });
  pages_.take(slots * sizeof(TracedFile));
  auto* files = pages_.as<TracedFile>();
  if (files == nullptr) return;
  for_each_slot_of<TracedSlot>(map, ChunkKind::kTraced,
                               [&](const TracedSlot& slot) {  // of a process that lives there may be more by now
                                 if (count_ == slots) return;
                                 files[count_++] = {.id = slot.id,
                                                    .interface = slot.interface,
                                                    .one_of = slot.one_of.load(std::memory_order_relaxed),
                                                    .events = slot.events.load(std::memory_order_relaxed),
                                                    .lost = slot.lost.load(std::memory_order_relaxed)};
                               });
  map.for_each_chunk([&](const Chunk& chunk, Bytes) { has_events_ = has_events_ || chunk.kind == ChunkKind::kTrace; });
  for_each_event(map, [&](const TraceEvent& event) {
    if (event.traced >= count_) return;
    TracedFile& file = files[event.traced];
    const TraceWay way = trace_way(Operation{event.operation});
    file.found += 1;
    file.writes += way == TraceWay::kWrite ? 1 : 0;
    file.reads += way == TraceWay::kRead ? 1 : 0;
  });
  apply_rules(map, all());
}

TraceSegments::TraceSegments(const MapView& map, const TraceForm& form, double shift) noexcept : files_(map) {
  std::uint64_t total = 0;
  for (TracedFile& file : files_.all()) {
    if (!is_of(form, file)) continue;
    file.first = total;
    total += segments_of(file);
  }
  pages_.take(total * sizeof(Segment));
  if (pages_.as<Segment>() != nullptr) fill(form, total, map, shift);
}

void TraceSegments::fill(const TraceForm& form, std::uint64_t total, const MapView& map, double shift) noexcept {
  TracePages counts(2 * files_.all().size() * sizeof(std::uint64_t));  // of each file: writes and reads there so far
  auto* so_far_of = counts.as<std::uint64_t>();
  if (so_far_of == nullptr) return;
  const std::span segments(pages_.as<Segment>(), static_cast<std::size_t>(total));
  for_each_event(map, [&](const TraceEvent& event) {
    if (event.traced >= files_.all().size() || !is_of(form, files_.all()[event.traced])) return;
    const TracedFile& file = files_.all()[event.traced];
    const TraceWay way = trace_way(Operation{event.operation});
    if (way == TraceWay::kNone) return;
    const bool is_write = way == TraceWay::kWrite;
    std::uint64_t& so_far = so_far_of[2 * std::size_t{event.traced} + (is_write ? 0 : 1)];
    if (so_far >= (is_write ? file.writes : file.reads)) return;  // it has grown since it was counted
    segments[file.first + (is_write ? 0 : file.writes) + so_far++] = segment_of(event, shift);
  });
  for (const TracedFile& file : files_.all()) {
    if (!is_of(form, file)) continue;
    sort_by_time(segments.subspan(file.first, file.writes));
    sort_by_time(segments.subspan(file.first + file.writes, file.reads));
  }
}

std::span<const Segment> TraceSegments::of(const TracedFile& file) const noexcept {
  const auto* all = pages_.as<const Segment>();
  if (all == nullptr) return {};
  return {all + file.first, static_cast<std::size_t>(segments_of(file))};
}

bool has_trace(const MapView& map, const TraceForm& form) noexcept {
  bool traced = false;
  map.for_each_chunk([&](const Chunk& chunk, Bytes bytes) {
    if (chunk.kind != ChunkKind::kTraced || chunk.stride != sizeof(TracedSlot)) return;
    for (std::size_t at = 0; at + sizeof(TracedSlot) <= bytes.size() && !traced; at += sizeof(TracedSlot))
      traced = reinterpret_cast<const TracedSlot*>(bytes.data() + at)->interface == form.interface;
  });
  return traced;
}

const TraceForm* trace_form_of(const ModuleSchema& schema) noexcept {
  // No released Darshan accepts their newest versions: the thread is in the trailer.
  static constexpr TraceForm kPosix{kTracePosix, modules::dxt_posix::kFormat.written};
  static constexpr TraceForm kMpiio{kTraceMpiio, modules::dxt_mpiio::kFormat.written};
  if (&schema == &modules::dxt_posix::kSchema) return &kPosix;
  return &schema == &modules::dxt_mpiio::kSchema ? &kMpiio : nullptr;
}

void for_each_trace_record(const Process& process, const ModuleSchema& schema, const RecordUse& use) {
  const TraceForm& form = *trace_form_of(schema);
  if (!process.map.contents().has(ChunkKind::kTrace)) return;
  const MapPin map = *process.map;
  if (!has_trace(map, form)) return;
  const TraceSegments segments(map, form, process.shift);
  std::uint64_t most = 0;
  for (const TracedFile& file : segments.files())
    if (is_of(form, file)) most = std::max(most, segments_of(file));
  const TracePages pages(most == 0 ? 0 : dxt::kHeadBytes + most * dxt::kThreadlessBytes);
  auto* record = pages.as<std::byte>();
  if (record == nullptr) return;
  for (const TracedFile& file : segments.files()) {
    if (!is_of(form, file)) continue;
    const std::span<const Segment> accesses = segments.of(file);
    if (!accesses.empty()) use.use(use.context, {record, make_record(record, process, map, file, accesses)});
  }
}

}  // namespace trikal::log::crash

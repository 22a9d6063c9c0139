#include "report/text/trace_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/decimal.hpp"
#include "modules/dxt_mpiio/schema.hpp"
#include "modules/dxt_posix/schema.hpp"
#include "modules/lustre/stripes.hpp"
#include "schema/record_view.hpp"

namespace trikal::report {
namespace {

namespace dxt = modules::dxt;

constexpr std::size_t kLongest = 64 + 3 * kMaxIntegerText + 2 * kMaxRealText;

}  // namespace

const Trace kPosixTrace = {&modules::dxt_posix::kSchema, "X_POSIX", true};
const Trace kMpiioTrace = {&modules::dxt_mpiio::kSchema, "X_MPIIO", false};

void TraceLines::begin(Bytes head, const FileLabels& file, Bytes layout, std::size_t threads) {
  const auto rank = load<std::int64_t>(head.data() + 8);
  writes_ = load<std::uint64_t>(head.data() + dxt::kWritesAt);
  write_front_ = fmt::format("{:>8}{:>8}{:>7}", trace_.label, rank, "write");
  read_front_ = fmt::format("{:>8}{:>8}{:>7}", trace_.label, rank, "read");
  layout_ = layout;
  back_ = thread_ != Thread::kLeftOut ? "  " : trace_.shows_targets ? "   " : "";
  write_head(head, file, threads);
}

void TraceLines::write_head(Bytes head, const FileLabels& file, std::size_t threads) {
  const bool threads_told = thread_ != Thread::kLeftOut;
  out_.put(fmt::format("\n# DXT, file_id: {}, file_name: {}\n", load<std::uint64_t>(head.data()), file.name));
  out_.put(fmt::format("# DXT, rank: {}, hostname: {}\n", load<std::int64_t>(head.data() + 8),
                       field_text(head.data() + dxt::kHostAt, dxt::kHostBytes)));
  if (threads_told) out_.put(fmt::format("# DXT, number of threads: {}\n", threads));
  out_.put(fmt::format("# DXT, write_count: {}, read_count: {}\n", load<std::int64_t>(head.data() + dxt::kWritesAt),
                       load<std::int64_t>(head.data() + dxt::kReadsAt)));
  out_.put(fmt::format("# DXT, mnt_pt: {}, fs_type: {}\n", file.mount, file.type));
  if (!layout_.empty()) write_layout();
  out_.put("# Module    Rank  Wt/Rd  Segment          Offset    ");
  out_.put(threads_told ? "      Length    Start(s)      End(s)" : "   Length    Start(s)      End(s)");
  if (!layout_.empty()) out_.put("   [OST]");
  out_.put(threads_told ? "   Pthread-ID\n" : "\n");
}

void TraceLines::write_layout() {
  namespace lustre = modules::lustre;
  out_.put("# DXT, Lustre stripe components:\n");
  std::size_t k = 0;
  lustre::for_each_component(layout_, [&](const std::byte* comp, Bytes targets) {
    const auto number = [&](std::size_t at) { return load<std::int64_t>(comp + at); };
    const std::int64_t end = number(lustre::kExtEndAt);
    out_.put(fmt::format("#\t[Component {}] stripe_ext: {} - {}, stripe_size: {}, stripe_count: {}, OSTs:", ++k,
                         number(lustre::kExtStartAt), end == -1 ? "EOF" : std::to_string(end),
                         number(lustre::kStripeSizeAt), number(lustre::kStripeCountAt)));
    for (std::size_t i = 0; i < targets.size(); i += 8) {
      out_.put(" ");
      out_.put_int(load<std::int64_t>(targets.data() + i));
    }
    out_.put("\n");
  });
}

void TraceLines::write(Bytes items, std::uint64_t first) {
  const std::uint64_t count = items.size() / dxt::kSegmentBytes;
  const std::uint64_t writes = first >= writes_ ? 0 : std::min(count, writes_ - first);
  const std::size_t split = static_cast<std::size_t>(writes) * dxt::kSegmentBytes;
  write_run(items.first(split), first, write_front_);
  write_run(items.subspan(split), first + writes - writes_, read_front_);
}

void TraceLines::write_run(Bytes items, std::uint64_t index, std::string_view front) {
  const bool plain = layout_.empty() && thread_ == Thread::kLeftOut;
  for (const std::byte* at = items.data(); at < items.data() + items.size(); at += dxt::kSegmentBytes, ++index) {
    const auto segment = load<dxt::Segment>(at);
    char* to = out_.reserve(kLongest);
    std::memcpy(to, front.data(), front.size());
    to = write_int_right(to + front.size(), static_cast<std::int64_t>(index), 9);
    to = write_int_right(to, segment.offset, 16);
    to = write_int_right(to, segment.length, 16);
    to = write_fixed4_right(to, segment.start, 12);
    to = write_fixed4_right(to, segment.end, 12);
    std::memcpy(to, back_.data(), back_.size());
    to += back_.size();
    if (!plain) {
      out_.commit(to);
      write_extras(segment);
      to = out_.reserve(1);
    }
    *to++ = '\n';
    out_.commit(to);
  }
}

void TraceLines::write_extras(const dxt::Segment& segment) {
  if (!layout_.empty()) {
    modules::lustre::for_each_target(layout_, segment.offset, segment.length, [&](std::int64_t target) {
      out_.put(" [");
      out_.put_int(target);
      out_.put("]");
    });
    if (thread_ != Thread::kLeftOut) out_.put("  ");
  }
  if (thread_ == Thread::kLeftOut) return;
  const bool unknown = thread_ == Thread::kUnknown || (thread_ == Thread::kShownUnlessZero && segment.thread == 0);
  out_.put(unknown ? " N/A" : fmt::format(" {:4}", segment.thread));
}

}  // namespace trikal::report

#include "report/text/dxt.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "base/decimal.hpp"
#include "modules/dxt_mpiio/schema.hpp"
#include "modules/dxt_posix/schema.hpp"
#include "modules/lustre/stripes.hpp"
#include "report/text/log_header.hpp"
#include "report/text/lustre_layouts.hpp"
#include "schema/lens.hpp"

namespace trikal::report {
namespace {

namespace dxt = modules::dxt;

constexpr std::string_view kStars = "# ***************************************************\n";

// MPI-IO reaches a file through POSIX, so that the targets are told there.
struct Trace {
  const ModuleSchema* schema;
  std::string_view label;
  bool shows_targets;
};
constexpr Trace kTraces[] = {
    {&modules::dxt_posix::kSchema, "X_POSIX", true},
    {&modules::dxt_mpiio::kSchema, "X_MPIIO", false},
};

// Counts the threads of each record by reading the module a second time, always one record ahead of the listing:
// the number stands before the segments, and segments are too many to hold.
class ThreadCounter {
 public:
  ThreadCounter(std::unique_ptr<log::RecordStream> records, std::uint64_t memory)
      : records_(std::move(records)), most_(memory / kEntryBytes) {}

  // Different threads of the next record; as far as it can be read.
  Result<std::size_t> next() {
    threads_.clear();
    log::Batch batch;
    do {
      auto more = records_->next(batch);
      if (!more) return more.error();
      if (!*more) break;
      const Status counted = count(batch.items);
      if (!counted) return counted.error();
    } while (!batch.last);
    return threads_.size();
  }

 private:
  static constexpr std::uint64_t kEntryBytes = 64;

  Status count(Bytes items) {
    std::uint64_t last = 0;
    for (std::size_t at = 0; at < items.size(); at += dxt::kSegmentBytes) {
      const auto thread = load<std::uint64_t>(items.data() + at + offsetof(dxt::Segment, thread));
      if (at > 0 && thread == last) continue;
      last = thread;
      threads_.insert(thread);
    }
    if (threads_.size() <= most_) return {};
    return Error{.code = ErrorCode::kLimit,
                 .offset = records_->file_offset(),
                 .what = "a traced file has more threads than the limit allows to count"};
  }

  std::unique_ptr<log::RecordStream> records_;
  std::uint64_t most_;
  std::unordered_set<std::uint64_t> threads_;
};

// The lines of one module's segments. What is the same within a record is put together once.
class SegmentLines {
 public:
  enum class Thread : std::uint8_t { kLeftOut, kUnknown, kShown };

  SegmentLines(Sink& out, const Trace& trace, Thread thread) : out_(out), trace_(trace), thread_(thread) {}

  void begin(Bytes head, Bytes layout) {
    const auto rank = load<std::int64_t>(head.data() + 8);
    writes_ = load<std::uint64_t>(head.data() + dxt::kWritesAt);
    write_front_ = fmt::format("{:>8}{:>8}{:>7}", trace_.label, rank, "write");
    read_front_ = fmt::format("{:>8}{:>8}{:>7}", trace_.label, rank, "read");
    layout_ = layout;
    back_ = thread_ != Thread::kLeftOut ? "  " : trace_.shows_targets ? "   " : "";
  }

  // `first` is the number of the first of these segments in its record.
  void write(Bytes items, std::uint64_t first) {
    const std::uint64_t count = items.size() / dxt::kSegmentBytes;
    const std::uint64_t writes = first >= writes_ ? 0 : std::min(count, writes_ - first);
    const std::size_t split = static_cast<std::size_t>(writes) * dxt::kSegmentBytes;
    write_run(items.first(split), first, write_front_);
    write_run(items.subspan(split), first + writes - writes_, read_front_);
  }

 private:
  static constexpr std::size_t kLongest = 64 + 3 * kMaxIntegerText + 2 * kMaxRealText;

  void write_run(Bytes items, std::uint64_t index, std::string_view front) {
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

  void write_extras(const dxt::Segment& segment) {
    if (!layout_.empty()) {
      modules::lustre::for_each_target(layout_, segment.offset, segment.length, [&](std::int64_t target) {
        out_.put(" [");
        out_.put_int(target);
        out_.put("]");
      });
      if (thread_ != Thread::kLeftOut) out_.put("  ");
    }
    if (thread_ == Thread::kUnknown) out_.put(" N/A");
    if (thread_ == Thread::kShown) out_.put(fmt::format(" {:4}", segment.thread));
  }

  Sink& out_;
  const Trace& trace_;
  Thread thread_;
  std::uint64_t writes_ = 0;
  Bytes layout_;
  std::string write_front_, read_front_;
  std::string_view back_;
};

class TraceLister {
 public:
  TraceLister(Sink& out, log::Reader& reader, const TraceOptions& options, Notices& notices)
      : out_(out), reader_(reader), options_(options), notices_(notices) {}

  Status write() {
    write_log_header(out_, reader_);
    bool any = false;
    for (const Trace& trace : kTraces) {
      const ModuleId id = trace.schema->id;
      if (reader_.header().modules[id].length == 0 && !reader_.header().is_partial(id)) continue;
      if (!any) {
        const Status loaded = layouts_.load(reader_);
        if (!loaded) return loaded;
      }
      any = true;
      const Status written = write_module(trace);
      if (!written) return written;
    }
    if (!any) out_.put("\n# no DXT module data available for this Darshan log.\n");
    return {};
  }

 private:
  Status write_module(const Trace& trace) {
    const ModuleId id = trace.schema->id;
    out_.put("\n");
    out_.put(kStars);
    out_.put(fmt::format("# {} module data\n", trace.schema->name));
    out_.put(kStars);
    if (reader_.header().is_partial(id)) {
      const Status accepted = accept_incomplete(out_, *trace.schema, options_.show_incomplete, notices_);
      if (!accepted) return accepted;
    }
    if (reader_.header().modules[id].length == 0) return {};
    auto records = reader_.records(id);
    if (!records) return records.error();
    // Only the newest records know threads.
    const bool knows_threads = reader_.header().module_versions[id] == trace.schema->version;
    if (!options_.threads || !knows_threads) return write_records(trace, **records, nullptr);
    auto ahead = reader_.records(id);
    if (!ahead) return ahead.error();
    ThreadCounter counter(std::move(*ahead), reader_.options().limits.memory);
    return write_records(trace, **records, &counter);
  }

  Status write_records(const Trace& trace, log::RecordStream& records, ThreadCounter* counter) {
    using Thread = SegmentLines::Thread;
    auto names = reader_.names();
    if (!names) return names.error();
    SegmentLines lines(out_, trace,
                       !options_.threads    ? Thread::kLeftOut
                       : counter == nullptr ? Thread::kUnknown
                                            : Thread::kShown);
    for (log::Batch batch; out_.wanted();) {
      auto more = records.next(batch);
      if (!more) return more.error();
      if (!*more) break;
      if (batch.first_item == 0) {
        Result<std::size_t> threads = std::size_t{1};
        if (counter != nullptr) threads = counter->next();
        if (!threads) return threads.error();
        const Bytes layout = trace.shows_targets ? layouts_.find(load<std::uint64_t>(batch.bytes.data())) : Bytes{};
        write_head(batch.bytes, **names, layout, *threads);
        lines.begin(batch.bytes, layout);
      }
      lines.write(batch.items, batch.first_item);
    }
    return {};
  }

  void write_head(Bytes head, const log::NameTable& names, Bytes layout, std::size_t threads) {
    const auto id = load<std::uint64_t>(head.data());
    const std::string_view name = names.name_of(id, "(null)");
    const log::Mount* mount = reader_.job().mount_of(name);
    out_.put(fmt::format("\n# DXT, file_id: {}, file_name: {}\n", id, name));
    out_.put(fmt::format("# DXT, rank: {}, hostname: {}\n", load<std::int64_t>(head.data() + 8),
                         field_text(head.data() + dxt::kHostAt, dxt::kHostBytes)));
    if (options_.threads) out_.put(fmt::format("# DXT, number of threads: {}\n", threads));
    out_.put(fmt::format("# DXT, write_count: {}, read_count: {}\n", load<std::int64_t>(head.data() + dxt::kWritesAt),
                         load<std::int64_t>(head.data() + dxt::kReadsAt)));
    out_.put(fmt::format("# DXT, mnt_pt: {}, fs_type: {}\n", mount != nullptr ? mount->path : "UNKNOWN",
                         mount != nullptr ? mount->type : "UNKNOWN"));
    if (!layout.empty()) write_layout(layout);
    out_.put("# Module    Rank  Wt/Rd  Segment          Offset    ");
    out_.put(options_.threads ? "      Length    Start(s)      End(s)" : "   Length    Start(s)      End(s)");
    if (!layout.empty()) out_.put("   [OST]");
    out_.put(options_.threads ? "   Pthread-ID\n" : "\n");
  }

  void write_layout(Bytes layout) {
    namespace lustre = modules::lustre;
    out_.put("# DXT, Lustre stripe components:\n");
    std::size_t k = 0;
    lustre::for_each_component(layout, [&](const std::byte* comp, Bytes targets) {
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

  Sink& out_;
  log::Reader& reader_;
  const TraceOptions& options_;
  Notices& notices_;
  LustreLayouts layouts_;
};

}  // namespace

Status write_traces(Sink& out, log::Reader& reader, const TraceOptions& options, Notices& notices) {
  return TraceLister(out, reader, options, notices).write();
}

}  // namespace trikal::report

#include "report/text/dxt.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "base/keyed_hash.hpp"
#include "log/trailer/segment_threads.hpp"
#include "modules/dxt/segments.hpp"
#include "report/text/log_header.hpp"
#include "report/text/lustre_layouts.hpp"
#include "report/text/thinned.hpp"
#include "report/text/trace_lines.hpp"

namespace trikal::report {
namespace {

namespace dxt = modules::dxt;

constexpr std::string_view kStars = "# ***************************************************\n";

// Counts the threads of each record by reading the module a second time, always one record ahead of the listing:
// the number stands before the segments, and segments are too many to hold.
class ThreadCounter {
 public:
  ThreadCounter(std::unique_ptr<log::RecordStream> records, std::uint64_t memory, bool zero_is_unknown)
      : records_(std::move(records)), most_(memory / kEntryBytes), zero_is_unknown_(zero_is_unknown) {}

  // Different threads of the next record; as far as it can be read. Where some are not known, there was at least one.
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
    if (!zero_is_unknown_) return threads_.size();
    threads_.erase(0);
    return std::max<std::size_t>(1, threads_.size());
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
  bool zero_is_unknown_;
  std::unordered_set<std::uint64_t, KeyedHash> threads_;
};

class TraceLister {
 public:
  TraceLister(Sink& out, log::Reader& reader, const TraceOptions& options, Notices& notices)
      : out_(out), reader_(reader), options_(options), notices_(notices) {}

  Status write() {
    note_thinned(out_, reader_, notices_);
    write_log_header(out_, reader_);
    bool any = false;
    for (const Trace* each : {&kPosixTrace, &kMpiioTrace}) {
      const Trace& trace = *each;
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
  using Thread = TraceLines::Thread;

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
    if (!records) return reader_.tolerate(std::string(trace.schema->name), records.error());
    const Thread thread = threads_of(*trace.schema);
    if (thread == Thread::kLeftOut || thread == Thread::kUnknown)
      return write_records(trace, thread, **records, nullptr);
    auto ahead = reader_.records(id);
    if (!ahead) return ahead.error();
    ThreadCounter counter(std::move(*ahead), reader_.options().limits.memory, thread == Thread::kShownUnlessZero);
    return write_records(trace, thread, **records, &counter);
  }

  // The newest records know their threads; for older ones the trailer may.
  [[nodiscard]] Thread threads_of(const ModuleSchema& schema) {
    if (!options_.threads) return Thread::kLeftOut;
    if (reader_.header().module_versions[schema.id] == schema.version) return Thread::kShown;
    const log::Trailer* trailer = reader_.trailer();
    const bool kept = trailer != nullptr && trailer->find(log::kSegmentThreadsSection.name) != nullptr;
    return kept ? Thread::kShownUnlessZero : Thread::kUnknown;
  }

  Status write_records(const Trace& trace, Thread thread, log::RecordStream& records, ThreadCounter* counter) {
    auto names = reader_.names();
    if (!names) return names.error();
    TraceLines lines(out_, trace, thread);
    for (log::Batch batch; out_.wanted();) {
      auto more = records.next(batch);
      if (!more) return more.error();
      if (!*more) break;
      if (batch.first_item == 0) {
        Result<std::size_t> threads = std::size_t{1};
        if (counter != nullptr) threads = counter->next();
        if (!threads) return threads.error();
        const auto id = load<std::uint64_t>(batch.bytes.data());
        const std::string_view name = (*names)->name_of(id, "(null)");
        const Bytes layout = trace.shows_targets ? layouts_.find(id) : Bytes{};
        const log::Mount* mount = reader_.job().mount_of(name);
        if (mount != nullptr) lines.begin(batch.bytes, {name, mount->path, mount->type}, layout, *threads);
        else lines.begin(batch.bytes, {name, "UNKNOWN", "UNKNOWN"}, layout, *threads);
      }
      lines.write(batch.items, batch.first_item);
    }
    return {};
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

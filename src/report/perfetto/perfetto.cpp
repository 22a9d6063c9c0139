#include "report/perfetto/perfetto.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "report/json/writer.hpp"
#include "report/perfetto/lanes.hpp"

namespace trikal::report {
namespace {

// Times beyond a century, and those that are no number, are cut: differences must fit 64 bits of nanoseconds.
std::int64_t nanoseconds(double seconds) {
  constexpr double kMost = 4.6e9;
  if (std::isnan(seconds)) return 0;
  return std::llround(std::clamp(seconds, -kMost, kMost) * 1e9);
}

// What the format counts in; a real number of them keeps the nanoseconds of any job shorter than three months.
double microseconds(std::int64_t nanos) { return static_cast<double>(nanos) / 1000; }

// The cells of one column of the chunk at hand, by the column's name.
class Cells {
 public:
  Cells(const log::TableInfo& table, const Chunk& chunk, std::string_view name)
      : data_(chunk.columns()[table.find(name)]) {}
  [[nodiscard]] std::int64_t integer(std::size_t row) const { return static_cast<std::int64_t>(data_.words[row]); }
  [[nodiscard]] std::uint64_t natural(std::size_t row) const { return data_.words[row]; }
  [[nodiscard]] double real(std::size_t row) const { return std::bit_cast<double>(data_.words[row]); }
  [[nodiscard]] std::string_view text(std::size_t row) const {
    return data_.has(row) ? data_.text_at(row) : "(no name)";
  }

 private:
  const ColumnData& data_;
};

// What traces and timelines have in common: a document of events, and processes that are ranks.
class TraceDocument {
 public:
  explicit TraceDocument(Sink& out) : json_(out) {
    json_.open_object();
    json_.field("displayTimeUnit", "ms");
    json_.key("traceEvents");
    json_.open_array();
  }
  void close() { json_.close(), json_.close(); }

  // Begins an event and its arguments; the caller adds fields and calls end_event.
  JsonWriter& event(std::string_view phase, std::string_view name, std::int64_t rank, std::uint64_t thread) {
    name_rank(rank);
    return begin(phase, name, rank, thread);
  }
  void begin_arguments() { json_.key("args"), json_.open_object(); }
  void end_event() { json_.close(), json_.close(); }

  void name_thread(std::int64_t rank, std::uint64_t thread, std::string_view name) {
    name_rank(rank);
    tell("thread_name", rank, thread, "name", name);
  }

 private:
  JsonWriter& begin(std::string_view phase, std::string_view name, std::int64_t rank, std::uint64_t thread) {
    json_.line();
    json_.open_object();
    json_.field("ph", phase);
    json_.field("name", name);
    json_.field("pid", process_of(rank));
    json_.field("tid", thread);
    return json_;
  }

  template <class T>
  void tell(std::string_view what, std::int64_t rank, std::uint64_t thread, std::string_view key, const T& value) {
    begin("M", what, rank, thread);
    begin_arguments();
    json_.field(key, value);
    end_event();
  }

  // Viewers take 32 bits and no sign: the record of all ranks gets a number of its own.
  static std::int64_t process_of(std::int64_t rank) { return rank < 0 ? 0x7fffffff : rank & 0x7fffffff; }

  void name_rank(std::int64_t rank) {
    if (!named_.insert(rank).second) return;
    const std::string name = rank < 0 ? "all ranks" : "rank " + std::to_string(rank);
    tell("process_name", rank, 0, "name", name);
    tell("process_sort_index", rank, 0, "sort_index", process_of(rank));
  }

  JsonWriter json_;
  std::set<std::int64_t> named_;
};

// Segments of traces. A file's segments of one rank come in one run, writes first.
class TraceEvents {
 public:
  explicit TraceEvents(TraceDocument& document) : document_(document) {}

  void add(const log::TableInfo& table, const Chunk& chunk) {
    const Cells id(table, chunk, "record_id");
    const Cells rank(table, chunk, "rank");
    const Cells name(table, chunk, "name");
    const Cells direction(table, chunk, "direction");
    const Cells offset(table, chunk, "offset");
    const Cells length(table, chunk, "length");
    const Cells start(table, chunk, "start_time");
    const Cells end(table, chunk, "end_time");
    const Cells thread(table, chunk, "thread");
    for (std::size_t row = 0; row < chunk.rows(); ++row) {
      const std::string_view way = direction.text(row);
      follow({table.module, id.natural(row), rank.integer(row), way == "write"});
      const std::int64_t from = nanoseconds(start.real(row));
      const std::int64_t until = std::max(from, nanoseconds(end.real(row)));
      const std::uint64_t track =
          track_of(table, rank.integer(row), way, name.text(row), thread.natural(row), from, until);
      JsonWriter& event = document_.event("X", way, rank.integer(row), track);
      event.field("cat", table.module->schema->name);
      event.field("ts", microseconds(from));
      event.field("dur", microseconds(until - from));
      document_.begin_arguments();
      event.field("offset", offset.integer(row));
      event.field("length", length.integer(row));
      event.field("file", name.text(row));
      document_.end_event();
    }
  }

 private:
  struct Run {
    const ModuleFormat* module = nullptr;
    std::uint64_t id = 0;
    std::int64_t rank = 0;
    bool writes = false;
    friend bool operator==(const Run&, const Run&) = default;
  };

  void follow(const Run& run) {
    if (run == run_) return;
    run_ = run;
    first_track_ += lanes_.size();
    lanes_.clear();
  }

  std::uint64_t track_of(const log::TableInfo& table, std::int64_t rank, std::string_view way, std::string_view file,
                         std::uint64_t thread, std::int64_t from, std::int64_t until) {
    const std::size_t known = lanes_.size();
    const std::size_t lane = lanes_.lane_for(thread, from, until);
    if (lanes_.size() > known) {
      std::string name = std::string(table.module->schema->name) + " " + std::string(way) + " " + std::string(file);
      if (thread != 0) name += " thread " + std::to_string(thread);
      document_.name_thread(rank, first_track_ + lane, name);
    }
    return first_track_ + lane;
  }

  TraceDocument& document_;
  Lanes lanes_;
  Run run_;
  std::uint64_t first_track_ = 1;
};

// Slices of heatmaps. A counter holds until its next event, so only changes are written, and an end.
class TimelineEvents {
 public:
  explicit TimelineEvents(TraceDocument& document) : document_(document) {}

  void add(const log::TableInfo& table, const Chunk& chunk) {
    const Cells id(table, chunk, "record_id");
    const Cells rank(table, chunk, "rank");
    const Cells name(table, chunk, "name");
    const Cells start(table, chunk, "start_time");
    const Cells width(table, chunk, "width");
    const Cells read(table, chunk, "read_bytes");
    const Cells write(table, chunk, "write_bytes");
    for (std::size_t row = 0; row < chunk.rows(); ++row) {
      const bool same = open_ && id.natural(row) == id_ && rank.integer(row) == rank_;
      if (!same) {
        end();
        id_ = id.natural(row), rank_ = rank.integer(row), name_ = name.text(row), open_ = true;
      }
      if (!same || read.integer(row) != read_ || write.integer(row) != write_) {
        put(nanoseconds(start.real(row)), read.integer(row), write.integer(row));
      }
      end_ = nanoseconds(start.real(row) + width.real(row));
    }
  }

  void end() {
    if (open_ && (read_ != 0 || write_ != 0)) put(end_, 0, 0);
    open_ = false;
  }

 private:
  void put(std::int64_t when, std::int64_t read, std::int64_t write) {
    read_ = read, write_ = write;
    JsonWriter& event = document_.event("C", name_, rank_, 0);
    event.field("ts", microseconds(when));
    document_.begin_arguments();
    event.field("read", read);
    event.field("write", write);
    document_.end_event();
  }

  TraceDocument& document_;
  std::uint64_t id_ = 0;
  std::int64_t rank_ = 0;
  std::string name_;
  std::int64_t read_ = 0, write_ = 0, end_ = 0;
  bool open_ = false;
};

// One pass over a table; tables without the wanted role are left alone.
template <class Events>
ExportStatus add_table(log::Reader& reader, const log::TableInfo& table, const log::TableOptions& options, Sink& out,
                       Progress& progress, Events& events) {
  auto rows = log::open_table(reader, table, options);
  if (!rows) return {.read = rows.error()};
  Chunk chunk;
  for (std::uint64_t count = 0;; count += chunk.rows()) {
    progress.at(table.name, count);
    auto more = (*rows)->next(chunk);
    if (!more) return {.read = more.error()};
    if (!*more) return {};
    events.add(table, chunk);
    if (!out.wanted()) return {.written = out.flush()};
  }
}

template <class Events>
ExportStatus add_tables(TableRole role, log::Reader& reader, std::span<const log::TableInfo> tables,
                        const log::TableOptions& options, Sink& out, Progress& progress, Events& events) {
  for (const log::TableInfo& table : tables) {
    if (table.role != role) continue;
    const ExportStatus status = add_table(reader, table, options, out, progress, events);
    if (!status.read.ok() || !status.written.ok()) return status;
  }
  return {};
}

}  // namespace

ExportStatus write_perfetto(log::Reader& reader, std::span<const log::TableInfo> tables,
                            const log::TableOptions& options, TableOutput& output, Progress& progress) {
  const auto has = [&](TableRole role) {
    return std::ranges::any_of(tables, [=](const auto& t) { return t.role == role; });
  };
  const bool traced = has(TableRole::kTrace);
  if (!traced && !has(TableRole::kTimeline)) return {.read = Error{.code = ErrorCode::kMissing, .what = kNoTimes}};
  auto opened = output.open("");
  if (!opened) return {.written = opened.error()};
  Sink& out = **opened;
  TraceDocument document(out);
  ExportStatus status;
  if (traced) {
    TraceEvents events(document);
    status = add_tables(TableRole::kTrace, reader, tables, options, out, progress, events);
  } else {
    TimelineEvents events(document);
    status = add_tables(TableRole::kTimeline, reader, tables, options, out, progress, events);
    events.end();
  }
  if (!status.read.ok() || !status.written.ok()) return status;
  document.close();
  out.put("\n");
  return {.written = output.close()};
}

}  // namespace trikal::report

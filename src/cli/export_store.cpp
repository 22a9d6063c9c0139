#include "cli/export_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <unordered_map>

#include "base/hash.hpp"
#include "base/keyed_hash.hpp"
#include "base/utf8.hpp"
#include "cli/complain.hpp"
#include "cli/verb.hpp"
#include "report/ldms/writer.hpp"
#include "report/output.hpp"
#include "store/store.hpp"

namespace trikal::cli {
namespace {

namespace ldms = report::ldms;
using log::crash::Operation;
using storage::EventQuery;
using storage::Store;
using storage::StoredEvent;

// What of the run is wanted, what there is of it, and which calls have no event.
struct Extent {
  std::optional<std::uint64_t> run;
  std::uint64_t dropped = 0, sampled_out = 0, deleted = 0;
};

class StoreExport {
 public:
  StoreExport(Store& store, const StoreExportOptions& options)
      : store_(store), options_(options), messages_(options.dialect, options.modules) {}

  Status write(const EventQuery& query, report::Sink& out) {
    if (options_.csv) ldms::put_csv_header(out, options_.dialect);
    return store_.events(query, [&](const StoredEvent& event) { return put(event, out), out.wanted(); });
  }

 private:
  struct File {
    std::string name;
    std::size_t data_set_bytes = 0;
  };

  const ldms::Process* process_of(std::uint64_t key) {
    const auto [known, is_new] = processes_.try_emplace(key);
    if (is_new) {
      if (const auto found = store_.process(key))
        known->second =
            ldms::Process{found->uid, found->job, found->start.value_or(ldms::kNoTime), found->host, found->program};
    }
    return known->second ? &*known->second : nullptr;
  }

  const File& file_of(std::uint64_t key) {
    const auto [known, is_new] = files_.try_emplace(key);
    if (!is_new) return known->second;
    known->second.name = store_.file_name(key).value_or("");
    const auto is_file = [this](std::string_view name) { return store_.file_name(record_id(name)).has_value(); };
    known->second.data_set_bytes = ldms::data_set_of(known->second.name, is_file).size();
    return known->second;
  }

  void name(const StoredEvent& stored, ldms::Event& event) {
    const auto role = ldms::role_of(event.operation);
    const File& file = file_of(stored.file);
    event.name = file.name;
    if (role && role->module == ldms::Module::kH5d)
      event.data_set = event.name.substr(event.name.size() - file.data_set_bytes);
  }

  void put(const StoredEvent& stored, report::Sink& out) {
    ldms::Event event;
    event.operation = Operation{stored.operation_number};
    if (!messages_.needs(event.operation)) return;
    event.process_number = stored.process, event.process = process_of(stored.process);
    event.rank = stored.own_rank, event.file = stored.file;
    event.begin = stored.time, event.duration = stored.duration;
    event.offset = stored.offset, event.length = stored.length;
    if (const stream::EventDetails* details = stored.details) {
      event.highest_read = details->highest_read, event.highest_written = details->highest_written;
      event.switches = details->switches, event.flushes = details->flushes;
      event.point_selects = details->point_selects, event.regular_selects = details->regular_selects;
      event.irregular_selects = details->irregular_selects;
      event.dimensions = details->dimensions, event.dataset_elements = details->dataset_elements;
    }
    name(stored, event);
    ldms::Message message;
    if (!messages_.make(event, message)) return;
    if (options_.csv) ldms::put_csv(out, options_.dialect, message);
    else ldms::put_json(out, options_.dialect, message);
  }

  Store& store_;
  const StoreExportOptions& options_;
  ldms::Messages messages_;
  std::unordered_map<std::uint64_t, std::optional<ldms::Process>, KeyedHash> processes_;
  std::unordered_map<std::uint64_t, File, KeyedHash> files_;
};

std::uint64_t count_in(const storage::Row& row, std::size_t column) {
  const auto* number = column < row.size() ? std::get_if<std::int64_t>(&row[column]) : nullptr;
  return number == nullptr ? 0 : static_cast<std::uint64_t>(*number);
}

// Nothing: there is no such run.
std::optional<Extent> extent_of(Store& store, std::int64_t run) {
  Extent extent;
  if (run != 0 && !(extent.run = store.panels().run_key(run))) return std::nullopt;
  const auto counts = store.panels().event_counts(run);
  if (!counts) return extent;
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(counts->columns, name) - counts->columns.begin());
  };
  const std::size_t dropped = column("dropped"), sampled_out = column("sampled_out"), deleted = column("deleted");
  for (const storage::Row& row : counts->rows) {
    extent.dropped += count_in(row, dropped), extent.sampled_out += count_in(row, sampled_out);
    extent.deleted += count_in(row, deleted);
  }
  return extent;
}

void tell_missing(const StoreExportOptions& options, const Extent& extent) {
  if (extent.dropped == 0 && extent.sampled_out == 0 && extent.deleted == 0) return;
  const std::string deleted = extent.deleted == 0 ? "" : fmt::format(", {} deleted", extent.deleted);
  warn(options.path, fmt::format("{} events were dropped, {} not sampled{}: cnt and total are those of the events in "
                                 "the store",
                                 extent.dropped, extent.sampled_out, deleted));
}

}  // namespace

bool is_store(const std::string& path) {
  if (path.starts_with("sqlite:")) return true;
  std::array<char, 16> begin = {};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  return std::memcmp(begin.data(), "SQLite format 3", begin.size()) == 0;
}

int export_store(const StoreExportOptions& options) {
  auto store = Store::open(Store::url_of(options.path), Store::Mode::kRead);
  if (!store) return complain(options.path, store.error());
  const auto extent = extent_of(**store, options.run);
  if (!extent) return warn(options.path, fmt::format("there is no run {}", options.run)), kUsage;
  auto output = report::open_file_or_standard_output(options.output,
                                                     options.force ? report::Replace::kYes : report::Replace::kNo);
  if (!output) return complain(options.output, output.error());
  const std::string output_name = options.output == "-" ? "standard output" : options.output;
  auto out = (*output)->open("events");
  if (!out) return complain(output_name, out.error());
  EventQuery query;
  query.run = extent->run, query.order = EventQuery::Order::kStored;
  const Status read = StoreExport(**store, options).write(query, **out);
  if (read || options.salvage) {
    if (const Status written = (*output)->close(); !written) return complain(output_name, written.error());
  }
  if (!read && read.error().code == ErrorCode::kDamaged)
    return warn(options.path, fmt::format("{}: {}", read.error().what, printable((*store)->message()))), kDamaged;
  if (!read) return complain(options.path, read.error());
  tell_missing(options, *extent);
  return kOk;
}

}  // namespace trikal::cli

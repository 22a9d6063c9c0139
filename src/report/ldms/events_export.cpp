#include "report/ldms/events_export.hpp"

#include "base/hash.hpp"
#include "report/ldms/writer.hpp"

namespace trikal::report::ldms {
namespace {

using Lines = EventLinesReader::Lines;
using Damage = EventLinesReader::Damage;

Error damaged(const char* what) { return {.code = ErrorCode::kDamaged, .what = what}; }

std::uint64_t count_in(const FlatObject& line, std::string_view name) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(line.number(name).value_or(0), 0));
}

void read_details(const FlatObject& line, Event& event) {
  const auto read = [&](std::string_view name, std::int64_t& value) { value = line.number(name).value_or(kUnknown); };
  read("highest_read", event.highest_read), read("highest_written", event.highest_written);
  read("switches", event.switches), read("flushes", event.flushes);
  read("point_selects", event.point_selects), read("regular_selects", event.regular_selects);
  read("irregular_selects", event.irregular_selects);
  read("dimensions", event.dimensions), read("dataset_elements", event.dataset_elements);
}

}  // namespace

Status EventsExport::learn_file(const FlatObject& line) {
  const auto id = line.number_in_text("file");
  auto name = line.text("name");
  if (!id || !name) return damaged("the name of a file that has no number, or no name");
  files_.try_emplace(*id, File{std::move(*name)});
  return {};
}

Status EventsExport::learn_process(const FlatObject& line) {
  const auto number = line.number("process");
  if (!number) return damaged("facts of a process that has no number");
  processes_[static_cast<std::uint64_t>(*number)] = {.uid = line.number("uid").value_or(kUnknown),
                                                     .job_id = line.number("job").value_or(kUnknown),
                                                     .start = line.number("start").value_or(kNoTime),
                                                     .node = line.text("node").value_or(""),
                                                     .program = line.text("program").value_or("")};
  return {};
}

Status EventsExport::learn(const FlatObject& line) {
  if (line.is("type", "file")) return learn_file(line);
  if (line.is("type", "program")) return learn_process(line);
  if (line.is("type", "totals"))
    missing_ = {count_in(line, "dropped"), count_in(line, "sampled_out"), count_in(line, "filtered")};
  return {};
}

// When all names are known: a name may have the separator in it more than once.
void EventsExport::find_data_sets() {
  const auto is_file = [this](std::string_view name) { return files_.contains(record_id(name)); };
  for (auto& [id, file] : files_) file.data_set_bytes = data_set_of(file.name, is_file).size();
}

Status EventsExport::read_event(const FlatObject& line, Event& event) const {
  const auto process = line.number("process"), rank = line.number("rank"), begin = line.number("begin"),
             duration = line.number("duration"), offset = line.number("offset"), length = line.number("length");
  const auto file = line.number_in_text("file");
  if (!process || !rank || !begin || !duration || !offset || !length || !file)
    return damaged("an event without one of its numbers");
  event.process_number = static_cast<std::uint64_t>(*process), event.rank = *rank, event.file = *file;
  event.begin = *begin, event.duration = *duration, event.offset = *offset, event.length = *length;
  read_details(line, event);
  return {};
}

void EventsExport::name_event(Event& event) const {
  if (const auto process = processes_.find(event.process_number); process != processes_.end())
    event.process = &process->second;
  const auto file = files_.find(event.file);
  if (file == files_.end()) return;
  event.name = file->second.name;
  const auto role = role_of(event.operation);
  if (role && role->module == Module::kH5d)
    event.data_set = event.name.substr(event.name.size() - file->second.data_set_bytes);
}

Status EventsExport::put(const FlatObject& line, Sink& out) {
  if (!line.is("type", "event")) return {};
  const auto word = line.raw_text("operation");
  if (!word) return {};  // of a module that the connector knows nothing of
  const auto operation = operation_named(*word);
  if (!operation) return damaged("an event with an operation that does not exist");
  Event event;
  event.operation = *operation;
  if (!messages_.needs(*operation)) return {};
  if (Status read = read_event(line, event); !read) return read;
  name_event(event);
  Message message;
  if (!messages_.make(event, message)) return {};
  if (options_.format == Format::kJson) put_json(out, options_.dialect, message);
  else put_csv(out, options_.dialect, message);
  return {};
}

ExportStatus EventsExport::write(EventLinesReader& reader, TableOutput& output) {
  ExportStatus status;
  status.read =
      reader.for_each(Lines::kAllButEvents, options_.damage, [this](const auto& line) { return learn(line); });
  const bool is_events = status.read.ok() || status.read.error().code == ErrorCode::kDamaged ||
                         status.read.error().code == ErrorCode::kTruncated;
  if (!status.read.ok() && (options_.damage == Damage::kEnds || !is_events)) return status;
  find_data_sets();
  auto out = output.open("events");
  if (!out) return {.read = status.read, .written = out.error()};
  if (options_.format == Format::kCsv) put_csv_header(**out, options_.dialect);
  // Nobody who has gone away is written to; the second status has what is wrong with events as well.
  const Status read = reader.for_each(Lines::kAll, options_.damage, [&](const auto& line) -> Status {
    return (*out)->wanted() ? put(line, **out) : Status{};
  });
  if (!read.ok()) status.read = read;
  if (status.read.ok() || options_.damage == Damage::kSkipped) status.written = output.close();
  return status;
}

}  // namespace trikal::report::ldms

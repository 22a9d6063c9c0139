#include "report/json/events.hpp"

#include "log/crash/operation.hpp"
#include "report/json/writer.hpp"

namespace trikal::report {
namespace {

constexpr std::uint64_t kVersion = 1;

// A line with what `fill` puts into its object.
template <class Fill>
void line(Sink& out, std::string_view type, const Fill& fill) {
  JsonWriter json(out);
  json.open_object();
  json.field("type", type);
  fill(json);
  json.close();
  out.put("\n");
}

void put_counts(JsonWriter& json, const EventTotals& totals) {
  json.field("emitted", totals.stored + totals.dropped());
  json.field("stored", totals.stored);
  json.field("dropped", totals.dropped());
  json.field("dropped_ring_full", totals.ring_full);
  json.field("dropped_without_ring", totals.without_ring);
  json.field("dropped_without_file", totals.without_file);
  json.field("sampled_out", totals.sampled_out);
  json.field("filtered", totals.filtered);
}

}  // namespace

void EventLines::put_head(std::span<const std::string> command, std::string_view asked) {
  line(out_, "head", [&](JsonWriter& json) {
    json.field("version", kVersion);
    json.key("command");
    json.open_array();
    for (const std::string& argument : command) json.value(std::string_view(argument));
    json.close();
    json.field("events", asked);
  });
}

void EventLines::put_process(const EventProcess& process) {
  line(out_, "process", [&](JsonWriter& json) {
    json.field("process", process.number);
    json.field("pid", process.identity->pid);
    json.field("start_ticks", process.identity->start_ticks);
    json.field("generation", std::uint64_t{process.identity->generation});
    json.field("sample", std::uint64_t{process.sample});
  });
}

// By hand: there may be a million of them each second.
void EventLines::put_event(std::uint64_t process, const stream::EventRecord& event,
                           const stream::EventDetails* details) {
  const auto number = [this](std::string_view name, auto value) {
    out_.put(name);
    if constexpr (std::is_signed_v<decltype(value)>) out_.put_int(value);
    else out_.put_uint(value);
  };
  number(R"({"type":"event","process":)", process);
  number(R"(,"thread":)", std::uint64_t{event.thread});
  number(R"(,"sequence":)", std::uint64_t{event.sequence});
  number(R"(,"rank":)", std::int64_t{event.rank});
  if (event.operation < log::crash::kOperations) {
    const log::crash::Operation operation{event.operation};
    out_.put(R"(,"interface":")"), out_.put(log::crash::interface_of(operation));
    out_.put(R"(","operation":")"), out_.put(log::crash::word_of(operation)), out_.put("\"");
  } else {
    number(R"(,"interface":null,"operation":)", std::uint64_t{event.operation});
  }
  number(R"(,"file":")", event.file);
  number(R"(","begin":)", event.begin);
  number(R"(,"duration":)", event.duration);
  number(R"(,"offset":)", event.offset);
  number(R"(,"length":)", event.length);
  if (event.call_site != 0) {
    number(R"(,"object":)", event.call_site >> stream::kObjectShift);
    number(R"(,"address":)", event.call_site & ((std::uint64_t{1} << stream::kObjectShift) - 1));
  }
  if (details != nullptr) put_details(*details);
  out_.put("}\n");
}

void EventLines::put_details(const stream::EventDetails& details) {
  const auto number = [this](std::string_view name, std::int64_t value) { out_.put(name), out_.put_int(value); };
  number(R"(,"highest_read":)", details.highest_read);
  number(R"(,"highest_written":)", details.highest_written);
  number(R"(,"switches":)", details.switches);
  number(R"(,"flushes":)", details.flushes);
  if (details.dimensions < 0) return;
  constexpr std::string_view kSelections[] = {"whole", "points", "regular", "irregular"};
  out_.put(R"(,"selection":")");
  out_.put(details.selection < std::size(kSelections) ? kSelections[details.selection] : "unknown");
  number(R"(","selected":)", details.selected);
  number(R"(,"dimensions":)", details.dimensions);
  number(R"(,"dataset_elements":)", details.dataset_elements);
  number(R"(,"point_selects":)", details.point_selects);
  number(R"(,"regular_selects":)", details.regular_selects);
  number(R"(,"irregular_selects":)", details.irregular_selects);
}

void EventLines::put_program(std::uint64_t process, const EventProgram& program) {
  line(out_, "program", [&](JsonWriter& json) {
    json.field("process", process);
    json.field("uid", program.uid);
    json.field("job", program.job_id);
    json.field("start", program.start);
    json.field("node", program.node);
    json.field("program", program.program);
  });
}

void EventLines::put_file(std::uint64_t id, std::string_view name) {
  line(out_, "file", [&](JsonWriter& json) {
    json.field("file", std::string_view(std::to_string(id)));
    json.field("name", name);
  });
}

void EventLines::put_operation(std::uint64_t process, std::uint32_t number, std::string_view interface,
                               std::string_view word) {
  line(out_, "operation", [&](JsonWriter& json) {
    json.field("process", process);
    json.field("number", std::uint64_t{number});
    json.field("interface", interface);
    json.field("operation", word);
  });
}

void EventLines::put_object(std::uint64_t process, std::uint64_t number, std::string_view path) {
  line(out_, "object", [&](JsonWriter& json) {
    json.field("process", process);
    json.field("object", number);
    json.field("path", path);
  });
}

void EventLines::put_thread(std::uint64_t process, std::uint32_t thread, const EventTotals& totals) {
  line(out_, "thread", [&](JsonWriter& json) {
    json.field("process", process);
    json.field("thread", std::uint64_t{thread});
    put_counts(json, totals);
  });
}

void EventLines::put_totals(const EventTotals& totals, std::uint64_t processes, std::uint64_t refused) {
  line(out_, "totals", [&](JsonWriter& json) {
    put_counts(json, totals);
    json.field("processes", processes);
    json.field("files_refused", refused);
  });
}

}  // namespace trikal::report

#include "report/text/line_differences.hpp"

#include <fmt/format.h>

#include <unordered_set>

namespace trikal::report {

using analyze::Change;
using analyze::RecordPair;
using analyze::Side;
using analyze::Value;

namespace {

// As every listing writes them.
std::string listed(const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *i);
  if (const auto* u = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *u);
  if (const auto* d = std::get_if<double>(&value)) return fmt::format("{:f}", *d);
  if (const auto* s = std::get_if<std::string>(&value)) return *s;
  return "";
}

void list_table(const ModuleSchema& schema, const std::byte* record, ValueSink& sink) {
  const std::byte* at = record + schema.counters_at;
  for (const Counter& counter : schema.counters) {
    for (std::size_t i = 0; i < counter.width(); ++i, at += 8) {
      const std::string name = bucket_name(counter, i);
      switch (counter.kind) {
        case Kind::kInt: sink.integer(name, load<std::int64_t>(at)); break;
        case Kind::kUint: sink.natural(name, load<std::uint64_t>(at)); break;
        case Kind::kReal: sink.real(name, load<double>(at)); break;
      }
    }
  }
  for (const Field& field : schema.fields) {
    if (!field.line.empty()) sink.natural(field.line, load<std::uint64_t>(record + field.offset));
  }
}

template <class T>
void job_lines(Sink& out, std::string_view what, const T& a, const T& b) {
  if (a != b) out.put(fmt::format("- # {}: {}\n+ # {}: {}\n", what, a, what, b));
}

}  // namespace

// All values of a record that only one side has.
class LineDifferences::Lister final : public ValueSink {
 public:
  Lister(LineDifferences& lines, char sign, const RecordPair& record) : lines_(lines), sign_(sign), record_(record) {}
  void integer(std::string_view name, std::int64_t value) override { put(name, value); }
  void natural(std::string_view name, std::uint64_t value) override { put(name, value); }
  void real(std::string_view name, double value) override { put(name, value); }
  void text(std::string_view name, std::string_view value) override { put(name, std::string(value)); }

 private:
  void put(std::string_view name, const Value& value) { lines_.line(sign_, record_, name, listed(value)); }

  LineDifferences& lines_;
  char sign_;
  const RecordPair& record_;
};

void LineDifferences::line(char sign, const RecordPair& record, std::string_view name, std::string_view value) {
  const auto [file, fresh] = files_.try_emplace(record.file);
  if (fresh) order_.push_back(record.file);
  const ModuleSchema& schema = record.module->schema();
  const bool in_a = sign == '-';
  std::string& lines = file->second[{schema.id, record.rank}];
  const std::string made =
      fmt::format("{} {}\t{}\t{}\t{}\t{}\t{}\t\t\n", sign, schema.name, record.rank, in_a ? record.id_a : record.id_b,
                  name, value, in_a ? record.name_a : record.name_b);
  bytes_ += made.size();
  lines += made;
}

void LineDifferences::begin_module(const analyze::ModulePair& /*module*/) { state_a_ = state_b_ = {}; }

void LineDifferences::begin_record(const RecordPair& record) { record_ = &record; }

void LineDifferences::change(const Change& change) {
  // Names are in every line; that they differ is no line of its own.
  const bool absent_a = std::holds_alternative<std::monostate>(change.a);
  const bool absent_b = std::holds_alternative<std::monostate>(change.b);
  if (change.name == "name") return;
  if (!absent_a) line('-', *record_, change.name, listed(change.a));
  if (!absent_b) line('+', *record_, change.name, listed(change.b));
}

void LineDifferences::only(Side side, const RecordPair& record, Bytes bytes) {
  const ModuleFormat& format = *record.module->format;
  Lister lister(*this, side == Side::kA ? '-' : '+', record);
  if (format.record_view != nullptr && format.record_view->values != nullptr) {
    format.record_view->values(bytes, side == Side::kA ? state_a_ : state_b_, lister);
  } else {
    list_table(*format.schema, bytes.data(), lister);
  }
}

void LineDifferences::skipped(const analyze::ModulePair& module, ModuleId id) {
  if (module.format == nullptr)
    return notices_.notice(fmt::format("module {} is not known to this tool: left out", id));
  notices_.notice(fmt::format("{}: record versions {} and {} differ: left out", module.schema().name, module.a.version,
                              module.b.version));
}

void LineDifferences::write_job(Sink& out) const {
  const log::Job& a = a_.job();
  const log::Job& b = b_.job();
  if (a.exe != b.exe) out.put(fmt::format("- # exe:  {}\n+ # exe:  {}\n", a.exe, b.exe));  // two spaces, as ever
  job_lines(out, "uid", a.uid, b.uid);
  job_lines(out, "start_time", a.start_sec, b.start_sec);
  job_lines(out, "end_time", a.end_sec, b.end_sec);
  job_lines(out, "nprocs", a.nprocs, b.nprocs);
  job_lines(out, "run time", fmt::format("{:.4f}", a.run_time()), fmt::format("{:.4f}", b.run_time()));
}

void LineDifferences::write_file(Sink& out, std::uint64_t id) {
  const auto file = files_.find(id);
  if (file == files_.end()) return;
  for (const auto& [position, lines] : file->second) out.put(lines);
  files_.erase(file);
}

// An empty line for every file of A, whether it differs or not.
Status LineDifferences::write_files_of_a(Sink& out) {
  std::unordered_set<std::uint64_t, KeyedHash> seen;
  for (const ModuleId module : a_.modules()) {
    auto records = a_.records(module);
    if (!records) return records.error();
    const ModuleSchema& schema = (*records)->schema();
    log::Batch batch;
    while (out.wanted()) {
      auto more = (*records)->next(batch);
      if (!more) return more.error();
      if (!*more) break;
      for (std::size_t i = 0; i < batch.count; ++i) {
        const auto id = load<std::uint64_t>(batch.record(schema.shape == Shape::kFixed ? i : 0, schema));
        if (!seen.insert(id).second) continue;
        out.put("\n");
        write_file(out, id);
      }
    }
  }
  return {};
}

Status LineDifferences::write(Sink& out) {
  if (!wanted()) return Error{.code = ErrorCode::kLimit, .what = "too many differences to put in order"};
  write_job(out);
  const Status written = write_files_of_a(out);
  for (const std::uint64_t id : order_) write_file(out, id);
  return written;
}

}  // namespace trikal::report

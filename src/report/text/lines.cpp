#include "report/text/lines.hpp"

#include <cstring>

#include "base/decimal.hpp"

namespace trikal::report {

// A record_view names its values itself.
class RecordLines::RecordViewLines final : public ValueSink {
 public:
  RecordViewLines(Sink& out, const RecordLines& lines) : out_(out), lines_(lines) {}
  void integer(std::string_view name, std::int64_t value) override { open(name), out_.put_int(value), close(); }
  void natural(std::string_view name, std::uint64_t value) override { open(name), out_.put_uint(value), close(); }
  void real(std::string_view name, double value) override { open(name), out_.put_fixed6(value), close(); }
  void text(std::string_view name, std::string_view value) override { open(name), out_.put(value), close(); }

 private:
  void open(std::string_view name) {
    out_.put(lines_.front_);
    out_.put("\t");
    out_.put(name);
    out_.put("\t");
  }
  void close() { out_.put(lines_.back_); }

  Sink& out_;
  const RecordLines& lines_;
};

RecordLines::RecordLines(const ModuleFormat& format, const log::NameTable& names, const log::Job& job)
    : format_(format), names_(names), job_(job) {
  const ModuleSchema& schema = *format.schema;
  std::uint32_t at = schema.counters_at;
  const auto add = [&](std::string_view name, std::uint32_t offset, Kind kind) {
    columns_.push_back({"\t" + std::string(name) + "\t", offset, kind});
    longest_name_ = std::max(longest_name_, columns_.back().name.size());
  };
  for (const Counter& counter : schema.counters) {
    for (std::size_t i = 0; i < counter.width(); ++i, at += 8) add(bucket_name(counter, i), at, counter.kind);
  }
  for (const Field& field : schema.fields) {
    if (!field.line.empty()) add(field.line, field.offset, Kind::kUint);
  }
}

std::string_view RecordLines::nameless() const {
  return format_.record_view != nullptr && !format_.record_view->nameless.empty() ? format_.record_view->nameless
                                                                                  : "(null)";
}

void RecordLines::write(Sink& out, Bytes record) {
  const std::string_view name = names_.name_of(load<std::uint64_t>(record.data()), nameless());
  const log::Mount* mount = job_.mount_of(name);
  if (mount != nullptr) write(out, record, {name, mount->path, mount->type});
  else write(out, record, {name, "UNKNOWN", "UNKNOWN"});
}

// The parts of a line that do not change within a record.
void RecordLines::frame(Bytes record, const FileLabels& file) {
  char number[2 * kMaxIntegerText + 1];
  char* end = write_int(number, load<std::int64_t>(record.data() + 8));
  *end++ = '\t';
  end = write_uint(end, load<std::uint64_t>(record.data()));
  front_.assign(format_.schema->name).append("\t").append(number, end);

  RecordLabels labels;
  if (format_.record_view != nullptr && format_.record_view->labels != nullptr)
    format_.record_view->labels(record, labels);
  const std::string_view name = file.name.data() != nullptr ? file.name : nameless();
  back_.assign("\t").append(labels.has_name ? labels.name : name).append("\t");
  back_.append(labels.has_mount ? labels.mount : file.mount).append("\t");
  back_.append(labels.has_type ? labels.type : file.type).append("\n");
}

void RecordLines::write(Sink& out, Bytes record, const FileLabels& file) {
  frame(record, file);
  if (format_.record_view != nullptr && format_.record_view->values != nullptr) {
    RecordViewLines lines(out, *this);
    format_.record_view->values(record, view_state_, lines);
    return;
  }
  joint_.assign(back_).append(front_);
  write_counters(out, record.data());
}

void RecordLines::write_counters(Sink& out, const std::byte* record) const {
  const std::size_t line = joint_.size() + longest_name_ + kMaxRealText;
  char* at = out.reserve(line * columns_.size() + joint_.size());
  std::memcpy(at, front_.data(), front_.size());
  at += front_.size();
  for (const Column& column : columns_) {
    std::memcpy(at, column.name.data(), column.name.size());
    at += column.name.size();
    const std::byte* value = record + column.at;
    switch (column.kind) {
      case Kind::kInt: at = write_int(at, load<std::int64_t>(value)); break;
      case Kind::kUint: at = write_uint(at, load<std::uint64_t>(value)); break;
      case Kind::kReal: at = write_fixed6(at, load<double>(value)); break;
    }
    std::memcpy(at, joint_.data(), joint_.size());
    at += joint_.size();
  }
  out.commit(at - front_.size());  // the last line has no next one to open
}

}  // namespace trikal::report

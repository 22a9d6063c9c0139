#include "log/copy.hpp"

#include <array>

#include "log/copy_job.hpp"
#include "log/copy_records.hpp"
#include "log/copy_trailer.hpp"
#include "log/read/extension_modules.hpp"
#include "log/trailer/segment_threads.hpp"
#include "modules/list.hpp"

namespace trikal::log {
namespace {

class LogCopy {
 public:
  LogCopy(Reader& reader, Writer& writer, const CopyOptions& options, CopyReport& report)
      : reader_(reader), writer_(writer), options_(options), report_(report) {
    if (options.record) {
      edit_.keep = [id = *options.record](const std::byte* record) { return load<std::uint64_t>(record) == id; };
    }
  }

  Status run() {
    Status done = put_job(writer_, edit_job(reader_.job(), options_, report_), report_);
    if (done) done = put_names();
    for (std::size_t id = 0; done && id < kModuleSlots; ++id) done = put_module(static_cast<ModuleId>(id));
    if (done && options_.record && !options_.record_may_be_missing && report_.records == 0) {
      return Error{.code = ErrorCode::kMissing, .what = "the log has no record of this id"};
    }
    TrailerWriter* trailer = done ? writer_.trailer() : nullptr;
    if (trailer == nullptr) return done ? writer_.finish(partial_) : done;
    SectionCopier sections(*trailer, !options_.obfuscation.any());  // holds schemas until finish
    done = put_threads(*trailer);
    if (done) done = put_sections(sections);
    return done ? writer_.finish(partial_) : done;
  }

 private:
  Status put_names() {
    auto names = reader_.names();
    if (!names) return names.error();
    Status done = writer_.begin_names();
    for (const NameTable::Entry& entry : (*names)->entries()) {
      if (!done) return done;
      if (options_.record && entry.id != *options_.record) continue;
      const std::string_view name = (*names)->text(entry);
      const Obfuscation& hide = options_.obfuscation;
      if (hide.names) done = writer_.put_name(entry.id, obfuscated_name(name, reader_.job(), hide.key));
      else done = writer_.put_name(entry.id, name);
    }
    return done ? writer_.end_region() : done;
  }

  Status put_module(ModuleId id) {
    const Header& header = reader_.header();
    const std::uint32_t version = header.module_versions[id];
    const bool has_data = header.modules[id].length > 0;
    const ModuleFormat* format = find_module(id);
    if (version == 0 && !has_data) {
      // A module that got no memory at all leaves only its flag. That of a hidden one means nothing: merges set it.
      if (format == nullptr || !format->hidden()) keep_partial(id);
      return {};
    }
    if (format == nullptr || format->form(version) == nullptr) return put_unknown(id, version, has_data);
    if (!writer_.can_store(*format->schema)) {
      warn("module " + std::string(format->schema->name) + " left out: only a log with a trailer can hold it");
      return {};
    }
    keep_partial(id);
    Status done = writer_.begin_module(*format->schema, format->write_form().version);
    if (done && has_data) done = put_records(id, *format);
    return done ? writer_.end_region() : done;
  }

  void keep_partial(ModuleId id) { partial_ |= reader_.header().partial & (std::uint64_t{1} << id); }

  Status put_records(ModuleId id, const ModuleFormat& format) {
    if (format.schema->shape == Shape::kSliced) {
      auto stream = reader_.records(id);
      if (!stream) return stream.error();
      auto scan = scan_trace(**stream);
      if (!scan) return scan.error();
      scans_[id] = *scan;
    }
    auto stream = reader_.records(id);
    if (!stream) return stream.error();
    RecordCopier copier(writer_, format);
    const Status done = copier.copy(**stream, edit_, scans_[id]);
    report_.records += copier.copied();
    return done;
  }

  // Nobody knows what the bytes mean, so they can be kept as they are or not at all.
  Status put_unknown(ModuleId id, std::uint32_t version, bool has_data) {
    const char* reason = nullptr;
    if (reader_.header().foreign) reason = "it is in the other byte order";
    else if (options_.record) reason = "its records cannot be told apart";
    else if (options_.obfuscation.names) reason = "it may hold names";
    else if (version == 0) reason = "it has no version";
    if (reason != nullptr) {
      if (has_data)
        warn("module " + std::to_string(id) + " version " + std::to_string(version) +
             " is unknown and left out: " + reason);
      return {};
    }
    keep_partial(id);
    Status done = writer_.begin_module(id, version);
    if (done && has_data) done = put_bytes(id);
    return done ? writer_.end_region() : done;
  }

  Status put_bytes(ModuleId id) {
    auto blocks = reader_.plain_bytes(id);
    Block block;
    for (;;) {
      auto more = blocks->next(block);
      if (!more) {
        if (!reader_.options().salvage) return more.error();
        reader_.note({.where = "module " + std::to_string(id), .error = more.error()});
      }
      if (!more || !*more) return {};
      const Status done = writer_.append({block.data(), block.size});
      if (!done) return done;
    }
  }

  Status put_threads(TrailerWriter& trailer) {
    bool begun = false;
    for (std::size_t id = 0; id < scans_.size(); ++id) {
      if (!scans_[id].threads) continue;
      auto stream = reader_.records(static_cast<ModuleId>(id));
      if (!stream) return stream.error();
      Status done = begun ? Status{} : trailer.begin_section(kSegmentThreadsSection);
      begun = true;
      if (done) done = SegmentThreads(trailer, static_cast<ModuleId>(id)).add(**stream, edit_);
      if (!done) return done;
    }
    return begun ? trailer.end_section() : Status{};
  }

  Status put_sections(SectionCopier& sections) {
    const Trailer* trailer = reader_.trailer();
    if (trailer == nullptr) return {};
    for (const std::string& module : unknown_extension_modules(*trailer))
      warn("module " + module + " is unknown and left out");
    for (const Section& section : trailer->sections()) {
      if (describes_the_file(section.name)) continue;
      auto begun = sections.begin(section);
      if (!begun && begun.error().code == ErrorCode::kLimit) {
        warn("section \"" + section.name + "\" left out: a trailer holds no more");
        continue;
      }
      if (!begun) return begun.error();
      tell_hidden(section, *begun);
      if (!*begun) continue;
      std::optional<Error> unreadable;
      Status done = sections.add(*trailer, section, {.record = options_.record}, unreadable);
      if (done) done = sections.end();
      if (!done) return done;
      if (unreadable) reader_.note({.where = "trailer section \"" + section.name + "\"", .error = *unreadable});
    }
    return {};
  }

  void tell_hidden(const Section& section, bool kept) {
    if (!options_.obfuscation.any()) return;
    std::string columns;
    for (const Section::ColumnText& column : section.columns) {
      if (column.type != ColumnType::kText && column.type != ColumnType::kBytes) continue;
      columns += (columns.empty() ? "" : ", ") + column.name;
    }
    if (columns.empty()) return;
    warn("section \"" + section.name +
         "\": " + (kept ? "text left out, it may name things: " : "left out, all of it is text: ") + columns);
  }

  void warn(std::string text) { report_.warnings.push_back(std::move(text)); }

  Reader& reader_;
  Writer& writer_;
  const CopyOptions& options_;
  CopyReport& report_;
  RecordEdit edit_;
  std::uint64_t partial_ = 0;
  std::array<TraceScan, kModuleSlots> scans_{};
};

}  // namespace

Status copy_log(Reader& reader, Writer& writer, const CopyOptions& options, CopyReport& report) {
  return LogCopy(reader, writer, options, report).run();
}

}  // namespace trikal::log

#include "report/text/listing.hpp"

#include <fmt/format.h>

#include <optional>

#include "analyze/metrics/accumulator.hpp"
#include "modules/list.hpp"
#include "report/text/lines.hpp"
#include "report/text/log_header.hpp"
#include "report/text/thinned.hpp"
#include "report/text/totals.hpp"

namespace trikal::report {
namespace {

using analyze::Accumulator;

constexpr std::string_view kStars = "# *******************************************************\n";

void write_column_help(Sink& out) {
  out.put(
      "\n# description of columns:\n"
      "#   <module>: the interface the record belongs to.\n"
      "#   <rank>: the MPI rank; -1 when all ranks used the file and their records were made one.\n"
      "#   <record id>: the hash of the file's path.\n"
      "#   <counter>: the counter's name.\n"
      "#   <value>: its value; -1 where it was not observed.\n"
      "#   <file name>: the file's path as the program gave it, made absolute.\n"
      "#   <mount pt>: where the file system it is on is mounted.\n"
      "#   <fs type>: the kind of that file system.\n");
}

class Lister {
 public:
  Lister(Sink& out, log::Reader& reader, const ListingOptions& options, Notices& notices)
      : out_(out), reader_(reader), options_(options), notices_(notices) {}

  Status write() {
    note_thinned(out_, reader_, notices_);
    write_release_warning(out_, reader_.header().version.data());
    write_log_header(out_, reader_);
    if (options_.base) write_column_help(out_);
    bool any = false;
    for (std::size_t i = 0; i < kModuleSlots; ++i) {
      if (reader_.header().modules[i].length == 0 && !reader_.header().is_partial(i)) continue;
      any = true;
      const Status written = write_module(static_cast<ModuleId>(i));
      if (!written) return written;
    }
    if (!any) out_.put("\n# no module data available.\n");
    return {};
  }

 private:
  Status write_module(ModuleId id) {
    const ModuleFormat* format = find_module(id);
    if (format == nullptr) {
      notices_.notice(fmt::format("module {} is not known to this tool: left out", id));
      return {};
    }
    const ModuleSchema& schema = *format->schema;
    if (schema.shape == Shape::kSliced) return {};  // traces are listed by `trikal dxt`
    if (format->hidden()) {
      // A flag without data is what darshan-merge leaves in every log: nothing is missing then.
      if (reader_.header().modules[id].length != 0)
        notices_.notice(fmt::format("records of the {} module are not listed", schema.name));
      return {};
    }
    if (!options_.base && !schema.totals) return {};
    out_.put("\n");
    out_.put(kStars);
    out_.put(fmt::format("# {} module data\n", schema.name));
    out_.put(kStars);
    if (reader_.header().is_partial(id)) {
      const Status accepted = accept_incomplete(out_, schema, options_.show_incomplete, notices_);
      if (!accepted) return accepted;
    }
    if (reader_.header().modules[id].length == 0) return {};
    return write_records(*format);
  }

  Status write_records(const ModuleFormat& format) {
    auto records = reader_.records(format.schema->id);
    if (!records) return reader_.tolerate(std::string(format.schema->name), records.error());
    std::optional<RecordLines> lines;
    std::optional<Accumulator> totals;
    if (options_.base) {
      auto names = reader_.names();
      if (!names) return names.error();
      lines.emplace(format, **names, reader_.job());
      open_lines(format);
    }
    if (format.schema->totals && (options_.total || options_.file || options_.perf)) {
      totals.emplace(*format.schema, reader_.job().nprocs,
                     options_.file ? Accumulator::Files::kCount : Accumulator::Files::kSkip);
    }
    const Status read = pass(**records, lines ? &*lines : nullptr, totals ? &*totals : nullptr);
    if (!read) return read;
    if (totals) write_summaries(*totals);
    return {};
  }

  Status pass(log::RecordStream& records, RecordLines* lines, Accumulator* totals) {
    log::Batch batch;
    const ModuleSchema& schema = records.schema();
    while (out_.wanted()) {
      auto more = records.next(batch);
      if (!more) return more.error();
      if (!*more) break;
      const std::size_t size = schema.shape == Shape::kFixed ? schema.head_bytes : batch.bytes.size();
      for (std::size_t i = 0; i < batch.count; ++i) {
        const Bytes record = batch.bytes.subspan(i * size, size);
        if (lines != nullptr) lines->write(out_, record);
        if (totals != nullptr) totals->add(record.data());
      }
      if (totals != nullptr && totals->bytes() > reader_.options().limits.memory) {
        return Error{.code = ErrorCode::kLimit,
                     .offset = records.file_offset(),
                     .what = "there are more ranks and files than the limit allows to count"};
      }
    }
    return {};
  }

  void open_lines(const ModuleFormat& format) {
    const ModuleSchema& schema = *format.schema;
    write_counter_help(out_, schema);
    write_version_note(out_, schema, reader_.header().module_versions[schema.id]);
    out_.put("\n#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>\n");
  }

  void write_summaries(const Accumulator& totals) {
    if (options_.total) write_totals(out_, totals);
    if (!options_.file && !options_.perf) return;
    const analyze::Derived derived = totals.derived();
    if (options_.file) write_file_counts(out_, derived);
    if (options_.perf) write_performance(out_, derived);
  }

  Sink& out_;
  log::Reader& reader_;
  const ListingOptions& options_;
  Notices& notices_;
};

}  // namespace

Status write_listing(Sink& out, log::Reader& reader, const ListingOptions& options, Notices& notices) {
  return Lister(out, reader, options, notices).write();
}

}  // namespace trikal::report

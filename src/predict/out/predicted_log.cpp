#include "predict/out/predicted_log.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include "base/hash.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/mpiio/schema.hpp"
#include "modules/posix/schema.hpp"
#include "modules/stdio/schema.hpp"
#include "predict/out/uses.hpp"
#include "schema/record.hpp"
#include "schema/system_paths.hpp"

namespace trikal::predict {
namespace {

using analyze::Operation;
using analyze::PredictedLayer;
using analyze::PredictedUse;
using analyze::Prediction;

template <const ModuleSchema& Schema, FixedString Reads, FixedString Writes, FixedString Values, FixedString Counts>
void put_sizes(Record<Schema>& record, const PredictedUse& reads, const PredictedUse& writes) {
  for (std::size_t i = 0; i < reads.classes.size(); ++i) {
    record.template at<Reads>(i) = whole(reads.classes[i]);
    record.template at<Writes>(i) = whole(writes.classes[i]);
  }
  std::map<std::uint64_t, double> sizes = reads.sizes;
  for (const auto& [size, times] : writes.sizes) sizes[size] += times;
  std::vector<std::pair<double, std::uint64_t>> ranked;
  for (const auto& [size, times] : sizes)
    if (size > 0) ranked.emplace_back(times, size);
  std::ranges::sort(ranked, std::greater{});
  for (std::size_t i = 0; i < 4 && i < ranked.size(); ++i) {
    record.template at<Values>(i) = static_cast<std::int64_t>(ranked[i].second);
    record.template at<Counts>(i) = whole(ranked[i].first);
  }
}

Record<modules::posix::kSchema> posix_record(const Uses& uses) {
  Record<modules::posix::kSchema> record;
  const PredictedUse reads = uses.all(analyze::reads), writes = uses.all(analyze::writes);
  record.at<"POSIX_OPENS">() = uses.count({Operation::kOpen});
  record.at<"POSIX_READS">() = whole(reads.count);
  record.at<"POSIX_WRITES">() = whole(writes.count);
  record.at<"POSIX_SEEKS">() = uses.count({Operation::kSeek});
  record.at<"POSIX_STATS">() = uses.count({Operation::kStat});
  record.at<"POSIX_MMAPS">() = uses.count({Operation::kMap});
  record.at<"POSIX_FSYNCS">() = uses.count({Operation::kSync});
  record.at<"POSIX_FDSYNCS">() = uses.count({Operation::kDataSync});
  record.at<"POSIX_RENAME_SOURCES">() = uses.count({Operation::kRename});
  record.at<"POSIX_BYTES_READ">() = whole(reads.bytes);
  record.at<"POSIX_BYTES_WRITTEN">() = whole(writes.bytes);
  record.at<"POSIX_MAX_BYTE_READ">() = whole(std::max(0.0, reads.highest));
  record.at<"POSIX_MAX_BYTE_WRITTEN">() = whole(std::max(0.0, writes.highest));
  record.at<"POSIX_CONSEC_READS">() = whole(reads.consecutive);
  record.at<"POSIX_CONSEC_WRITES">() = whole(writes.consecutive);
  record.at<"POSIX_SEQ_READS">() = whole(reads.sequential);
  record.at<"POSIX_SEQ_WRITES">() = whole(writes.sequential);
  record.at<"POSIX_RW_SWITCHES">() = whole(reads.switches + writes.switches);
  record.at<"POSIX_MEM_ALIGNMENT">() = 8;
  record.at<"POSIX_FILE_ALIGNMENT">() = -1;
  put_sizes<modules::posix::kSchema, "POSIX_SIZE_READ_#", "POSIX_SIZE_WRITE_#", "POSIX_ACCESS#_ACCESS",
            "POSIX_ACCESS#_COUNT">(record, reads, writes);
  const Times times = times_of(uses);
  record.set_real<"POSIX_F_READ_TIME">(times.read);
  record.set_real<"POSIX_F_WRITE_TIME">(times.write);
  record.set_real<"POSIX_F_META_TIME">(times.meta);
  return record;
}

Record<modules::stdio::kSchema> stdio_record(const Uses& uses) {
  Record<modules::stdio::kSchema> record;
  const PredictedUse reads = uses.all(analyze::reads), writes = uses.all(analyze::writes);
  record.at<"STDIO_OPENS">() = uses.count({Operation::kStreamOpen});
  record.at<"STDIO_READS">() = whole(reads.count);
  record.at<"STDIO_WRITES">() = whole(writes.count);
  record.at<"STDIO_SEEKS">() = uses.count({Operation::kStreamSeek});
  record.at<"STDIO_FLUSHES">() = uses.count({Operation::kFlush});
  record.at<"STDIO_BYTES_READ">() = whole(reads.bytes);
  record.at<"STDIO_BYTES_WRITTEN">() = whole(writes.bytes);
  record.at<"STDIO_MAX_BYTE_READ">() = whole(std::max(0.0, reads.highest));
  record.at<"STDIO_MAX_BYTE_WRITTEN">() = whole(std::max(0.0, writes.highest));
  const Times times = times_of(uses);
  record.set_real<"STDIO_F_READ_TIME">(times.read);
  record.set_real<"STDIO_F_WRITE_TIME">(times.write);
  record.set_real<"STDIO_F_META_TIME">(times.meta);
  return record;
}

Record<modules::mpiio::kSchema> mpiio_record(const Uses& uses) {
  Record<modules::mpiio::kSchema> record;
  const PredictedUse reads = uses.all(analyze::reads), writes = uses.all(analyze::writes);
  record.at<"MPIIO_INDEP_OPENS">() = uses.count({Operation::kMpiOpen});
  record.at<"MPIIO_COLL_OPENS">() = uses.count({Operation::kMpiCollectiveOpen});
  record.at<"MPIIO_INDEP_READS">() = uses.count({Operation::kMpiRead});
  record.at<"MPIIO_INDEP_WRITES">() = uses.count({Operation::kMpiWrite});
  record.at<"MPIIO_COLL_READS">() = uses.count({Operation::kMpiCollectiveRead});
  record.at<"MPIIO_COLL_WRITES">() = uses.count({Operation::kMpiCollectiveWrite});
  record.at<"MPIIO_NB_READS">() = uses.count({Operation::kMpiNonblockingRead});
  record.at<"MPIIO_NB_WRITES">() = uses.count({Operation::kMpiNonblockingWrite});
  record.at<"MPIIO_SYNCS">() = uses.count({Operation::kMpiSync});
  record.at<"MPIIO_VIEWS">() = uses.count({Operation::kMpiSetView});
  record.at<"MPIIO_BYTES_READ">() = whole(reads.bytes);
  record.at<"MPIIO_BYTES_WRITTEN">() = whole(writes.bytes);
  record.at<"MPIIO_RW_SWITCHES">() = whole(reads.switches + writes.switches);
  put_sizes<modules::mpiio::kSchema, "MPIIO_SIZE_READ_AGG_#", "MPIIO_SIZE_WRITE_AGG_#", "MPIIO_ACCESS#_ACCESS",
            "MPIIO_ACCESS#_COUNT">(record, reads, writes);
  const Times times = times_of(uses);
  record.set_real<"MPIIO_F_READ_TIME">(times.read);
  record.set_real<"MPIIO_F_WRITE_TIME">(times.write);
  record.set_real<"MPIIO_F_META_TIME">(times.meta);
  return record;
}

constexpr log::Column kSiteColumns[] = {
    {"rank", log::ColumnType::kI64, log::kUnitRank, "the rank that was looked at"},
    {"id", log::ColumnType::kU64, log::kUnitRecordId, "the file"},
    {"source", log::ColumnType::kText, "", "file of the source"},
    {"line", log::ColumnType::kU64, "", "line in it"},
    {"function", log::ColumnType::kText, "", "the function that the call stands in"},
    {"operation", log::ColumnType::kText, "", "what is done there"},
    {"count", log::ColumnType::kF64, "calls", "how often"},
    {"bytes", log::ColumnType::kF64, log::kUnitBytes, "moved by all of them"},
    {"certainty", log::ColumnType::kText, "", "exact, extrapolated or assumed"},
    {"files_like_it", log::ColumnType::kF64, "", "more files of the same kind that have no record of their own"},
};
constexpr log::SectionSchema kSites = {"predicted_sites", "places in the source and what they were predicted to do",
                                       kSiteColumns};

class PredictedLog {
 public:
  PredictedLog(log::Writer& writer, std::span<const Prediction> predictions)
      : writer_(writer), predictions_(predictions) {
    for (const Prediction& one : predictions_)
      for (const auto& access : one.accesses) {
        if (is_system_path(one.files[access.file].name)) continue;  // a measured log has none of them
        const PredictedLayer layer = analyze::layer_of(access.operation);
        // As observed: descriptors that nobody opened have no record.
        if (layer == PredictedLayer::kPosix && one.files[access.file].name.starts_with("<STD")) continue;
        Uses& uses = uses_[layer][{one.rank, one.files[access.file].name}];
        uses.by[access.operation].merge(access.use);
        const analyze::PredictedFile& file = one.files[access.file];
        uses.like_it = file.like_it, uses.parallel = file.parallel, uses.dataset = file.dataset;
        if (file.dataset) uses.container = record_id(one.files[file.dataset->container].name);
      }
  }

  Status write() {
    Status done = put_job();
    if (done) done = put_names();
    if (done) done = put_layer<modules::posix::kSchema>(PredictedLayer::kPosix, posix_record);
    if (done) done = put_layer<modules::mpiio::kSchema>(PredictedLayer::kMpiio, mpiio_record);
    if (done) done = put_layer<modules::h5f::kSchema>(PredictedLayer::kHdf5File, h5f_record);
    if (done) done = put_layer<modules::h5d::kSchema>(PredictedLayer::kHdf5Dataset, h5d_record);
    if (done) done = put_layer<modules::stdio::kSchema>(PredictedLayer::kStdio, stdio_record);
    if (done) done = put_sites();
    return done ? writer_.finish(0) : done;
  }

 private:
  using Key = std::pair<int, std::string>;

  Status put_job() {
    const Prediction& first = predictions_.front();
    double seconds = 0;
    for (const Prediction& one : predictions_)
      if (!one.blocks.empty()) seconds = std::max(seconds, one.blocks[0].seconds_io + one.blocks[0].seconds_compute);
    log::JobNumbers numbers;
    numbers.uid = ::getuid();
    numbers.start_sec = std::time(nullptr);
    numbers.end_sec = numbers.start_sec + static_cast<std::int64_t>(seconds);
    numbers.end_nsec = static_cast<std::int64_t>((seconds - std::floor(seconds)) * 1e9);
    numbers.nprocs = first.ranks;
    exe_ = first.program;
    for (const std::string& word : first.arguments) exe_ += " " + word;
    auto fit = writer_.put_job(numbers, {"lib_ver=3.5.0\ntrikal_predicted=1\n", exe_, {}});
    return fit ? Status{} : fit.error();
  }

  Status put_names() {
    Status done = writer_.begin_names();
    std::map<std::string, bool> told;
    for (const auto& [layer, files] : uses_)
      for (const auto& [key, uses] : files)
        if (done && !std::exchange(told[key.second], true)) done = writer_.put_name(record_id(key.second), key.second);
    return done ? writer_.end_region() : done;
  }

  template <const ModuleSchema& Schema, class Make>
  Status put_layer(PredictedLayer layer, Make make) {
    const auto found = uses_.find(layer);
    if (found == uses_.end()) return {};
    Status done = writer_.begin_module(Schema.id, Schema.version);
    for (const auto& [key, uses] : found->second) {
      Record<Schema> record = make(uses);
      record.set_base({record_id(key.second), key.first});
      if (done) done = writer_.append(std::as_bytes(std::span(record.words)));
    }
    return done ? writer_.end_region() : done;
  }

  Status put_sites() {
    log::TrailerWriter* trailer = writer_.trailer();
    if (trailer == nullptr) return writer_.health();
    Status done = trailer->begin_section(kSites);
    for (const Prediction& one : predictions_) {
      for (const auto& access : one.accesses) {
        const auto& site = one.sites[access.site];
        if (done) done = trailer->put_i64(one.rank);
        if (done) done = trailer->put_u64(record_id(one.files[access.file].name));
        if (done) done = trailer->put_text(site.source);
        if (done) done = trailer->put_u64(site.line);
        if (done) done = trailer->put_text(site.function);
        if (done) done = trailer->put_text(analyze::name_of(access.operation));
        if (done) done = trailer->put_f64(access.use.count);
        if (done) done = trailer->put_f64(access.use.bytes);
        if (done) done = trailer->put_text(analyze::name_of(access.use.certainty));
        if (done) done = trailer->put_f64(one.files[access.file].like_it);
      }
    }
    return done ? trailer->end_section() : done;
  }

  log::Writer& writer_;
  std::span<const Prediction> predictions_;
  std::map<PredictedLayer, std::map<Key, Uses>> uses_;
  std::string exe_;
};

}  // namespace

Status write_predicted_log(const std::string& path, std::span<const Prediction> predictions) {
  auto tool = log::ToolWriter::create(path, {.replace = true});
  if (!tool) return tool.error();
  return PredictedLog((*tool)->writer(), predictions).write();
}

}  // namespace trikal::predict

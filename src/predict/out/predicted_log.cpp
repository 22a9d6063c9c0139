#include "predict/out/predicted_log.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>

#include "analyze/dataset/predicted_counters.hpp"
#include "base/hash.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/h5d/schema.hpp"
#include "modules/h5f/schema.hpp"
#include "modules/mpiio/schema.hpp"
#include "modules/posix/schema.hpp"
#include "modules/stdio/schema.hpp"
#include "predict/out/said.hpp"
#include "schema/system_paths.hpp"

namespace trikal::predict {
namespace {

using analyze::PredictedLayer;
using analyze::Prediction;

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
    {"because", log::ColumnType::kText, "", "what numbers that are assumed rest on"},
};
constexpr log::SectionSchema kSites = {"predicted_sites", "locations in the source and what they were predicted to do",
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
        uses.standard = file.name.starts_with("<STD");
        if (file.dataset) uses.container = record_id(one.files[file.dataset->container].name);
      }
  }

  Status write() {
    Status done = put_job();
    if (done) done = put_names();
    if (done) done = put_layer<modules::posix::kSchema>(PredictedLayer::kPosix, kSaidPosix);
    if (done) done = put_layer<modules::mpiio::kSchema>(PredictedLayer::kMpiio, kSaidMpiio);
    if (done) done = put_layer<modules::h5f::kSchema>(PredictedLayer::kHdf5File, kSaidH5f);
    if (done) done = put_layer<modules::h5d::kSchema>(PredictedLayer::kHdf5Dataset, kSaidH5d);
    if (done) done = put_layer<modules::stdio::kSchema>(PredictedLayer::kStdio, kSaidStdio);
    if (done) done = put_said();
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
    metadata_ = "lib_ver=3.5.0\n" + std::string(analyze::kPredictedKey) + "=1\n";
    if (predictions_.size() < static_cast<std::size_t>(std::max(1, first.ranks))) {
      metadata_ += std::string(analyze::kPredictedRanksKey) + "=";
      for (const Prediction& one : predictions_) metadata_ += (&one == &first ? "" : ",") + std::to_string(one.rank);
      metadata_ += "\n";
    }
    auto fit = writer_.put_job(numbers, {metadata_, exe_, {}});
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

  template <const ModuleSchema& Schema>
  Status put_layer(PredictedLayer layer, const SaidModule& module) {
    const auto found = uses_.find(layer);
    if (found == uses_.end()) return {};
    Status done = writer_.begin_module(Schema.id, Schema.version);
    for (const auto& [key, uses] : found->second) {
      Record<Schema> record = record_of<Schema>(module.said, uses);
      record.set_base({record_id(key.second), key.first});
      complete(record, uses);
      if (done) done = writer_.append(std::as_bytes(std::span(record.words)));
    }
    return done ? writer_.end_region() : done;
  }

  // What is no counter that the program decides.
  static void complete(Record<modules::posix::kSchema>& record, const Uses& /*uses*/) {
    record.at<"POSIX_MEM_ALIGNMENT">() = 8;
    record.at<"POSIX_FILE_ALIGNMENT">() = -1;
  }
  static void complete(Record<modules::h5d::kSchema>& record, const Uses& uses) {
    record.words[2] = static_cast<std::int64_t>(uses.container);
  }
  template <const ModuleSchema& Schema>
  static void complete(Record<Schema>& /*record*/, const Uses& /*uses*/) {}

  Status put_said() {
    log::TrailerWriter* trailer = writer_.trailer();
    if (trailer == nullptr) return writer_.health();
    Status done = trailer->begin_section(analyze::kPredictedCountersSection);
    for (const SaidModule* module : {&kSaidPosix, &kSaidMpiio, &kSaidH5f, &kSaidH5d, &kSaidStdio}) {
      for (const Said& said : module->said) {
        if (done) done = trailer->put_text(module->schema->name);
        if (done) done = trailer->put_text(said.counter);
        if (done) done = trailer->put_text(module->unless);
      }
    }
    return done ? trailer->end_section() : done;
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
        if (done) done = trailer->put_text(access.because);
      }
    }
    return done ? trailer->end_section() : done;
  }

  log::Writer& writer_;
  std::span<const Prediction> predictions_;
  std::map<PredictedLayer, std::map<Key, Uses>> uses_;
  std::string exe_, metadata_;
};

}  // namespace

Status write_predicted_log(const std::string& path, std::span<const Prediction> predictions) {
  auto tool = log::ToolWriter::create(path, {.replace = true});
  if (!tool) return tool.error();
  return PredictedLog((*tool)->writer(), predictions).write();
}

}  // namespace trikal::predict

#include "report/json/differences.hpp"

#include "report/json/sureness_shape.hpp"
#include "report/text/log_header.hpp"

namespace trikal::report {

using analyze::Change;
using analyze::CompareCounts;
using analyze::ModulePair;
using analyze::RecordPair;
using analyze::Side;

namespace {

void write_value(JsonWriter& json, std::string_view key, const analyze::Value& value) {
  json.key(key);
  std::visit(
      [&json](const auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) json.null();
        else json.value(held);
      },
      value);
}

void write_change(JsonWriter& json, const Change& change) {
  json.open_object();
  json.field("name", change.name);
  write_value(json, "a", change.a);
  write_value(json, "b", change.b);
  json.field("relative", change.relative);
  json.close();
}

}  // namespace

JsonDifferences::JsonDifferences(Sink& out, const DifferingLog& a, const DifferingLog& b,
                                 const analyze::CompareOptions& options)
    : out_(out), json_(out), prediction_(options.prediction) {
  json_.open_object();
  json_.field("schema", "trikal-diff");
  json_.field("schema_version", kDiffSchemaVersion);
  json_.line();
  write_log("a", a);
  json_.line();
  write_log("b", b);
  json_.line();
  write_options(options);
  json_.line();
  json_.key("job");
  json_.open_array();
}

void JsonDifferences::write_log(std::string_view name, const DifferingLog& log) {
  const log::Job& job = log.reader->job();
  json_.key(name);
  json_.open_object();
  json_.field("path", std::string_view(log.path));
  json_.field("log_version", std::string_view(log.reader->header().version.data()));
  json_.field("compression", codec_name(log.reader->header().codec));
  json_.field("exe", std::string_view(job.exe));
  json_.field("jobid", job.job_id);
  json_.field("nprocs", job.nprocs);
  json_.field("run_time", job.run_time());
  json_.close();
}

void JsonDifferences::write_options(const analyze::CompareOptions& options) {
  json_.key("options");
  json_.open_object();
  json_.field("by", options.by == analyze::AlignBy::kName ? "name" : "id");
  json_.field("rel", options.tolerance.relative);
  json_.field("abs", options.tolerance.absolute);
  json_.field("ignore_times", options.ignore_times);
  json_.field("ignore_job", options.ignore_job);
  json_.field("segments", options.segments);
  json_.close();
}

void JsonDifferences::job_change(const Change& change) {
  json_.line();
  write_change(json_, change);
}

void JsonDifferences::end_job() {
  if (!in_job_) return;
  in_job_ = false;
  json_.close();
  json_.line();
  json_.key("modules");
  json_.open_array();
}

void JsonDifferences::begin_module(const ModulePair& module) {
  end_job();
  json_.line();
  json_.open_object();
  json_.field("module", module.schema().name);
  for (const auto& [name, side] : {std::pair{"a", &module.a}, std::pair{"b", &module.b}}) {
    json_.key(name);
    json_.open_object();
    json_.field("present", side->present);
    json_.field("version", std::uint64_t{side->version});
    json_.field("incomplete", side->incomplete);
    json_.close();
  }
  json_.field("counters_left_out", std::uint64_t{module.unknown_counters});
  json_.key("records");
  json_.open_array();
}

void JsonDifferences::write_record(const RecordPair& record, std::string_view status) {
  json_.line();
  json_.open_object();
  json_.field("status", status);
  json_.field("rank", record.rank);
  // Ids do not fit into what many readers of JSON take numbers for.
  if (status != "only_b") {
    json_.field("id", std::to_string(record.id_a));
    json_.field("name", record.name_a);
  }
  if (status == "only_b" || record.id_b != record.id_a) {
    json_.field("id_b", std::to_string(record.id_b));
    json_.field("name_b", record.name_b);
  }
}

void JsonDifferences::begin_record(const RecordPair& record) {
  write_record(record, "differs");
  json_.key("changes");
  json_.open_array();
}

void JsonDifferences::change(const Change& change) { write_change(json_, change); }

void JsonDifferences::end_record() {
  json_.close();
  json_.close();
}

void JsonDifferences::only(Side side, const RecordPair& record, Bytes /*bytes*/) {
  write_record(record, side == Side::kA ? "only_a" : "only_b");
  json_.close();
}

void JsonDifferences::write_counts(const CompareCounts& counts) {
  json_.field("compared", counts.pairs);
  json_.field("differing", counts.differing);
  json_.field("only_a", counts.only_a);
  json_.field("only_b", counts.only_b);
  json_.field("changes", counts.changes);
}

void JsonDifferences::end_module(const CompareCounts& counts) {
  json_.close();
  write_counts(counts);
  json_.close();
}

void JsonDifferences::skipped(const ModulePair& /*module*/, ModuleId id) { skipped_.push_back(id); }

void JsonDifferences::write_prediction(const analyze::CompareResult& result) {
  const analyze::PredictionCounts& counts = *result.prediction;
  json_.key("prediction");
  json_.open_object();
  json_.field("side", prediction_->predicted == Side::kA ? "a" : "b");
  json_.field("counters_compared", counts.values);
  json_.field("counters_different", result.counts.changes);
  json_.field("files", counts.files);
  json_.field("files_only_a", counts.files_only_a);
  json_.field("files_only_b", counts.files_only_b);
  json_.field("files_like_it", prediction_->like_it);
  if (prediction_->sureness) {
    json_.key("sureness");
    put(json_, *prediction_->sureness);
  }
  json_.key("left_out");
  json_.open_object();
  json_.field("counters", counts.counters);
  json_.field("counters_of", counts.counters_of);
  json_.key("modules");
  json_.open_array();
  for (const std::string_view module : counts.modules) json_.value(module);
  json_.close();
  json_.field("records_beneath", counts.beneath);
  json_.field("records_of_ranks", counts.ranks);
  json_.field("files_of_libraries", counts.libraries);
  json_.close();
  json_.close();
  json_.line();
}

void JsonDifferences::finish(const analyze::CompareResult& result) {
  end_job();
  json_.close();
  json_.line();
  json_.key("modules_not_compared");
  json_.open_array();
  for (const ModuleId id : skipped_) json_.value(std::uint64_t{id});
  json_.close();
  json_.line();
  if (result.prediction) write_prediction(result);
  json_.field("differs", result.differs());
  write_counts(result.counts);
  json_.close();
  out_.put("\n");
}

}  // namespace trikal::report

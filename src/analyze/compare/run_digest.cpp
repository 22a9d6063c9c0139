#include "analyze/compare/run_digest.hpp"

#include <algorithm>
#include <cmath>

namespace trikal::analyze {
namespace {

class Maker {
 public:
  explicit Maker(RunDigest& digest) : digest_(digest) {}

  void about(Aspect aspect, std::string_view subject) { aspect_ = aspect, subject_ = subject; }
  void add(std::string_view metric, Metric unit, double value) {
    if (!std::isfinite(value)) value = 0;  // only a log that lies has such numbers
    DigestValue& sum = digest_.numbers[{aspect_, subject_, metric}];
    sum.value += value, sum.unit = unit;
  }
  void count(std::string_view metric, std::int64_t value) { add(metric, Metric::kCount, static_cast<double>(value)); }
  void bytes(std::string_view metric, std::int64_t value) { add(metric, Metric::kBytes, static_cast<double>(value)); }
  void seconds(std::string_view metric, double value) { add(metric, Metric::kSeconds, value); }

 private:
  RunDigest& digest_;
  Aspect aspect_ = Aspect::kRun;
  std::string_view subject_;
};

void add_run(Maker& maker, const Run& run) {
  maker.about(Aspect::kRun, "");
  maker.seconds("seconds", run.seconds);
  maker.seconds("io_seconds", run.io_seconds());
  maker.bytes("bytes_read", run.bytes_read());
  maker.bytes("bytes_written", run.bytes_written());
  maker.count("files", static_cast<std::int64_t>(run.files.size()));
}

void add_layers(Maker& maker, const Run& run) {
  for (const Layer layer : {Layer::kPosix, Layer::kStdio, Layer::kMpiio}) {
    const LayerSum& sum = run.layer(layer);
    if (!sum.present) continue;
    const Use& use = sum.total;
    maker.about(Aspect::kLayer, layer_name(layer));
    maker.seconds("read_seconds", use.read.seconds);
    maker.seconds("write_seconds", use.write.seconds);
    maker.seconds("meta_seconds", use.meta_seconds);
    maker.bytes("bytes_read", use.read.bytes);
    maker.bytes("bytes_written", use.write.bytes);
    maker.count("reads", use.read.calls);
    maker.count("writes", use.write.calls);
    maker.count("opens", use.opens);
    maker.count("stats", use.stats);
    maker.count("seeks", use.seeks);
    maker.count("syncs", use.syncs);
    maker.add("mib_per_s_by_slowest", Metric::kRate, sum.derived.agg_perf);
  }
}

// What each layer takes itself, and libraries above POSIX, whose own records are not compared otherwise.
void add_times_by_layer(Maker& maker, const Run& run) {
  for (const LayerTime& layer : time_by_layer(run)) {
    maker.about(Aspect::kLayer, layer.name);
    maker.seconds("own_seconds", layer.all);
  }
}

// A phase takes as long as on the rank that is in it longest; one that comes again adds up.
void add_phases(Maker& maker, const Run& run) {
  std::map<std::string_view, std::map<std::int64_t, double>> phases;
  for (const PhaseRow& phase : run.phases) phases[phase.name][phase.rank] += phase.end - phase.begin;
  for (const auto& [name, ranks] : phases) {
    double longest = 0;
    for (const auto& [rank, seconds] : ranks) longest = std::max(longest, seconds);
    maker.about(Aspect::kPhase, name);
    maker.seconds("seconds", longest);
  }
}

void add_files(Maker& maker, const Run& run, FileNames names) {
  for (const FileUse& file : run.files) {
    Use sum;
    double seconds = run.extra(file).seconds;
    for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
      const auto use = run.use(file, layer);
      if (!use) continue;
      seconds += use->seconds();
      sum.read.bytes += use->read.bytes, sum.write.bytes += use->write.bytes;
      sum.read.calls += use->calls();
    }
    const bool whole = names == FileNames::kWhole || file.name.ends_with('/');
    maker.about(Aspect::kFile, whole ? file.name : file.name.substr(file.name.rfind('/') + 1));
    maker.seconds("seconds", seconds);
    maker.bytes("bytes_read", sum.read.bytes);
    maker.bytes("bytes_written", sum.write.bytes);
    maker.count("calls", sum.read.calls);
    const std::vector<LayerTime> layers = time_by_layer(run, file);
    double above = 0;
    for (const LayerTime& layer : layers) above += layer.name != layer_name(Layer::kPosix) ? layer.all : 0;
    if (!layers.empty()) maker.seconds("above_posix_seconds", above);
  }
}

}  // namespace

RunDigest digest_of(const Run& run, std::span<const Finding> findings, FileNames names) {
  RunDigest digest;
  Maker maker(digest);
  add_run(maker, run);
  add_layers(maker, run);
  add_times_by_layer(maker, run);
  for (const Finding& finding : findings) {
    maker.about(Aspect::kFinding, finding.code);
    maker.seconds("seconds", finding.seconds);
  }
  add_phases(maker, run);
  add_files(maker, run, names);
  return digest;
}

}  // namespace trikal::analyze

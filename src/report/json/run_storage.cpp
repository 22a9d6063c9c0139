#include "report/json/run_storage.hpp"

#include <algorithm>
#include <map>

namespace trikal::report {
namespace {

using analyze::FileUse;
using analyze::Layer;
using analyze::Run;

constexpr std::size_t kMostTargets = 4096;

struct Target {
  std::int64_t files = 0;
  double bytes_read = 0, bytes_written = 0;
};

// MPI-IO's bytes are POSIX's.
void add(Target& target, const Run& run, const FileUse& file, double share) {
  ++target.files;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
    const auto use = run.use(file, layer);
    if (!use) continue;
    target.bytes_read += share * static_cast<double>(use->read.bytes);
    target.bytes_written += share * static_cast<double>(use->write.bytes);
  }
}

std::map<std::int64_t, Target> targets_of(const Run& run) {
  std::map<std::int64_t, Target> targets;
  for (const FileUse& file : run.files) {
    const analyze::Layout* layout = run.layout(file);
    if (layout == nullptr || layout->targets.empty()) continue;
    const double share = 1.0 / static_cast<double>(layout->targets.size());
    for (const std::int64_t id : layout->targets) add(targets[id], run, file, share);
  }
  return targets;
}

void write_record(JsonWriter& json, const ModuleSchema& schema, Bytes record) {
  const std::byte* at = record.data() + schema.counters_at;
  for (const Counter& counter : schema.counters) {
    for (std::size_t bucket = 0; bucket < counter.width(); ++bucket, at += 8) {
      const std::string name = bucket_name(counter, bucket);
      if (counter.kind == Kind::kReal) json.field(name, load<double>(at));
      else if (counter.kind == Kind::kUint) json.field(name, load<std::uint64_t>(at));
      else json.field(name, load<std::int64_t>(at));
    }
  }
}

}  // namespace

void write_layout(JsonWriter& json, const Run& run, const FileUse& file) {
  const analyze::Layout* layout = run.layout(file);
  if (layout == nullptr || layout->components.empty()) return;
  const analyze::Component& first = layout->components.front();
  json.key("stripes");
  json.open_object();
  json.field("components", static_cast<std::uint64_t>(layout->components.size()));
  json.field("count", first.stripes);
  json.field("size", first.stripe_size);
  json.key("targets");
  json.open_array();
  for (std::size_t i = 0; i < std::min(layout->targets.size(), kMostTargets); ++i) json.value(layout->targets[i]);
  json.close();
  json.close();
}

void write_targets(JsonWriter& json, const Run& run) {
  const auto targets = targets_of(run);
  json.key("targets");
  json.open_array();
  std::size_t shown = 0;
  for (const auto& [id, target] : targets) {
    if (shown++ == kMostTargets) break;
    json.line();
    json.open_object();
    json.field("id", id);
    json.field("files", target.files);
    json.field("bytes_read", target.bytes_read);
    json.field("bytes_written", target.bytes_written);
    json.close();
  }
  json.close();
  json.field("targets_total", static_cast<std::uint64_t>(targets.size()));
}

void write_counters(JsonWriter& json, const Run& run) {
  json.key("counters");
  json.open_array();
  for (const analyze::LayerSum& layer : run.layers) {
    if (!layer.present || layer.record.empty()) continue;
    json.line();
    json.open_object();
    json.field("module", layer.schema->name);
    json.key("values");
    json.open_object();
    write_record(json, *layer.schema, layer.record);
    json.close();
    json.close();
  }
  json.close();
}

}  // namespace trikal::report

#include <algorithm>
#include <map>

#include "report/json/report_shapes.hpp"

namespace trikal::report {
namespace {

using analyze::FileUse;
using analyze::Layer;

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

CounterValue value_of(const Counter& counter, const std::byte* at) {
  if (counter.kind == Kind::kReal) return load<double>(at);
  if (counter.kind == Kind::kUint) return load<std::uint64_t>(at);
  return load<std::int64_t>(at);
}

Keyed<CounterValue> values_of(const analyze::LayerSum& layer) {
  return {[&layer](const auto& entry) {
    const std::byte* at = layer.record.data() + layer.schema->counters_at;
    for (const Counter& counter : layer.schema->counters)
      for (std::size_t bucket = 0; bucket < counter.width(); ++bucket, at += 8)
        entry(bucket_name(counter, bucket), value_of(counter, at));
  }};
}

}  // namespace

std::optional<Stripes> stripes_of(const Run& run, const FileUse& file) {
  const analyze::Layout* layout = run.layout(file);
  if (layout == nullptr || layout->components.empty()) return std::nullopt;
  const analyze::Component& first = layout->components.front();
  return Stripes{.components = layout->components.size(),
                 .count = first.stripes,
                 .size = first.stripe_size,
                 .targets = first_rows(layout->targets, kMostTargets)};
}

std::vector<Target> targets_of(const Run& run) {
  std::map<std::int64_t, Target> by_id;
  for (const FileUse& file : run.files) {
    const analyze::Layout* layout = run.layout(file);
    if (layout == nullptr || layout->targets.empty()) continue;
    const double share = 1.0 / static_cast<double>(layout->targets.size());
    for (const std::int64_t id : layout->targets) add(by_id[id], run, file, share);
  }
  std::vector<Target> targets;
  targets.reserve(by_id.size());
  for (auto& [id, target] : by_id) {
    target.id = id;
    targets.push_back(target);
  }
  return targets;
}

Rows<Counters> counter_rows(const Run& run) {
  return {[&run](const auto& row) {
    for (const analyze::LayerSum& layer : run.layers)
      if (layer.present && !layer.record.empty()) row({layer.schema->name, values_of(layer)});
  }};
}

}  // namespace trikal::report

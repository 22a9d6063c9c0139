#include "gather/job_end.hpp"

#include <algorithm>
#include <chrono>

#include "gather/process_tree.hpp"
#include "log/crash/process_table.hpp"
#include "log/crash/to_log.hpp"
#include "modules/list.hpp"

namespace trikal::gather {
namespace {

using log::crash::JobFacts;

// The last thing a process is known to have done, in seconds after its start.
double last_seen(const log::crash::MapRef& map) {
  double last = 0;
  for (const ModuleFormat* module : all_modules()) {
    const ModuleSchema& schema = *module->schema;
    if (schema.live != nullptr) continue;
    auto look = [&](Bytes record) {
      const std::byte* at = record.data() + schema.counters_at;
      for (const Counter& counter : schema.counters) {
        if (counter.unit == Unit::kTimestamp) last = std::max(last, load<double>(at));
        at += 8 * counter.width();
      }
    };
    log::crash::for_each_record(
        {map, 0, 0}, schema, {[](void* self, Bytes record) { (*static_cast<decltype(look)*>(self))(record); }, &look});
  }
  return last;
}

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

// When what started a rank ended, which waits for it; 0: not seen.
double launchers_end(const ProcessTree& tree, const MapFile* file) {
  double end = 0;
  tree.for_each_ancestor(file, [&](const MapFile* above) {
    const JobFacts& facts = above->facts().job;
    if (end == 0 && facts.end_sec != 0 && above->facts().starts_ranks) end = log::crash::end_time(facts);
  });
  return end;
}

}  // namespace

JobEnd end_of(const TreeJob& job, double command_ended) {
  JobEnd end;
  const ProcessTree tree(job.files);
  for (const MapFile* file : job.files) {
    const JobFacts& facts = file->facts().job;
    double when = facts.end_sec != 0 ? log::crash::end_time(facts) : file->process_lives() ? now() : 0;
    if (when == 0) when = launchers_end(tree, file);
    if (when == 0) when = command_ended;
    if (when == 0) when = log::crash::start_time(facts) + last_seen(file->ref()), end.at_least = true;
    end.when = std::max(end.when, when);
  }
  return end;
}

}  // namespace trikal::gather

// What a sampler learns of processes without following their maps: from the file of finished ones, and in the end.

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "gather/finished_file.hpp"
#include "gather/job_ranks.hpp"
#include "gather/mpi_jobs.hpp"
#include "gather/run_directory.hpp"
#include "log/crash/process_table.hpp"
#include "log/crash/to_log.hpp"
#include "stream/sample/sampler.hpp"

namespace trikal::stream {
namespace {

using log::crash::PhaseSlot;

// All records of a process as the log will have them, files summed up.
class WholeMap {
 public:
  explicit WholeMap(FileSums& sums) : sums_(sums) {}

  void add(const gather::MapFile& map) {
    for (const SampledModule& module : sampled_modules(SampledModule::Order::kLog)) {
      module_ = &module;
      log::crash::for_each_record({map.ref(), 0, 0}, module.schema(),
                                  {[](void* self, Bytes record) { static_cast<WholeMap*>(self)->add(record); }, this});
    }
    for (const auto& [index, amounts] : files_) sums_.set(index, amounts);
  }

 private:
  void add(Bytes record) {
    FileAmounts& sum = files_[sums_.of(load<std::uint64_t>(record.data()), module_->schema().id)];
    stream::add(sum, module_->amounts_of_record(record.data()));
  }

  FileSums& sums_;
  const SampledModule* module_ = nullptr;
  std::unordered_map<FileSums::Index, FileAmounts> files_;
};

ProcessState state_of(const gather::MapFile& map) {
  switch (map.facts().state) {
    case log::crash::State::kEnded: return ProcessState::kEnded;
    case log::crash::State::kExec: return ProcessState::kExec;
    case log::crash::State::kRunning: break;
  }
  return map.life() == gather::Life::kLives ? ProcessState::kRunning : ProcessState::kGone;
}

ProcessEntry entry_of(const gather::MapFile& map, std::uint64_t process, std::uint64_t run, std::int64_t rank) {
  const auto& [identity, job] = std::tie(map.facts().identity, map.facts().job);
  const log::crash::MapPin view = *map.ref();
  const auto& host = view->header().host;
  return {.process = process,
          .run = run,
          .pid = identity.pid,
          .parent = job.parent_pid,
          .rank = rank,
          .generation = identity.generation,
          .state = state_of(map),
          .start = start_of(job),
          .host = std::string(host, ::strnlen(host, sizeof host)),
          .command = map.command(),
          .uid = job.uid,
          .job = job.job_id,
          .program = std::string(view->program())};
}

}  // namespace

// Where many short processes end at once, maps are put away before we have seen them.
void Sampler::read_finished(Directory& directory, Batch& into) {
  if (directory.kind != Kind::kRun) return;
  const std::string paths[] = {gather::finished_file(directory.path),
                               gather::finished_file(gather::overflow_of(directory.path))};
  for (std::size_t i = 0; i < 2; ++i) {
    Directory::Finished& seen = directory.finished[i];
    std::error_code none;
    const std::uintmax_t bytes = std::filesystem::file_size(paths[i], none);
    if (none || bytes == seen.bytes) continue;
    seen.bytes = bytes;
    const std::shared_ptr<gather::FinishedFile> file = gather::FinishedFile::open(paths[i]);
    for (; file != nullptr && seen.entries < file->count(); ++seen.entries)
      take_whole(gather::MapFile(file, seen.entries), directory.run, into);
  }
}

FileSums& Sampler::sums_of(std::uint64_t process) {
  for (auto& [path, followed] : maps_) {
    if (followed.process == process) return followed.map.sums();
  }
  const auto [rest, is_new] = rest_.try_emplace(process);
  if (is_new) rest->second.set_told_before(told_before(process));
  return rest->second;
}

void Sampler::take_whole(const gather::MapFile& map, std::uint64_t run, Batch& into) {
  const std::uint64_t process = process_id(map.facts().identity, map.facts().job);
  if (complete_.contains(process) || !is_wanted(map.facts().identity, map.facts().job)) return;
  FileSums& sums = sums_of(process);
  WholeMap(sums).add(map);
  const MapSampler::Listener listener = this->listener(process, start_of(map.facts().job), into);
  std::uint64_t phases = 0;  // that came before the chunk
  map.view().for_each_chunk([&](const log::crash::Chunk& chunk, Bytes slots) {
    if (chunk.kind == log::crash::ChunkKind::kNames) log::crash::for_each_name(slots, listener.name);
    if (chunk.kind != log::crash::ChunkKind::kPhases || chunk.stride != sizeof(PhaseSlot)) return;
    for (std::size_t i = 0; (i + 1) * sizeof(PhaseSlot) <= slots.size(); ++i)
      listener.phase(phases + i, load<PhaseSlot>(slots.data() + i * sizeof(PhaseSlot)));
    phases += chunk.capacity;
  });
  if (const std::size_t kept = sums.tell(listener.more); kept > 0) {
    kept_ += kept;
    into.drops.push_back({process, "kept", kept});
  }
  into.processes.push_back(entry_of(map, process, run, map.facts().job.rank));
  if (map.life() != gather::Life::kGone) return;
  complete_.insert(process);
  rest_.erase(process);
  std::erase_if(maps_, [&](const auto& followed) { return followed.second.process == process; });
}

void Sampler::finish(const std::vector<gather::MapFile>& maps, Nanoseconds now, Batch& into) {
  into.intervals.push_back({last_ == 0 ? now : last_, now, {}});
  last_ = now;
  const std::uint64_t run = directories_.empty() ? 0 : directories_.front().run;
  if (!directories_.empty() && !maps.empty())
    tell_run(directories_.front(), run, maps.front().facts().job, maps.front().command(), {}, into);
  for (const gather::MapFile& map : maps) take_whole(map, run, into);
  // Ranks as the log has them. Where nobody gave any, the log numbers its processes instead, which makes no rank of them.
  for (const gather::TreeJob& job : gather::split_into_jobs(maps)) {
    const bool has_ranks =
        std::ranges::any_of(job.files, [](const gather::MapFile* file) { return file->facts().job.rank >= 0; });
    const gather::JobRanks ranks = has_ranks ? gather::choose_ranks(job, 0) : gather::JobRanks{};
    for (const gather::MapFile* file : job.files) {
      const std::uint64_t process = process_id(file->facts().identity, file->facts().job);
      into.processes.push_back(entry_of(*file, process, run, ranks.of(file)));
    }
  }
}

}  // namespace trikal::stream

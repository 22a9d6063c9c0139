#include "analyze/dataset/run.hpp"

#include <algorithm>

#include "analyze/dataset/layers.hpp"
#include "analyze/dataset/library_layers.hpp"
#include "analyze/dataset/neighbours.hpp"
#include "analyze/dataset/outer_time.hpp"
#include "analyze/dataset/predicted_counters.hpp"
#include "analyze/dataset/standard_pipes.hpp"
#include "analyze/dataset/trailer_facts.hpp"
#include "analyze/dataset/trailer_rows.hpp"
#include "base/hash.hpp"
#include "modules/heatmap/schema.hpp"
#include "modules/list.hpp"

namespace trikal::analyze {
namespace {

// Standard input that comes slower than any disk is, in logs that do not say what it was: a pipe or a terminal.
bool is_waiting(BaseRecord base, const Use& use) {
  static const std::uint64_t kStdin = record_id("<STDIN>");
  constexpr double kSlowDisk = 20e6;  // bytes a second
  return base.id == kStdin && static_cast<double>(use.read.bytes) < kSlowDisk * use.read.seconds;
}

class RunReader {
 public:
  explicit RunReader(log::Reader& reader) : reader_(reader), pipes_(reader) {}

  Result<Run> read() {
    run_.job = &reader_.job();
    run_.seconds = reader_.job().run_time();
    run_.at_least = reader_.job().is_at_least();
    for (const auto& [key, value] : reader_.job().metadata_pairs()) {
      if (key == log::kUnseenRanksKey) run_.unseen_launcher = value;
      if (key == kPredictedKey) run_.is_prediction = value == "1";
    }
    for (const ModuleId id : reader_.modules()) {
      const ModuleFormat* module = find_module(id);
      if (module == nullptr) continue;
      run_.modules.emplace_back(module->schema->name);
      if (reader_.header().is_partial(id)) run_.incomplete.emplace_back(module->schema->name);
    }
    auto libraries = read_libraries(reader_, outer_);
    if (!libraries) return libraries.error();
    run_.libraries = std::move(*libraries);
    for (const Layer layer : {Layer::kMpiio, Layer::kPosix, Layer::kStdio}) {
      if (const Status status = read_layer(layer); !status) return status.error();
    }
    add_names();
    if (const Status status = read_heat(); !status) return status.error();
    if (const Status status = name_files(); !status) return status.error();
    finish_ranks();
    run_.slowest_seconds = outer_.sums().slowest, run_.all_seconds = outer_.sums().all;
    run_.name_seconds = outer_.names();
    run_.nested = outer_.nested();
    if (const Status status = read_neighbours(reader_, indexes_, run_); !status) return status.error();
    read_trailer_facts(reader_, indexes_, run_);
    run_.concurrency = concurrency();
    return std::move(run_);
  }

 private:
  Status read_layer(Layer layer) {
    const ModuleSchema& schema = schema_of(layer);
    LayerSum& sum = run_.layers[static_cast<std::size_t>(layer)];
    Accumulator totals(schema, run_.job->nprocs, Accumulator::Files::kSkip);
    const Status status = for_each_batch(reader_, schema, [&](const log::Batch& batch) {
      for (std::size_t i = 0; i < batch.count; ++i) {
        totals.add(batch.record(i, schema));
        add_record(layer, batch.record(i, schema), sum);
      }
    });
    if (sum.present) {
      sum.derived = totals.derived();
      sum.schema = &schema;
      sum.record.assign(totals.total().begin(), totals.total().end());
    }
    return status;
  }

  void add_record(Layer layer, const std::byte* record, LayerSum& sum) {
    const auto base = load<BaseRecord>(record);
    const Use use = use_in(layer, record, run_.job->nprocs);
    const std::uint64_t id = pipes_.id_of(base);
    const auto [found, is_new] = indexes_.try_emplace(id, run_.files.size());
    if (is_new) run_.files.push_back({.id = id, .name = {}});
    std::uint32_t& at = run_.files[found->second].uses[static_cast<std::size_t>(layer)];
    auto& uses = run_.uses[static_cast<std::size_t>(layer)];
    if (at == kNoUse) {
      at = uses.add(use);
    } else {
      Use whole = uses.get(at);
      add_use(whole, use);
      uses.replace(at, whole);
    }
    add_use(sum.total, use);
    sum.present = true;
    run_.has_shared_records |= base.rank == kSharedRank;
    if (layer == Layer::kMpiio) {
      RankUse& rank = ranks_[base.rank];
      rank.rank = base.rank, rank.mpiio_seconds += use.seconds();
      return outer_.add_outer(base, use);
    }
    // Reading and writing a pipe is waiting for somebody, and no I/O.
    const bool is_io = !pipes_.has(base) && !is_waiting(base, use);
    if (is_io) outer_.add(base, use);
    add_to_rank(base.rank, use, is_io);  // MPI-IO's bytes are in POSIX's
  }

  // Calls on names, directories and space are I/O as well; records have no time for them.
  void add_names() {
    for_each_row(reader_, "posix_extra", [this](const TrailerRow& row) {
      const BaseRecord base{static_cast<std::uint64_t>(row.count("id")), row.count("rank")};
      outer_.add_names(base, row.real("POSIX_F_EXTRA_TIME"));
    });
  }

  void add_to_rank(std::int64_t number, const Use& use, bool is_io) {
    RankUse& rank = ranks_[number];
    rank.rank = number;
    rank.bytes_read += use.read.bytes, rank.bytes_written += use.write.bytes;
    rank.calls += use.calls();
    rank.files += 1;
    if (!is_io) return;
    rank.read_seconds += use.read.seconds, rank.write_seconds += use.write.seconds;
    rank.meta_seconds += use.meta_seconds;
  }

  [[nodiscard]] double concurrency() const {
    const auto most = static_cast<double>(std::max<std::int64_t>(1, run_.job->nprocs));
    if (run_.processes.empty() || run_.seconds <= 0) return most;
    double lives = 0;
    for (const ProcessRow& process : run_.processes) {
      if (process.rank >= 0) lives += (process.end > 0 ? process.end : run_.seconds) - process.start;
    }
    return std::clamp(lives / run_.seconds, 1.0, most);
  }

  void finish_ranks() {
    for (const auto& [number, seconds] : outer_.library_seconds()) {
      ranks_[number].rank = number;
      ranks_[number].library_seconds = seconds;
    }
    for (const auto& [number, rank] : ranks_) run_.ranks.push_back(rank);
    std::ranges::sort(run_.ranks, {}, &RankUse::rank);
  }

  Status read_heat() {
    using modules::heatmap::kSchema;
    auto names = reader_.names();
    return for_each_batch(reader_, kSchema, [&](const log::Batch& batch) {
      const std::byte* record = batch.bytes.data();
      const auto base = load<BaseRecord>(record);
      const auto bins = static_cast<std::size_t>(load<std::int64_t>(record + modules::heatmap::kBinsAt));
      if (bins > (batch.bytes.size() - kSchema.head_bytes) / 16) return;
      HeatRow row{.interface = "",
                  .rank = base.rank,
                  .width = load<double>(record + modules::heatmap::kWidthAt),
                  .written = std::vector<std::int64_t>(bins),
                  .read = std::vector<std::int64_t>(bins)};
      const std::string_view name = names ? (*names)->name_of(base.id, "") : std::string_view();
      row.interface = name.substr(name.find(':') + 1);
      for (std::size_t i = 0; i < bins; ++i) {
        row.written[i] = load<std::int64_t>(record + kSchema.head_bytes + 8 * i);
        row.read[i] = load<std::int64_t>(record + kSchema.head_bytes + 8 * (bins + i));
      }
      run_.heat.push_back(std::move(row));
    });
  }

  Status name_files() {
    auto names = reader_.names();
    if (!names) return names.error();
    for (FileUse& file : run_.files) {
      const std::string_view pipe = pipes_.name_of(file.id);
      file.name = pipe.empty() ? (*names)->name_of(file.id, "") : pipe;
    }
    return {};
  }

  log::Reader& reader_;
  StandardPipes pipes_;
  Run run_;
  FileIndexes indexes_;
  OuterTime outer_;
  std::unordered_map<std::int64_t, RankUse, KeyedHash> ranks_;
};

}  // namespace

// Classes below 100 KiB: "0_100" to "10K_100K".
std::int64_t Flow::calls_below_100k() const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < 4; ++i) sum += sizes[i];
  return sum;
}

double Use::active_ranks() const {
  const auto all = static_cast<double>(bytes());
  return squared_bytes > 0 ? std::max(1.0, all * all / squared_bytes) : static_cast<double>(ranks);
}

const Component* Layout::widest(std::int64_t length) const {
  const Component* found = nullptr;
  for (const Component& component : components) {
    if (component.begin > 0 && component.begin >= length) continue;
    if (found == nullptr || component.stripes > found->stripes) found = &component;
  }
  return found;
}

double Run::io_seconds() const {
  const double spent = processes.empty() ? slowest_seconds : std::max(slowest_seconds, all_seconds / concurrency);
  return seconds > 0 ? std::min(spent, seconds) : spent;  // shared files may each have another slowest rank
}
double Run::meta_seconds() const {
  return layer(Layer::kPosix).total.meta_seconds + layer(Layer::kStdio).total.meta_seconds + name_seconds;
}
std::int64_t Run::file_count() const {
  const auto is_one = [](const FileUse& file) { return !file.is_overflow() && file.is_opened(); };
  return static_cast<std::int64_t>(std::ranges::count_if(files, is_one)) + folded_files;
}
std::int64_t Run::bytes_read() const {
  std::int64_t bytes = layer(Layer::kPosix).total.read.bytes + layer(Layer::kStdio).total.read.bytes;
  for (const LibrarySum& library : libraries.sums) bytes += library.name == "DFS" ? library.bytes_read : 0;
  return bytes;
}
std::int64_t Run::bytes_written() const {
  std::int64_t bytes = layer(Layer::kPosix).total.write.bytes + layer(Layer::kStdio).total.write.bytes;
  for (const LibrarySum& library : libraries.sums) bytes += library.name == "DFS" ? library.bytes_written : 0;
  return bytes;
}

std::string_view layer_name(Layer layer) { return schema_of(layer).name; }

Result<Run> read_run(log::Reader& reader) { return RunReader(reader).read(); }

}  // namespace trikal::analyze

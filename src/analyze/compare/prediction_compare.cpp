// The comparison of a prediction with a run. Records of a file are folded over the ranks on both sides: whether a run leaves
// one record for all of them or one for each is up to how it ended, and says nothing of the program.

#include <algorithm>
#include <map>

#include "analyze/compare/compare.hpp"
#include "analyze/compare/record_diff.hpp"
#include "modules/list.hpp"
#include "schema/fold.hpp"

namespace trikal::analyze {
namespace {

// A module's records of one side, in the order of the log.
class Held {
 public:
  struct Entry {
    std::uint64_t file = 0;  // the same on both sides
    std::int64_t rank = 0;
    std::vector<std::byte> bytes;
    [[nodiscard]] std::uint64_t id() const { return load<std::uint64_t>(bytes.data()); }
  };

  explicit Held(const ModuleSchema& schema) : plan_(schema) {}

  // With `fold` all ranks' records of a file become one.
  void add(std::uint64_t file, Bytes record, bool fold) {
    const auto rank = load<std::int64_t>(record.data() + 8);
    const auto [at, fresh] = index_of_.try_emplace({file, fold ? kSharedRank : rank}, entries_.size());
    files_.try_emplace(file);
    if (fresh) return entries_.push_back({file, rank, {record.begin(), record.end()}});
    if (!fold) return;  // two records of one file and rank: the first one counts
    Entry& into = entries_[at->second];
    std::vector<std::byte> one(record.begin(), record.end());
    if (into.rank != kSharedRank) plan_.prepare_shared(into.bytes.data());
    if (rank != kSharedRank) plan_.prepare_shared(one.data());
    plan_.combine_ranks(into.bytes.data(), one.data());
    into.rank = kSharedRank;
  }

  [[nodiscard]] const Entry* find(std::uint64_t file, std::int64_t rank) const {
    const auto found = index_of_.find({file, rank});
    return found != index_of_.end() ? &entries_[found->second] : nullptr;
  }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] bool has(std::uint64_t file) const { return files_.contains(file); }

 private:
  FoldPlan plan_;
  std::vector<Entry> entries_;
  std::map<std::pair<std::uint64_t, std::int64_t>, std::size_t> index_of_;
  std::map<std::uint64_t, bool> files_;
};

class PredictionComparison {
 public:
  PredictionComparison(log::Reader& a, log::Reader& b, const CompareOptions& options, DifferenceSink& sink)
      : readers_{&a, &b}, options_(options), scope_(*options.prediction), sink_(sink) {}

  CompareResult run() {
    result_.prediction.emplace();
    result_.status = load();
    if (!result_.status) return std::move(result_);
    compare_processes();
    for (const ModuleFormat* format : all_modules()) compare_module(*format);
    count_files();
    return std::move(result_);
  }

 private:
  static constexpr Side kSides[] = {Side::kA, Side::kB};
  static std::size_t of(Side side) { return side == Side::kA ? 0 : 1; }

  [[nodiscard]] bool wanted(ModuleId id) const {
    return options_.modules.empty() || std::ranges::find(options_.modules, id) != options_.modules.end();
  }
  // Sums over all ranks mean nothing where a prediction looked at some.
  [[nodiscard]] bool folds() const { return scope_.ranks.empty(); }

  Status load() {
    for (const Side side : kSides) {
      result_.side = side;
      auto names = readers_[of(side)]->names();
      if (!names) return names.error();
      names_[of(side)] = *names;
    }
    if (options_.by == AlignBy::kName) keys_ = FileKeys(*names_[0], *names_[1]);
    for (const PredictionScope::Module& module : scope_.modules)
      for (const Side side : kSides)
        if (Status read = load_module(*module.schema, side); !read) return read;
    return {};
  }

  // All modules, also those that nobody wants to see: which files they have decides what others are asked for.
  Status load_module(const ModuleSchema& schema, Side side) {
    Held& held = held_.try_emplace({schema.id, side}, schema).first->second;
    log::Reader& reader = *readers_[of(side)];
    if (reader.header().modules[schema.id].length == 0) return {};
    result_.side = side;
    auto stream = reader.records(schema.id);
    if (!stream) return stream.error();
    log::Batch batch;
    while (true) {
      auto more = (*stream)->next(batch);
      if (!more) return more.error();
      if (!*more) return {};
      for (std::size_t i = 0; i < batch.count; ++i) {
        const std::byte* record = batch.record(i, schema);
        const auto id = trikal::load<std::uint64_t>(record);
        held.add(side == Side::kA ? id : keys_.of_b(id), {record, schema.head_bytes}, folds());
      }
      if ((bytes_ += batch.bytes.size()) > options_.memory)
        return Error{.code = ErrorCode::kLimit,
                     .offset = (*stream)->file_offset(),
                     .what = "more records than fit into memory: --all compares them one by one"};
    }
  }

  void compare_processes() {
    if (options_.ignore_job) return;
    const std::int64_t a = readers_[0]->job().nprocs, b = readers_[1]->job().nprocs;
    if (a == b) return;
    result_.job_differs = true;
    sink_.job_change({"nprocs", a, b, Unit::kNone, relative_change(a, b)});
  }

  void compare_module(const ModuleFormat& format) {
    const ModuleSchema& schema = *format.schema;
    const PredictionScope::Module* said = scope_.find(schema.id);
    const auto of_side = [&](Side side) {
      const log::Header& header = readers_[of(side)]->header();
      return ModulePair::Of{header.modules[schema.id].length > 0, header.module_versions[schema.id],
                            header.is_partial(schema.id)};
    };
    ModulePair module{&format, of_side(Side::kA), of_side(Side::kB)};
    if (!wanted(schema.id) || (!module.a.present && !module.b.present)) return;
    if (said == nullptr) return result_.prediction->modules.push_back(schema.name);
    for (std::size_t i = 0; i < said->said.size(); ++i) {
      result_.prediction->counters += said->said[i] ? 0 : schema.counters[i].width();
      result_.prediction->counters_of += schema.counters[i].width();
    }
    RecordDiff diff(module, options_, keys_);
    counts_ = {};
    sink_.begin_module(module);
    compare_records(module, *said, diff);
    sink_.end_module(counts_);
    result_.counts.add(counts_);
  }

  void compare_records(const ModulePair& module, const PredictionScope::Module& said, RecordDiff& diff) {
    const Held& a = held_.at({said.schema->id, Side::kA});
    const Held& b = held_.at({said.schema->id, Side::kB});
    const Held& run = scope_.predicted == Side::kA ? b : a;
    for (const Held::Entry& entry : a.entries()) {
      if (left_out(said, entry, run)) continue;
      const Held::Entry* other = b.find(entry.file, folds() ? kSharedRank : entry.rank);
      if (other != nullptr) compare_pair(module, diff, entry, *other);
      else only(Side::kA, module, diff, entry);
    }
    for (const Held::Entry& entry : b.entries())
      if (a.find(entry.file, folds() ? kSharedRank : entry.rank) == nullptr && !left_out(said, entry, run))
        only(Side::kB, module, diff, entry);
  }

  bool left_out(const PredictionScope::Module& said, const Held::Entry& entry, const Held& run) {
    PredictionCounts& counts = *result_.prediction;
    const bool beneath = std::ranges::any_of(said.unless, [&](ModuleId other) {
      return std::ranges::any_of(kSides, [&](Side side) {
        const auto held = held_.find({other, side});
        return held != held_.end() && held->second.has(entry.file);
      });
    });
    if (beneath) return ++counts.beneath, true;
    if (folds()) return false;
    const bool other_rank = entry.rank == kSharedRank || !scope_.ranks.contains(entry.rank);
    if (!other_rank && run.find(entry.file, kSharedRank) == nullptr) return false;
    return ++counts.ranks, true;
  }

  void compare_pair(const ModulePair& module, RecordDiff& diff, const Held::Entry& a, const Held::Entry& b) {
    const std::uint64_t values = diff.values(a.bytes, b.bytes);
    if (values == 0) return;
    ++counts_.pairs;
    files_[a.file].both = true;
    const RecordPair pair = pair_of(module, &a, &b);
    RecordReporter reporter(sink_, options_.tolerance, pair);
    diff.compare(a.bytes, b.bytes, reporter);
    result_.prediction->values += values;
    counts_.changes += reporter.changes();
    if (reporter.changes() > 0) ++counts_.differing;
  }

  void only(Side side, const ModulePair& module, const RecordDiff& diff, const Held::Entry& entry) {
    if (diff.values(entry.bytes, {}) == 0) return;  // nothing in it that a prediction speaks of
    if (side != scope_.predicted && scope_.libraries.contains(entry.id())) {
      files_[entry.file].library = true;
      return;
    }
    files_[entry.file].in[of(side)] = true;
    ++(side == Side::kA ? counts_.only_a : counts_.only_b);
    sink_.only(side, side == Side::kA ? pair_of(module, &entry, nullptr) : pair_of(module, nullptr, &entry),
               entry.bytes);
  }

  [[nodiscard]] RecordPair pair_of(const ModulePair& module, const Held::Entry* a, const Held::Entry* b) const {
    RecordPair pair{.module = &module};
    if (b != nullptr) {
      pair.id_b = b->id(), pair.rank = b->rank, pair.file = b->file;
      pair.name_b = names_[1]->name_of(pair.id_b, {});
    }
    if (a != nullptr) {
      pair.id_a = a->id(), pair.rank = b != nullptr ? std::min(a->rank, b->rank) : a->rank, pair.file = a->file;
      pair.name_a = names_[0]->name_of(pair.id_a, {});
    }
    return pair;
  }

  void count_files() {
    PredictionCounts& counts = *result_.prediction;
    for (const auto& [file, seen] : files_) {
      counts.files += seen.both ? 1 : 0;
      counts.files_only_a += !seen.both && seen.in[0] ? 1 : 0;
      counts.files_only_b += !seen.both && seen.in[1] ? 1 : 0;
      counts.libraries += !seen.both && !seen.in[0] && !seen.in[1] && seen.library ? 1 : 0;
    }
  }

  struct Seen {
    bool both = false, library = false;
    bool in[2] = {false, false};
  };

  log::Reader* readers_[2];
  const CompareOptions& options_;
  const PredictionScope& scope_;
  DifferenceSink& sink_;
  const log::NameTable* names_[2] = {nullptr, nullptr};
  FileKeys keys_;
  std::map<std::pair<ModuleId, Side>, Held> held_;
  std::map<std::uint64_t, Seen> files_;
  std::uint64_t bytes_ = 0;
  CompareCounts counts_;
  CompareResult result_;
};

}  // namespace

CompareResult compare_prediction(log::Reader& a, log::Reader& b, const CompareOptions& options, DifferenceSink& sink) {
  return PredictionComparison(a, b, options, sink).run();
}

}  // namespace trikal::analyze

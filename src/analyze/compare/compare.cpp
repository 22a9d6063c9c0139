#include "analyze/compare/compare.hpp"

#include <algorithm>
#include <memory>

#include "analyze/compare/job_fields.hpp"
#include "analyze/compare/record_diff.hpp"
#include "analyze/compare/shelf.hpp"
#include "analyze/compare/traces.hpp"
#include "modules/list.hpp"

namespace trikal::analyze {
namespace {

BaseRecord base_of(Bytes record) { return {load<std::uint64_t>(record.data()), load<std::int64_t>(record.data() + 8)}; }

class Comparison {
 public:
  Comparison(log::Reader& a, log::Reader& b, const CompareOptions& options, DifferenceSink& sink)
      : a_(a), b_(b), options_(options), sink_(sink) {}

  CompareResult run() {
    result_.status = load_names();
    if (!result_.status) return result_;
    result_.job_differs = compare_jobs(a_.job(), b_.job(), options_, sink_);
    for (std::size_t i = 0; i < kModuleSlots && result_.status.ok() && sink_.wanted(); ++i) {
      compare_module(static_cast<ModuleId>(i));
    }
    return result_;
  }

 private:
  Status load_names() {
    result_.side = Side::kA;
    auto in_a = a_.names();
    if (!in_a) return in_a.error();
    result_.side = Side::kB;
    auto in_b = b_.names();
    if (!in_b) return in_b.error();
    names_a_ = *in_a, names_b_ = *in_b;
    if (options_.by == AlignBy::kName) keys_ = FileKeys(*names_a_, *names_b_);
    return {};
  }

  static ModulePair::Of module_of(const log::Reader& reader, ModuleId id) {
    const log::Header& header = reader.header();
    return {header.modules[id].length > 0, header.module_versions[id], header.is_partial(id)};
  }

  void compare_module(ModuleId id) {
    if (!options_.modules.empty() && std::ranges::find(options_.modules, id) == options_.modules.end()) return;
    ModulePair module{find_module(id), module_of(a_, id), module_of(b_, id)};
    // The flag of a hidden module without data means nothing: merges set it.
    const bool flags_count = module.format == nullptr || !module.format->hidden();
    const bool flags_differ = flags_count && module.a.incomplete != module.b.incomplete;
    if (!module.a.present && !module.b.present && !flags_differ) return;
    if (module.format == nullptr) return sink_.skipped(module, id);
    if (!options_.traces && module.schema().shape == Shape::kSliced) return;
    if (options_.ignore_times && module.schema().timeline) return;
    const bool versions_differ = module.a.present && module.b.present && module.a.version != module.b.version;
    if (options_.same_versions_only && versions_differ) return sink_.skipped(module, id);
    RecordDiff diff(module, options_, keys_);
    if (module.a.incomplete != module.b.incomplete) result_.modules_differ = true;
    counts_ = {};
    sink_.begin_module(module);
    result_.status = compare_records(module, diff);
    sink_.end_module(counts_);
    result_.counts.add(counts_);
  }

  // B is put on the shelf, A walks past it; once, or in rounds if B does not fit.
  Status compare_records(const ModulePair& module, RecordDiff& diff) {
    Shelf shelf(options_.memory);
    do {
      shelf.open();
      const Status held = fill(shelf, module, diff);
      if (!held) return held;
      const Status walked = walk(shelf, module, diff);
      if (!walked) return walked;
      for (const Bytes left : shelf.leftovers()) {
        ++counts_.only_b;
        sink_.only(Side::kB, pair_of(module, {}, left), head_of(module, left));
      }
    } while (shelf.more() && sink_.wanted());
    return {};
  }

  // Calls `each` with every record of a side; nothing to do where the log has none.
  template <class Each>
  Status visit(Side side, const ModulePair& module, Each each) {
    if (!(side == Side::kA ? module.a : module.b).present) return {};
    result_.side = side;
    auto stream = (side == Side::kA ? a_ : b_).records(module.schema().id);
    if (!stream) return stream.error();
    RecordPull pull(**stream, options_.segments, options_.memory);
    Bytes record;
    while (sink_.wanted()) {
      auto more = pull.next(record);
      if (!more) return more.error();
      if (!*more) break;
      const Status done = each(record);
      if (!done) return done;
    }
    return {};
  }

  Status fill(Shelf& shelf, const ModulePair& module, RecordDiff& diff) {
    const Status read = visit(Side::kB, module, [&](Bytes record) {
      const BaseRecord base = base_of(record);
      diff.pass(Side::kB, record);
      return shelf.add({keys_.of_b(base.id), base.rank}, record);
    });
    shelf.seal();
    return read;
  }

  Status walk(Shelf& shelf, const ModulePair& module, RecordDiff& diff) {
    return visit(Side::kA, module, [&](Bytes record) -> Status {
      const BaseRecord base = base_of(record);
      const RecordKey key{base.id, base.rank};
      if (!shelf.covers(key)) return diff.pass(Side::kA, record), Status();
      const Bytes other = shelf.take(key);
      if (other.data() == nullptr) {
        diff.pass(Side::kA, record);
        ++counts_.only_a;
        sink_.only(Side::kA, pair_of(module, record, {}), head_of(module, record));
        return {};
      }
      compare_pair(module, diff, record, other);
      return {};
    });
  }

  void compare_pair(const ModulePair& module, RecordDiff& diff, Bytes a, Bytes b) {
    ++counts_.pairs;
    const RecordPair pair = pair_of(module, a, b);
    RecordReporter reporter(sink_, options_.tolerance, pair);
    // By name, other names are expected; by id they are news.
    if (options_.by == AlignBy::kId && pair.name_a != pair.name_b) {
      reporter.value("name", std::string(pair.name_a), std::string(pair.name_b));
    }
    diff.compare(a, b, reporter);
    counts_.changes += reporter.changes();
    if (reporter.changes() > 0) ++counts_.differing;
  }

  // Some modules name their records themselves.
  static std::string_view name_of(const ModulePair& module, Bytes record, const log::NameTable& names,
                                  std::string& label) {
    const RecordView* record_view = module.format->record_view;
    RecordLabels labels;
    if (record_view != nullptr && record_view->labels != nullptr) record_view->labels(record, labels);
    label = std::move(labels.name);
    return label.empty() ? names.name_of(base_of(record).id, {}) : std::string_view(label);
  }

  [[nodiscard]] RecordPair pair_of(const ModulePair& module, Bytes a, Bytes b) {
    RecordPair pair{.module = &module};
    if (!b.empty()) {
      const BaseRecord base = base_of(b);
      pair.id_b = base.id, pair.rank = base.rank, pair.file = keys_.of_b(base.id);
      pair.name_b = name_of(module, b, *names_b_, label_b_);
    }
    if (!a.empty()) {
      const BaseRecord base = base_of(a);
      pair.id_a = base.id, pair.rank = base.rank, pair.file = base.id;
      pair.name_a = name_of(module, a, *names_a_, label_a_);
    }
    return pair;
  }

  static Bytes head_of(const ModulePair& module, Bytes record) {
    return module.schema().shape == Shape::kSliced ? record.first(module.schema().head_bytes) : record;
  }

  log::Reader& a_;
  log::Reader& b_;
  const CompareOptions& options_;
  DifferenceSink& sink_;
  const log::NameTable* names_a_ = nullptr;
  const log::NameTable* names_b_ = nullptr;
  FileKeys keys_;
  std::string label_a_, label_b_;  // names that are made for a record; they stand until the next one
  CompareCounts counts_;
  CompareResult result_;
};

}  // namespace

void CompareCounts::add(const CompareCounts& other) {
  pairs += other.pairs;
  differing += other.differing;
  only_a += other.only_a;
  only_b += other.only_b;
  changes += other.changes;
}

CompareResult compare(log::Reader& a, log::Reader& b, const CompareOptions& options, DifferenceSink& sink) {
  if (options.prediction != nullptr) return compare_prediction(a, b, options, sink);
  return Comparison(a, b, options, sink).run();
}

}  // namespace trikal::analyze

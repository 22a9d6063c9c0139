#include "log/merge.hpp"

#include <algorithm>
#include <set>

#include "log/copy_job.hpp"
#include "log/copy_records.hpp"
#include "log/copy_trailer.hpp"
#include "log/merge_fold.hpp"
#include "log/merge_inputs.hpp"
#include "log/merge_ranks.hpp"
#include "log/merge_trailer.hpp"
#include "modules/list.hpp"

namespace trikal::log {
namespace {

class Merge {
 public:
  Merge(std::span<const MergeInput> inputs, Writer& writer, const MergeOptions& options, MergeReport& report)
      : inputs_(inputs, options, report), writer_(writer), options_(options), report_(report) {}

  Status run() {
    Status done = inputs_.survey();
    if (done) done = put_job(writer_, inputs_.job(), report_);
    if (done) done = put_names();
    for (std::size_t id = 0; done && id < kModuleSlots; ++id) done = put_module(static_cast<ModuleId>(id));
    if (!done) return done;
    MergeTrailer trailer(inputs_, writer_, report_);  // holds schemas until finish
    done = trailer.put(traces_, partly_shared_);
    inputs_.close();
    if (!done) return done;
    report_.input.clear();
    return writer_.finish(partial_);
  }

 private:
  Status put_names() {
    Status done = writer_.begin_names();
    for (const NameTable::Entry& entry : inputs_.names().entries()) {
      if (done) done = writer_.put_name(entry.id, inputs_.names().text(entry));
    }
    return done ? writer_.end_region() : done;
  }

  // The logs whose data of this module can be read.
  std::vector<const InputFacts*> sources(ModuleId id, const ModuleFormat* format, bool& in_use) {
    std::vector<const InputFacts*> found;
    std::size_t unknown = 0;
    for (const InputFacts& facts : inputs_.facts()) {
      const bool readable = format != nullptr && format->form(facts.versions[id]) != nullptr;
      in_use = in_use || readable;
      if (facts.has(id) && readable) found.push_back(&facts);
      if (facts.has(id) && !readable) ++unknown;
    }
    if (unknown > 0) {
      report_.warnings.push_back("module " + std::to_string(id) + " is unknown in " + std::to_string(unknown) +
                                 " log(s) and left out there");
    }
    return found;
  }

  Status put_module(ModuleId id) {
    const ModuleFormat* format = find_module(id);
    bool in_use = false;
    const auto logs = sources(id, format, in_use);
    if (format != nullptr && !format->hidden()) partial_ |= inputs_.partial() & (std::uint64_t{1} << id);
    if (!in_use || format == nullptr) return {};
    Status done = writer_.begin_module(*format->schema, format->write_form().version);
    RankSurvey ranks(inputs_.job().nprocs, options_.fold_several ? SharedBy::kSeveral : SharedBy::kAll);
    const bool folds =
        options_.fold_shared && (format->schema->shape == Shape::kFixed || alike(*format) || counts_follow(*format));
    if (done && folds) done = survey_ranks(id, logs, ranks);
    if (done && folds) done = alike(*format) ? Status{} : put_folded(id, *format, logs, ranks);
    TimeGrid grid;
    if (done && format->rewrite != nullptr && format->rewrite->survey != nullptr)
      done = survey(id, *format, logs, grid);
    if (done) done = put_rest(id, *format, logs, folds ? &ranks : nullptr, grid);
    return done ? writer_.end_region() : done;
  }

  static bool alike(const ModuleFormat& format) { return format.rewrite != nullptr && format.rewrite->alike; }

  static bool counts_follow(const ModuleFormat& format) {
    return format.rewrite != nullptr && format.rewrite->counts_follow;
  }

  static RecordEdit edit_of(const InputFacts& facts) {
    return {.shift = facts.shift, .rank_shift = facts.rank_shift, .one_process = facts.nprocs <= 1};
  }

  // Calls `use` with each record, as it will be in the merged log, and the counts behind it that add up.
  template <class Use>
  Status each_record(ModuleId id, const std::vector<const InputFacts*>& logs, Use use) {
    for (const InputFacts* facts : logs) {
      auto reader = inputs_.open(*facts);
      if (!reader) return reader.error();
      auto records = (*reader)->records(id);
      if (!records) return records.error();
      const ModuleSchema& schema = (*records)->schema();
      const RecordEditor editor(schema, edit_of(*facts));
      const std::size_t size = schema.head_bytes;
      const bool follow = counts_follow(*find_module(id));
      std::vector<std::byte> own(size);
      Batch batch;
      for (;;) {
        auto more = (*records)->next(batch);
        if (!more) return more.error();
        if (!*more) break;
        for (std::size_t i = 0; i < batch.count; ++i) {
          std::copy_n(batch.record(i, schema), size, own.begin());
          editor.apply(own.data());
          const Status done = use(own.data(), follow ? batch.bytes.subspan(size) : Bytes{});
          if (!done) return done;
        }
      }
    }
    return {};
  }

  Status survey_ranks(ModuleId id, const std::vector<const InputFacts*>& logs, RankSurvey& ranks) {
    std::set<std::pair<std::int64_t, std::uint64_t>> seen;
    return each_record(id, logs, [&](const std::byte* record, Bytes tail) {
      const auto base = load<BaseRecord>(record);
      if (inputs_.ranks_in_parts().contains(base.rank) && !seen.insert({base.rank, base.id}).second) return Status{};
      ranks.count(base, tail.size());
      if (ranks.bytes() <= options_.memory) return Status{};
      return Status{Error{.code = ErrorCode::kLimit, .what = "too many records to find the shared ones among them"}};
    });
  }

  // In as many passes as the memory allows.
  Status put_folded(ModuleId id, const ModuleFormat& format, const std::vector<const InputFacts*>& logs,
                    const RankSurvey& ranks) {
    const std::vector<std::uint64_t> ids = ranks.shared_ids();
    const std::uint64_t each = SharedFold::bytes_each(*format.schema, ranks.longest_tail());
    const auto step = static_cast<std::size_t>(std::max<std::uint64_t>(1, options_.memory / each));
    for (std::size_t first = 0; first < ids.size(); first += step) {
      SharedFold fold(*format.schema, std::span{ids}.subspan(first, std::min(step, ids.size() - first)));
      RankRecords joined(*format.schema);
      Status done = each_record(id, logs, [&](const std::byte* record, Bytes tail) {
        const auto base = load<BaseRecord>(record);
        if (!fold.has(base.id) || !inputs_.ranks_in_parts().contains(base.rank)) fold.add(record, tail);
        else joined.add(record, tail);
        return Status{};
      });
      joined.for_each([&](Bytes head, Bytes tail, std::span<const RankRecords::Values> values) {
        fold.add(head.data(), tail, values);
      });
      if (done) done = writer_.append(fold.finish());
      if (!done) return done;
    }
    for (const std::uint64_t record : ids) {
      if (ranks.without_first_rank(record)) partly_shared_.push_back({id, record, inputs_.job().nprocs - 1});
    }
    report_.folded += ids.size();
    report_.records += ids.size();
    return {};
  }

  Status survey(ModuleId id, const ModuleFormat& format, const std::vector<const InputFacts*>& logs, TimeGrid& grid) {
    for (const InputFacts* facts : logs) {
      auto reader = inputs_.open(*facts);
      if (!reader) return reader.error();
      auto records = (*reader)->records(id);
      if (!records) return records.error();
      Batch batch;
      for (;;) {
        auto more = (*records)->next(batch);
        if (!more) return more.error();
        if (!*more) break;
        format.rewrite->survey(batch.bytes, facts->shift, grid);
      }
    }
    return {};
  }

  // Leaves out what a fold has already and, behind the first log, what stands for a whole log. Of records that
  // are alike on all ranks the first one stays, as everybody's.
  void choose(const ModuleFormat& format, const RankSurvey* ranks, bool first_log, RecordEdit& edit) {
    const auto whole_job = format.rewrite != nullptr && !first_log ? format.rewrite->whole_job : nullptr;
    if (ranks == nullptr && whole_job == nullptr) return;
    const bool first_stays = alike(format);
    edit.keep = [this, ranks, first_stays, whole_job](const std::byte* record) {
      if (whole_job != nullptr && whole_job(record)) return false;
      const auto id = load<std::uint64_t>(record);
      if (ranks == nullptr || !ranks->shared(id)) return true;
      return first_stays && kept_.insert(id).second;
    };
    if (ranks == nullptr || !first_stays) return;
    edit.finish = [ranks](std::byte* record) {
      if (ranks->shared(load<std::uint64_t>(record))) store(record + 8, kSharedRank);
    };
  }

  Status put_rest(ModuleId id, const ModuleFormat& format, const std::vector<const InputFacts*>& logs,
                  const RankSurvey* ranks, const TimeGrid& grid) {
    RecordCopier copier(writer_, format);
    kept_.clear();
    MergedTrace trace{.module = id};
    for (const InputFacts* facts : logs) {
      auto reader = inputs_.open(*facts);
      if (!reader) return reader.error();
      RecordEdit edit = edit_of(*facts);
      edit.grid = grid.width > 0 ? &grid : nullptr;
      choose(format, ranks, facts == logs.front(), edit);
      TraceScan scan;
      if (format.schema->shape == Shape::kSliced) {
        auto scanned = scan_once(**reader, id);
        if (!scanned) return scanned.error();
        scan = *scanned;
        trace.threads = trace.threads || scan.threads;
        trace.logs.push_back(facts);
      }
      auto records = (*reader)->records(id);
      if (!records) return records.error();
      const Status done = copier.copy(**records, edit, scan);
      if (!done) return done;
    }
    report_.records += copier.copied();
    if (trace.threads) traces_.push_back(std::move(trace));
    return {};
  }

  static Result<TraceScan> scan_once(Reader& reader, ModuleId id) {
    auto records = reader.records(id);
    if (!records) return records.error();
    return scan_trace(**records);
  }

  MergeInputs inputs_;
  Writer& writer_;
  const MergeOptions& options_;
  MergeReport& report_;
  std::uint64_t partial_ = 0;
  std::set<std::uint64_t> kept_;
  std::vector<MergedTrace> traces_;
  std::vector<PartlyShared> partly_shared_;
};

}  // namespace

Status merge_logs(std::span<const MergeInput> inputs, Writer& writer, const MergeOptions& options,
                  MergeReport& report) {
  return Merge(inputs, writer, options, report).run();
}

}  // namespace trikal::log

#include "report/text/differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"
#include "modules/list.hpp"
#include "report/text/prediction_check.hpp"
#include "report/text/sureness.hpp"

namespace trikal::report {
namespace {

using analyze::Change;
using analyze::CompareCounts;
using analyze::FileDifferences;
using analyze::ModulePair;
using analyze::RankedChange;
using analyze::Side;
using analyze::Value;

constexpr std::size_t kMountsShown = 3;
constexpr std::size_t kCommandShown = 100;

template <class... T>
void put(Sink& out, fmt::format_string<T...> form, T&&... values) {
  out.put(fmt::format(form, std::forward<T>(values)...));
}

std::string count_text(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// As few digits as tell the two apart.
std::string real_text(double value, const Value& other) {
  const auto* number = std::get_if<double>(&other);
  std::string text = fmt::format("{:.6g}", value);
  return number != nullptr && fmt::format("{:.6g}", *number) == text ? fmt::format("{}", value) : text;
}

std::string value_text(const Value& value, const Value& other) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *i);
  if (const auto* u = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *u);
  if (const auto* d = std::get_if<double>(&value)) return real_text(*d, other);
  if (const auto* s = std::get_if<std::string>(&value)) return s->empty() ? "(empty)" : printable(*s);
  return "(none)";
}

bool to_number(const Value& value, double& number) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return number = static_cast<double>(*i), true;
  if (const auto* u = std::get_if<std::uint64_t>(&value)) return number = static_cast<double>(*u), true;
  if (const auto* d = std::get_if<double>(&value)) return number = *d, std::isfinite(*d);
  return false;
}

bool is_quantity(Unit unit) {
  return unit != Unit::kId && unit != Unit::kMode && unit != Unit::kFlag && unit != Unit::kRank;
}

// Whole lines of a table: columns as wide as their widest cell, numbers to the right.
class Table {
 public:
  explicit Table(std::vector<bool> to_the_right) : right_(std::move(to_the_right)), widths_(right_.size()) {}

  void row(std::vector<std::string> cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      widths_[i] = std::max(widths_[i], std::min<std::size_t>(cells[i].size(), 48));
    rows_.push_back(std::move(cells));
  }
  void write(Sink& out) const {
    for (const auto& cells : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i < cells.size(); ++i) {
        line += right_[i] ? fmt::format(" {:>{}}", cells[i], widths_[i]) : fmt::format(" {:<{}}", cells[i], widths_[i]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out.put(line + "\n");
    }
  }

 private:
  std::vector<bool> right_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

std::string name_text(std::string_view name, std::uint64_t id) {
  return name.empty() ? fmt::format("(no name, id {})", id) : printable(name);
}

std::string file_text(const FileDifferences& file) {
  if (file.id_a == 0 && file.name_a.empty()) return name_text(file.name_b, file.id_b);
  std::string text = name_text(file.name_a, file.id_a);
  if (!file.name_b.empty() && file.name_b != file.name_a) text += " -> " + printable(file.name_b);
  return text;
}

std::string modules_text(std::uint64_t bits) {
  std::string text;
  for (const ModuleFormat* module : all_modules()) {
    if ((bits >> module->schema->id & 1) != 0)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", module->schema->name);
  }
  return text;
}

std::string clipped(std::string text) {
  if (text.size() > kCommandShown) text.replace(kCommandShown, std::string::npos, " ...");
  return text;
}

std::string rank_text(std::int64_t rank) { return rank == kSharedRank ? "all ranks" : fmt::format("rank {}", rank); }

// Counters carry their module's name, a trace's sums do not.
std::string counter_text(const RankedChange& change) {
  const bool told = change.name.starts_with(change.schema->prefix);
  return told ? change.name : fmt::format("{} {}", change.schema->name, change.name);
}

void add_change(Table& table, const RankedChange& change, std::string first, std::string second) {
  table.row({std::move(first), std::move(second), value_text(change.a, change.b), "->", value_text(change.b, change.a),
             is_quantity(change.unit) ? change_text(change.a, change.b) : ""});
}

}  // namespace

std::string change_text(const Value& a, const Value& b) {
  double from = 0, to = 0;
  if (!to_number(a, from) || !to_number(b, to)) return "";
  if (from < 0 || to < 0) return "";  // -1 is "not observed", not a quantity
  if (from == 0) return "from 0";
  const double ratio = to / from;
  return ratio >= 10 ? fmt::format("x{:.1f}", ratio) : fmt::format("{:+.1f} %", 100 * (ratio - 1));
}

TextDifferences::TextDifferences(DifferingLog a, DifferingLog b, const analyze::CompareOptions& options,
                                 const DifferenceLayout& layout)
    : a_(std::move(a)),
      b_(std::move(b)),
      options_(options),
      layout_(layout),
      ranking_(layout.files, layout.changes_a_file) {}

void TextDifferences::job_change(const Change& change) {
  job_.push_back({nullptr, 0, std::string(change.name), change.a, change.b, change.unit, change.relative, 0});
}

void TextDifferences::begin_module(const ModulePair& module) { modules_.push_back({module, {}}); }

void TextDifferences::only(Side side, const analyze::RecordPair& record, Bytes /*bytes*/) {
  ranking_.add_only(side, record);
}

void TextDifferences::skipped(const ModulePair& module, ModuleId id) {
  if (module.format == nullptr) notes_.push_back(fmt::format("module {} is not known to this tool: not compared", id));
  else notes_.push_back(fmt::format("{}: record versions differ: not compared", module.schema().name));
}

Status TextDifferences::write(Sink& out, const analyze::CompareResult& result) {
  if (!wanted()) {
    return Error{.code = ErrorCode::kLimit,
                 .what = "too many differences to sort: show fewer with --max, or use --json"};
  }
  write_logs(out);
  if (!job_.empty()) write_job(out);
  if (result.counts.differing + result.counts.only_a + result.counts.only_b > 0 || result.modules_differ) {
    write_modules(out);
    const std::vector<const FileDifferences*> files = ranking_.ranked();
    write_files(out, files);
    write_only(out, files, Side::kA);
    write_only(out, files, Side::kB);
  }
  write_notes(out, result);
  write_verdict(out, result);
  return {};
}

void TextDifferences::write_logs(Sink& out) const {
  for (const auto& [side, log] : {std::pair{"A", &a_}, std::pair{"B", &b_}}) {
    const log::Job& job = log->reader->job();
    const bool predicted =
        options_.prediction != nullptr && (options_.prediction->predicted == Side::kA) == (log == &a_);
    put(out, "{}  {}: {}{} {}, {:.4g} s, {}\n", side, printable(log->path), predicted ? "predicted, " : "", job.nprocs,
        job.nprocs == 1 ? "process" : "processes", job.run_time(), clipped(printable(job.exe)));
    if (predicted && options_.prediction->sureness)
      for (const std::string& line : sureness_lines(*options_.prediction->sureness))
        put(out, "   {}\n", printable(line));
  }
}

void TextDifferences::write_job(Sink& out) const {
  out.put("\njob\n");
  Table table({false, false, false, false, false, true});
  // Mounts differ between any two machines, by the dozen.
  std::size_t mounts = 0;
  for (const RankedChange& change : job_) {
    if (change.name.starts_with("mount ") && ++mounts > kMountsShown && layout_.files != analyze::Ranking::kNoBound)
      continue;
    add_change(table, change, printable(change.name), "");
  }
  table.write(out);
  if (mounts > kMountsShown && layout_.files != analyze::Ranking::kNoBound) {
    put(out, "  and {} (--all shows them)\n", count_text(mounts - kMountsShown, "more mount"));
  }
}

void TextDifferences::write_modules(Sink& out) const {
  out.put("\nmodules\n");
  Table table({false, true, true, true, true});
  table.row({"", "same", "differ", "only A", "only B"});
  for (const Module& module : modules_) {
    const CompareCounts& c = module.counts;
    table.row({std::string(module.pair.schema().name), fmt::format("{}", c.pairs - c.differing),
               fmt::format("{}", c.differing), fmt::format("{}", c.only_a), fmt::format("{}", c.only_b)});
  }
  table.write(out);
}

void TextDifferences::write_file(Sink& out, const FileDifferences& file) const {
  put(out, "{}\n", file_text(file));
  Table table({false, false, true, false, true, true});
  for (const RankedChange& change : file.kept) add_change(table, change, counter_text(change), rank_text(change.rank));
  table.write(out);
  if (file.changes > file.kept.size()) {
    put(out, "  and {} (--all shows them)\n", count_text(file.changes - file.kept.size(), "smaller change"));
  }
  if (file.only_a > 0)
    put(out, "  {} only in A ({})\n", count_text(file.only_a, "record"), modules_text(file.modules_a));
  if (file.only_b > 0)
    put(out, "  {} only in B ({})\n", count_text(file.only_b, "record"), modules_text(file.modules_b));
}

void TextDifferences::write_files(Sink& out, const std::vector<const FileDifferences*>& files) const {
  const auto changed =
      static_cast<std::size_t>(std::ranges::count_if(files, [](const auto* f) { return f->changes > 0; }));
  if (changed == 0) return;
  put(out, "\n{}, largest change first\n", count_text(changed, "file").append(changed == 1 ? " differs" : " differ"));
  for (std::size_t i = 0; i < std::min(changed, layout_.files); ++i) write_file(out, *files[i]);
  if (changed > layout_.files) {
    put(out, "and {} (--max N shows more, --all shows all)\n", count_text(changed - layout_.files, "more file"));
  }
}

void TextDifferences::write_only(Sink& out, const std::vector<const FileDifferences*>& files, Side side) const {
  std::vector<const FileDifferences*> only;
  std::ranges::copy_if(files, std::back_inserter(only), [side](const FileDifferences* file) {
    return file->changes == 0 && (side == Side::kA ? file->only_a : file->only_b) > 0;
  });
  if (only.empty()) return;
  put(out, "\n{} with records only in {}\n", count_text(only.size(), "file"), side == Side::kA ? "A" : "B");
  for (std::size_t i = 0; i < std::min(only.size(), layout_.files); ++i) {
    const FileDifferences& file = *only[i];
    put(out, "  {}  ({}; {})\n", file_text(file), count_text(side == Side::kA ? file.only_a : file.only_b, "record"),
        modules_text(side == Side::kA ? file.modules_a : file.modules_b));
  }
  if (only.size() > layout_.files) {
    put(out, "  and {} (--max N shows more, --all shows all)\n", count_text(only.size() - layout_.files, "more file"));
  }
}

void TextDifferences::write_notes(Sink& out, const analyze::CompareResult& result) const {
  std::vector<std::string> notes = notes_;
  if (result.prediction) notes = prediction_notes(*options_.prediction, *result.prediction);
  for (const Module& module : modules_) {
    const ModulePair& pair = module.pair;
    if (pair.a.incomplete != pair.b.incomplete) {
      notes.push_back(fmt::format("{}: incomplete in {} only", pair.schema().name, pair.a.incomplete ? "A" : "B"));
    }
    if (pair.unknown_counters > 0) {
      notes.push_back(fmt::format("{}: {} left out: not in record version {} (A: {}, B: {})", pair.schema().name,
                                  count_text(pair.unknown_counters, "counter"),
                                  std::min(pair.a.version, pair.b.version), pair.a.version, pair.b.version));
    }
  }
  if (!notes.empty()) out.put("\n");
  for (const std::string& note : notes) put(out, "note: {}\n", note);
}

void TextDifferences::write_verdict(Sink& out, const analyze::CompareResult& result) const {
  if (result.prediction) return put(out, "\n{}\n", prediction_verdict(*options_.prediction, result));
  const CompareCounts& c = result.counts;
  if (!result.differs()) {
    put(out, "\nThe logs are the same: {} compared.\n", count_text(c.pairs, "record"));
    return;
  }
  put(out, "\nThe logs differ: {} of {} records in both differ, {} only in A, {} only in B.\n", c.differing, c.pairs,
      c.only_a, c.only_b);
  if (c.pairs == 0 && c.only_a > 0 && c.only_b > 0 && options_.by == analyze::AlignBy::kId) {
    out.put(
        "No file is in both. If the runs used different directories, --by name pairs files by the ends of their "
        "paths.\n");
  }
}

}  // namespace trikal::report

// How good models are: on what they were fitted on, and on applications that they never saw.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "predict/calibrate/fit.hpp"

namespace trikal::predict {
namespace {

using Scores = std::vector<double>;

double link(double share) {
  const double p = std::clamp(share, 1e-3, 1 - 1e-3);
  return std::log(p / (1 - p));
}

Scores ranks_of(const Scores& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  Scores ranks(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) ranks[order[k]] = static_cast<double>(i + end - 1) / 2;
    i = end;
  }
  return ranks;
}

constexpr double kHundredth = 0.01;

// By how much intensities of an application differ when nothing but the run does: half of its blocks spread by more.
double spread_of(const Rows& rows, const std::string& application) {
  Scores all;
  for (const Row& row : rows)
    if (row.application == application && analyze::does_io(row.block)) all.push_back(row.spread);
  if (all.empty()) return 0;
  std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
  return all[all.size() / 2];
}

// The mean over applications; one whose blocks are all alike has no order. Intensities are rounded to a hundredth, or to
// what could be measured where that is coarser: blocks that differ by less are not ranked.
double mean_spearman(const Rows& rows, const Scores& scores, bool to_spread) {
  double sum = 0, count = 0;
  for (const std::string& application : applications_of(rows)) {
    const double step = std::max(kHundredth, to_spread ? spread_of(rows, application) : 0);
    Scores a, b;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].application == application)
        a.push_back(std::round(scores[i] / step)), b.push_back(std::round(rows[i].intensity() / step));
    const double one = a.size() >= 3 ? spearman(a, b) : std::nan("");
    if (!std::isnan(one)) sum += one, ++count;
  }
  return count > 0 ? sum / count : 0;
}

Scores scores_of(const Rows& rows, const Model& model) {
  Scores scores;
  for (const Row& row : rows) scores.push_back(predicted_score(model, row.block));
  return scores;
}

// Each application by a model of the others.
Scores left_out(const Rows& rows, const std::function<Model(const Rows&)>& fit) {
  Scores scores(rows.size());
  for (const std::string& application : applications_of(rows)) {
    Rows others;
    for (const Row& row : rows)
      if (row.application != application) others.push_back(row);
    const Model model = fit(others);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].application == application) scores[i] = predicted_score(model, rows[i].block);
  }
  return scores;
}

Scores baseline(const Rows& rows, std::size_t variable) {
  Scores scores;
  for (const Row& row : rows) scores.push_back(row.block.variables[variable]);
  return scores;
}

std::string line(const std::string& name, const Figures& f) {
  return fmt::format("{:<42} {:>7.2f} {:>7.3f} {:>8.1f} % {:>7.3f} {:>9.3f} {:>9.3f}\n", name, f.r2, f.mae,
                     100 * f.accuracy, f.f1, f.spearman, f.beyond);
}

std::string by_application(const Rows& rows, const Scores& seen, const Scores& unseen) {
  std::string out =
      "\napplication            rows    seconds   measured  predicted   accuracy   left out   spearman     spread  to "
      "spread\n";
  for (const std::string& application : applications_of(rows)) {
    Rows own;
    Scores a, b;
    double seconds = 0, measured = 0, predicted = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].application != application) continue;
      own.push_back(rows[i]), a.push_back(seen[i]), b.push_back(unseen[i]);
      if (!analyze::does_io(rows[i].block)) continue;
      seconds += rows[i].seconds, measured += rows[i].io_seconds, predicted += rows[i].seconds * seen[i];
    }
    const Figures fitted = judge(own, a), other = judge(own, b);
    out +=
        fmt::format("{:<20} {:>6} {:>10.3f} {:>10.3f} {:>10.3f} {:>8.1f} % {:>8.1f} % {:>10.3f} {:>10.3f} {:>10.3f}\n",
                    application, own.size(), seconds, measured / seconds, predicted / seconds, 100 * fitted.accuracy,
                    100 * other.accuracy, fitted.spearman, spread_of(own, application), fitted.beyond);
  }
  return out;
}

}  // namespace

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
  const Scores x = ranks_of(a), y = ranks_of(b);
  const auto n = static_cast<double>(x.size());
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n, my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    xy += (x[i] - mx) * (y[i] - my), xx += (x[i] - mx) * (x[i] - mx), yy += (y[i] - my) * (y[i] - my);
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : std::nan("");
}

std::vector<std::string> applications_of(const Rows& rows) {
  std::vector<std::string> all;
  for (const Row& row : rows)
    if (std::ranges::find(all, row.application) == all.end()) all.push_back(row.application);
  return all;
}

Figures judge(const Rows& rows, const Scores& scores) {
  Figures out;
  double mean = 0, count = 0, residual = 0, spread = 0, time = 0, hits = 0, false_ones = 0, missed = 0;
  for (const Row& row : rows)
    if (analyze::does_io(row.block)) mean += link(row.intensity()), ++count;
  if (count == 0) return out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!analyze::does_io(rows[i].block)) continue;  // 0 by definition: it would flatter
    const double measured = rows[i].intensity(), off = std::abs(scores[i] - measured);
    residual += std::pow(link(scores[i]) - link(measured), 2), spread += std::pow(link(measured) - mean / count, 2);
    out.mae += off / count;
    out.accuracy += rows[i].seconds * (1 - off), time += rows[i].seconds;
    hits += scores[i] > 0.5 && measured > 0.5 ? 1 : 0;
    false_ones += scores[i] > 0.5 && measured <= 0.5 ? 1 : 0;
    missed += scores[i] <= 0.5 && measured > 0.5 ? 1 : 0;
  }
  out.r2 = spread > 0 ? 1 - residual / spread : 0;
  out.accuracy /= time;
  out.f1 = hits > 0 ? 2 * hits / (2 * hits + false_ones + missed) : 0;
  out.spearman = mean_spearman(rows, scores, false);
  out.beyond = mean_spearman(rows, scores, true);
  return out;
}

std::string rows_csv(const Rows& rows) {
  std::string out = "application,input,block,kind,line,runs,seconds,io_seconds,intensity,spread";
  for (int i = 1; i <= 15; ++i) out += fmt::format(",P{}", i);
  for (int i = 1; i <= 16; ++i) out += fmt::format(",X{}", i);
  for (std::size_t i = 0; i < kOperations; ++i)
    for (const char* what : {"calls", "bytes"})
      out += fmt::format(",{} {}", name_of(static_cast<analyze::Operation>(i)), what);
  for (std::size_t i = 0; i < analyze::kWorkKinds; ++i)
    out += fmt::format(",{}", name_of(static_cast<analyze::Work>(i)));
  out += "\n";
  for (const Row& row : rows) {
    out += fmt::format("{},{},{},{},{},{:.0f},{:.9f},{:.9f},{:.6f},{:.6f}", row.application, row.input, row.path,
                       name_of(row.block.kind), row.block.line, row.block.runs, row.seconds, row.io_seconds,
                       row.intensity(), row.spread);
    for (const double one : row.block.parameters) out += fmt::format(",{:.10g}", one);
    for (const double one : row.block.variables) out += fmt::format(",{:.6g}", one);
    for (const double one : amounts_of(row.block)) out += fmt::format(",{:.10g}", one);
    out += "\n";
  }
  return out;
}

// FNV-1a: nobody attacks a training set.
std::string hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return fmt::format("{:016x}", hash);
}

std::string calibration_text(const Rows& rows, const analyze::Costs& prior, const Model& physical, const Model& refit,
                             const Model& published) {
  const auto with_io = std::ranges::count_if(rows, [](const Row& row) { return analyze::does_io(row.block); });
  Model unfitted = physical;
  unfitted.costs = prior;
  const Scores seen = scores_of(rows, physical);
  const Scores unseen = left_out(rows, [&](const Rows& some) { return fit_physical(some, prior); });
  std::string out =
      fmt::format("{} blocks, {} of them with I/O, in {} applications\n\n{:<42} {:>7} {:>7} {:>10} {:>7} {:>9} {:>9}\n",
                  rows.size(), with_io, applications_of(rows).size(), "model", "R2", "MAE", "accuracy", "F1",
                  "Spearman", "to spread");
  out += line("physical", judge(rows, seen));
  out += line("vidya-refit", judge(rows, scores_of(rows, refit)));
  out += line("vidya-2019 (published coefficients)", judge(rows, scores_of(rows, published)));
  out += line("physical, application left out", judge(rows, unseen));
  out += line("vidya-refit, application left out", judge(rows, left_out(rows, fit_refit)));
  out += line("physical, costs of the profile, not fitted", judge(rows, scores_of(rows, unfitted)));
  out += line("baseline: share of operations", judge(rows, baseline(rows, 1)));
  out += line("baseline: share of bytes", judge(rows, baseline(rows, 2)));
  return out + by_application(rows, seen, unseen);
}

}  // namespace trikal::predict

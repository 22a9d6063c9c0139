#pragma once
// From measured blocks to models, and how good those are.

#include <string>
#include <vector>

#include "predict/score/model.hpp"

namespace trikal::predict {

// One block of one run of a training program.
struct Row {
  std::string application, input, path;
  analyze::CodeBlock block;            // as predicted
  double seconds = 0, io_seconds = 0;  // as measured
  double spread = 0;  // of the intensity: by how much repeated runs differ

  [[nodiscard]] double intensity() const { return seconds > 0 ? io_seconds / seconds : 0; }
};
using Rows = std::vector<Row>;

// Costs near `prior`, which the machine's profile measured, moved to where measured blocks are predicted best.
[[nodiscard]] Model fit_physical(const Rows& rows, const analyze::Costs& prior);
// A fractional logit of the published parameters (quasi-binomial, since intensities of 0 and 1 occur).
[[nodiscard]] Model fit_refit(const Rows& rows);

// How much of everything that has a cost a block does: for each operation calls and bytes, then kinds of work.
[[nodiscard]] std::vector<double> amounts_of(const analyze::CodeBlock& block);
[[nodiscard]] double predicted_score(const Model& model, const analyze::CodeBlock& block);

struct Figures {
  double r2 = 0;        // on the link scale (logit)
  double mae = 0;       // of the intensity
  double accuracy = 0;  // 1 - |predicted - measured|, weighted by time
  double f1 = 0;        // of "more than half is I/O"
  double spearman = 0;  // of the ranks of all blocks of an application; the mean over applications
  double beyond = 0;    // the same, what differs by less than the spread of repeated runs being alike
};
// All but the ranks are of blocks with I/O; others have the score 0 by definition.
[[nodiscard]] Figures judge(const Rows& rows, const std::vector<double>& scores);
[[nodiscard]] double spearman(const std::vector<double>& a, const std::vector<double>& b);

[[nodiscard]] std::vector<std::string> applications_of(const Rows& rows);

// The data set as a table, and a number that changes with it.
[[nodiscard]] std::string rows_csv(const Rows& rows);
[[nodiscard]] std::string hash_of(const std::string& text);

// Everything as people read it: all models on all rows, each application by models that never saw it, the baselines.
[[nodiscard]] std::string calibration_text(const Rows& rows, const analyze::Costs& prior, const Model& physical,
                                           const Model& refit, const Model& published);

}  // namespace trikal::predict

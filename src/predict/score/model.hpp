#pragma once
// A model says how I/O-intensive a block is: a file with its kind, its coefficients and what they were fitted on.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyze/dataset/prediction.hpp"
#include "predict/system/profile.hpp"

namespace trikal::predict {

struct Model {
  enum class Kind : std::uint8_t { kPhysical, kLinear };
  std::string name, version;
  Kind kind = Kind::kPhysical;
  std::string link = "logit";                  // of a linear one: logit, or exp (the least of 1 and e to the y)
  std::map<std::string, double> coefficients;  // by the names of variables; "const" is added as it is
  analyze::Costs costs;                        // of a physical one
  std::string training;                        // hash of the data set; empty: published, not fitted here
  std::string machine;                         // that it was fitted on
  std::string mount;                           // and the file system
  std::string source;                          // where it comes from, for people
  double rows = 0;
};

[[nodiscard]] std::optional<Model> read_model(const std::string& path);
[[nodiscard]] std::string model_json(const Model& model);

// What variables are called: P1 to P15 and X1 to X16 as published; "log P3" is log(1 + P3); "P4/P2" a share.
[[nodiscard]] double variable(const analyze::CodeBlock& block, const std::string& name);
// Those of vidya-refit.
[[nodiscard]] const std::vector<std::string>& refit_variables();

// P15 and X1 to X16 of every block.
void set_variables(analyze::Prediction& prediction, double concurrency);

// A score in [0, 1]; blocks without I/O have 0.
[[nodiscard]] double score_of(const Model& model, const analyze::CodeBlock& block);

inline constexpr const char* kDefaultModel = "physical";

// The model to use, and what is to be said of it.
struct Scoring {
  Model model;
  std::optional<SystemProfile> profile;  // of this machine
  bool calibrated = false;
  std::string basis;  // what the numbers rest on, in words
};
// `wanted` is a name (the user's calibration first, then what came with the program) or a file.
[[nodiscard]] std::optional<Scoring> choose_scoring(const std::string& wanted, std::string& problem);

// Variables, seconds and scores of every block.
void apply(const Scoring& scoring, analyze::Prediction& prediction);

}  // namespace trikal::predict

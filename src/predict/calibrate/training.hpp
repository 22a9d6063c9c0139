#pragma once
// Predicts training programs, runs copies of them with timers, and puts both side by side.

#include <functional>

#include "predict/calibrate/fit.hpp"
#include "predict/calibrate/instrument.hpp"
#include "predict/predict.hpp"

namespace trikal::predict {

struct TrainingProgram {
  std::string name, family;
  std::string source;  // a path
  int ranks = 1;       // more than 1: MPI
  bool mpi = false;
  std::vector<std::vector<std::string>> inputs;
};

struct TrainingPlan {
  std::vector<TrainingProgram> programs;
  std::string folder;      // where to work: programs read and write there
  std::string timers;      // timers.c
  int repeats = 3;         // of each run; the fastest counts
  std::size_t most_inputs = 100;
  double least_seconds = 1e-3;  // shorter blocks are mostly noise
  PredictFunction predict = nullptr;
  InstrumentFunction instrument = nullptr;
  double concurrency = 1;  // of the file system
  std::function<void(const std::string&)> say;  // what is being done, or why not
};

// Of the file training.json in `folder`.
[[nodiscard]] std::vector<TrainingProgram> read_training(const std::string& folder, std::string& problem);
[[nodiscard]] Rows train(const TrainingPlan& plan);

}  // namespace trikal::predict

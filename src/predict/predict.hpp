#pragma once
// The interface of this component: everything behind it needs LLVM, its callers do not.

#include <map>
#include <string>
#include <vector>

#include "analyze/dataset/prediction.hpp"
#include "predict/source/compile.hpp"

namespace trikal::predict {

struct Request {
  std::vector<SourceFile> sources;
  std::string database;                // a folder with compile_commands.json, or with the record of trikal cc
  std::string program;                 // of several in the record
  std::vector<std::string> arguments;  // of the program, without its name
  std::vector<std::string> environment;
  std::map<std::string, std::int64_t> assumed;
  int ranks = 1;
  std::uint64_t stdin_bytes = 0;
  std::string stdin_file;   // what its standard input is; empty: not said
  bool stdin_told = false;  // by its size, or by the file
  double most_seconds = 60;
  double effort = 20;  // millions of steps for what a loop computes
  std::string cache;
};

struct Answer {
  std::vector<analyze::Prediction> predictions;  // of the ranks that were looked at
  std::vector<std::string> skipped;              // sources that could not be compiled, and why
  std::string problem;                           // why there is no prediction
};

using PredictFunction = void (*)(const Request& request, Answer& answer);
inline constexpr const char* kLibrary = "libtrikal-predict.so";
inline constexpr const char* kEntry = "trikal_predict";

}  // namespace trikal::predict

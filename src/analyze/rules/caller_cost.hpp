#pragma once
// What the program itself spends around a call, where the language it is written in is known to spend much: no log has that
// time, and whoever mends the calls saves it as well.

#include <string>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

// Seconds for each call, beside the system call's.
struct CallerCost {
  std::string_view language;  // empty: nothing is known
  double open = 0;  // with closing, and with the objects that reading or writing needs
  double stat = 0;
  double flush = 0;

  // ", and 12.0 us of Python around each open (assumed)"; empty where there is none.
  [[nodiscard]] std::string words(double seconds, std::string_view call) const;
};

// Of the programs of a run that did I/O, if all of them are of one language.
[[nodiscard]] CallerCost caller_cost(const Run& run);

}  // namespace trikal::analyze

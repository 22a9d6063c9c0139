#pragma once
// What a prediction is asked for.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "predict/world/world.hpp"

namespace trikal::predict {

struct Setting {
  std::vector<std::string> arguments;  // the program's, its name first
  std::vector<std::string> environment;
  std::map<std::string, std::int64_t> assumed;  // --assume name=value
  int rank = 0, ranks = 1;
  Word stdin_bytes = 0;
  std::string stdin_file;  // what the program is given; empty: nobody said
  bool stdin_told = false;  // by option
  class Meeting* meeting = nullptr;  // where ranks exchange messages; null: each is for itself
  std::uint64_t most_steps = 100'000'000;
  std::uint64_t exact_steps = 20'000'000;  // for loops whose result skipping would forget
  double most_seconds = 60;
  unsigned assumed_iterations = 16;  // of a loop whose end is not known
  unsigned line_bytes = 64;  // of text that is not known
  std::map<std::string, std::map<std::string, Hdf5Node>>
      left;  // in HDF5 files by ranks before this one, by name and path
  std::map<std::string, NetCdfContent> left_netcdf;  // the same of NetCDF's classic files
};

}  // namespace trikal::predict

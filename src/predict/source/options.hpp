#pragma once
// What the words of a compiler's command line mean for its sources.

#include <string>
#include <vector>

namespace trikal::predict {

// A command line as a shell would take it apart.
[[nodiscard]] std::vector<std::string> words_of(const std::string& command);

// Of the words behind a compiler those that change what the source means. Which compiler that is matters where it adds some of
// its own (mpicc, h5cc) or takes C for C++ (g++).
[[nodiscard]] std::vector<std::string> meaningful(const std::string& compiler, const std::vector<std::string>& words,
                                                  const std::string& directory, const std::string& source);

// Where the compiler has refused a source for a reason that can be mended: a header of MPI or HDF5 that no option leads to,
// an option of another compiler. False: there is nothing more to try.
[[nodiscard]] bool mend(std::vector<std::string>& options, const std::string& problem, const std::string& source);

}  // namespace trikal::predict

#pragma once
// Names of addresses in programs and libraries, by their debugging information. In this component because LLVM is.

#include <cstdint>
#include <string>

namespace trikal::predict {

struct CodeAddress {
  std::string object;        // the file
  std::string build;         // its build id in hexadecimal; empty: none
  std::uint64_t offset = 0;  // of the instruction behind a call, as addresses are counted in the file
};

struct CodeName {
  std::string function, source;  // empty: not known
  std::uint64_t line = 0;
};

// Keeps what it has read of a file until the process ends. Of a file that is not the one that ran nothing is told.
using SymbolizeFunction = void (*)(const CodeAddress& address, CodeName& name);
inline constexpr const char* kSymbolizeEntry = "trikal_symbolize";

}  // namespace trikal::predict

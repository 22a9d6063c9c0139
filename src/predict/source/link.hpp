#pragma once
// Bitcode into one module, as a linker would: what was asked for whole, and of everything else what is still missing.

#include <memory>
#include <string>
#include <vector>

#include "predict/machine/llvm_names.hpp"

namespace trikal::predict {

struct Bitcode {
  std::string file;
  std::string source;      // what it was made of
  bool as_needed = false;  // as from an archive: only where it defines a name that nobody else has defined yet
};

// Where nothing that was asked for has a main, the only one that has it comes next; a problem where several have.
[[nodiscard]] std::unique_ptr<llvm::Module> link(const std::vector<Bitcode>& files, llvm::LLVMContext& context,
                                                 std::string& problem);

}  // namespace trikal::predict

#pragma once
// Bitcode files into one module that the machine can run: linked, and simplified without losing what the source says.

#include "predict/source/link.hpp"

namespace trikal::predict {

// Kept beside the first of the files: the next time functions are read only when they are called.
[[nodiscard]] std::unique_ptr<llvm::Module> load(const std::vector<Bitcode>& files, llvm::LLVMContext& context,
                                                 std::string& problem);

}  // namespace trikal::predict

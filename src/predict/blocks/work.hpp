#pragma once
// What one run of a basic block does besides I/O, by kinds of work.

#include <string_view>
#include <unordered_map>

#include "analyze/dataset/work.hpp"
#include "predict/machine/llvm_names.hpp"

namespace trikal::predict {

class WorkOfBlocks {
 public:
  const analyze::WorkCounts& operator[](const llvm::BasicBlock& block);
  // Loads and stores of it, whatever kind they are counted for.
  [[nodiscard]] double accesses(const llvm::BasicBlock& block);

 private:
  void look_at(const llvm::Function& function);
  std::unordered_map<const llvm::BasicBlock*, analyze::WorkCounts> known_;
  std::unordered_map<const llvm::BasicBlock*, double> accesses_;
};

// Whether a function of a library is about files: its time is I/O time.
[[nodiscard]] bool does_io(std::string_view name);
// Whether it moves text.
[[nodiscard]] bool moves_text(std::string_view name);

}  // namespace trikal::predict

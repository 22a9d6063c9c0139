#pragma once
// The code-block graph: program, files, classes, functions, loops, branches and lines, from debug information.

#include <map>
#include <unordered_map>
#include <vector>

#include "analyze/dataset/prediction.hpp"
#include "predict/machine/llvm_names.hpp"

namespace trikal::predict {

struct SourceLocation {
  std::string source;
  unsigned line = 0, column = 0;
};
// Where the program's own source made this call; what was inlined from headers counts for who used it.
[[nodiscard]] SourceLocation source_location_of(const llvm::Instruction& instruction);

class BlockTree {
 public:
  explicit BlockTree(std::vector<analyze::CodeBlock>& blocks) : blocks_(blocks) {
    blocks_.push_back({analyze::BlockKind::kProgram, 0, "program"});
  }
  std::uint32_t function(const llvm::Function& function);
  std::uint32_t region(const llvm::BasicBlock& block);        // the innermost loop, branch or function
  std::uint32_t line(const llvm::Instruction& instruction);
  // The line where it has a block of its own, else what is around it: nothing is added to the tree.
  [[nodiscard]] std::uint32_t around(const llvm::Instruction& instruction);

  // The loop that is entered from a block; the root where there is none.
  [[nodiscard]] std::uint32_t entered_from(const llvm::BasicBlock& block) const {
    for (const LoopLocation& loop : loops_)
      if (loop.before == &block) return loop.block;
    return 0;
  }

  struct
      LoopLocation {  // where the machine's counts of blocks tell how often a loop began and how many iterations it made
    std::uint32_t block = 0;
    const llvm::BasicBlock *before = nullptr, *body = nullptr;
  };
  [[nodiscard]] const std::vector<LoopLocation>& loops() const { return loops_; }
  [[nodiscard]] const std::unordered_map<const llvm::Function*, std::uint32_t>& functions() const { return functions_; }

 private:
  std::uint32_t child(std::uint32_t parent, analyze::BlockKind kind, const std::string& name, const std::string& source,
                      unsigned line);
  void look_at(const llvm::Function& function);
  void note_loop(const llvm::Loop& loop, std::uint32_t number);

  std::vector<analyze::CodeBlock>& blocks_;
  std::vector<LoopLocation> loops_;
  std::map<std::tuple<std::uint32_t, analyze::BlockKind, std::string, unsigned>, std::uint32_t> known_;
  std::unordered_map<const llvm::BasicBlock*, std::uint32_t> regions_;
  std::unordered_map<const llvm::Function*, std::uint32_t> functions_;
};

}  // namespace trikal::predict

#include "predict/blocks/tree.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>

namespace trikal::predict {

using analyze::BlockKind;

namespace {

std::string short_name(llvm::StringRef path) {
  const std::size_t slash = path.rfind('/');
  return (slash == llvm::StringRef::npos ? path : path.substr(slash + 1)).str();
}

// The branch that decides whether a block runs: the nearest dominator that has another way round it.
const llvm::BasicBlock* deciding(const llvm::BasicBlock& block, llvm::DominatorTree& dominators,
                                 llvm::PostDominatorTree& joins, const llvm::LoopInfo& loops) {
  const auto* node = dominators.getNode(&block);
  for (node = node != nullptr ? node->getIDom() : nullptr; node != nullptr; node = node->getIDom()) {
    const llvm::BasicBlock* above = node->getBlock();
    if (loops.getLoopFor(above) != loops.getLoopFor(&block)) return nullptr;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(above->getTerminator());
    const bool choice =
        (branch != nullptr && branch->isConditional()) || llvm::isa<llvm::SwitchInst>(above->getTerminator());
    if (!choice || joins.dominates(&block, above)) continue;
    const llvm::Loop* loop = loops.getLoopFor(above);
    if (loop != nullptr && loop->isLoopExiting(above)) continue;  // the loop's own test
    return above;
  }
  return nullptr;
}

}  // namespace

Place place_of(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc();
  if (at == nullptr) return {};
  while (const llvm::DILocation* outer = at->getInlinedAt()) at = outer;
  return {at->getFilename().str(), at->getLine(), at->getColumn()};
}

std::uint32_t BlockTree::child(std::uint32_t parent, BlockKind kind, const std::string& name, const std::string& source,
                               unsigned line) {
  const auto [found, fresh] =
      known_.try_emplace({parent, kind, name, line}, static_cast<std::uint32_t>(blocks_.size()));
  if (fresh) {
    analyze::CodeBlock block;
    block.kind = kind, block.parent = parent, block.name = name, block.source = source, block.line = line;
    blocks_.push_back(std::move(block));
  }
  return found->second;
}

std::uint32_t BlockTree::function(const llvm::Function& function) {
  if (const auto found = functions_.find(&function); found != functions_.end()) return found->second;
  const llvm::DISubprogram* told = function.getSubprogram();
  const std::string source = told != nullptr ? told->getFilename().str() : "";
  std::uint32_t parent = child(0, BlockKind::kFile, short_name(source), source, 0);
  if (told != nullptr)
    if (const auto* owner = llvm::dyn_cast_or_null<llvm::DICompositeType>(told->getScope()))
      parent = child(parent, BlockKind::kClass, owner->getName().str(), source, owner->getLine());
  const std::string name = told != nullptr ? told->getName().str() : llvm::demangle(function.getName());
  const std::uint32_t number = child(parent, BlockKind::kFunction, name, source, told != nullptr ? told->getLine() : 0);
  functions_[&function] = number;
  look_at(function);
  return number;
}

void BlockTree::look_at(const llvm::Function& ir) {
  auto& function = const_cast<llvm::Function&>(ir);  // the analyses only read
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::PostDominatorTree joins(function);
  std::unordered_map<const llvm::Loop*, std::uint32_t> numbers;
  const std::uint32_t whole = functions_.at(&ir);
  const std::string source = blocks_[whole].source;
  // Blocks in the order of their dominators, so that what decides over a block is known before it.
  for (const auto* node : llvm::depth_first(dominators.getRootNode())) {
    const llvm::BasicBlock& block = *node->getBlock();
    const llvm::Loop* loop = loops.getLoopFor(&block);
    std::uint32_t region = whole;
    if (loop != nullptr && loop->getHeader() == &block) {
      const llvm::BasicBlock* before = node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
      const auto start = loop->getStartLoc();
      const std::uint32_t outside = before != nullptr ? regions_[before] : whole;
      numbers[loop] = child(outside, BlockKind::kLoop, "", source, start ? start.getLine() : 0);
    }
    if (loop != nullptr && numbers.contains(loop)) region = numbers[loop];
    if (const llvm::BasicBlock* above = deciding(block, dominators, joins, loops)) {
      const auto at = above->getTerminator()->getDebugLoc();
      const bool own = at && !at->getInlinedAt();
      region = own ? child(regions_[above], BlockKind::kBranch, "", source, at.getLine()) : regions_[above];
    }
    regions_[&block] = region;
  }
}

std::uint32_t BlockTree::region(const llvm::BasicBlock& block) {
  const std::uint32_t whole = function(*block.getParent());
  const auto found = regions_.find(&block);
  return found == regions_.end() ? whole : found->second;
}

std::uint32_t BlockTree::line(const llvm::Instruction& instruction) {
  const Place at = place_of(instruction);
  return child(region(*instruction.getParent()), BlockKind::kLine, "", at.source, at.line);
}

}  // namespace trikal::predict

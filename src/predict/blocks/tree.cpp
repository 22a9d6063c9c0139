#include "predict/blocks/tree.hpp"

#include <llvm/IR/Module.h>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace trikal::predict {

using analyze::BlockKind;

namespace {

std::string short_name(llvm::StringRef path) {
  const std::size_t slash = path.rfind('/');
  return (slash == llvm::StringRef::npos ? path : path.substr(slash + 1)).str();
}

// The branch that decides whether a block runs: the nearest dominator in its loop that has another way round it.
const llvm::BasicBlock* deciding(const llvm::BasicBlock& block, llvm::DominatorTree& dominators,
                                 llvm::PostDominatorTree& joins, const llvm::LoopInfo& loops) {
  const llvm::Loop* loop = loops.getLoopFor(&block);
  const auto* node = dominators.getNode(&block);
  for (node = node != nullptr ? node->getIDom() : nullptr; node != nullptr; node = node->getIDom()) {
    const llvm::BasicBlock* above = node->getBlock();
    if (loop != nullptr && !loop->contains(above)) return nullptr;
    if (loops.getLoopFor(above) != loop) continue;  // a loop that has ended before
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(above->getTerminator());
    const bool choice =
        (branch != nullptr && branch->isConditional()) || llvm::isa<llvm::SwitchInst>(above->getTerminator());
    if (!choice || joins.dominates(&block, above)) continue;
    if (loop != nullptr && loop->isLoopExiting(above)) continue;  // the loop's own test
    return above;
  }
  return nullptr;
}

// Where the program's own source is in a block, first.
const llvm::DILocation* first_location(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& instruction : block) {
    const llvm::DILocation* at = instruction.getDebugLoc();
    if (at == nullptr || llvm::isa<llvm::PHINode>(instruction)) continue;
    while (const llvm::DILocation* outer = at->getInlinedAt()) at = outer;
    if (at->getLine() != 0) return at;
  }
  return nullptr;
}

bool one_of(llvm::StringRef name, std::initializer_list<llvm::StringRef> beginnings) {
  return std::ranges::any_of(beginnings, [&](llvm::StringRef one) { return name.starts_with(one); });
}

// What follows `if (bad) return;` runs only when that did not, and is no branch all the same. clang gives a statement with a
// condition a scope of its own, at the line of the condition, that both sides are in; of expressions it names the blocks.
// Who gives no scopes is believed. The line of the statement, or 0 where the block is not part of one.
unsigned line_of_statement(const llvm::BasicBlock& block, const llvm::BasicBlock& above, llvm::StringRef entry) {
  const llvm::DILocation *test = above.getTerminator()->getDebugLoc(), *here = first_location(block);
  if (test == nullptr || test->getInlinedAt() != nullptr || here == nullptr) return 0;
  const llvm::DISubprogram* function = above.getParent()->getSubprogram();
  const unsigned language =
      function != nullptr && function->getUnit() != nullptr ? function->getUnit()->getSourceLanguage() : 0;
  if (one_of(entry, {"cond.true", "cond.false", "land.rhs", "lor.rhs", "sw."})) return test->getLine();
  if (one_of(llvm::dwarf::LanguageString(language), {"DW_LANG_Fortran"})) return test->getLine();
  const bool part = one_of(entry, {"if.then", "if.else", "land.", "lor."});  // of a && b the test is the last one's
  for (const llvm::DIScope* scope = here->getScope(); scope != nullptr; scope = scope->getScope()) {
    const auto* one = llvm::dyn_cast<llvm::DILexicalBlock>(scope);
    if (one == nullptr) continue;
    const bool at = one->getLine() == test->getLine() && one->getColumn() == test->getColumn();
    if (at || (part && one == test->getScope() && one->getLine() == test->getLine())) return one->getLine();
  }
  return 0;
}

// then, else, case 3, default: the side of the choice at the end of `above` that a block is on, and where that side begins.
std::string side_of(const llvm::BasicBlock& block, const llvm::BasicBlock& above, llvm::DominatorTree& dominators,
                    llvm::StringRef& entry) {
  const llvm::Instruction& last = *above.getTerminator();
  unsigned way = last.getNumSuccessors();
  for (unsigned i = 0; i < last.getNumSuccessors(); ++i)
    if (dominators.dominates(llvm::BasicBlockEdge(&above, last.getSuccessor(i)), &block)) way = i;
  const bool told = way < last.getNumSuccessors();
  entry = told ? last.getSuccessor(way)->getName() : block.getName();
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&last)) {
    if (told && way == 0) return "default";
    for (const auto& one : choice->cases())
      if (told && one.getSuccessorIndex() == way) return "case " + std::to_string(one.getCaseValue()->getSExtValue());
    return "case";
  }
  if (one_of(entry, {"if.then", "cond.true"})) return "then";
  if (one_of(entry, {"if.else", "cond.false"})) return "else";
  const llvm::StringRef other = told ? last.getSuccessor(1 - way)->getName() : llvm::StringRef();
  if (one_of(other, {"if.then", "cond.true"})) return "else";
  if (one_of(other, {"if.else", "if.end", "cond.false"})) return "then";
  return told && way == 1 ? "else" : "then";
}

}  // namespace

SourceLocation source_location_of(const llvm::Instruction& instruction) {
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
      note_loop(*loop, numbers[loop]);
    }
    if (loop != nullptr && numbers.contains(loop)) region = numbers[loop];
    if (const llvm::BasicBlock* above = deciding(block, dominators, joins, loops)) {
      llvm::StringRef entry;
      const std::string side = side_of(block, *above, dominators, entry);
      const unsigned line = line_of_statement(block, *above, entry);
      region = regions_[above];
      const analyze::CodeBlock& outer = blocks_[region];
      const bool same = outer.kind == BlockKind::kBranch && outer.line == line && outer.name == side;  // a && b
      if (line != 0 && !same) region = child(region, BlockKind::kBranch, side, source, line);
    }
    regions_[&block] = region;
  }
}

// A test at the top runs once more than what it is a test for.
void BlockTree::note_loop(const llvm::Loop& loop, std::uint32_t number) {
  const llvm::BasicBlock *header = loop.getHeader(), *body = header;
  if (loop.isLoopExiting(header)) {
    for (const llvm::BasicBlock* next : llvm::successors(header))
      if (next != header && loop.contains(next) && next->getSinglePredecessor() == header) body = next;
  }
  loops_.push_back({number, loop.getLoopPreheader(), body});
}

std::uint32_t BlockTree::region(const llvm::BasicBlock& block) {
  const std::uint32_t whole = function(*block.getParent());
  const auto found = regions_.find(&block);
  return found == regions_.end() ? whole : found->second;
}

std::uint32_t BlockTree::around(const llvm::Instruction& instruction) {
  const std::uint32_t outside = region(*instruction.getParent());
  const auto found = known_.find({outside, BlockKind::kLine, "", source_location_of(instruction).line});
  return found == known_.end() ? outside : found->second;
}

std::uint32_t BlockTree::line(const llvm::Instruction& instruction) {
  const SourceLocation at = source_location_of(instruction);
  return child(region(*instruction.getParent()), BlockKind::kLine, "", at.source, at.line);
}

}  // namespace trikal::predict

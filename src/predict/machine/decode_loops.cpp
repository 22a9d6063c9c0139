// The shape of a function: its loops, where ways come together, and ways that only end the program.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

#include <algorithm>

#include "predict/machine/decode_slots.hpp"
#include "predict/machine/joins.hpp"

namespace trikal::predict {
namespace {

// Whether all that a loop does with a number is to add to it.
bool is_only_summed(const llvm::PHINode& number, const llvm::Loop& loop) {
  llvm::SmallPtrSet<const llvm::Instruction*, 8> seen{&number};
  llvm::SmallVector<const llvm::Instruction*, 8> left{&number};
  while (!left.empty()) {
    for (const llvm::User* user : left.pop_back_val()->users()) {
      const auto* next = llvm::cast<llvm::Instruction>(user);
      if (!loop.contains(next)) continue;
      const bool sums = next->getOpcode() == llvm::Instruction::Add || next->getOpcode() == llvm::Instruction::Sub;
      if (!sums && !llvm::isa<llvm::PHINode>(next)) return false;
      if (seen.insert(next).second) left.push_back(next);
    }
  }
  return true;
}

}  // namespace

void Decoder::find_loops(Code& code, Slots& slots) {
  auto& function = const_cast<llvm::Function&>(*code.ir);  // the analyses only read
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  std::unordered_map<const llvm::Loop*, std::uint32_t> numbers;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    numbers[loop] = static_cast<std::uint32_t>(code.loops.size());
    LoopShape shape;
    shape.parent = loop->getParentLoop() != nullptr ? numbers.at(loop->getParentLoop()) : kNone;
    shape.header = slots.blocks.at(loop->getHeader());
    shape.depth = loop->getLoopDepth();
    if (const auto start = loop->getStartLoc()) shape.line = start.getLine();
    code.loops.push_back(shape);
    auto phi = code.blocks[shape.header].phis.begin();
    for (const llvm::PHINode& number : loop->getHeader()->phis()) (phi++)->only_summed = is_only_summed(number, *loop);
  }
  for (const llvm::BasicBlock& ir : function) {
    const llvm::Loop* loop = loops.getLoopFor(&ir);
    if (loop == nullptr) continue;
    Block& block = code.blocks[slots.blocks.at(&ir)];
    block.loop = numbers.at(loop);
    block.header = loop->getHeader() == &ir;
  }
  find_hopeless(code, slots);
  find_joins(code, slots);
}

namespace {

// Ways that exceptions take are none that a program is expected to go.
template <class Function>
void for_each_way(const llvm::BasicBlock& block, Function function) {
  const llvm::Instruction* last = block.getTerminator();
  if (const auto* call = llvm::dyn_cast<llvm::InvokeInst>(last)) return function(call->getNormalDest());
  for (unsigned i = 0; i < last->getNumSuccessors(); ++i) function(last->getSuccessor(i));
}

}  // namespace

void Decoder::find_joins(Code& code, Slots& slots) {
  auto& function = const_cast<llvm::Function&>(*code.ir);
  const bool catches = std::ranges::any_of(
      function, [](const llvm::BasicBlock& ir) { return llvm::isa<llvm::InvokeInst>(ir.getTerminator()); });
  // Nor those that give up: whatever they would have done, the others come together without them.
  const bool gives_up = std::ranges::any_of(code.blocks, &Block::hopeless) && !code.blocks.front().hopeless;
  if (catches || gives_up) {
    std::vector<std::vector<std::uint32_t>> after(code.blocks.size());
    for (const llvm::BasicBlock& ir : function) {
      const std::uint32_t from = slots.blocks.at(&ir);
      for_each_way(ir, [&](const llvm::BasicBlock* next) {
        const std::uint32_t to = slots.blocks.at(next);
        if (code.blocks[from].hopeless || !code.blocks[to].hopeless) after[from].push_back(to);
      });
    }
    const std::vector<std::uint32_t> found = joins(after);
    for (std::size_t i = 0; i < found.size(); ++i) code.blocks[i].joined = found[i];
    return;
  }
  llvm::PostDominatorTree joined(function);
  for (const llvm::BasicBlock& ir : function)
    if (const auto* node = joined.getNode(&ir); node != nullptr && node->getIDom() != nullptr)
      if (const llvm::BasicBlock* join = node->getIDom()->getBlock())
        code.blocks[slots.blocks.at(&ir)].joined = slots.blocks.at(join);
}

void Decoder::find_hopeless(Code& code, Slots& slots) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Block& block : code.blocks) {
      const llvm::Instruction* last = block.ir->getTerminator();
      bool hopeless = llvm::isa<llvm::UnreachableInst>(last) || llvm::isa<llvm::ResumeInst>(last);
      if (!hopeless && last->getNumSuccessors() > 0) {
        hopeless = true;
        for_each_way(*block.ir, [&](const llvm::BasicBlock* next) {
          hopeless = hopeless && code.blocks[slots.blocks.at(next)].hopeless;
        });
      }
      if (hopeless && !block.hopeless) block.hopeless = changed = true;
    }
  }
}

}  // namespace trikal::predict

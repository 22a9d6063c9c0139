#include "predict/blocks/parameters.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "predict/blocks/work.hpp"

namespace trikal::predict {
namespace {

using analyze::BlockKind;

constexpr double kSmall = 4096;

enum Parameter : std::size_t { kP1, kP2, kP3, kP4, kP5, kP6, kP7, kP8, kP9, kP10, kP11, kP12, kP13, kP14 };

bool flushes(Operation operation) {
  return operation == Operation::kFlush || operation == Operation::kSync || operation == Operation::kDataSync ||
         operation == Operation::kMpiSync || operation == Operation::kHdf5Flush ||
         operation == Operation::kHdf5DatasetFlush;
}
bool waits(Operation operation, std::string_view name) {
  return operation != Operation::kMpiNonblockingRead && operation != Operation::kMpiNonblockingWrite &&
         !name.starts_with("aio_") && !name.starts_with("lio_") && !name.starts_with("io_uring_");
}

double small_ones(const PredictedUse& use) {
  double small = 0, known = 0;
  for (const auto& [size, times] : use.sizes) {
    known += times;
    if (static_cast<double>(size) < kSmall) small += times;
  }
  return known > 0 ? use.count * small / known : 0;
}

double frame_bytes(const Code& code, const llvm::DataLayout& layout) {
  double bytes = 0;
  for (const llvm::Instruction& one : code.ir->getEntryBlock())
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&one))
      if (const auto size = variable->getAllocationSize(layout)) bytes += static_cast<double>(size->getFixedValue());
  return bytes;
}

}  // namespace

bool Parameters::under_branch(std::uint32_t block) const {
  for (; out_.blocks[block].parent != block; block = out_.blocks[block].parent)
    if (out_.blocks[block].kind == BlockKind::kBranch) return true;
  return false;
}

void Parameters::add(const LedgerRow& row, const llvm::Instruction& call, std::uint32_t line,
                     const std::set<std::uint32_t>& above) {
  const PredictedUse& use = row.use;
  const Operation operation = row.key.operation;
  const auto* made = llvm::dyn_cast<llvm::CallBase>(&call);
  const llvm::Function* callee = made != nullptr ? made->getCalledFunction() : nullptr;
  const std::string_view name =
      callee != nullptr ? std::string_view(callee->getName().data(), callee->getName().size()) : std::string_view{};
  const bool moves = analyze::reads(operation) || analyze::writes(operation);
  const bool branch = under_branch(line);
  std::uint32_t loop = line;
  while (out_.blocks[loop].parent != loop && out_.blocks[loop].kind != BlockKind::kLoop)
    loop = out_.blocks[loop].parent;
  for (const std::uint32_t block : above) {
    auto& p = out_.blocks[block].parameters;
    if (out_.blocks[loop].kind == BlockKind::kLoop) loops_[block].insert(loop);
    p[kP2] += use.count;
    p[kP3] += use.bytes;
    if (waits(operation, name)) p[kP4] += use.count;
    if (branch) p[kP5] += use.count;
    if (moves && !moves_text(name)) p[kP6] += use.count;
    if (flushes(operation)) p[kP7] += use.count;
    if (moves) p[kP12] += std::max(0.0, use.count - use.consecutive - 1);  // the first has nothing to follow
    if (moves) p[kP13] += small_ones(use);
    files_[block].insert(row.key.file);
    if (analyze::opens(operation)) opened_[block].insert(row.key.file);
  }
}

void Parameters::add_frame(const Code& code, unsigned depth, const std::set<std::uint32_t>& above) {
  const double bytes = frame_bytes(code, machine_.decoder.layout());
  for (const std::uint32_t block : above) {
    auto& p = out_.blocks[block].parameters;
    p[kP10] += bytes;
    p[kP11] = std::max(p[kP11], static_cast<double>(depth));
  }
}

void Parameters::add_heap(double bytes, const std::set<std::uint32_t>& above) {
  for (const std::uint32_t block : above) out_.blocks[block].parameters[kP10] += bytes;
}

void Parameters::finish() {
  for (const auto& [block, files] : files_)
    for (const std::uint32_t file : files) out_.blocks[block].parameters[kP9] += 1 + out_.files[file].like_it;
  for (const auto& [block, files] : opened_)
    for (const std::uint32_t file : files)
      out_.blocks[block].parameters[kP8] += out_.files[file].size * (1 + out_.files[file].like_it);
  // The innermost loops around what does I/O, each once, callees' included.
  for (const auto& [block, loops] : loops_)
    for (const std::uint32_t loop : loops) out_.blocks[block].parameters[kP1] += out_.blocks[loop].iterations;
  for (analyze::CodeBlock& block : out_.blocks) block.parameters[kP14] = out_.ranks;
}

}  // namespace trikal::predict

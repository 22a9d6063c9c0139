#pragma once
// P1 to P14 of the published model for every block, from what was counted (docs/predict.md defines each).

#include <map>
#include <set>

#include "predict/blocks/tree.hpp"
#include "predict/machine/machine.hpp"

namespace trikal::predict {

class Parameters {
 public:
  Parameters(const Machine& machine, analyze::Prediction& out) : machine_(machine), out_(out) {}

  // One row of the ledger, made by `call`, which stands in `line`; `above` has every block that it counts for.
  void add(const LedgerRow& row, const llvm::Instruction& call, std::uint32_t line,
           const std::set<std::uint32_t>& above);
  // A function ran, so many calls deep: its frame and its depth count for the blocks above.
  void add_frame(const Code& code, unsigned depth, const std::set<std::uint32_t>& above);
  void add_heap(double bytes, const std::set<std::uint32_t>& above);
  // When everything is added.
  void finish();

 private:
  [[nodiscard]] bool under_branch(std::uint32_t block) const;

  const Machine& machine_;
  analyze::Prediction& out_;
  std::map<std::uint32_t, std::set<std::uint32_t>> files_, opened_, loops_;  // by block
};

}  // namespace trikal::predict

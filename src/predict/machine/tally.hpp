#pragma once
// How often each basic block ran, by the way of calls that led there, and how much the library was asked to do. Numbers
// are given in runs: one for each block of a function that a way of calls reached, so that counting is one addition.

#include <map>
#include <vector>

#include "analyze/dataset/work.hpp"
#include "predict/machine/code.hpp"

namespace trikal::predict {

class Tallies {
 public:
  struct Blocks {  // of one function, reached in one way
    std::uint32_t context = 0;
    const Code* code = nullptr;
    std::uint32_t first = 0;
  };
  struct Amount {  // asked of the library by one call
    std::uint32_t context = 0;
    const llvm::Instruction* call = nullptr;
    analyze::Work work = analyze::Work::kMovedBytes;
    std::uint32_t number = 0;
  };

  // The number of its first block.
  std::uint32_t of_code(std::uint32_t context, const Code& code) {
    const auto [found, fresh] = codes_.try_emplace({context, &code}, static_cast<std::uint32_t>(counts.size()));
    if (fresh) {
      blocks.push_back({context, &code, found->second});
      counts.resize(counts.size() + code.blocks.size());
    }
    return found->second;
  }
  std::uint32_t of_call(std::uint32_t context, const llvm::Instruction* call, analyze::Work work) {
    const auto [found, fresh] = calls_.try_emplace({context, call, work}, static_cast<std::uint32_t>(counts.size()));
    if (fresh) {
      amounts.push_back({context, call, work, found->second});
      counts.push_back(0);
    }
    return found->second;
  }

  std::vector<double> counts;
  std::vector<Blocks> blocks;
  std::vector<Amount> amounts;

 private:
  std::map<std::pair<std::uint32_t, const Code*>, std::uint32_t> codes_;
  std::map<std::tuple<std::uint32_t, const llvm::Instruction*, analyze::Work>, std::uint32_t> calls_;
};

}  // namespace trikal::predict

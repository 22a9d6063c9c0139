#pragma once
// Where values and blocks of a function are, while it is decoded.

#include "predict/machine/decode.hpp"

namespace trikal::predict {

struct Decoder::Slots {
  std::unordered_map<const llvm::Value*, std::uint32_t> of;
  std::unordered_map<const llvm::BasicBlock*, std::uint32_t> blocks;
};

}  // namespace trikal::predict

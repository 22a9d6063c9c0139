#pragma once
// Why values are not known.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "predict/machine/code.hpp"

namespace trikal::predict {

struct CauseText {
  std::string what;
  const llvm::Instruction* at = nullptr;
  double forks = 0;
  bool character = false;  // one of a file's: whatever it is, it is not EOF
};

class Causes {
 public:
  // A value that `at` could not compute.
  [[nodiscard]] Value unknown(const Instruction& at, std::string_view what) {
    auto& here = numbers_[at.ir];
    const auto [found, fresh] = here.try_emplace(std::string(what), static_cast<Cause>(all_.size()));
    if (fresh) all_.push_back({std::string(what), at.ir, 0});
    return Value::unknown(found->second);
  }
  [[nodiscard]] CauseText& operator[](Cause cause) { return all_[cause]; }
  [[nodiscard]] const CauseText& operator[](Cause cause) const { return all_[cause]; }
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

 private:
  std::vector<CauseText> all_{{"known"}};
  std::unordered_map<const llvm::Instruction*, std::unordered_map<std::string, Cause>> numbers_;
};

}  // namespace trikal::predict

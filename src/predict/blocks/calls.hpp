#pragma once
// What a call in the program's bitcode says of itself: its name, whether it does I/O, and of which sort.

#include <cstdint>
#include <string>
#include <string_view>

#include "predict/machine/llvm_names.hpp"

namespace trikal::predict {

// The function as people write it; empty where a pointer is called.
[[nodiscard]] std::string name_of_call(const llvm::Instruction& call);
// Text, numbers: analyze::UseFlag.
[[nodiscard]] std::uint16_t flags_of_call(const llvm::Instruction& call);
// Whether this is a call of something that moves bytes, opens or closes.
[[nodiscard]] bool does_io(const llvm::Instruction& call);
// Whether it came here from a function of that name, which may have been inlined.
[[nodiscard]] bool is_in(const llvm::Instruction& call, std::string_view function);
[[nodiscard]] bool is_system(const llvm::Function& function);

}  // namespace trikal::predict

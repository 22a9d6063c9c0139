#pragma once
// Exceptions of C++. An exception lies on the heap behind a head of ours, in memory, so that loops see what becomes of it.

#include <optional>
#include <span>
#include <string>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

// The number that code compares a caught exception's type with.
[[nodiscard]] inline Word type_number(Word type) { return (type >> 6 & 0x3fffffff) + 1; }

// What a landing pad gets: the selector, or nothing where the exception passes it. Negative: its type is not allowed here.
[[nodiscard]] std::optional<std::int64_t> selected(Machine& machine, const llvm::LandingPadInst& pad, Word exception,
                                                   bool keep = true);

// As type `wanted`: the object, or that part of it. Nothing: it is none. Types by their mangled names, without _ZTI.
[[nodiscard]] std::optional<Word> as_type(Machine& machine, const std::string& type, Word object,
                                          const std::string& wanted);

[[nodiscard]] std::string type_of_exception(const Machine& machine, Word exception);  // mangled, without _ZTI
void keep_caught(Machine& machine, Word exception, Word object);  // as the handler sees it

// Throws one of the library's, by its mangled name without _ZTI, with its text.
[[noreturn]] void throw_standard(Machine& machine, const Call& call, const std::string& type, const std::string& text);

struct NamedModel;
std::span<const NamedModel> cpp_type_models();  // dynamic_cast
[[nodiscard]] Model exception_model_for(std::string_view name);  // constructors, destructors, what()

}  // namespace trikal::predict

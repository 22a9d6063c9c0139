// Flang's descriptors of arrays, and texts with a length beside them.

#include <algorithm>
#include <cctype>

#include "predict/models/fortran.hpp"

namespace trikal::predict {

Word FortranArray::count() const {
  Word all = 1;
  for (const Dimension& one : dimensions) all *= one.extent > 0 ? static_cast<Word>(one.extent) : 0;
  return all;
}

bool FortranArray::contiguous() const {
  auto step = static_cast<std::int64_t>(element);
  for (const Dimension& one : dimensions) {
    if (one.extent > 1 && one.stride != step) return false;
    step *= std::max<std::int64_t>(one.extent, 1);
  }
  return true;
}

Word FortranArray::address(Word index) const {
  Word at = base;
  for (const Dimension& one : dimensions) {
    const auto extent = static_cast<Word>(std::max<std::int64_t>(one.extent, 1));
    at += static_cast<Word>(one.stride) * (index % extent);
    index /= extent;
  }
  return at;
}

FortranKind kind_of(unsigned type) {
  // ISO_Fortran_binding.h; flang uses the types of least size for LOGICAL.
  constexpr unsigned kLastInteger = 24, kFirstComplex = 32, kBool = 39, kChar = 40, kLeast16 = 13, kLeast64 = 15;
  if (type >= kLeast16 && type <= kLeast64) return FortranKind::kLogical;
  if (type >= 1 && type <= kLastInteger) return FortranKind::kInteger;
  if (type > kLastInteger && type < kFirstComplex) return FortranKind::kReal;
  if (type >= kFirstComplex && type < kBool) return FortranKind::kComplex;
  return type == kBool ? FortranKind::kLogical : type == kChar ? FortranKind::kText : FortranKind::kOther;
}

std::optional<FortranArray> array_at(Machine& machine, Value descriptor) {
  constexpr Word kElement = 8, kRank = 20, kType = 21, kDimensions = 24, kEach = 24, kMostRank = 15;
  if (!descriptor.known() || descriptor.bits == 0) return std::nullopt;
  const Word at = descriptor.bits;
  const Value base = machine.memory.load(at, 8), element = machine.memory.load(at + kElement, 8),
              rank = machine.memory.load(at + kRank, 1), type = machine.memory.load(at + kType, 1);
  if (!base.known() || !element.known() || !rank.known() || !type.known() || rank.bits > kMostRank) return std::nullopt;
  FortranArray array;
  array.base = base.bits, array.element = element.bits, array.type = static_cast<unsigned>(type.bits);
  for (Word i = 0; i < rank.bits; ++i) {
    const Word dimension = at + kDimensions + kEach * i;
    const Value lower = machine.memory.load(dimension, 8), extent = machine.memory.load(dimension + 8, 8),
                stride = machine.memory.load(dimension + 16, 8);
    if (!extent.known() || !stride.known()) return std::nullopt;
    array.dimensions.push_back({lower.known() ? static_cast<std::int64_t>(lower.bits) : 1,
                                static_cast<std::int64_t>(extent.bits), static_cast<std::int64_t>(stride.bits)});
  }
  return array;
}

bool fortran_text(Machine& machine, Value address, Value length, std::string& out) {
  constexpr Word kLongest = 1 << 20;
  if (!address.known() || !length.known() || length.bits > kLongest) return false;
  out.resize(length.bits);
  return machine.memory.read(address.bits, out.data(), out.size());
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

void put_text(Machine& machine, const Call& call, Word address, Word width, const std::string& text) {
  std::string whole = text.substr(0, width);
  whole.resize(width, ' ');
  machine.wrote_text(call, address, width);
  machine.memory.write(address, whole.data(), whole.size());
}

}  // namespace trikal::predict

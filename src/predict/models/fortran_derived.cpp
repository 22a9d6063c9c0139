// Derived types: their components one by one, as flang's tables describe them. Padding between them is not written.

#include "predict/models/fortran_transfer.hpp"

namespace trikal::predict {
namespace {

// Where flang's runtime keeps what it knows of a type, in bytes.
constexpr Word kComponents = 232, kComponentCount = 264, kComponentBytes = 256;
constexpr Word kGenre = 24, kCategory = 25, kKind = 26, kRank = 27, kOffset = 32, kLength = 48, kType = 56,
               kBounds = 160;
constexpr Word kData = 1, kComplex = 2, kCharacter = 3, kDerived = 5;
constexpr std::size_t kMostParts = 1 << 16;

Word load(Machine& machine, Word address, unsigned bytes, bool& known) {
  const Value value = machine.memory.load(address, bytes);
  known = known && value.known();
  return value.bits;
}

// How many elements a component has: of each dimension the lower and the upper bound.
Word count_of(Machine& machine, Word component, bool& known) {
  const Word rank = load(machine, component + kRank, 1, known), bounds = load(machine, component + kBounds, 8, known);
  Word all = 1;
  for (Word i = 0; i < rank && i < 15 && known; ++i) {
    const auto lower = static_cast<std::int64_t>(load(machine, bounds + 32 * i + 8, 8, known));
    const auto upper = static_cast<std::int64_t>(load(machine, bounds + 32 * i + 24, 8, known));
    all *= upper >= lower ? static_cast<Word>(upper - lower + 1) : 0;
  }
  return all;
}

bool add_components(Machine& machine, Word type, Word base, std::vector<FortranPart>& out, int depth) {
  bool known = depth < 10;
  const Word table = load(machine, type + kComponents, 8, known),
             count = load(machine, type + kComponentCount, 8, known);
  for (Word i = 0; known && i < count; ++i) {
    const Word component = table + kComponentBytes * i, category = load(machine, component + kCategory, 1, known);
    const Word kind = load(machine, component + kKind, 1, known), offset = load(machine, component + kOffset, 8, known);
    const Word elements = count_of(machine, component, known);
    if (!known || load(machine, component + kGenre, 1, known) != kData || out.size() > kMostParts) return false;
    if (category == kDerived) {
      const Word inner = load(machine, component + kType, 8, known), bytes = load(machine, inner + 88, 8, known);
      for (Word k = 0; known && k < elements; ++k)
        if (!add_components(machine, inner, base + offset + k * bytes, out, depth + 1)) return false;
      continue;
    }
    FortranPart part;
    constexpr FortranKind kKinds[] = {FortranKind::kInteger, FortranKind::kReal, FortranKind::kComplex,
                                      FortranKind::kText, FortranKind::kLogical};
    part.kind = category < std::size(kKinds) ? kKinds[category] : FortranKind::kOther;
    part.address = base + offset, part.count = elements;
    part.bytes = category == kCharacter ? kind * load(machine, component + kLength, 8, known)
                 : category == kComplex ? 2 * kind
                                        : kind;
    out.push_back(part);
  }
  return known;
}

}  // namespace

bool parts_of_type(Machine& machine, Value descriptor, const FortranArray& array, std::vector<FortranPart>& out) {
  constexpr Word kDimensions = 24, kEach = 24;
  const Value type = machine.memory.load(descriptor.bits + kDimensions + kEach * array.dimensions.size(), 8);
  if (!type.known() || type.bits == 0) return false;
  for (Word i = 0; i < array.count(); ++i)
    if (!add_components(machine, type.bits, array.address(i), out, 0)) return false;
  return true;
}

}  // namespace trikal::predict

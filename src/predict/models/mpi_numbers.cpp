// What MPI's reductions do with two numbers, and which datatype is which.

#include <algorithm>
#include <cstring>
#include <limits>

#include "predict/models/mpi.hpp"

namespace trikal::predict {
namespace {

enum class Kind : std::uint8_t { kOther, kSigned, kUnsigned, kReal };
enum class Operator : std::uint8_t { kNone, kMax, kMin, kSum, kProduct, kAnd, kBitAnd, kOr, kBitOr, kXor, kBitXor };

// Of MPICH's handles the lowest byte.
constexpr std::uint8_t kSignedTypes[] = {0x01, 0x03, 0x05, 0x07, 0x09, 0x0e, 0x18, 0x1b, 0x2d, 0x2f,
                                         0x30, 0x31, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45};
constexpr std::uint8_t kUnsignedTypes[] = {0x02, 0x04, 0x06, 0x08, 0x0d, 0x0f, 0x19,
                                           0x1d, 0x33, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f};
constexpr std::uint8_t kRealTypes[] = {0x0a, 0x0b, 0x1c, 0x1f, 0x27, 0x29};

Kind kind_of(Machine& machine, Value type) {
  if (!type.known()) return Kind::kOther;
  if (type.bits >> 24 != 0x4c) {  // an object of Open MPI's: behind its size
    const Value told = machine.memory.load(type.bits + 8, 8);
    return told.known() && told.bits <= 3 ? static_cast<Kind>(told.bits) : Kind::kOther;
  }
  const auto low = static_cast<std::uint8_t>(type.bits);
  const auto in = [low](const auto& all) { return std::ranges::find(all, low) != std::end(all); };
  return in(kSignedTypes)     ? Kind::kSigned
         : in(kUnsignedTypes) ? Kind::kUnsigned
         : in(kRealTypes)     ? Kind::kReal
                              : Kind::kOther;
}

Operator operator_of(Machine& machine, Value operation) {
  if (!operation.known()) return Operator::kNone;
  const Word handle = operation.bits;
  Word number = handle >> 24 == 0x58 ? handle & 0xff : handle;
  if (handle >> 32 != 0) number = machine.memory.load(handle, 8).bits;
  return number >= 1 && number <= 10 ? static_cast<Operator>(number) : Operator::kNone;
}

template <class Number>
std::optional<Word> on(Operator what, Word a, Word b) {
  Number x{}, y{}, out{};
  std::memcpy(&x, &a, sizeof x), std::memcpy(&y, &b, sizeof y);
  switch (what) {
    case Operator::kMax: out = std::max(x, y); break;
    case Operator::kMin: out = std::min(x, y); break;
    case Operator::kSum: out = static_cast<Number>(x + y); break;
    case Operator::kProduct: out = static_cast<Number>(x * y); break;
    default: return std::nullopt;
  }
  Word bits = 0;
  std::memcpy(&bits, &out, sizeof out);
  return bits;
}

template <class Signed, class Unsigned>
std::optional<Word> on_whole(Kind kind, Operator what, Word a, Word b) {
  constexpr unsigned kWidth = 8 * sizeof(Unsigned);
  switch (what) {
    case Operator::kAnd: return Word{lowest(a, kWidth) != 0 && lowest(b, kWidth) != 0};
    case Operator::kOr: return Word{lowest(a, kWidth) != 0 || lowest(b, kWidth) != 0};
    case Operator::kXor: return Word{(lowest(a, kWidth) != 0) != (lowest(b, kWidth) != 0)};
    case Operator::kBitAnd: return a & b;
    case Operator::kBitOr: return a | b;
    case Operator::kBitXor: return a ^ b;
    case Operator::kSum: return a + b;  // as much of it as is kept
    case Operator::kProduct: return a * b;
    default: return kind == Kind::kSigned ? on<Signed>(what, a, b) : on<Unsigned>(what, a, b);
  }
}

}  // namespace

std::optional<Word> combined(Machine& machine, Value operation, Value type, Word a, Word b) {
  const Kind kind = kind_of(machine, type);
  const Operator what = operator_of(machine, operation);
  const Word bytes = type_bytes(machine, type);
  if (kind == Kind::kOther || what == Operator::kNone) return std::nullopt;
  if (kind == Kind::kReal)
    return bytes == 4 ? on<float>(what, a, b) : bytes == 8 ? on<double>(what, a, b) : std::nullopt;
  switch (bytes) {
    case 1: return on_whole<std::int8_t, std::uint8_t>(kind, what, a, b);
    case 2: return on_whole<std::int16_t, std::uint16_t>(kind, what, a, b);
    case 4: return on_whole<std::int32_t, std::uint32_t>(kind, what, a, b);
    case 8: return on_whole<std::int64_t, std::uint64_t>(kind, what, a, b);
    default: return std::nullopt;
  }
}

}  // namespace trikal::predict

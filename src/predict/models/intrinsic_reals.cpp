// LLVM's own functions of real numbers, as this machine computes them.

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "predict/machine/arithmetic.hpp"
#include "predict/models/intrinsics.hpp"

namespace trikal::predict {
namespace {

namespace I = llvm::Intrinsic;

// A function of one real, in both widths: of a float it is not what that of a double would be cut to.
struct OfReal {
  unsigned id;
  double (*of_double)(double);
  float (*of_float)(float);
  bool steps = false;  // from one whole number to the next
};
constexpr OfReal kOfReal[] = {
    {I::sqrt, ::sqrt, ::sqrtf},
    {I::fabs, ::fabs, ::fabsf},
    {I::floor, ::floor, ::floorf, true},
    {I::ceil, ::ceil, ::ceilf, true},
    {I::trunc, ::trunc, ::truncf, true},
    {I::round, ::round, ::roundf, true},
    {I::roundeven, ::roundeven, ::roundevenf, true},
    {I::rint, ::rint, ::rintf, true},
    {I::nearbyint, ::nearbyint, ::nearbyintf, true},
    {I::exp, ::exp, ::expf},
    {I::exp2, ::exp2, ::exp2f},
    {I::log, ::log, ::logf},
    {I::log2, ::log2, ::log2f},
    {I::log10, ::log10, ::log10f},
    {I::sin, ::sin, ::sinf},
    {I::cos, ::cos, ::cosf},
    {I::tan, ::tan, ::tanf},
};

struct OfReals {
  unsigned id;
  double (*of_doubles)(double, double);
  float (*of_floats)(float, float);
};
constexpr OfReals kOfReals[] = {
    {I::copysign, ::copysign, ::copysignf},
    {I::pow, ::pow, ::powf},
    {I::minnum, ::fmin, ::fminf},
    {I::maxnum, ::fmax, ::fmaxf},
};

float single(Word bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
Word bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

// x * y + z, rounded once or after each of the two.
template <class Real>
Real product_and_sum(unsigned id, Real x, Real y, Real z) {
  if (id == I::fma) return std::fma(x, y, z);
  volatile Real product = x * y;  // never to be fused
  return product + z;
}

// The builtin of compilers: squares, multiplied where the exponent has a bit.
template <class Real>
Real to_whole_power(Real base, std::int64_t exponent) {
  const bool below = exponent < 0;
  Real out = 1;
  while (true) {
    if ((exponent & 1) != 0) out *= base;
    exponent /= 2;
    if (exponent == 0) break;
    base *= base;
  }
  return below ? 1 / out : out;
}

std::optional<Word> real_result(const Call& call, unsigned id, bool is_float) {
  const Word a = call.argument(0).bits, b = call.argument(1).bits, c = call.argument(2).bits;
  const auto real = [](Word bits) { return std::bit_cast<double>(bits); };
  const auto word = [](double value) { return std::bit_cast<Word>(value); };
  for (const OfReals& one : kOfReals)
    if (one.id == id)
      return is_float ? bits_of(one.of_floats(single(a), single(b))) : word(one.of_doubles(real(a), real(b)));
  switch (id) {
    case I::fma:
    case I::fmuladd:
      return is_float ? bits_of(product_and_sum(id, single(a), single(b), single(c)))
                      : word(product_and_sum(id, real(a), real(b), real(c)));
    case I::powi: {
      const std::int64_t exponent = with_sign(b, 32);
      return is_float ? bits_of(to_whole_power(single(a), exponent)) : word(to_whole_power(real(a), exponent));
    }
    default: return std::nullopt;
  }
}

bool on_reals(Machine& machine, Call& call, unsigned id) {
  const auto* const one = std::ranges::find_if(kOfReal, [id](const OfReal& function) { return function.id == id; });
  const bool single_argument = one != std::end(kOfReal);
  const bool is_float = call.at.number == Number::kFloat;
  if (call.at.number == Number::kInteger) return false;
  for (const Value& argument : call.arguments)
    if (!argument.known()) return call.returns(argument), single_argument || real_result(call, id, is_float);
  const Word a = call.argument(0).bits;
  if (!single_argument) {
    const std::optional<Word> bits = real_result(call, id, is_float);
    if (bits) call.returns(Value::of(*bits));
    return bits.has_value();
  }
  const Value value = Value::of(is_float ? bits_of(one->of_float(single(a)))
                                         : std::bit_cast<Word>(one->of_double(std::bit_cast<double>(a))));
  call.returns(one->steps ? jumping(machine, call, a, value) : value);
  return true;
}

// Kinds of reals, as bits of a mask: NaNs, then from minus infinity to infinity.
Word kind_of(double x, bool quiet, bool normal) {
  if (std::isnan(x)) return quiet ? 2 : 1;
  const bool minus = std::signbit(x);
  if (std::isinf(x)) return minus ? 4 : 512;
  if (x == 0) return minus ? 32 : 64;
  if (!normal) return minus ? 16 : 128;
  return minus ? 8 : 256;
}

bool is_kind(Call& call) {
  const Value x = call.argument(0), mask = call.argument(1);
  if (!x.known() || !mask.known()) return call.returns(x.known() ? mask : x), true;
  const bool is_float = call.at.number == Number::kFloat;
  const double real = real_from(x.bits, call.at.number);
  const bool quiet = (x.bits >> (is_float ? 22 : 51) & 1) != 0;
  const bool normal = is_float ? std::isnormal(single(x.bits)) : std::isnormal(real);
  call.returns(Value::of(Word{(kind_of(real, quiet, normal) & mask.bits) != 0}));
  return true;
}

// A real as a whole number, and the nearest there is where it is too large; NaN: zero.
bool cut_off(Call& call, bool sign) {
  const Value x = call.argument(0);
  if (!x.known()) return call.returns(x), true;
  const unsigned width = call.at.ir->getType()->getScalarSizeInBits();
  const double real = real_from(x.bits, call.at.number);
  const double top = std::ldexp(1, static_cast<int>(sign ? width - 1 : width)), bottom = sign ? -top : 0;
  Word out = 0;
  if (real >= top) out = lowest(~Word{0}, sign ? width - 1 : width);
  else if (real <= bottom) out = sign ? Word{1} << (width - 1) : 0;
  else if (!std::isnan(real) && sign) out = static_cast<Word>(static_cast<std::int64_t>(real));
  else if (!std::isnan(real)) out = static_cast<Word>(real);
  call.returns(Value::of(lowest(out, width)));
  return true;
}

bool nearest(Machine& machine, Call& call, unsigned id) {
  const Value x = call.argument(0);
  if (!x.known()) return call.returns(x), true;
  const double real = real_from(x.bits, call.at.number);
  const bool half_up = id == I::lround || id == I::llround;
  const std::int64_t out = half_up ? std::llround(real) : std::llrint(real);
  call.returns(jumping(machine, call, x.bits, Value::of(static_cast<Word>(out))));
  return true;
}

}  // namespace

bool real_intrinsic(Machine& machine, Call& call, unsigned id) {
  switch (id) {
    case I::is_fpclass: return is_kind(call);
    case I::fptosi_sat:
    case I::fptoui_sat: return cut_off(call, id == I::fptosi_sat);
    case I::lround:
    case I::llround:
    case I::lrint:
    case I::llrint: return nearest(machine, call, id);
    default: return on_reals(machine, call, id);
  }
}

}  // namespace trikal::predict

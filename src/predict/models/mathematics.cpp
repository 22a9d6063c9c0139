// Mathematics. A float lies in the lowest 32 bits of a value; long doubles are kept as doubles.

#include <cmath>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

template <class Real>
Real real_of(Value value) {
  if constexpr (sizeof(Real) == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
  else return value.real();
}
Value value_of(float number) { return Value::of(Word{std::bit_cast<std::uint32_t>(number)}); }
Value value_of(double number) { return Value::of(number); }

void gives(Call& call, Value value) {
  for (const Value& argument : call.arguments) value.data = value.data || argument.data;
  call.returns(value);
}

template <class Real, Real (*Function)(Real)>
void one(Machine&, Call& call) {
  const Value x = call.argument(0);
  if (!x.known()) return call.returns(x);
  gives(call, value_of(Function(real_of<Real>(x))));
}
template <class Real, Real (*Function)(Real, Real)>
void two(Machine&, Call& call) {
  if (const Value none = first_unknown(call, 2); !none.known()) return call.returns(none);
  gives(call, value_of(Function(real_of<Real>(call.argument(0)), real_of<Real>(call.argument(1)))));
}
template <class Real, Real (*Function)(Real, Real, Real)>
void three_model(Machine&, Call& call) {
  if (const Value none = first_unknown(call, 3); !none.known()) return call.returns(none);
  gives(call, value_of(Function(real_of<Real>(call.argument(0)), real_of<Real>(call.argument(1)),
                                real_of<Real>(call.argument(2)))));
}
// A whole number near one, or a class of it: what moves evenly does not make these move evenly.
template <class Real, class Whole, Whole (*Function)(Real)>
void whole(Machine& machine, Call& call) {
  const Value x = call.argument(0);
  if (!x.known()) return call.returns(x);
  const auto whole = static_cast<Word>(static_cast<std::int64_t>(Function(real_of<Real>(x))));
  without_pattern(machine, call, whole);
  gives(call, Value::of(lowest(whole, 8 * sizeof(Whole))));
}
template <class Real>
void scale_model(Machine&, Call& call) {
  if (const Value none = first_unknown(call, 2); !none.known()) return call.returns(none);
  const auto by = static_cast<int>(with_sign(call.argument(1).bits, 32));
  gives(call, value_of(static_cast<Real>(std::ldexp(real_of<Real>(call.argument(0)), by))));
}

template <class Real>
void put_real(Machine& machine, Value where, Real number) {
  if (where.known() && where.bits != 0) machine.memory.store(where.bits, sizeof(Real), value_of(number));
}
template <class Real>
void frexp_model(Machine& machine, Call& call) {
  const Value x = call.argument(0), where = call.argument(1);
  int power = 0;
  if (!x.known()) {
    if (where.known()) machine.memory.forget(where.bits, 4, x.cause);
    return call.returns(x);
  }
  const Real part = std::frexp(real_of<Real>(x), &power);
  without_pattern(machine, call, static_cast<Word>(power));
  if (where.known()) machine.memory.store(where.bits, 4, Value::of(static_cast<Word>(power)));
  gives(call, value_of(part));
}
template <class Real>
void modf_model(Machine& machine, Call& call) {
  const Value x = call.argument(0), where = call.argument(1);
  if (!x.known()) {
    if (where.known()) machine.memory.forget(where.bits, sizeof(Real), x.cause);
    return call.returns(x);
  }
  Real whole = 0;
  const Real part = std::modf(real_of<Real>(x), &whole);
  without_pattern(machine, call, value_of(whole).bits);
  put_real(machine, where, whole);
  gives(call, value_of(part));
}
template <class Real>
void sincos_model(Machine& machine, Call& call) {
  const Value x = call.argument(0);
  for (const std::size_t index : {1U, 2U}) {
    const Value where = call.argument(index);
    if (x.known()) put_real(machine, where, index == 1 ? std::sin(real_of<Real>(x)) : std::cos(real_of<Real>(x)));
    else if (where.known()) machine.memory.forget(where.bits, sizeof(Real), x.cause);
  }
}

template <class Real>
int is_nan(Real x) {
  return std::isnan(x) ? 1 : 0;
}
template <class Real>
int is_infinite(Real x) {
  return std::isinf(x) ? (x > 0 ? 1 : -1) : 0;
}
template <class Real>
int is_finite(Real x) {
  return std::isfinite(x) ? 1 : 0;
}
template <class Real>
int class_of(Real x) {
  return std::fpclassify(x);
}
template <class Real>
int sign_bit(Real x) {
  return std::signbit(x) ? 1 : 0;
}

struct Family {  // of a function: for doubles, floats, long doubles
  std::string_view plain, single, extended;
  Model of_double, of_float;
};
#define TRIKAL_ONE(name) {#name, #name "f", #name "l", one<double, std::name>, one<float, std::name>}
#define TRIKAL_TWO(name) {#name, #name "f", #name "l", two<double, std::name>, two<float, std::name>}
#define TRIKAL_WHOLE(name, T) {#name, #name "f", #name "l", whole<double, T, std::name>, whole<float, T, std::name>}
constexpr Family kFamilies[] = {
    TRIKAL_ONE(sqrt),
    TRIKAL_ONE(cbrt),
    TRIKAL_ONE(sin),
    TRIKAL_ONE(cos),
    TRIKAL_ONE(tan),
    TRIKAL_ONE(asin),
    TRIKAL_ONE(acos),
    TRIKAL_ONE(atan),
    TRIKAL_ONE(sinh),
    TRIKAL_ONE(cosh),
    TRIKAL_ONE(tanh),
    TRIKAL_ONE(asinh),
    TRIKAL_ONE(acosh),
    TRIKAL_ONE(atanh),
    TRIKAL_ONE(exp),
    TRIKAL_ONE(exp2),
    TRIKAL_ONE(expm1),
    TRIKAL_ONE(log),
    TRIKAL_ONE(log2),
    TRIKAL_ONE(log10),
    TRIKAL_ONE(log1p),
    TRIKAL_ONE(logb),
    TRIKAL_ONE(erf),
    TRIKAL_ONE(erfc),
    TRIKAL_ONE(tgamma),
    TRIKAL_ONE(lgamma),
    TRIKAL_ONE(fabs),
    TRIKAL_ONE(floor),
    TRIKAL_ONE(ceil),
    TRIKAL_ONE(round),
    TRIKAL_ONE(trunc),
    TRIKAL_ONE(rint),
    TRIKAL_ONE(nearbyint),
    TRIKAL_TWO(pow),
    TRIKAL_TWO(fmod),
    TRIKAL_TWO(atan2),
    TRIKAL_TWO(hypot),
    TRIKAL_TWO(fmin),
    TRIKAL_TWO(fmax),
    TRIKAL_TWO(fdim),
    TRIKAL_TWO(copysign),
    TRIKAL_TWO(remainder),
    TRIKAL_TWO(nextafter),
    TRIKAL_WHOLE(lround, long),
    TRIKAL_WHOLE(llround, long long),
    TRIKAL_WHOLE(lrint, long),
    TRIKAL_WHOLE(llrint, long long),
    TRIKAL_WHOLE(ilogb, int),
    {"fma", "fmaf", "fmal", three_model<double, std::fma>, three_model<float, std::fma>},
    {"ldexp", "ldexpf", "ldexpl", scale_model<double>, scale_model<float>},
    {"scalbn", "scalbnf", "scalbnl", scale_model<double>, scale_model<float>},
    {"frexp", "frexpf", "frexpl", frexp_model<double>, frexp_model<float>},
    {"modf", "modff", "modfl", modf_model<double>, modf_model<float>},
    {"sincos", "sincosf", "sincosl", sincos_model<double>, sincos_model<float>},
    {"__isnan", "__isnanf", "__isnanl", whole<double, int, is_nan>, whole<float, int, is_nan>},
    {"isnan", "isnanf", "isnanl", whole<double, int, is_nan>, whole<float, int, is_nan>},
    {"__isinf", "__isinff", "__isinfl", whole<double, int, is_infinite>, whole<float, int, is_infinite>},
    {"isinf", "isinff", "isinfl", whole<double, int, is_infinite>, whole<float, int, is_infinite>},
    {"__finite", "__finitef", "__finitel", whole<double, int, is_finite>, whole<float, int, is_finite>},
    {"finite", "finitef", "finitel", whole<double, int, is_finite>, whole<float, int, is_finite>},
    {"__fpclassify", "__fpclassifyf", "__fpclassifyl", whole<double, int, class_of>, whole<float, int, class_of>},
    {"__signbit", "__signbitf", "__signbitl", whole<double, int, sign_bit>, whole<float, int, sign_bit>},
};

std::vector<NamedModel> made() {
  std::vector<NamedModel> all;
  for (const Family& one : kFamilies) {
    all.push_back({one.plain, one.of_double});
    all.push_back({one.single, one.of_float});
    all.push_back({one.extended, one.of_double});
  }
  return all;
}

}  // namespace

std::span<const NamedModel> mathematics_models() {
  static const std::vector<NamedModel> all = made();
  return all;
}

}  // namespace trikal::predict

#include "predict/machine/pattern.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cmath>
#include <numeric>

namespace trikal::predict {
namespace {

using P = llvm::CmpInst;
using analyze::PredictedLayer;
__extension__ using Wide = __int128;

bool is_signed(unsigned predicate) { return predicate >= P::ICMP_SGT && predicate <= P::ICMP_SLE; }

// For how many steps `difference` keeps its relation to zero.
double keeps(unsigned predicate, Wide difference, Wide step) {
  if (step == 0) return Pattern::kForever;
  const auto ratio = [](Wide a, Wide b) { return static_cast<double>(a / b); };
  switch (predicate) {
    case P::ICMP_EQ:
    case P::ICMP_NE:
      if (difference == 0) return 0;  // equal, and it moves
      if ((difference < 0) == (step < 0)) return Pattern::kForever;
      return difference % step != 0 ? Pattern::kForever : ratio(-difference, step) - 1;
    default: break;
  }
  // a < b and a >= b: the sign of a - b; a <= b and a > b: of a - b - 1.
  const bool strict =
      predicate == P::ICMP_ULT || predicate == P::ICMP_UGE || predicate == P::ICMP_SLT || predicate == P::ICMP_SGE;
  const Wide value = strict ? difference : difference - 1;
  if (value < 0) return step < 0 ? Pattern::kForever : ratio(-value - 1, step);
  return step > 0 ? Pattern::kForever : ratio(value, -step);
}

// For how many steps a number of that width does not begin again at its other end.
double steps_before_wrap(Word value, Word step, unsigned width, bool sign) {
  const auto wide = [&](Word x) { return sign ? Wide{static_cast<std::int64_t>(x)} : static_cast<Wide>(x); };
  const auto moves = Wide{static_cast<std::int64_t>(step)};
  const Wide top = (Wide{1} << (sign ? width - 1 : width)) - 1, bottom = sign ? -top - 1 : 0;
  return static_cast<double>(moves > 0 ? (top - wide(value)) / moves : (wide(value) - bottom) / -moves);
}

constexpr std::size_t kLongestPeriod = 4096;
constexpr std::uint64_t kFollowedFiles = 200, kListedFiles = 20'000, kFollowedDatasets = 5000;

bool close(double a, double b, double scale) { return std::abs(a - b) <= 1e-9 * std::max(1e-300, std::abs(scale)); }

}  // namespace

std::optional<Word> even_step(const std::array<Word, 4>& values) {
  const Word step = values[1] - values[0];
  if (values[2] - values[1] != step || values[3] - values[2] != step) return std::nullopt;
  return step;
}

std::optional<Word> even_step(std::array<Word, 4> values, unsigned width) {
  for (std::size_t i = 0; i + 1 < values.size(); ++i) values[i] = lowest(values[i + 1] - values[i], width);
  if (values[1] != values[0] || values[2] != values[0]) return std::nullopt;
  return values[0];
}

std::optional<double> even_real_step(const std::array<double, 4>& values) {
  const double step = values[3] - values[2], scale = std::max(std::abs(values[3]), std::abs(values[0]));
  if (!std::isfinite(values[3]) || !close(values[2] - values[1], step, scale) ||
      !close(values[1] - values[0], step, scale))
    return std::nullopt;
  return step;
}

Pattern::Four Pattern::series(std::size_t i, Word Event::* field) const {
  return {at(0, i).*field, at(1, i).*field, at(2, i).*field, at(3, i).*field};
}

bool Pattern::fits_compare(std::size_t i) {
  const Event& now = at(3, i);
  Four a = series(i, &Event::a), b = series(i, &Event::b);
  const unsigned width = now.width;
  const bool sign = is_signed(now.predicate);
  for (Four* values : {&a, &b})
    for (Word& value : *values) value = sign ? static_cast<Word>(with_sign(value, width)) : lowest(value, width);
  const auto step_a = even_step(a), step_b = even_step(b);
  if (!step_a || !step_b) return false;
  needs_data_ = needs_data_ || now.data;
  const auto wide = [&](Word value) {
    return sign ? Wide{static_cast<std::int64_t>(value)} : static_cast<Wide>(value);
  };
  const Wide moves = Wide{static_cast<std::int64_t>(*step_a)} - Wide{static_cast<std::int64_t>(*step_b)};
  limit(keeps(now.predicate, wide(a[3]) - wide(b[3]), moves));
  for (const auto& [value, step] : {std::pair(a[3], *step_a), std::pair(b[3], *step_b)}) {  // neither may wrap round
    if (step != 0) limit(steps_before_wrap(value, step, width, sign));
  }
  return true;
}

bool Pattern::fits_real_compare(std::size_t i) {
  std::array<double, 4> a, b;
  for (std::size_t k = 0; k < kSamples; ++k)
    a[k] = std::bit_cast<double>(at(k, i).a), b[k] = std::bit_cast<double>(at(k, i).b);
  const auto step_a = even_real_step(a), step_b = even_real_step(b);
  if (!step_a || !step_b) return false;
  needs_data_ = needs_data_ || at(3, i).data;
  const double difference = a[3] - b[3], step = *step_a - *step_b;
  if (close(step, 0, std::max(std::abs(*step_a), std::abs(*step_b))) || step == 0) return true;
  if (difference == 0) limit(0);
  else if ((difference < 0) != (step < 0)) limit(std::max(0.0, std::floor(-difference / step) - 1));
  return true;
}

bool Pattern::fits_divide(std::size_t i) {
  const auto step = even_step(series(i, &Event::a));
  if (step && *step == 0) return true;
  if (at(3, i).kind == Happened::kMask) return irregular_ = true;
  if (!step) return irregular_ = true;  // a part of a number without a pattern may look like one
  const Word by = at(3, i).b;
  if (series(i, &Event::b) != Four{by, by, by, by}) return irregular_ = true;
  const auto moves = static_cast<Word>(std::abs(with_sign(*step, at(3, i).width)));
  if (moves % by == 0) return true;
  const Word iterations = by / std::gcd(by, moves) * period_;
  if (iterations <= kLongestPeriod) wanted_ = std::lcm(wanted_, static_cast<std::size_t>(iterations));
  if (!to_the_next_jump_) return irregular_ = true;
  const Word rest = lowest(at(3, i).a, at(3, i).width) % by;
  const bool up = with_sign(*step, at(3, i).width) > 0;
  limit(static_cast<double>((up ? by - 1 - rest : rest) / moves));
  return true;
}

bool Pattern::fits_extend(std::size_t i) {
  const Event& now = at(3, i);
  Four v = series(i, &Event::a);
  for (Word& value : v) value = now.flag ? static_cast<Word>(with_sign(value, now.width)) : lowest(value, now.width);
  if (const auto step = even_step(v); step && *step != 0) limit(steps_before_wrap(v[3], *step, now.width, now.flag));
  return true;
}

bool Pattern::fits_load(std::size_t i) {
  const auto step = even_step(series(i, &Event::a));
  if (!at(3, i).flag) return true;  // not known, and so it will be
  if (step && *step == 0) return fixed_.push_back(i), true;
  if (step && even_step(series(i, &Event::b))) loads_.push_back(i);
  else irregular_ = true;
  return true;
}

// The same there each time, or as at the address before.
bool Pattern::fits_read(std::size_t i) {
  const auto step = even_step(series(i, &Event::a));
  const bool same = even_step(series(i, &Event::b)) == Word{0} && even_step(series(i, &Event::c)) == Word{0};
  if (!step || !same) irregular_ = true;
  else (*step == 0 ? fixed_ : loads_).push_back(i);
  return true;
}

// Where models go round something, the period that it comes round with, by where the last iteration met it first.
void Pattern::find_round() {
  const Trace& trace = machine_.loops.trace();
  const auto& marks = activation_.marks;
  const auto begin = trace.begin() + static_cast<std::ptrdiff_t>(begin_[kSamples - 1]);
  const auto met = std::find_if(begin, trace.end(), [](const Event& one) { return one.kind == Happened::kRound; });
  if (met == trace.end()) return;
  const std::size_t last = marks.size() - 1;
  const auto same = [&](const Event& one) {
    return one.kind == Happened::kRound && one.id == met->id && one.b == met->b;
  };
  for (std::size_t back = 1; back <= kLongestPeriod && back < last; ++back) {
    const auto from = trace.begin() + static_cast<std::ptrdiff_t>(marks[last - 1 - back].trace);
    const auto to = trace.begin() + static_cast<std::ptrdiff_t>(marks[last - back].trace);
    if (std::any_of(from, to, same)) return void(wanted_ = back);
  }
}

bool Pattern::same_but_file(std::size_t i) const {
  const LedgerKey& last = machine_.ledger.at(at(3, i).id).key;
  for (std::size_t k = 0; k + 1 < kSamples; ++k) {
    LedgerKey key = machine_.ledger.at(at(k, i).id).key;
    if (key.file == last.file && at(k, i).id != at(3, i).id) return false;
    key.file = last.file;
    if (key != last) return false;
  }
  return true;
}

bool Pattern::fits_access(std::size_t i) {
  if (!same_but_file(i)) return false;
  needs_data_ = needs_data_ || at(3, i).data;
  // Each iteration has a file of its own: a good many are followed by name, for whoever opens them again.
  const bool dataset = analyze::layer_of(machine_.ledger.at(at(3, i).id).key.operation) == PredictedLayer::kHdf5Dataset;
  const std::uint64_t followed = dataset ? kFollowedDatasets : machine_.lists_folders ? kListedFiles : kFollowedFiles;
  if (at(3, i).c != at(2, i).c && activation_.iterations / period_ < followed) return false;
  const auto grows = even_step(series(i, &Event::b));
  // What is read from files one after the other grows by chance: each has a size of its own.
  const bool by_chance = at(3, i).c != at(2, i).c && analyze::reads(machine_.ledger.at(at(3, i).id).key.operation);
  if (at(3, i).kind == Happened::kAccess) return grows && (!by_chance || *grows == 0);
  for (const auto field : {&Event::a, &Event::b}) {
    std::array<double, 4> v;
    for (std::size_t k = 0; k < kSamples; ++k) v[k] = std::bit_cast<double>(at(k, i).*field);
    if (!close(v[3] - 3 * v[2] + 3 * v[1] - v[0], 0, v[3])) return false;
  }
  return true;
}

bool Pattern::fits(std::size_t i) {
  const Event& now = at(3, i);
  for (std::size_t k = 0; k + 1 < kSamples; ++k) {
    const Event& then = at(k, i);
    if (then.kind != now.kind) return false;
    const bool access = now.kind == Happened::kAccess || now.kind == Happened::kAccesses;
    if (!access && (then.id != now.id || then.flag != now.flag)) return false;
  }
  switch (now.kind) {
    case Happened::kCompare: return fits_compare(i);
    case Happened::kRealCompare: return fits_real_compare(i);
    case Happened::kDivide:
    case Happened::kMask: return fits_divide(i);
    case Happened::kExtend: return fits_extend(i);
    case Happened::kChoice: needs_data_ = needs_data_ || now.data; return even_step(series(i, &Event::a)) == Word{0};
    case Happened::kLoad: return fits_load(i);
    case Happened::kRead: return fits_read(i);
    case Happened::kText:
    case Happened::kRound: return even_step(series(i, &Event::a)) == Word{0};
    case Happened::kAccess:
    case Happened::kAccesses: return fits_access(i);
    case Happened::kSkipped: {
      const auto step = even_step(series(i, &Event::a));
      if (step && static_cast<std::int64_t>(*step) < 0)
        limit(std::floor((static_cast<double>(now.a) - 1) / -static_cast<double>(static_cast<std::int64_t>(*step))));
      return step.has_value();
    }
    default: return true;
  }
}

bool Pattern::fits_phis() {
  const std::size_t last = activation_.marks.size() - 1;
  const auto& now = activation_.marks[last].phis;
  std::size_t at = 0;
  for (const Phi& phi : frame_.code->blocks[frame_.code->loops[activation_.loop].header].phis) {
    for (std::uint32_t k = 0; k < phi.scalars; ++k, ++at) {
      Four v;
      for (std::size_t s = 0; s < kSamples; ++s) v[s] = activation_.marks[last - (3 - s) * period_].phis[at].bits;
      const auto step = even_step(v);
      if (phi.number != Number::kInteger || phi.width > 32 || phi.only_summed) continue;
      if (!step || *step == 0 || !now[at].known()) continue;
      const auto signed_step = with_sign(*step, 64);
      const double distance = signed_step > 0
                                  ? std::ldexp(1, static_cast<int>(phi.width)) - 1 - static_cast<double>(v[3])
                                  : static_cast<double>(v[3]);
      limit(std::floor(distance / std::abs(static_cast<double>(signed_step))));
    }
  }
  return true;
}

bool Pattern::fits_world() {
  const std::size_t last = activation_.marks.size() - 1;
  const auto& now = activation_.marks[last].world;
  world_steps_.assign(now.size(), 0);
  for (std::size_t s = 0; s < kSamples; ++s)
    if (activation_.marks[last - (3 - s) * period_].world.size() != now.size() ||
        activation_.marks[last - (3 - s) * period_].folder != activation_.marks[last].folder)
      return false;
  for (std::size_t i = 0; i < now.size(); ++i) {
    Four v;
    for (std::size_t s = 0; s < kSamples; ++s) v[s] = activation_.marks[last - (3 - s) * period_].world[i];
    world_steps_[i] = even_step(v).value_or(0);  // random positions have no pattern, and need none
  }
  return true;
}

double Pattern::periods() {
  const std::size_t last = activation_.marks.size() - 1;
  if (last < kSamples * period_) return 0;
  for (std::size_t k = 0; k <= kSamples; ++k) begin_[k] = activation_.marks[last - (kSamples - k) * period_].trace;
  if (period_ == 1) find_round();
  length_ = begin_[1] - begin_[0];
  for (std::size_t k = 1; k < kSamples; ++k)
    if (begin_[k + 1] - begin_[k] != length_) return 0;
  bool good = true;
  for (std::size_t i = 0; i < length_; ++i) {
    if (good) good = fits(i);
    else if (at(3, i).kind == Happened::kDivide && at(2, i).kind == Happened::kDivide &&
             at(1, i).kind == Happened::kDivide && at(0, i).kind == Happened::kDivide)
      (void)fits_divide(i);  // they say which period there is
  }
  if (!good || !fits_phis() || !fits_world()) return 0;
  if (needs_data_ && irregular_) return 0;
  if (!fits_stores() || (needs_data_ && irregular_)) return 0;
  constexpr double kManyLooks = 2e6, kFewLooks = 2e5;
  if (needs_data_) limit(sure_loads(kManyLooks));
  else if (!irregular_ && sure_loads(kFewLooks) < limit_)
    irregular_ = true;  // nothing decides on it, but it is not known
  endless_ = limit_ >= kForever;
  return std::floor(limit_);
}

}  // namespace trikal::predict

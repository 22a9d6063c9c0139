// What iterations that are not run leave behind: counts, memory, positions of files.

#include <cmath>

#include "predict/machine/pattern.hpp"
#include "schema/labels.hpp"

namespace trikal::predict {
namespace {

constexpr double kMostStores = 1 << 18;  // of a loop that fills memory: carried out, not forgotten

// The sum over the next `n` of a series whose third differences are zero.
double sum_of_next(const std::array<double, 4>& v, double n) {
  const double first = v[3] - v[2], second = v[3] - 2 * v[2] + v[1];
  return n * v[3] + first * n * (n + 1) / 2 + second * n * (n + 1) * (n + 2) / 6;
}

std::array<double, 4> reals(const std::array<Word, 4>& v) {
  return {std::bit_cast<double>(v[0]), std::bit_cast<double>(v[1]), std::bit_cast<double>(v[2]),
          std::bit_cast<double>(v[3])};
}

// Accesses of growing size, by classes.
void spread(PredictedUse& use, double size, double step, double n, double weight) {
  double before = 0;
  for (std::size_t c = 0; c < use.classes.size(); ++c) {
    double until = n;
    if (c < kSizeClassBounds.size() && step > 0)
      until = std::clamp(std::floor((static_cast<double>(kSizeClassBounds[c]) - size) / step), 0.0, n);
    if (step < 0) {  // sizes shrink: count those above the bound before this one
      const double above =
          c == 0 ? n : std::clamp(std::ceil((size - static_cast<double>(kSizeClassBounds[c - 1])) / -step) - 1, 0.0, n);
      const double next =
          c + 1 < use.classes.size()
              ? std::clamp(std::ceil((size - static_cast<double>(kSizeClassBounds[c])) / -step) - 1, 0.0, n)
              : 0;
      use.classes[c] += weight * (above - next);
      continue;
    }
    use.classes[c] += weight * (until - before);
    before = until;
  }
}

}  // namespace

void Pattern::skip_access(const Event& event, std::size_t i, double periods) {
  LedgerRow& row = machine_.ledger.at(event.id);
  const double times = periods * event.weight, size = static_cast<double>(event.b);
  const auto step = static_cast<double>(static_cast<std::int64_t>(*even_step(series(i, &Event::b))));
  if (step == 0) {
    row.use.add(times, size, Certainty::kExtrapolated);
  } else {
    row.use.count += times;
    row.use.bytes += event.weight * (periods * size + step * periods * (periods + 1) / 2);
    spread(row.use, size, step, periods, event.weight);
    row.use.certainty = std::max(row.use.certainty, Certainty::kExtrapolated);
  }
  row.use.sequential += event.flag ? times : 0;
  row.use.consecutive += (event.predicate & 1) != 0 ? times : 0;
  row.use.switches += (event.predicate & 2) != 0 ? times : 0;
  const auto moves = even_step(series(i, &Event::a));
  const double end = static_cast<double>(event.a) +
                     (moves ? periods * static_cast<double>(static_cast<std::int64_t>(*moves)) : 0) + size +
                     periods * step;
  if (event.b > 0) row.use.highest = std::max(row.use.highest, end - 1);
  File& file = machine_.world.files[event.c];
  // What the program wrote before, and these iterations do not touch, stays known.
  const bool behind =
      file.content && event.a >= file.content->size() && moves && static_cast<std::int64_t>(*moves) >= 0;
  if (analyze::writes(row.key.operation) && !behind) file.content.reset();
  if (analyze::writes(row.key.operation)) file.size = std::max(file.size, static_cast<Word>(std::max(0.0, end)));
  if (analyze::opens(row.key.operation) && at(2, i).c != event.c) {
    file.like_it += times;
    machine_.world.note_family(row.key.file);
  }
}

void Pattern::skip_accesses(const Event& event, std::size_t i, double periods) {
  std::array<double, 4> count, bytes;
  for (std::size_t k = 0; k < kSamples; ++k)
    count[k] = std::bit_cast<double>(at(k, i).a), bytes[k] = std::bit_cast<double>(at(k, i).b);
  PredictedUse& use = machine_.ledger.at(event.id).use;
  const double times = sum_of_next(count, periods), moved = sum_of_next(bytes, periods);
  const double share = use.count > 0 ? times / use.count : 0;  // what else is known of them grows alike
  use.sequential *= 1 + share, use.consecutive *= 1 + share, use.switches *= 1 + share;
  for (double& one : use.classes) one *= 1 + share;
  for (auto& [size, number] : use.sizes) number *= 1 + share;
  use.count += times, use.bytes += moved;
  use.certainty = std::max(use.certainty, Certainty::kExtrapolated);
}

Cause Pattern::left_in_memory() const {
  return machine_
      .unknown(frame_.code->blocks[frame_.code->loops[activation_.loop].header].instructions[0],
               "what a loop left in memory")
      .cause;
}

namespace {

// What is stored in the k-th iteration from here on, where that follows from the last four; nothing: it does not.
std::optional<Word> stored(const Event& now, const std::array<Word, 4>& values, Word k) {
  const auto grows = even_step(values);
  if (grows == Word{0}) return now.b;
  if (now.width != 0) return grows ? std::optional(now.b + k * *grows) : std::nullopt;
  if (now.c != 8) return std::nullopt;
  constexpr double kWhole = 0x1p50;  // so far sums of whole numbers are exact
  const std::array<double, 4> v = reals(values);
  const double step = v[1] - v[0], last = v[3] + step * static_cast<double>(k);
  const bool even = v[2] - v[1] == step && v[3] - v[2] == step;
  const bool whole = v[3] == std::trunc(v[3]) && step == std::trunc(step) && std::abs(last) < kWhole;
  return even && whole ? std::optional(std::bit_cast<Word>(last)) : std::nullopt;
}

}  // namespace

bool Pattern::tells_store(std::size_t i, double periods) const {
  const Event& now = at(3, i);
  const auto moves = even_step(series(i, &Event::a));
  const bool grows = stored(now, series(i, &Event::b), static_cast<Word>(periods)).has_value();
  const bool by_data = irregular_ && (now.data || now.predicate != 0);
  return moves && now.flag && grows && !by_data && (*moves == 0 || periods <= kMostStores);
}

// Addresses without a pattern: anywhere in what they are part of.
void Pattern::forget_around(std::size_t i, Word bytes) {
  Word low = ~Word{0}, high = 0;
  for (std::size_t k = 0; k < kSamples; ++k) {
    const Word address = at(k, i).a;
    if (const auto object = machine_.object_around(address))
      machine_.memory.forget(object->address, object->bytes, left_in_memory());
    else low = std::min(low, address), high = std::max(high, address + bytes);
  }
  if (low < high) machine_.memory.forget(low, high - low, left_in_memory());
}

// What lies between the first and the last of the addresses that the skipped iterations write.
Memory::Range Pattern::hull(std::size_t i, Word bytes, double periods) const {
  const Word moves = *even_step(series(i, &Event::a));
  const auto step = static_cast<std::int64_t>(moves);
  const Word reach = static_cast<Word>(periods) * static_cast<Word>(std::abs(step));
  return {step > 0 ? at(3, i).a + moves : at(3, i).a - reach, reach - static_cast<Word>(std::abs(step)) + bytes};
}

void Pattern::skip_store(std::size_t i, double periods) {
  const Event& now = at(3, i);
  const auto moves = even_step(series(i, &Event::a));
  const Four values = series(i, &Event::b);
  const auto bytes = static_cast<unsigned>(now.c);
  if (!moves || (irregular_ && now.predicate != 0)) return forget_around(i, bytes);
  const auto n = static_cast<Word>(periods);
  const bool tells = tells_store(i, periods);
  if (*moves == 0) {
    Value last = tells ? Value::of(*stored(now, values, n)) : Value::unknown(left_in_memory());
    last.doubt = machine_.memory.load(now.a, bytes).doubt;
    machine_.memory.store(now.a, bytes, last);
  } else if (tells) {
    Value next = Value::of(now.b);
    next.doubt = machine_.memory.load(now.a, bytes).doubt;
    for (Word k = 1; k <= n; ++k) {
      next.bits = stored(now, values, k).value_or(0);
      machine_.memory.store(now.a + k * *moves, bytes, next);
    }
  } else {
    const Memory::Range range = hull(i, bytes, periods);
    machine_.memory.forget(range.address, range.bytes, left_in_memory());
  }
}

// Written by a function without a body, or by iterations of a loop within that were not run.
bool Pattern::tells_wrote(std::size_t i, double periods) const {
  const Word bytes = at(3, i).b;
  const Four digests = series(i, &Event::c);
  const bool same = at(3, i).c != 0 && even_step(digests) == Word{0} && even_step(series(i, &Event::b)) == Word{0};
  const auto moves = even_step(series(i, &Event::a));
  return same && moves && !(irregular_ && at(3, i).predicate != 0) &&
         (*moves == 0 || periods * static_cast<double>(bytes) <= kMostStores);
}

void Pattern::skip_wrote(std::size_t i, double periods) {
  const Event& now = at(3, i);
  const auto moves = even_step(series(i, &Event::a));
  if (!moves || (irregular_ && now.predicate != 0)) return forget_around(i, now.b);
  if (tells_wrote(i, periods)) {
    for (Word k = 1; *moves != 0 && k <= static_cast<Word>(periods); ++k)
      machine_.memory.copy(now.a + k * *moves, now.a, now.b);
    return;
  }
  Word bytes = now.b;
  for (std::size_t k = 0; k < kSamples; ++k) bytes = std::max(bytes, at(k, i).b);
  const Memory::Range range = *moves == 0 ? Memory::Range{now.a, bytes} : hull(i, bytes, periods);
  machine_.memory.forget(range.address, range.bytes, left_in_memory());
}

// Whether running the iterations would tell what skipping them does not. Text that is made anew at the same address in
// every iteration is seldom looked at behind the loop.
bool Pattern::forgets_wrote(std::size_t i, double periods) const {
  const bool stays = even_step(series(i, &Event::a)) == Word{0} && !(irregular_ && at(3, i).predicate != 0);
  return at(3, i).c != 0 && !stays && !tells_wrote(i, periods);
}

Pattern::Four Pattern::phi_series(std::size_t at) const {
  const std::size_t last = activation_.marks.size() - 1;
  Four v;
  for (std::size_t s = 0; s < kSamples; ++s) v[s] = activation_.marks[last - (3 - s) * period_].phis[at].bits;
  return v;
}

bool Pattern::tells_phi(const Phi& phi, std::size_t at, const Value& now) const {
  const Four v = phi_series(at);
  const auto step = phi.number == Number::kInteger ? even_step(v, phi.width) : even_step(v);
  if (irregular_ && now.data) return false;  // however alike the last ones were
  if (step && (phi.number == Number::kInteger || *step == 0)) return true;
  return phi.number == Number::kDouble && even_real_step(reals(v)).has_value();
}

void Pattern::skip_phis(double periods) {
  const Block& header = frame_.code->blocks[frame_.code->loops[activation_.loop].header];
  std::size_t at = 0;
  for (const Phi& phi : header.phis) {
    for (std::uint32_t k = 0; k < phi.scalars; ++k, ++at) {
      Value& value = frame_.slots[phi.slot + k];
      if (!value.known()) continue;
      const Four v = phi_series(at);
      if (!tells_phi(phi, at, value)) value = machine_.unknown(header.instructions[0], "what a loop computes");
      else if (phi.number == Number::kInteger)
        value.bits = lowest(value.bits + *even_step(v, phi.width) * static_cast<Word>(periods), phi.width);
      else if (even_step(v) == Word{0}) continue;
      else value.bits = std::bit_cast<Word>(reals(v)[3] + *even_real_step(reals(v)) * periods);
    }
  }
}

// What goes into a small file is kept, for those who read it again: iterations that write it are worth running.
bool Pattern::forgets_content(std::size_t i, double periods) const {
  const Event& now = at(3, i);
  const File& file = machine_.world.files[now.c];
  if (!analyze::writes(machine_.ledger.at(now.id).key.operation) || !file.content) return false;
  const auto moves = even_step(series(i, &Event::a));
  const double end = static_cast<double>(now.a + now.b) + periods * static_cast<double>(moves.value_or(0));
  return moves && file.content->size() == now.a + now.b && end <= static_cast<double>(kKeptContent);
}

bool Pattern::forgets(double periods) const {
  if (machine_.world.forgets_text(world_steps_, periods)) return true;
  for (std::size_t i = 0; i < length_; ++i) {
    const Event& now = at(3, i);
    if (now.kind == Happened::kAccess && forgets_content(i, periods)) return true;
    if (now.kind == Happened::kStore && now.flag && !tells_store(i, periods)) return true;
    if (now.kind == Happened::kWrote && forgets_wrote(i, periods)) return true;
  }
  std::size_t at = 0;
  for (const Phi& phi : frame_.code->blocks[frame_.code->loops[activation_.loop].header].phis)
    for (std::uint32_t k = 0; k < phi.scalars; ++k, ++at)
      if (frame_.slots[phi.slot + k].known() && !tells_phi(phi, at, frame_.slots[phi.slot + k])) return true;
  return false;
}

double Pattern::steps_of_a_period() const {
  const std::size_t last = activation_.marks.size() - 1;
  return static_cast<double>(activation_.marks[last].steps - activation_.marks[last - period_].steps);
}

// For the loops around this one: memory as it is now, where the iterations that were not run wrote.
void Pattern::tell_memory(std::size_t i, double periods) {
  const Event now = at(3, i);
  const bool store = now.kind == Happened::kStore;
  if (!store && now.kind != Happened::kWrote) return;
  const Word bytes = store ? now.c : now.b;
  const auto moves = even_step(series(i, &Event::a));
  if (moves && *moves != 0) {
    const Memory::Range range = hull(i, bytes, periods);
    machine_.calls.tell_written(now.id, range.address, range.bytes,
                                std::abs(static_cast<std::int64_t>(*moves)) > static_cast<std::int64_t>(bytes));
  } else if (store) {
    const Value there = machine_.memory.load(now.a, static_cast<unsigned>(bytes));
    Event last{Happened::kStore, there.known(), now.data, now.width, now.predicate};
    last.id = now.id, last.a = now.a, last.b = there.bits, last.c = bytes;
    machine_.event(last);
  }
}

void Pattern::tell_outer_loops(double periods, const std::vector<std::pair<double, double>>& before) {
  if (!machine_.loops.nested()) return;
  Event skipped{Happened::kSkipped};
  skipped.id = frame_.code->blocks[frame_.code->loops[activation_.loop].header].id;
  skipped.a = static_cast<Word>(periods);
  machine_.event(skipped);
  std::map<std::uint32_t, double> blocks;
  for (std::size_t i = 0; i < length_; ++i)
    if (const Event& one = at(3, i); one.kind == Happened::kBlock) blocks[one.id] += periods * one.weight;
    else if (one.kind == Happened::kBlocks) blocks[one.id] += counted(i, periods);
  for (const auto& [block, runs] : blocks) {
    Event ran{Happened::kBlocks};
    ran.id = block, ran.a = std::bit_cast<Word>(runs);
    machine_.event(ran);
  }
  for (std::size_t i = 0; i < length_; ++i) tell_memory(i, periods);
  for (std::uint32_t row = 0; row < before.size(); ++row) {
    const PredictedUse& use = machine_.ledger.at(row).use;
    if (use.count == before[row].first) continue;
    Event moved{Happened::kAccesses};
    moved.id = row;
    moved.a = std::bit_cast<Word>(use.count - before[row].first);
    moved.b = std::bit_cast<Word>(use.bytes - before[row].second);
    moved.c = machine_.ledger.at(row).key.file;
    machine_.event(moved);
  }
}

double Pattern::counted(std::size_t i, double periods) const {
  std::array<double, 4> v;
  for (std::size_t k = 0; k < kSamples; ++k) v[k] = std::bit_cast<double>(at(k, i).a);
  const double third = v[3] - 3 * v[2] + 3 * v[1] - v[0];
  if (std::abs(third) > 1e-6 * std::abs(v[3])) return periods * (v[0] + v[1] + v[2] + v[3]) / 4;
  return std::max(0.0, sum_of_next(v, periods));
}

void Pattern::skip_events(double periods) {
  for (std::size_t i = 0; i < length_; ++i) {
    const Event event = at(3, i);
    switch (event.kind) {
      case Happened::kBlock: machine_.tallies.counts[event.id] += periods * event.weight; break;
      case Happened::kBlocks: machine_.tallies.counts[event.id] += counted(i, periods); break;
      case Happened::kAccess: skip_access(event, i, periods); break;
      case Happened::kAccesses: skip_accesses(event, i, periods); break;
      case Happened::kStore: skip_store(i, periods); break;
      case Happened::kWrote: skip_wrote(i, periods); break;
      default: break;
    }
  }
}

void Pattern::skip(double periods) {
  std::vector<std::pair<double, double>> before;
  for (const LedgerRow& row : machine_.ledger.rows()) before.emplace_back(row.use.count, row.use.bytes);
  skip_events(periods);
  skip_phis(periods);
  machine_.world.add(world_steps_, static_cast<Word>(periods));
  const auto iterations = static_cast<std::uint64_t>(periods) * period_;
  machine_.loops.add_skipped(iterations);
  activation_.iterations += iterations;
  tell_outer_loops(periods, before);
}

}  // namespace trikal::predict

// Whether what a loop reads will be what its pattern says: memory holds it already, and no iteration that is skipped changes it.

#include <llvm/IR/Module.h>

#include <algorithm>
#include <cmath>

#include "predict/machine/pattern.hpp"

namespace trikal::predict {

// What one event reads or writes in each period.
struct Pattern::Moving {
  Word address = 0, bytes = 0;
  std::int64_t step = 0;
  bool even = true;
  friend auto operator<=>(const Moving&, const Moving&) = default;
};

Pattern::Moving Pattern::moving(std::size_t i) const {
  const Event& now = at(3, i);
  const bool one_word = now.kind == Happened::kLoad || now.kind == Happened::kStore;
  const auto step = even_step(series(i, &Event::a));
  return {now.a, one_word ? now.c : now.b, static_cast<std::int64_t>(step.value_or(0)), step.has_value()};
}

namespace {

__extension__ using Wide = __int128;

struct Hull {
  Wide low, high;  // one behind the last
};
Hull hull_of(Word address, Word bytes, std::int64_t step, double periods) {
  const Wide first = static_cast<Wide>(address) + step,
             last = static_cast<Wide>(address) + Wide{step} * static_cast<Wide>(periods);
  return {std::min(first, last), std::max(first, last) + static_cast<Wide>(bytes)};
}

}  // namespace

// For how many periods no store of a skipped iteration reaches what a later one loads.
double Pattern::untouched(const Moving& load, const Moving& store) const {
  if (load.step == store.step) {
    const Wide apart = static_cast<Wide>(store.address) - static_cast<Wide>(load.address);
    if (load.step == 0) return kForever;  // what the loop itself computes from one iteration to the next
    const Wide step = load.step;
    for (Wide lag = std::max<Wide>(1, apart / step - 1); lag <= std::max<Wide>(1, apart / step + 1); ++lag) {
      const Wide off = apart - lag * step;
      if (off < static_cast<Wide>(load.bytes) && -off < static_cast<Wide>(store.bytes)) return static_cast<double>(lag);
    }
    return kForever;
  }
  const auto apart = [&](double periods) {
    const Hull read = hull_of(load.address, load.bytes, load.step, periods);
    const Hull written = hull_of(store.address, store.bytes, store.step, periods);
    return read.high <= written.low || written.high <= read.low;
  };
  constexpr double kMost = 1e15;
  double good = 0, bad = std::min(limit_, kMost);
  if (bad < 1 || apart(bad)) return kForever;
  while (bad - good > 1) {
    const double middle = std::floor((good + bad) / 2);
    (apart(middle) ? good : bad) = middle;
  }
  return good;
}

// Each once: long periods do the same again and again.
std::vector<Pattern::Moving> Pattern::distinct(const std::vector<std::size_t>& events) const {
  std::vector<Moving> all;
  for (const std::size_t i : events) all.push_back(moving(i));
  std::ranges::sort(all);
  const auto again = std::ranges::unique(all);
  all.erase(again.begin(), again.end());
  return all;
}

// What iterations look at is left alone by those before them, as far as they are to be skipped. False: too much to tell.
bool Pattern::fits_stores() {
  constexpr std::size_t kMostPairs = 2'000'000;
  std::vector<std::size_t> written;
  for (std::size_t i = 0; i < length_; ++i)
    if (at(3, i).kind == Happened::kStore || at(3, i).kind == Happened::kWrote) written.push_back(i);
  const std::vector<Moving> stores = distinct(written), fixed = distinct(fixed_), loads = distinct(loads_);
  if (stores.size() * (loads.size() + fixed.size()) > kMostPairs) return irregular_ = true, !needs_data_;
  for (const std::vector<Moving>* const all : {&fixed, &loads}) {
    for (const Moving& load : *all) {
      double good = kForever;
      for (const Moving& store : stores) {
        if (store.even) good = std::min(good, untouched(load, store));
        else if (const auto object = machine_.object_around(store.address);
                 object && load.address >= object->address && load.address < object->address + object->bytes)
          good = all == &fixed ? good : 0;
      }
      if (good >= limit_) continue;
      if (all == &fixed || needs_data_) limit(good);
      else irregular_ = true;
    }
  }
  return true;
}

// Whether there is what the pattern says.
bool Pattern::as_before(const Event& event, Word address, Word grown) const {
  if (event.kind == Happened::kRead) {
    constexpr Word kLongest = 4096;
    return machine_.memory.digest(address, std::min(event.b, kLongest)) == event.c;
  }
  const Value there = machine_.memory.load(address, static_cast<unsigned>(event.c));
  return there.known() && there.bits == lowest(grown, static_cast<unsigned>(8 * event.c));
}

// For how many periods memory already holds what the iterations to come would load, were they like those before.
double Pattern::sure_loads(double most_looks) {
  double looks = 0, all = limit_;
  for (const std::size_t i : loads_) {
    const Event& now = at(3, i);
    const bool word = now.kind == Happened::kLoad;
    const Word step = *even_step(series(i, &Event::a)), grows = word ? *even_step(series(i, &Event::b)) : 0;
    const double each = word ? 1 : 1 + static_cast<double>(now.b) / 8;
    double sure = 0;
    Word address = now.a, value = now.b;
    while (sure < all && (looks += each) < most_looks) {
      address += step, value += grows;
      if (!as_before(now, address, value)) break;
      ++sure;
    }
    all = std::min(all, sure);
  }
  return all;
}

}  // namespace trikal::predict

#pragma once
// Whether the last iterations of a loop repeat a pattern, for how many iterations that goes on, and counting those without running
// them. Four periods are compared: what grows must grow evenly, every comparison must come out the same, and the iteration in
// which one would come out otherwise is computed, not waited for.

#include <optional>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

class Pattern {
 public:
  // `to_the_next_jump`: remainders need no period, but no iteration is skipped in which one begins again.
  Pattern(Machine& machine, Frame& frame, Activation& activation, std::size_t period, bool to_the_next_jump = false)
      : machine_(machine),
        frame_(frame),
        activation_(activation),
        period_(period),
        to_the_next_jump_(to_the_next_jump) {}

  // Periods that can be skipped: 0 where there is no pattern.
  [[nodiscard]] double periods();
  [[nodiscard]] bool endless() const { return endless_; }
  // Iterations after which a remainder repeats, as far as that was seen: a better period.
  [[nodiscard]] std::size_t wanted_period() const { return wanted_; }
  void skip(double periods);
  // Whether memory or numbers would not be known after skipping so many that would be after running them.
  [[nodiscard]] bool forgets(double periods) const;
  [[nodiscard]] double steps_of_a_period() const;
  [[nodiscard]] std::size_t period() const { return period_; }

  static constexpr double kForever = 1e18;

 private:
  static constexpr std::size_t kSamples = 4;
  using Four = std::array<Word, kSamples>;

  [[nodiscard]] const Event& at(std::size_t sample, std::size_t i) const {
    return machine_.loops.trace()[begin_[sample] + i];
  }
  [[nodiscard]] Four series(std::size_t i, Word Event::* field) const;
  [[nodiscard]] bool fits(std::size_t i);
  [[nodiscard]] bool fits_compare(std::size_t i);
  [[nodiscard]] bool fits_real_compare(std::size_t i);
  [[nodiscard]] bool fits_divide(std::size_t i);
  [[nodiscard]] bool fits_extend(std::size_t i);
  [[nodiscard]] bool fits_load(std::size_t i);
  [[nodiscard]] bool fits_read(std::size_t i);
  void find_round();
  [[nodiscard]] bool fits_stores();
  struct Moving;
  [[nodiscard]] Moving moving(std::size_t i) const;
  [[nodiscard]] std::vector<Moving> distinct(const std::vector<std::size_t>& events) const;
  [[nodiscard]] double untouched(const Moving& load, const Moving& store) const;
  [[nodiscard]] bool as_before(const Event& event, Word address, Word grown) const;
  [[nodiscard]] bool fits_access(std::size_t i);
  [[nodiscard]] bool same_but_file(std::size_t i) const;
  [[nodiscard]] bool fits_phis();
  [[nodiscard]] bool fits_world();
  void limit(double periods) { limit_ = std::min(limit_, periods); }
  [[nodiscard]] double sure_loads(double most_looks);

  [[nodiscard]] bool tells_store(std::size_t i, double periods) const;
  [[nodiscard]] bool tells_wrote(std::size_t i, double periods) const;
  [[nodiscard]] bool forgets_content(std::size_t i, double periods) const;
  [[nodiscard]] bool forgets_wrote(std::size_t i, double periods) const;
  [[nodiscard]] Cause left_in_memory() const;
  [[nodiscard]] Memory::Range hull(std::size_t i, Word bytes, double periods) const;
  void forget_around(std::size_t i, Word bytes);
  void tell_memory(std::size_t i, double periods);
  [[nodiscard]] bool tells_phi(const Phi& phi, std::size_t at, const Value& now) const;
  [[nodiscard]] Four phi_series(std::size_t at) const;

  [[nodiscard]] double counted(std::size_t i, double periods) const;  // by kBlocks, over the next periods
  void skip_events(double periods);
  void skip_access(const Event& event, std::size_t i, double periods);
  void skip_accesses(const Event& event, std::size_t i, double periods);
  void skip_store(std::size_t i, double periods);
  void skip_wrote(std::size_t i, double periods);
  void skip_phis(double periods);
  void tell_outer_loops(double periods, const std::vector<std::pair<double, double>>& before);

  Machine& machine_;
  Frame& frame_;
  Activation& activation_;
  std::size_t period_;
  std::array<std::size_t, kSamples + 1> begin_{};
  std::size_t length_ = 0;
  double limit_ = kForever;
  bool to_the_next_jump_;
  // Loads and remainders without a pattern do no harm while nothing that decides or moves bytes depends on them.
  bool endless_ = false, needs_data_ = false, irregular_ = false;
  std::size_t wanted_ = 1;
  std::vector<std::size_t> loads_, fixed_;  // events that look at memory: at addresses that move, and at the same ones
  std::vector<Word> world_steps_;
};

// v0, v1 ... grow by the same each time; nothing: they do not.
[[nodiscard]] std::optional<Word> even_step(const std::array<Word, 4>& values);
// The same of numbers of that width, which may have begun again at the other end.
[[nodiscard]] std::optional<Word> even_step(std::array<Word, 4> values, unsigned width);
[[nodiscard]] std::optional<double> even_real_step(const std::array<double, 4>& values);

}  // namespace trikal::predict

#pragma once
// Runs a program as far as that can be done without its data: instructions on known numbers are computed, what is not
// known carries its cause, both sides of a branch on it are tried, and turns of a loop that repeat a pattern are counted
// without running them. Nothing outside of this process is touched; files are looked at (stat), never opened for writing.

#include <array>
#include <chrono>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "predict/ledger.hpp"
#include "predict/machine/decode.hpp"
#include "predict/machine/tally.hpp"
#include "predict/machine/trace.hpp"
#include "predict/world/world.hpp"

namespace trikal::predict {

// What a prediction is asked for.
struct Setting {
  std::vector<std::string> arguments;  // the program's, its name first
  std::vector<std::string> environment;
  std::map<std::string, std::int64_t> assumed;  // --assume name=value
  int rank = 0, ranks = 1;
  Word stdin_bytes = 0;
  std::uint64_t most_steps = 100'000'000;
  std::uint64_t exact_steps = 20'000'000;  // for loops whose result skipping would forget
  double most_seconds = 60;
  unsigned assumed_turns = 16;  // of a loop whose end is not known
  unsigned line_bytes = 64;  // of text that is not known
  std::map<std::string, std::map<std::string, Hdf5Node>>
      left;  // in HDF5 files by ranks before this one, by name and path
  std::map<std::string, NetCdfContent> left_netcdf;  // the same of NetCDF's classic files
};

struct Context {  // a way of calls: the call, and the way to the function it stands in
  std::uint32_t parent = 0;
  const llvm::Instruction* call = nullptr;
};

struct CauseText {
  std::string what;
  const llvm::Instruction* at = nullptr;
  double forks = 0;
  bool character = false;  // one of a file's: whatever it is, it is not EOF
};

// One loop that is being turned.
struct Activation {
  std::uint32_t loop = 0;
  std::uint64_t turns = 0;
  std::uint64_t next_try = 4;
  unsigned assumed = 0;  // times that leaving it was not known
  bool plain = false;  // no more tries
  bool guessed = false;  // the turns that are left are counted already
  bool in_step = false;  // threads wait for each other in it: the first one's turns are those of all
  std::uint64_t run_until = 0;  // the turn up to which the pattern is known, and is run all the same
  bool silent = false;  // and nobody needs a trace of it
  std::uint64_t generation = 0;  // of the trace that the marks are in
  struct Mark {  // the beginning of a turn
    std::size_t trace = 0;
    std::uint64_t steps = 0;
    std::vector<Value> phis;
    std::vector<Word> world;
    std::size_t folder = 0;  // a number for the current one
  };
  std::vector<Mark> marks;
  std::uint64_t steps_at_start = 0;
  std::vector<std::pair<double, double>> ledger_at_start;  // count, bytes of each row
};

struct Frame {
  const Code* code = nullptr;
  std::vector<Value> places;
  std::vector<Activation> loops;
  std::vector<Value> rest;  // arguments behind the named ones
  std::uint32_t context = 0;
  std::uint32_t tally = 0;  // of its first block
  std::vector<std::pair<Word, const Instruction*>> marks;  // where setjmp was called, by its buffer

  [[nodiscard]] const Value& operator[](Operand operand) const {
    return operand >= 0 ? places[static_cast<std::size_t>(operand)]
                        : code->constants[static_cast<std::size_t>(-1 - operand)];
  }
};

class Machine;
class Pattern;
class Team;

// A call of something that is not part of the program.
struct Call {
  const Instruction& at;
  Frame& frame;
  std::string_view name;  // of the function; a pointer to it may have been called
  std::vector<Value> arguments;
  std::vector<Value> result{Value{}};

  [[nodiscard]] Value argument(std::size_t i) const { return i < arguments.size() ? arguments[i] : Value{}; }
  void returns(Value value) { result[0] = value; }
};
using Model = void (*)(Machine& machine, Call& call);

class Machine {
 public:
  Machine(const llvm::Module& module, Setting setting);

  // From main to its end; the exit code.
  int run();

  Setting setting;
  Memory memory;
  World world;
  Ledger ledger;
  Trace trace;
  Decoder decoder;
  std::vector<Context> contexts;
  std::vector<CauseText> causes;
  std::map<Word, Word> tables;  // of the C++ library's virtual functions: where they are there, and here
  std::set<std::string> unmodelled;
  std::vector<std::string> notes;
  Tallies tallies;
  std::uint64_t steps = 0, skipped_turns = 0, forks = 0;
  bool complete = true;
  bool lists_folders = false;  // the program asks what is in them: the files that it makes are followed one by one
  Team* team = nullptr;  // of OpenMP: the innermost
  unsigned threads_wanted = 0;  // by the next parallel region

  // For models.
  Value unknown(const Instruction& at, std::string_view what);
  Value unknown_character(const Instruction& at, std::string_view what);
  struct Moved {
    Operation operation;
    std::uint32_t file = kNoFile;
    Word offset = 0, bytes = 0;
    bool sizes_known = true;
    bool sequential = false, consecutive = false, switched = false;
    bool extrapolated = false;
    std::uint32_t selection = 0;  // of the ledger
  };
  void access(const Call& call, const Moved& moved);
  // Work that a call makes beyond being made.
  void count(const Call& call, analyze::Work work, double amount);
  void compare(const Call& call, Word a, Word b);  // a model looked whether a <= b
  // A model wrote text there. Where that grows from turn to turn, turns cannot be skipped.
  void wrote_text(const Call& call, Word address, Word bytes);
  // A model tells a number of a file: of another one than the last time that this call was made, it need not grow evenly.
  void told_of_file(const Call& call, std::uint32_t file, Word number) {
    const auto [last, fresh] = told_of_.try_emplace(call.at.id, file);
    if (!fresh && std::exchange(last->second, file) != file) wrote_text(call, number, 0);
  }
  // Names of files are others than before: no turn of a loop that changes them is like the one before.
  void changed_names(const Call& call, std::uint32_t file) { wrote_text(call, file, 0); }
  // What was computed from something that moves jumps from time to time.
  void jumps(const Instruction& instruction, Value a, Value& out);
  // The variable or the piece of the heap that an address lies in.
  [[nodiscard]] std::optional<Memory::Range> object_around(Word address) const;
  // A model changes a number, as a store of the program's would: where it grows evenly, turns can be skipped.
  void put(const Call& call, Word address, unsigned bytes, Value value);
  void forget_behind(const Call& call, Value pointer, std::string_view why);
  // Calls a function of the program: comparators, callbacks.
  std::vector<Value> invoke(Word function, std::span<const Value> arguments, const Call& call);
  // A copy of the program goes on behind the call as the child, until it ends; then the caller goes on as the parent.
  void run_child(const Call& call);
  // A thread does its work at once. One that has to wait for others before it did anything is as if it had not begun.
  enum class ThreadEnd : std::uint8_t { kReturned, kExited, kWaits };
  ThreadEnd run_thread(Word function, Value argument, const Call& call, Value& result);
  [[noreturn]] void leave_thread(ThreadEnd how);
  [[nodiscard]] bool in_thread() const { return threads_ > 0; }
  [[noreturn]] void leave(int code);
  // The end of a prediction before that of the program, or of the program by std::terminate.
  [[noreturn]] void stop(const Call& call, const std::string& why);
  [[noreturn]] void terminate(const Call& call, const std::string& why);
  [[nodiscard]] std::string where(const Call& call) const;
  // An exception is on its way to its handler; a function goes on behind its setjmp.
  [[noreturn]] void raise(const Call& call, Word exception);
  [[noreturn]] void jump_back(const Call& call, Word buffer, Value value);
  [[nodiscard]] std::string type_of_exception(Word exception) const;
  void keep_caught(Word exception, Word object);  // as the handler sees it
  void run_exits();  // what atexit was told, and destructors of global objects
  void event(Event event) {
    if (recording_ > 0) trace.push_back(event), trace.back().weight = weight_;
  }
  void note(std::string text);
  [[nodiscard]] double weight() const { return weight_; }
  // Steps that may still be spent on knowing what could also be left unknown.
  [[nodiscard]] std::uint64_t steps_to_spare() const {
    return steps < setting.exact_steps ? setting.exact_steps - steps : 0;
  }

  struct Left {  // thrown where the program ends
    int code;
  };
  struct Exhausted {};  // thrown where a budget is used up
  struct Unwinding {  // thrown where the program throws
    Word exception;
  };
  struct LongJump {
    const Frame* frame;
    const Instruction* at;
    Value value;
  };

  // What a thread has of its own while others run.
  struct Strand {
    int depth = 0;
    Word stack = 0;
    std::vector<Memory::Range>* watcher = nullptr;
    std::vector<Memory::Range> written;
    std::vector<Frame*> frames;
    std::vector<const llvm::LandingPadInst*> handlers;
  };

 private:
  enum class End : std::uint8_t { kStopped, kReturned };
  struct Outcome {
    End end = End::kReturned;
    std::vector<Value> values;
  };
  struct Jump {
    std::uint32_t to = 0;
    bool joined = false;  // two ways came together there
    bool done = false;  // the function ends here
    Outcome outcome;
  };
  struct Side {  // what one side of a branch came to
    Outcome outcome;
    std::vector<Value> places;
    Memory::Pages pages;
    World world;
    bool dead = false;
    std::exception_ptr escaped{};  // what left the function there
  };

  void run_constructors();  // of global objects, before main
  class Inside;
  std::vector<Value> enter(const llvm::Function& function, std::span<const Value> arguments,
                           std::span<const Value> rest, std::uint32_t context);
  Outcome run(Frame& frame, std::uint32_t block, std::uint32_t from, std::uint32_t stop);
  Jump run_block(Frame& frame, std::uint32_t block, std::size_t first);
  std::uint32_t run_invoke(Frame& frame, const Instruction& instruction);
  void land(Frame& frame, const Instruction& instruction);
  struct Resumed {
    std::uint32_t block;
    std::size_t instruction;
  };
  Resumed resume(Frame& frame, const LongJump& jump);
  void arrive(Frame& frame, std::uint32_t block, std::uint32_t from, bool joined);
  Outcome returned(const Frame& frame, const Instruction& instruction);
  void choose_phis(Frame& frame, const Block& block, std::uint32_t from);
  void spend(const Frame& frame, const Block& block);

  // One instruction that is not a jump.
  void execute(Frame& frame, const Instruction& instruction);
  void compute(Frame& frame, const Instruction& instruction);
  void watch(const Instruction& instruction, Value a, Value b, Value& out);
  void compare(Frame& frame, const Instruction& instruction);
  [[nodiscard]] std::optional<bool> compare_character(const Instruction& instruction, Value a, Value b) const;
  void load(Frame& frame, const Instruction& instruction);
  void store(Frame& frame, const Instruction& instruction);
  void store_somewhere(Value to);
  void address(Frame& frame, const Instruction& instruction);
  void allocate(Frame& frame, const Instruction& instruction);
  void aggregate(Frame& frame, const Instruction& instruction);
  void rearrange(Frame& frame, const Instruction& instruction);
  void reinterpret(Frame& frame, const Instruction& instruction);
  void exchange(Frame& frame, const Instruction& instruction);
  void call(Frame& frame, const Instruction& instruction);
  template <class Function>
  void watch_memory(const Call& call, Function function);
  void tell_written(std::uint32_t id, Word address, Word bytes, bool with_gaps = false);
  void count_amount(const Call& call);
  bool assembler(Call& call) const;
  void call_unknown(Frame& frame, const Instruction& instruction, const llvm::Function* callee, Call& call);
  void set(Frame& frame, const Instruction& instruction, Value value) { frame.places[instruction.place] = value; }

  // Jumps.
  Jump branch(Frame& frame, const Instruction& instruction, std::uint32_t number);
  Jump branch_unknown(Frame& frame, const Instruction& instruction, std::uint32_t number);
  Jump choose_unknown(Frame& frame, const Instruction& instruction, std::uint32_t number);
  std::uint32_t choose(Frame& frame, const Instruction& instruction);
  // The way that stays in the loop, until enough turns are assumed; kNone: the branch is not about leaving it.
  std::uint32_t leave_or_stay(Frame& frame, const Instruction& instruction);
  static std::uint32_t way_out(const Frame& frame, const Instruction& instruction);
  Side try_side(Frame& frame, std::uint32_t block, std::uint32_t from, std::uint32_t stop, double share);
  Jump fork(Frame& frame, const Instruction& instruction, std::uint32_t number,
            const std::vector<std::uint32_t>& targets);
  void keep_comparable(std::vector<Side>& sides);
  Outcome join(Frame& frame, Side& one, Side& other, Cause cause);
  Outcome take_over(Frame& frame, Side& side);

  // Loops.
  void start_loop(Frame& frame, std::uint32_t loop);
  void turn(Frame& frame);
  void mark(Frame& frame, Activation& activation);
  bool try_skipping(Frame& frame, Activation& activation);
  bool skip_if(Pattern& pattern, double periods, const Frame& frame, Activation& activation);
  void run_out(Activation& activation, std::uint64_t turns);
  [[nodiscard]] double turns_left(std::uint32_t test, std::size_t since) const;
  void guess_the_rest(Frame& frame, Activation& activation);
  void forget_rest(Frame& frame, const Activation& activation);
  void move_on(std::uint32_t file, double bytes);
  void guess_work(const Activation& activation, double left);
  [[nodiscard]] std::set<std::uint32_t> exit_tests(const Frame& frame, const Activation& activation) const;
  void forget_loops(Frame& frame, std::size_t keep);
  friend class Pattern;

  // Threads.
  [[nodiscard]] Strand strand() const;
  void go_on_as(Strand strand);
  void keep_in_step();  // turns of the loops that are being turned cannot be skipped by one thread alone
  [[nodiscard]] bool follows_another() const;
  friend class Team;

  std::unordered_map<std::string_view, Model> models_;
  std::unordered_map<const llvm::Instruction*, std::unordered_map<std::string, Cause>> cause_of_;
  std::unordered_map<std::uint64_t, std::uint32_t> context_of_;
  std::vector<Word> last_address_;  // by instruction
  std::vector<Memory::Range> written_;  // by the model that is running
  std::vector<const llvm::LandingPadInst*> handlers_;  // of the calls that are being made, the innermost last
  std::array<Value, 2> landed_;  // the exception and what a handler knows it by
  std::vector<Frame*> frames_;  // of the functions that are being run, the innermost last
  std::vector<Value> chosen_;  // of the phis of a block: all before the first is set, as one may be another's operand
  std::unordered_map<std::string_view, const void*> asked_;  // of functions by name: what amounts.cpp knows of them
  std::unordered_map<std::uint32_t, std::uint32_t> told_of_;  // by instruction: the file
  const llvm::Module& module_;
  Word next_address_ = Word{1} << 32;
  Word stack_ = Word{1} << 48;
  int depth_ = 0, fork_depth_ = 0;
  int threads_ = 0;  // that are being run, one inside the other
  std::optional<ThreadEnd> left_thread_;
  unsigned recording_ = 0;  // loops that are being turned
  unsigned assumed_loops_ = 0;  // of those, the ones whose end is not known
  std::uint64_t generation_ = 0, exact_steps_ = 0;
  double weight_ = 1;
  Certainty certainty_ = Certainty::kExact;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace trikal::predict

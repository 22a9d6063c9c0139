#pragma once
// Runs a program as far as that can be done without its data: instructions on known numbers are computed, what is not
// known carries its cause, both sides of a branch on it are tried, and iterations of a loop that repeat a pattern are counted
// without running them. Nothing outside of this process is touched; files are looked at (stat), never opened for writing.
//
// Machine holds what all its parts work on, and is what models of functions see. What it does is in the parts: interpreter,
// executor, calls, forks, loops, unwinder and threads, each with a header of its own.

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "predict/ledger.hpp"
#include "predict/machine/budget.hpp"
#include "predict/machine/call.hpp"
#include "predict/machine/calls.hpp"
#include "predict/machine/causes.hpp"
#include "predict/machine/decode.hpp"
#include "predict/machine/doubts.hpp"
#include "predict/machine/execute.hpp"
#include "predict/machine/forks.hpp"
#include "predict/machine/frame.hpp"
#include "predict/machine/interpreter.hpp"
#include "predict/machine/loops.hpp"
#include "predict/machine/setting.hpp"
#include "predict/machine/tally.hpp"
#include "predict/machine/threads.hpp"
#include "predict/machine/unwind.hpp"
#include "predict/world/world.hpp"

namespace trikal::predict {

class Machine {
 public:
  Machine(const llvm::Module& module, Setting setting);

  // From main to its end; the exit code.
  int run();

  Setting setting;
  Memory memory;
  World world;
  Ledger ledger;
  Decoder decoder;
  CallStack stack;
  Contexts contexts;
  Causes causes;
  Doubts doubts{memory};
  Tallies tallies;
  Budget budget;
  std::map<Word, Word> tables;  // of the C++ library's virtual functions: where they are there, and here
  std::set<std::string> unmodelled;
  std::vector<std::string> notes;
  bool complete = true;
  std::shared_ptr<struct MpiState> mpi;  // what this rank knows of MPI
  bool lists_folders = false;  // the program asks what is in them: the files that it makes are followed one by one

  Interpreter interpreter{*this};
  Executor executor{*this};
  Calls calls{*this};
  Forks forks{*this};
  Loops loops{*this};
  Unwinder unwinder{*this};
  Threads threads{*this};

  [[nodiscard]] Value unknown(const Instruction& at, std::string_view what) { return causes.unknown(at, what); }
  // For models: what this call tells rests on an assumption.
  void assume(const Call& call, std::string_view what) { memory.seen = doubts.of(unknown(call.at, what).cause); }
  [[nodiscard]] Value unknown_character(const Instruction& at, std::string_view what);
  // The variable or the piece of the heap that an address lies in.
  [[nodiscard]] std::optional<Memory::Range> object_around(Word address) const;
  void forget_behind(const Call& call, Value pointer, std::string_view why);
  void put(const Call& call, Word address, unsigned bytes, Value value) { calls.put(call, address, bytes, value); }
  std::vector<Value> invoke(Word function, std::span<const Value> arguments, const Call& call) {
    return calls.invoke(function, arguments, call);
  }

  // What models do, as far as it is counted, or decides whether iterations of a loop can be skipped.
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
  [[nodiscard]] Cause why_assumed(const Call& call, const Moved& moved);
  // Work that a call makes beyond being made.
  void count(const Call& call, analyze::Work work, double amount);
  void compare(const Call& call, Word a, Word b, bool data = false);  // a model looked whether a <= b
  // A model wrote text there. Where that grows from one iteration to the next, iterations cannot be skipped.
  void wrote_text(const Call& call, Word address, Word bytes);
  // A model tells a number of a file: of another one than the last time that this call was made, it need not grow evenly.
  void told_of_file(const Call& call, std::uint32_t file, Word number) {
    const auto [last, fresh] = told_of_.try_emplace(call.at.id, file);
    if (!fresh && std::exchange(last->second, file) != file) wrote_text(call, number, 0);
  }
  // Names of files are others than before: no iteration of a loop that changes them is like the one before.
  void changed_names(const Call& call, std::uint32_t file) { wrote_text(call, file, 0); }
  void event(Event event) { loops.record(event, forks.weight()); }
  [[nodiscard]] double weight() const { return forks.weight(); }

  // The end of the program, of a prediction before that of the program, or of the program by std::terminate.
  [[noreturn]] void leave(int code) { throw ProgramEnd{code}; }
  [[noreturn]] void stop(const Call& call, const std::string& why);
  [[noreturn]] void terminate(const Call& call, const std::string& why);
  void run_exits();  // what atexit was told, and destructors of global objects
  void note(std::string text);
  [[nodiscard]] std::string where(const Call& call) const;

 private:
  [[nodiscard]] Doubt doubt_of(const Call& call, const Moved& moved);
  void run_constructors();  // of global objects, before main

  const llvm::Module& module_;
  std::unordered_map<std::uint32_t, std::uint32_t> told_of_;  // by instruction: the file
  Word next_address_ = Word{1} << 32;
};

}  // namespace trikal::predict

#pragma once
// Calls: of the program's own functions, of what has a model, and of what is not known.

#include <span>
#include <string_view>
#include <unordered_map>

#include "predict/machine/call.hpp"
#include "predict/machine/memory.hpp"

namespace trikal::predict {

class Calls {
 public:
  explicit Calls(Machine& machine);
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  // An instruction of the program that calls.
  void run(Frame& frame, const Instruction& instruction);
  // A function by its address: comparators, callbacks.
  std::vector<Value> invoke(Word function, std::span<const Value> arguments, const Call& call);
  // The model of a function of the library; null: there is none.
  [[nodiscard]] Model model_of(std::string_view name) const;

  // A model changes a number, as a store of the program's would: where it grows evenly, iterations can be skipped.
  void put(const Call& call, Word address, unsigned bytes, Value value);
  // Memory was written otherwise than by a store of the program's.
  void tell_written(std::uint32_t id, Word address, Word bytes, bool with_gaps = false);

  // What the model that is running has written, and who is told of it: each thread has its own.
  struct Watch {
    std::vector<Memory::Range>* watcher = nullptr;
    std::vector<Memory::Range> written;
    std::vector<Memory::Range>* reader = nullptr;
    bool by_model = false;
    Doubt seen = 0;
  };
  [[nodiscard]] Watch watch() const;
  void set_watch(Watch watch);

 private:
  [[nodiscard]] std::vector<Value> arguments_of(const Frame& frame, const Instruction& instruction) const;
  void dispatch(Call& call, const llvm::Function* callee);
  void call_own(Call& call, const llvm::Function& callee);
  void call_unknown(Call& call, const llvm::Function* callee);
  [[nodiscard]] static bool assembler(Call& call);
  template <class Function>
  void watch_memory(const Call& call, Function function);
  template <class Function>
  void keep_doubts(Call& call, Function function);
  void tell_read(const Call& call);
  void count_amount(const Call& call);

  Machine& machine_;
  std::unordered_map<std::string_view, Model> models_;
  std::vector<Memory::Range> written_, read_;  // by the model that is running
  std::unordered_map<std::string_view, const void*> asked_;  // of functions by name: what amounts.cpp knows of them
};

}  // namespace trikal::predict

#pragma once
// Decodes functions into Code, once each, and gives everything with an address its address.

#include <functional>
#include <unordered_map>

#include "predict/machine/code.hpp"
#include "predict/machine/memory.hpp"

namespace trikal::predict {

class Decoder {
 public:
  Decoder(const llvm::Module& module, Memory& memory, Word& next_address);
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  const Code& code_of(const llvm::Function& function);
  [[nodiscard]] const llvm::Function* function_at(Word address) const;
  Word address_of(const llvm::GlobalValue& global);
  // Of a function that need not be declared in the program: tables of the library name it.
  Word address_of_named(std::string_view name);
  // Another variable like the one at `address`, as it is at the beginning.
  void initialise_copy(Word address, Word copy);
  [[nodiscard]] const llvm::GlobalVariable* variable_named(std::string_view name) const;
  [[nodiscard]] std::string name_at(Word address) const;  // of a function or a type
  // Objects that libc would define: stdin, environ ...; told when their address is first asked for.
  std::function<void(std::string_view name, Word address)> on_external;

  [[nodiscard]] std::uint32_t instruction_count() const { return next_instruction_; }
  [[nodiscard]] const std::vector<std::uint32_t>& block_sizes() const { return block_sizes_; }
  [[nodiscard]] const llvm::BasicBlock* block_at(std::uint32_t id) const { return block_ir_[id]; }
  // Every call that was decoded, with its number.
  template <class Function>
  void for_each(Function function) const {
    for (const auto& [ir, code] : codes_)
      for (const Block& block : code->blocks)
        for (const Instruction& one : block.instructions) function(one.id, one.ir);
  }
  [[nodiscard]] const llvm::DataLayout& layout() const { return layout_; }
  [[nodiscard]] std::vector<Part> parts_of(llvm::Type* type) const;

 private:
  struct Slots;
  std::unique_ptr<Code> decode(const llvm::Function& function);
  void decode_block(Code& code, Slots& slots, const llvm::BasicBlock& ir, Block& block);
  void decode_instruction(Code& code, Slots& slots, const llvm::Instruction& ir, Instruction& out);
  void decode_address(Code& code, Slots& slots, const llvm::GetElementPtrInst& ir, Instruction& out);
  void find_loops(Code& code, Slots& slots);
  static void find_joins(Code& code, Slots& slots);
  static void find_hopeless(Code& code, Slots& slots);
  Operand operand_of(Code& code, Slots& slots, const llvm::Value* value);
  std::vector<Value> constant(const llvm::Constant& constant);
  Value scalar_constant(const llvm::Constant& constant);
  Value expression(const llvm::Constant& constant);
  void initialise(Word address, const llvm::Constant& constant);
  Word allocate(Word bytes);

  const llvm::Module& module_;
  const llvm::DataLayout& layout_;
  Memory& memory_;
  Word& next_address_;
  std::uint32_t next_instruction_ = 0;
  std::vector<std::uint32_t> block_sizes_;
  std::vector<const llvm::BasicBlock*> block_ir_;
  std::unique_ptr<llvm::Module> library_;  // functions that only tables name
  std::unordered_map<const llvm::Function*, std::unique_ptr<Code>> codes_;
  std::unordered_map<const llvm::GlobalValue*, Word> addresses_;
  std::unordered_map<Word, const llvm::Function*> functions_;
  std::unordered_map<Word, const llvm::GlobalVariable*> own_variables_;  // of threads
  std::unordered_map<Word, const llvm::GlobalVariable*> types_;
};

[[nodiscard]] Number number_of(const llvm::Type* type);

}  // namespace trikal::predict

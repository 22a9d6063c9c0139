#include "predict/machine/decode.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "predict/machine/decode_slots.hpp"

namespace trikal::predict {

Decoder::Decoder(const llvm::Module& module, Memory& memory, Word& next_address)
    : module_(module), layout_(module.getDataLayout()), memory_(memory), next_address_(next_address) {}
Decoder::~Decoder() = default;
namespace {

constexpr std::size_t kMostScalars = 256;  // of one value; larger ones are not worth following

void add_parts(const llvm::DataLayout& layout, llvm::Type* type, std::uint64_t at, std::vector<Part>& out) {
  if (out.size() > kMostScalars) return;
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* offsets = layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      add_parts(layout, record->getElementType(i), at + offsets->getElementOffset(i).getFixedValue(), out);
  } else if (type->isArrayTy() || llvm::isa<llvm::FixedVectorType>(type)) {
    llvm::Type* element =
        type->isArrayTy() ? type->getArrayElementType() : llvm::cast<llvm::FixedVectorType>(type)->getElementType();
    const std::uint64_t count =
        type->isArrayTy() ? type->getArrayNumElements() : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    const std::uint64_t size = layout.getTypeAllocSize(element).getFixedValue();
    for (std::uint64_t i = 0; i < count && out.size() <= kMostScalars; ++i)
      add_parts(layout, element, at + i * size, out);
  } else if (type->isSized()) {
    out.push_back({at, static_cast<std::uint32_t>(layout.getTypeStoreSize(type).getFixedValue())});
  }
}

unsigned bits_of(const llvm::DataLayout& layout, llvm::Type* type) {
  if (type->isPointerTy()) return 64;
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) return bits_of(layout, vector->getElementType());
  if (!type->isSized() || type->isAggregateType()) return 64;
  return static_cast<unsigned>(std::min<std::uint64_t>(64, layout.getTypeSizeInBits(type).getFixedValue()));
}

double real_of(const llvm::APFloat& value) {
  llvm::APFloat copy = value;
  bool lost = false;
  copy.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &lost);
  return copy.convertToDouble();
}

}  // namespace

Number number_of(const llvm::Type* type) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) type = vector->getElementType();
  if (type->isFloatTy()) return Number::kFloat;
  if (type->isDoubleTy()) return Number::kDouble;
  return type->isFloatingPointTy() ? Number::kLongDouble : Number::kInteger;
}

std::vector<Part> Decoder::parts_of(llvm::Type* type) const {
  std::vector<Part> out;
  add_parts(layout_, type, 0, out);
  return out;
}

Word Decoder::allocate(Word bytes) {
  constexpr Word kApart = 64;
  const Word address = next_address_;
  next_address_ += (bytes + 2 * kApart - 1) / kApart * kApart;
  memory_.keep_extent(address, bytes);
  return address;
}

const llvm::Function* Decoder::function_at(Word address) const {
  const auto found = functions_.find(address);
  return found == functions_.end() ? nullptr : found->second;
}

Word Decoder::address_of(const llvm::GlobalValue& global) {
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&global))
    if (const auto* object = alias->getAliaseeObject()) return address_of(*object);
  if (const auto found = addresses_.find(&global); found != addresses_.end()) return found->second;
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&global);
  const bool sized = variable != nullptr && variable->getValueType()->isSized();
  const Word address = allocate(sized ? layout_.getTypeAllocSize(variable->getValueType()).getFixedValue() : 16);
  addresses_[&global] = address;
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&global)) functions_[address] = function;
  if (variable != nullptr && variable->hasInitializer() && !variable->isConstant()) own_variables_[address] = variable;
  if (global.getName().starts_with("_ZTI") && variable != nullptr) types_[address] = variable;
  if (variable != nullptr && variable->hasInitializer()) initialise(address, *variable->getInitializer());
  else if (variable != nullptr && on_external) on_external({global.getName().data(), global.getName().size()}, address);
  return address;
}

const llvm::GlobalVariable* Decoder::variable_named(std::string_view name) const {
  return module_.getGlobalVariable(llvm::StringRef(name.data(), name.size()), true);
}

std::string Decoder::name_at(Word address) const {
  if (const auto type = types_.find(address); type != types_.end()) return type->second->getName().str();
  const llvm::Function* function = function_at(address);
  return function != nullptr ? function->getName().str() : std::string();
}

void Decoder::initialise_copy(Word address, Word copy) {
  const auto found = own_variables_.find(address);
  if (found != own_variables_.end()) initialise(copy, *found->second->getInitializer());
}

Word Decoder::address_of_named(std::string_view name) {
  const llvm::StringRef wanted(name.data(), name.size());
  if (const llvm::Function* function = module_.getFunction(wanted)) return address_of(*function);
  if (!library_) library_ = std::make_unique<llvm::Module>("library", module_.getContext());
  llvm::Function* function = library_->getFunction(wanted);
  if (function == nullptr)
    function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), false),
                                      llvm::GlobalValue::ExternalLinkage, wanted, *library_);
  return address_of(*function);
}

void Decoder::initialise(Word address, const llvm::Constant& value) {
  if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value)) return;
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&value)) {
    memory_.write(address, data->getRawDataValues().data(), data->getRawDataValues().size());
  } else if (const auto* record = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
    const llvm::StructLayout* offsets = layout_.getStructLayout(record->getType());
    for (unsigned i = 0; i < record->getNumOperands(); ++i)
      initialise(address + offsets->getElementOffset(i).getFixedValue(), *record->getOperand(i));
  } else if (const auto* array = llvm::dyn_cast<llvm::ConstantArray>(&value)) {
    const std::uint64_t size = layout_.getTypeAllocSize(array->getType()->getElementType()).getFixedValue();
    for (unsigned i = 0; i < array->getNumOperands(); ++i) initialise(address + i * size, *array->getOperand(i));
  } else {
    const auto bytes = layout_.getTypeStoreSize(value.getType()).getFixedValue();
    memory_.store(address, static_cast<unsigned>(bytes), scalar_constant(value));
  }
}

Value Decoder::expression(const llvm::Constant& value) {
  if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(&value)) {
    llvm::APInt offset(64, 0);
    const Value base = scalar_constant(*llvm::cast<llvm::Constant>(address->getPointerOperand()));
    if (base.known() && address->accumulateConstantOffset(layout_, offset))
      return Value::of(base.bits + offset.getZExtValue());
  }
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&value);
  if (expression != nullptr && expression->isCast()) return scalar_constant(*expression->getOperand(0));
  if (expression != nullptr && expression->getNumOperands() == 2) {
    const Value a = scalar_constant(*expression->getOperand(0)), b = scalar_constant(*expression->getOperand(1));
    if (expression->getOpcode() == llvm::Instruction::Sub) return Value::of(a.bits - b.bits);
    if (expression->getOpcode() == llvm::Instruction::Add) return Value::of(a.bits + b.bits);
  }
  return {};
}

Value Decoder::scalar_constant(const llvm::Constant& value) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return Value::of(number->getValue().zextOrTrunc(64).getZExtValue());
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&value)) {
    if (value.getType()->isFloatTy())
      return Value::of(Word{std::bit_cast<std::uint32_t>(real->getValueAPF().convertToFloat())});
    return Value::of(real_of(real->getValueAPF()));
  }
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(&value)) return Value::of(address_of(*global));
  if (llvm::isa<llvm::ConstantExpr>(value)) return expression(value);
  return {};
}

std::vector<Value> Decoder::constant(const llvm::Constant& value) {
  if (!value.getType()->isAggregateType() && !value.getType()->isVectorTy()) return {scalar_constant(value)};
  std::vector<Value> all;
  const auto count = value.getType()->isStructTy()  ? value.getType()->getStructNumElements()
                     : value.getType()->isArrayTy() ? value.getType()->getArrayNumElements()
                     : llvm::isa<llvm::FixedVectorType>(value.getType())
                         ? llvm::cast<llvm::FixedVectorType>(value.getType())->getNumElements()
                         : 0;
  for (unsigned i = 0; i < count && all.size() <= kMostScalars; ++i) {
    const llvm::Constant* element = value.getAggregateElement(i);
    const std::vector<Value> one = element != nullptr ? constant(*element) : std::vector<Value>(1);
    all.insert(all.end(), one.begin(), one.end());
  }
  if (all.empty()) all.emplace_back();
  return all;
}

Operand Decoder::operand_of(Code& code, Slots& slots, const llvm::Value* value) {
  if (const auto found = slots.of.find(value); found != slots.of.end()) return static_cast<Operand>(found->second);
  const auto* fixed = llvm::dyn_cast<llvm::Constant>(value);
  const auto first = static_cast<Operand>(code.constants.size());
  if (fixed != nullptr) {
    const std::vector<Value> scalars = constant(*fixed);
    code.constants.insert(code.constants.end(), scalars.begin(), scalars.end());
  } else {
    code.constants.emplace_back();  // metadata, labels, assembler
  }
  return -1 - first;
}

void Decoder::decode_address(Code& code, Slots& slots, const llvm::GetElementPtrInst& ir, Instruction& out) {
  out.operands = {operand_of(code, slots, ir.getPointerOperand())};
  for (auto step = llvm::gep_type_begin(ir); step != llvm::gep_type_end(ir); ++step) {
    const llvm::Value* index = step.getOperand();
    if (llvm::StructType* record = step.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue());
      out.offset += static_cast<std::int64_t>(layout_.getStructLayout(record)->getElementOffset(field).getFixedValue());
      continue;
    }
    const auto scale = static_cast<std::int64_t>(step.getSequentialElementStride(layout_).getFixedValue());
    if (const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(index)) out.offset += scale * fixed->getSExtValue();
    else out.steps.push_back({operand_of(code, slots, index), bits_of(layout_, index->getType()), scale});
  }
}

void Decoder::decode_instruction(Code& code, Slots& slots, const llvm::Instruction& ir, Instruction& out) {
  out.ir = &ir;
  out.opcode = ir.getOpcode();
  out.id = next_instruction_++;
  if (const auto found = slots.of.find(&ir); found != slots.of.end()) {
    out.slot = found->second;
    out.scalars = static_cast<std::uint32_t>(std::max<std::size_t>(1, parts_of(ir.getType()).size()));
  }
  out.result = number_of(ir.getType());
  const auto wide = [](const llvm::Type* type) {
    return type->isIntOrIntVectorTy() && type->getScalarSizeInBits() > 64;
  };
  out.too_wide = wide(ir.getType()) ||
                 std::ranges::any_of(ir.operands(), [&](const llvm::Use& use) { return wide(use->getType()); });
  out.reinterprets =
      out.opcode == llvm::Instruction::BitCast && parts_of(ir.getOperand(0)->getType()).size() != out.scalars;
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&ir))
    return decode_address(code, slots, *address, out);
  for (const llvm::Use& use : ir.operands()) {
    if (const auto* target = llvm::dyn_cast<llvm::BasicBlock>(use.get())) {
      out.targets.push_back(slots.blocks.at(target));
      continue;
    }
    out.operands.push_back(operand_of(code, slots, use.get()));
    out.widths.push_back(bits_of(layout_, use->getType()));
  }
  if (ir.getNumOperands() > 0) {
    out.width = bits_of(layout_, ir.getOperand(0)->getType());
    out.number = number_of(ir.getOperand(0)->getType());
  }
  if (llvm::isa<llvm::LoadInst>(ir)) out.parts = parts_of(ir.getType());
  if (llvm::isa<llvm::StoreInst>(ir)) out.parts = parts_of(ir.getOperand(0)->getType());
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&ir)) {
    out.targets = {slots.blocks.at(choice->getDefaultDest())};
    for (const auto& option : choice->cases()) {
      out.cases.push_back(option.getCaseValue()->getZExtValue());
      out.targets.push_back(slots.blocks.at(option.getCaseSuccessor()));
    }
  }
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&ir)) {
    out.targets.clear();  // the operands have them backwards
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
      out.targets.push_back(slots.blocks.at(branch->getSuccessor(i)));
  }
}

void Decoder::decode_block(Code& code, Slots& slots, const llvm::BasicBlock& ir, Block& block) {
  block.id = static_cast<std::uint32_t>(block_sizes_.size());
  block.ir = &ir;
  block_ir_.push_back(&ir);
  for (const llvm::Instruction& instruction : ir) {
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      Phi out{slots.of.at(phi),
              static_cast<std::uint32_t>(std::max<std::size_t>(1, parts_of(phi->getType()).size())),
              next_instruction_++,
              bits_of(layout_, phi->getType()),
              number_of(phi->getType()),
              {}};
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        out.from.emplace_back(slots.blocks.at(phi->getIncomingBlock(i)),
                              operand_of(code, slots, phi->getIncomingValue(i)));
      block.phis.push_back(std::move(out));
    } else if (!llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) {
      decode_instruction(code, slots, instruction, block.instructions.emplace_back());
    }
  }
  block_sizes_.push_back(static_cast<std::uint32_t>(block.instructions.size()));
}

std::unique_ptr<Code> Decoder::decode(const llvm::Function& function) {
  auto code = std::make_unique<Code>();
  code->ir = &function;
  Slots slots;
  const auto reserve = [&](const llvm::Value& value) {
    slots.of[&value] = code->slots;
    code->slots += static_cast<std::uint32_t>(std::max<std::size_t>(1, parts_of(value.getType()).size()));
  };
  for (const llvm::Argument& argument : function.args()) reserve(argument);
  code->arguments = code->slots;
  std::uint32_t count = 0;
  for (const llvm::BasicBlock& block : function) {
    slots.blocks[&block] = count++;
    for (const llvm::Instruction& instruction : block)
      if (!instruction.getType()->isVoidTy()) reserve(instruction);
  }
  code->blocks.resize(count);
  for (const llvm::BasicBlock& block : function)
    decode_block(*code, slots, block, code->blocks[slots.blocks.at(&block)]);
  find_loops(*code, slots);
  return code;
}

const Code& Decoder::code_of(const llvm::Function& function) {
  std::unique_ptr<Code>& code = codes_[&function];
  if (code) return *code;
  // Bodies come from the file when they are first needed; nobody else sees the module.
  if (llvm::Error failed = const_cast<llvm::Function&>(function).materialize()) llvm::consumeError(std::move(failed));
  code = decode(function);
  return *code;
}

}  // namespace trikal::predict

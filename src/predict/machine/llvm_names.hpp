#pragma once
// Names of LLVM's classes for headers that only point at them. LLVM's own headers take seconds to compile and most
// models never look inside these classes: a file that does includes what it needs itself.

namespace llvm {
class BasicBlock;
class Constant;
class DataLayout;
class Function;
class GetElementPtrInst;
class GlobalValue;
class GlobalVariable;
class Instruction;
class LandingPadInst;
class LLVMContext;
class Loop;
class Module;
class Type;
class Value;
}  // namespace llvm

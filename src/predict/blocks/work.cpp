#include "predict/blocks/work.hpp"

#include <llvm/IR/Module.h>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace trikal::predict {
namespace {

using analyze::Work;
using Op = llvm::Instruction;

constexpr std::string_view kFiles[] = {"open",
                                       "openat",
                                       "creat",
                                       "close",
                                       "read",
                                       "write",
                                       "pread",
                                       "pwrite",
                                       "pread64",
                                       "pwrite64",
                                       "readv",
                                       "writev",
                                       "preadv",
                                       "pwritev",
                                       "lseek",
                                       "lseek64",
                                       "stat",
                                       "fstat",
                                       "lstat",
                                       "fstatat",
                                       "access",
                                       "faccessat",
                                       "fsync",
                                       "fdatasync",
                                       "sync_file_range",
                                       "ftruncate",
                                       "truncate",
                                       "unlink",
                                       "unlinkat",
                                       "remove",
                                       "rename",
                                       "mkdir",
                                       "rmdir",
                                       "opendir",
                                       "readdir",
                                       "closedir",
                                       "mmap",
                                       "munmap",
                                       "msync",
                                       "fopen",
                                       "fdopen",
                                       "freopen",
                                       "fclose",
                                       "fread",
                                       "fwrite",
                                       "fgets",
                                       "fputs",
                                       "puts",
                                       "fgetc",
                                       "getc",
                                       "getchar",
                                       "fputc",
                                       "putc",
                                       "putchar",
                                       "ungetc",
                                       "fprintf",
                                       "printf",
                                       "vfprintf",
                                       "vprintf",
                                       "fscanf",
                                       "scanf",
                                       "getline",
                                       "getdelim",
                                       "fflush",
                                       "fseek",
                                       "fseeko",
                                       "ftell",
                                       "ftello",
                                       "rewind",
                                       "copy_file_range",
                                       "sendfile",
                                       "aio_read",
                                       "aio_write",
                                       "aio_fsync",
                                       "aio_suspend",
                                       "aio_return",
                                       "lio_listio",
                                       "mkstemp",
                                       "tmpfile",
                                       "open64",
                                       "creat64",
                                       "fopen64",
                                       "fread_unlocked",
                                       "fwrite_unlocked",
                                       "ftruncate64",
                                       "fseeko64",
                                       "truncate64",
                                       "posix_fallocate",
                                       "fallocate",
                                       "posix_fadvise",
                                       "perror",
                                       "flock"};
// Streams of C++: members of istream, ostream, filebuf and fstream, and what inserts and extracts.
constexpr std::string_view kStreams[] = {"_ZNSo",
                                         "_ZNSi",
                                         "_ZNSd",
                                         "_ZSt16__ostream_insert",
                                         "_ZSt7getline",
                                         "_ZSt4endl",
                                         "_ZNSt14basic_ofstream",
                                         "_ZNSt14basic_ifstream",
                                         "_ZNSt13basic_fstream",
                                         "_ZNSt13basic_filebuf",
                                         "_ZStls",
                                         "_ZStrs",
                                         "_ZSt5flush",
                                         "_FortranAio"};  // statements of Fortran: beginning, items, end
constexpr std::string_view kTextual[] = {"printf",   "scanf",   "puts",    "gets",      "putc",
                                         "getc",     "putchar", "getchar", "getline",   "_ZNSolsE",
                                         "_ZNSirsE", "_ZStls",  "_ZStrs",  "_M_insert", "ostream_insert"};
constexpr std::string_view kMath[] = {"exp",  "log",  "sin",   "cos",  "tan",   "pow",    "atan",
                                      "asin", "acos", "sinh",  "cosh", "tanh",  "log2",   "log10",
                                      "exp2", "cbrt", "hypot", "fmod", "atan2", "lgamma", "erf"};
constexpr std::string_view kTexts[] = {"sprintf", "snprintf", "vsnprintf", "sscanf", "strtol", "strtoul",
                                       "strtoll", "strtod",   "atoi",      "atol",   "atof",   "strtof"};
constexpr std::string_view kHeap[] = {"malloc", "calloc", "realloc", "free",    "posix_memalign", "aligned_alloc",
                                      "_Znwm",  "_Znam",  "_ZdlPv",  "_ZdlPvm", "_ZdaPv",         "_ZdaPvm"};

template <std::size_t N>
bool among(const std::string_view (&list)[N], std::string_view name) {
  return std::ranges::find(list, name) != std::end(list);
}

std::string_view plain(std::string_view name) {
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_", "\01"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return name;
}

bool starts_with_any(std::span<const std::string_view> list, std::string_view name) {
  return std::ranges::any_of(list, [&](std::string_view begin) { return name.starts_with(begin); });
}

// What a call that does I/O costs beside what is counted for the file; nothing where that is all.
std::optional<Work> work_on_stream(std::string_view name) {
  constexpr std::string_view kFormatting[] = {"_ZNSolsE", "_ZNSirsE", "_ZNSo9_M_insert", "_ZNSi10_M_extract", "_ZStrs"};
  constexpr std::string_view kItems[] = {"_FortranAioOutputInteger", "_FortranAioOutputReal",
                                         "_FortranAioOutputComplex", "_FortranAioInputInteger",
                                         "_FortranAioInputReal",     "_FortranAioInputComplex"};
  if (starts_with_any(kItems, name)) return Work::kFortranText;
  const bool prints = name.ends_with("printf") || name.ends_with("scanf");
  if (prints || starts_with_any(kFormatting, name)) return Work::kStreamText;
  return starts_with_any(kStreams, name) ? std::optional(Work::kStreamCall) : std::nullopt;
}

Work work_of_call(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration()) return Work::kCall;
  std::string_view name = plain({callee->getName().data(), callee->getName().size()});
  if (name.starts_with("llvm.")) {
    name.remove_prefix(5);
    name = name.substr(0, name.find('.'));
    if (name == "sqrt") return Work::kDivide;
    if (name == "fmuladd" || name == "fma" || name == "fabs" || name == "floor" || name == "ceil") return Work::kReal;
    return among(kMath, name) ? Work::kMath : Work::kArithmetic;
  }
  if (name == "sqrt" || name == "sqrtf") return Work::kDivide;
  if (among(kMath, name) || (name.ends_with('f') && among(kMath, name.substr(0, name.size() - 1)))) return Work::kMath;
  if (among(kTexts, name)) return Work::kText;
  if (among(kHeap, name)) return Work::kAllocate;
  if (name.starts_with("MPI_Init") || name == "MPI_Finalize" || name.starts_with("mpi_init")) return Work::kStart;
  if (name.starts_with("MPI_") || name.starts_with("mpi_")) return Work::kMessage;
  return Work::kLibrary;
}

// Whether a value was loaded within a few steps: an address or a condition that waits for memory.
bool comes_from_memory(const llvm::Value* value, int steps = 4) {
  if (llvm::isa<llvm::LoadInst>(value)) return true;
  const auto* made = llvm::dyn_cast<llvm::Instruction>(value);
  if (made == nullptr || steps == 0 || llvm::isa<llvm::PHINode>(made) || llvm::isa<llvm::CallBase>(made)) return false;
  return std::ranges::any_of(made->operands(),
                             [&](const auto& one) { return comes_from_memory(one.get(), steps - 1); });
}

// An address: not the pointer itself, which compilers keep in a register, but what is added to it.
bool indirect(const llvm::Value* pointer) {
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (address == nullptr) return false;
  return std::ranges::any_of(address->indices(), [](const auto& one) { return comes_from_memory(one.get()); });
}

// The block that a short if joins again after: what came before it came before this one.
const llvm::BasicBlock* dominating(const llvm::BasicBlock& block) {
  const llvm::BasicBlock* found = nullptr;
  for (const llvm::BasicBlock* one : llvm::predecessors(&block)) {
    const llvm::BasicBlock* before = one->getSingleSuccessor() != nullptr ? one->getUniquePredecessor() : one;
    for (const llvm::BasicBlock* other : llvm::predecessors(&block))
      if (other == one->getUniquePredecessor()) before = other;
    if (found != nullptr && found != before) return nullptr;
    found = before;
  }
  return found == &block ? nullptr : found;
}

// Whether the same address was touched shortly before, so that it is in the nearest cache or still in a register: the same
// sum of the same values, in this block or in the one that alone leads here.
bool touched_before(const llvm::Instruction& one, const llvm::Value* pointer) {
  const auto same = [&](const llvm::Value* other) {
    if (other == pointer) return true;
    const auto *a = llvm::dyn_cast<llvm::Instruction>(other), *b = llvm::dyn_cast<llvm::Instruction>(pointer);
    return a != nullptr && b != nullptr && a->isIdenticalTo(b);
  };
  const llvm::BasicBlock* block = one.getParent();
  const llvm::Instruction* at = one.getPrevNode();
  for (int blocks = 0; blocks < 4; ++blocks) {
    for (; at != nullptr; at = at->getPrevNode())
      if (const llvm::Value* other = llvm::getLoadStorePointerOperand(at); other != nullptr && same(other)) return true;
    const llvm::BasicBlock* before = block->getUniquePredecessor();
    if (before == nullptr) before = block->isEntryBlock() ? nullptr : dominating(*block);
    if (before == nullptr) return false;
    block = before, at = &before->back();
  }
  return false;
}

Work work_of(const llvm::Instruction& one, const llvm::Loop* loop) {
  switch (one.getOpcode()) {
    case Op::FAdd:
    case Op::FSub:
    case Op::FMul:
    case Op::FNeg:
    case Op::FCmp:
    case Op::SIToFP:
    case Op::UIToFP:
    case Op::FPToSI:
    case Op::FPToUI:
    case Op::FPExt:
    case Op::FPTrunc: return Work::kReal;
    case Op::FDiv:
    case Op::FRem: return Work::kDivide;
    case Op::UDiv:
    case Op::SDiv:
    case Op::URem:
    case Op::SRem: return llvm::isa<llvm::Constant>(one.getOperand(1)) ? Work::kArithmetic : Work::kDivide;
    case Op::Load:
    case Op::Store: {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&one);
      if (!indirect(pointer)) return Work::kMemory;
      if (!touched_before(one, pointer)) return Work::kIndirect;
      return llvm::isa<llvm::LoadInst>(one) ? Work::kArithmetic : Work::kMemory;  // it is still in a register
    }
    case Op::Br: {
      const auto& branch = llvm::cast<llvm::BranchInst>(one);
      const bool leaves = loop != nullptr && loop->isLoopExiting(one.getParent());
      return branch.isConditional() && !leaves && comes_from_memory(branch.getCondition()) ? Work::kChoice
                                                                                           : Work::kArithmetic;
    }
    case Op::Call:
    case Op::Invoke: return work_of_call(llvm::cast<llvm::CallBase>(one));
    default: return Work::kArithmetic;
  }
}

// A short innermost loop that neither calls nor jumps about inside.
bool tight(const llvm::Loop& loop) {
  if (!loop.isInnermost() || loop.getNumBlocks() > 3) return false;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& one : *block) {
      if (llvm::isa<llvm::CallBase>(one) && !llvm::isa<llvm::IntrinsicInst>(one)) return false;
      const Work work = work_of(one, &loop);
      if (work == Work::kIndirect || work == Work::kChoice || work == Work::kDivide || work == Work::kMath)
        return false;
    }
  return true;
}

// A floating-point number that is carried from one iteration to the next and is added to.
bool chained(const llvm::PHINode& number, const llvm::Loop& loop) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  if (!number.getType()->isFloatingPointTy() || number.getParent() != loop.getHeader() || latch == nullptr)
    return false;
  const auto* next = llvm::dyn_cast<llvm::Instruction>(number.getIncomingValueForBlock(latch));
  return next != nullptr && loop.contains(next) && !llvm::isa<llvm::PHINode>(next) && !llvm::isa<llvm::LoadInst>(next);
}

}  // namespace

bool does_io(std::string_view name) {
  name = plain(name);
  if (name.starts_with("MPI_File_") || name.starts_with("mpi_file_") || among(kFiles, name)) return true;
  return starts_with_any(kStreams, name);
}

bool moves_text(std::string_view name) {
  return std::ranges::any_of(kTextual,
                             [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

void WorkOfBlocks::look_at(const llvm::Function& ir) {
  auto& function = const_cast<llvm::Function&>(ir);  // the analyses only read
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (const llvm::BasicBlock& block : ir) {
    analyze::WorkCounts& counts = known_[&block];
    const llvm::Loop* loop = loops.getLoopFor(&block);
    const bool short_loop = loop != nullptr && tight(*loop);
    for (const llvm::Instruction& one : block) {
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&one); phi != nullptr && loop != nullptr)
        counts[static_cast<std::size_t>(Work::kChain)] += chained(*phi, *loop) ? 1 : 0;
      if (llvm::isa<llvm::DbgInfoIntrinsic>(one) || llvm::isa<llvm::PHINode>(one)) continue;
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&one);
      const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      const std::string_view name =
          callee != nullptr ? std::string_view(callee->getName().data(), callee->getName().size()) : std::string_view{};
      if (callee != nullptr && does_io(name)) {
        if (const auto kind = work_on_stream(plain(name))) ++counts[static_cast<std::size_t>(*kind)];
        continue;
      }
      if (llvm::isa<llvm::LoadInst>(one) || llvm::isa<llvm::StoreInst>(one)) ++accesses_[&block];
      ++counts[static_cast<std::size_t>(short_loop ? Work::kTight : work_of(one, loop))];
    }
  }
}

double WorkOfBlocks::accesses(const llvm::BasicBlock& block) {
  (void)(*this)[block];
  const auto found = accesses_.find(&block);
  return found == accesses_.end() ? 0 : found->second;
}

const analyze::WorkCounts& WorkOfBlocks::operator[](const llvm::BasicBlock& block) {
  if (!known_.contains(&block)) look_at(*block.getParent());
  return known_[&block];
}

}  // namespace trikal::predict

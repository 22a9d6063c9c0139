#include "predict/calibrate/instrument.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "predict/blocks/tree.hpp"
#include "predict/blocks/work.hpp"
#include "predict/source/load.hpp"

namespace trikal::predict {
namespace {

// Timers go in before anything is optimised away or inlined: the blocks are those of the source.
class Instrumenter {
 public:
  Instrumenter(llvm::Module& module, const std::set<std::string>& timed)
      : module_(module), timed_(timed), tree_(blocks_) {
    llvm::LLVMContext& context = module.getContext();
    auto* nothing = llvm::Type::getVoidTy(context);
    pointer_ = llvm::PointerType::getUnqual(context);
    enter_ = module.getOrInsertFunction("trikal_block_enter", nothing, pointer_);
    leave_ = module.getOrInsertFunction("trikal_block_leave", nothing, pointer_);
    begin_ = module.getOrInsertFunction("trikal_io_begin", nothing, pointer_);
    end_ = module.getOrInsertFunction("trikal_io_end", nothing);
    auto* word = llvm::Type::getInt64Ty(context);
    record_ = llvm::StructType::get(context, {pointer_, pointer_, word, word, word, word});
  }

  void run() {
    std::vector<llvm::Function*> own;
    for (llvm::Function& function : module_) {
      const llvm::DISubprogram* told = function.getSubprogram();
      if (!function.isDeclaration() && told != nullptr && !told->getFilename().starts_with("/usr/"))
        own.push_back(&function);
    }
    for (llvm::Function* function : own) {
      const std::uint32_t number = tree_.function(*function);  // before it is changed
      time_loops(*function);
      time_function(*function, number);
      time_io(*function);  // last: it cuts blocks in two
      function->removeFnAttr(llvm::Attribute::NoInline);
    }
  }

 private:
  void insert(llvm::Function& function, llvm::BasicBlock* block, llvm::BasicBlock::iterator at,
              llvm::FunctionCallee callee, llvm::Value* argument) const {
    llvm::IRBuilder<> builder(block, at);
    llvm::CallInst* call = argument != nullptr ? builder.CreateCall(callee, {argument}) : builder.CreateCall(callee);
    call->setDebugLoc(llvm::DILocation::get(module_.getContext(), 0, 0, function.getSubprogram()));
  }

  // Name, next, runs, ticks, ticks of I/O, depth: as timers.c has it. Nothing where the block is not to be timed.
  llvm::GlobalVariable* record(std::uint32_t block) {
    const std::string path = analyze::path_of(blocks_, block);
    if (block == 0 || !timed_.contains(path)) return nullptr;
    auto* text = llvm::ConstantDataArray::getString(module_.getContext(), path);
    auto* name = new llvm::GlobalVariable(module_, text->getType(), true, llvm::GlobalValue::PrivateLinkage, text);
    auto* zero = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()), 0);
    auto* start =
        llvm::ConstantStruct::get(record_, {name, llvm::ConstantPointerNull::get(pointer_), zero, zero, zero, zero});
    return new llvm::GlobalVariable(module_, record_, false, llvm::GlobalValue::InternalLinkage, start, "trikal_block");
  }

  void time_io(llvm::Function& function) const {
    std::vector<llvm::CallInst*> calls;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& one : block)
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&one)) {
          const llvm::Function* callee = call->getCalledFunction();
          if (callee != nullptr && callee->isDeclaration() &&
              does_io({callee->getName().data(), callee->getName().size()}))
            calls.push_back(call);
        }
    for (llvm::CallInst* call : calls) time_call(function, *call);
  }

  // Most calls of a call site that is passed often are not timed. Whether this one is, is looked up where it stands: calling the
  // timer to be told so would take as long as many of these calls do.
  void time_call(llvm::Function& function, llvm::CallInst& call) const {
    auto* word = llvm::Type::getInt64Ty(module_.getContext());
    auto* counts = llvm::StructType::get(module_.getContext(), {word, word, word, word});
    auto* site = new llvm::GlobalVariable(module_, counts, false, llvm::GlobalValue::InternalLinkage,
                                          llvm::ConstantAggregateZero::get(counts), "trikal_site");
    llvm::Instruction* after = call.getNextNode();
    llvm::IRBuilder<> builder(&call);
    builder.SetCurrentDebugLocation(llvm::DILocation::get(module_.getContext(), 0, 0, function.getSubprogram()));
    llvm::Value* left = builder.CreateLoad(word, site);
    llvm::Value* timed = builder.CreateICmpEQ(left, builder.getInt64(0));
    builder.CreateStore(builder.CreateSub(left, builder.CreateZExt(builder.CreateNot(timed), word)), site);
    llvm::Instruction* begin = llvm::SplitBlockAndInsertIfThen(timed, &call, false);
    insert(function, begin->getParent(), begin->getIterator(), begin_, site);
    llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(timed, after, false);
    insert(function, end->getParent(), end->getIterator(), end_, nullptr);
  }

  void time_loops(llvm::Function& function) {
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
      llvm::BasicBlock* entry = loop->getLoopPreheader();
      if (entry == nullptr || !loop->hasDedicatedExits()) continue;
      llvm::GlobalVariable* one = record(tree_.entered_from(*entry));
      if (one == nullptr) continue;
      insert(function, entry, entry->getTerminator()->getIterator(), enter_, one);
      llvm::SmallVector<llvm::BasicBlock*, 4> exits;
      loop->getUniqueExitBlocks(exits);
      for (llvm::BasicBlock* out : exits) insert(function, out, out->getFirstInsertionPt(), leave_, one);
    }
  }

  void time_function(llvm::Function& function, std::uint32_t number) {
    llvm::GlobalVariable* one = record(number);
    if (one == nullptr) return;
    std::vector<llvm::Instruction*> ends;
    for (llvm::BasicBlock& block : function)
      if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) ends.push_back(block.getTerminator());
    for (llvm::Instruction* end : ends) insert(function, end->getParent(), end->getIterator(), leave_, one);
    llvm::BasicBlock& first = function.getEntryBlock();
    insert(function, &first, first.getFirstInsertionPt(), enter_, one);
  }

  llvm::Module& module_;
  const std::set<std::string>& timed_;
  std::vector<analyze::CodeBlock> blocks_;
  BlockTree tree_;
  llvm::PointerType* pointer_ = nullptr;
  llvm::StructType* record_ = nullptr;
  llvm::FunctionCallee enter_, leave_, begin_, end_;
};

void instrument(const InstrumentRequest& request, std::string& problem) {
  std::vector<Bitcode> files;
  for (const SourceFile& source : request.sources) {
    Compiled compiled = compile(source, request.cache.empty() ? default_cache() : request.cache);
    if (compiled.bitcode.empty()) return void(problem = compiled.problem);
    files.push_back({compiled.bitcode, source.path});
  }
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = load(files, context, problem);
  if (!module) return;
  if (llvm::Error failed = module->materializeAll()) return void(problem = llvm::toString(std::move(failed)));
  Instrumenter(*module, request.timed).run();
  if (llvm::verifyModule(*module)) return void(problem = "timers made bitcode that is not well formed");
  std::error_code error;
  llvm::raw_fd_ostream out(request.bitcode, error);
  if (error) return void(problem = request.bitcode + ": " + error.message());
  llvm::WriteBitcodeToFile(*module, out);
}

}  // namespace
}  // namespace trikal::predict

extern "C" __attribute__((visibility("default"))) void trikal_instrument(
    const trikal::predict::InstrumentRequest& request, std::string& problem) {
  trikal::predict::instrument(request, problem);
}

#include "predict/source/load.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "predict/source/compile.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;

// Functions of system headers vanish into their callers, where their constants are known; the program's own stay.
void decide_inlining(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    const llvm::DISubprogram* told = function.getSubprogram();
    const bool system = told != nullptr && told->getFilename().starts_with("/usr/");
    // These look into a FILE, which is empty here: their models know.
    const bool looks = function.getName() == "feof_unlocked" || function.getName() == "ferror_unlocked";
    if (looks) function.addFnAttr(llvm::Attribute::NoInline);
    if (system && !function.hasFnAttribute(llvm::Attribute::NoInline)) {
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    } else if (!system) {
      function.removeFnAttr(llvm::Attribute::AlwaysInline);
      function.addFnAttr(llvm::Attribute::NoInline);
    }
  }
}

// Whether a function of the program's own catches anything. What ends the program in the handler does not.
bool catches(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    const llvm::DISubprogram* told = function.getSubprogram();
    if (function.isDeclaration() || (told != nullptr && told->getFilename().starts_with("/usr/"))) continue;
    for (const llvm::BasicBlock& block : function) {
      const llvm::LandingPadInst* pad = block.getLandingPadInst();
      if (pad != nullptr && pad->getNumClauses() > 0 && !llvm::isa<llvm::UnreachableInst>(block.getTerminator()))
        return true;
    }
  }
  return false;
}

void simplify(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager groups;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  // Or a printf would become a puts, and the source would say something else than what is counted.
  llvm::TargetLibraryInfoImpl library{llvm::Triple(module.getTargetTriple())};
  library.disableAllFunctions();
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(groups);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, groups, modules);
  llvm::ModulePassManager passes;
  // Ways to handlers go first where the program has none: they are in the way of everything else.
  constexpr const char* kRest = "simplifycfg,sroa,early-cse,instcombine<no-verify-fixpoint>,loop-simplify,lcssa)";
  const std::string whole = catches(module)
                                ? std::string("always-inline,function(") + kRest
                                : std::string("function(lower-invoke),always-inline,function(lower-invoke,") + kRest;
  llvm::Error failed = builder.parsePassPipeline(passes, whole);
  if (failed) return llvm::consumeError(std::move(failed));
  passes.run(module, modules);
}

}  // namespace

namespace {

// Where the simplified whole of these files is kept. Each of them has a name of its own content, but for the headers.
fs::path kept_at(const std::vector<Bitcode>& files) {
  std::string key = "4";  // of the passes
  for (const Bitcode& file : files) {
    struct stat told{};
    if (::stat(file.file.c_str(), &told) != 0) return {};
    key += '\n' + file.file + (file.as_needed ? " as needed " : " ") + std::to_string(told.st_size) + ' ' +
           std::to_string(told.st_mtim.tv_sec) + '.' + std::to_string(told.st_mtim.tv_nsec);
  }
  return fs::path(files.front().file).parent_path() / ("whole-" + digest(key) + ".bc");
}

// Written under another name first: somebody else may be reading.
void keep(const llvm::Module& module, const fs::path& where) {
  const std::string fresh = where.string() + "." + std::to_string(::getpid());
  std::error_code error;
  {
    llvm::raw_fd_ostream out(fresh, error);
    if (error) return;
    llvm::WriteBitcodeToFile(module, out);
  }
  fs::rename(fresh, where, error);
  if (error) fs::remove(fresh, error);
}

}  // namespace

std::unique_ptr<llvm::Module> load(const std::vector<Bitcode>& files, llvm::LLVMContext& context,
                                   std::string& problem) {
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  const fs::path kept = files.empty() ? fs::path() : kept_at(files);
  llvm::SMDiagnostic told;
  if (std::error_code error; !kept.empty() && fs::exists(kept, error))
    if (std::unique_ptr<llvm::Module> known = llvm::getLazyIRFileModule(kept.string(), told, context)) return known;
  std::unique_ptr<llvm::Module> whole = link(files, context, problem);
  if (!whole) return nullptr;
  decide_inlining(*whole);
  simplify(*whole);
  if (!kept.empty()) keep(*whole, kept);
  return whole;
}

}  // namespace trikal::predict

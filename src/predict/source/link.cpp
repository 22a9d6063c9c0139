#include "predict/source/link.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/IR/Constants.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>

#include <algorithm>
#include <filesystem>

namespace trikal::predict {
namespace {

bool is_definition(const llvm::GlobalValue& value) {
  return !value.isDeclarationForLinker() && !value.hasLocalLinkage() && !value.hasAppendingLinkage();
}

// One of two would be refused by a linker: not templates, inline functions or what is weak.
bool is_only_one(const llvm::GlobalValue& value) { return is_definition(value) && value.isStrongDefinitionForLinker(); }

bool defines_main(const llvm::Module& one) {
  const llvm::Function* main = one.getFunction("main");
  return main != nullptr && is_definition(*main);
}

class Whole {
 public:
  Whole(llvm::LLVMContext& context, std::string& problem) : context_(context), problem_(problem) {}

  [[nodiscard]] bool failed() const { return !problem_.empty(); }
  [[nodiscard]] bool has_main() const { return module_ && defines_main(*module_); }

  // Bodies are read when they are taken over: much of an archive is never needed.
  std::unique_ptr<llvm::Module> open(const Bitcode& file) {
    llvm::SMDiagnostic told;
    std::unique_ptr<llvm::Module> one = llvm::getLazyIRFileModule(file.file, told, context_);
    if (!one) problem_ = file.file + ": " + told.getMessage().str();
    return one;
  }

  void add(std::unique_ptr<llvm::Module> one, const Bitcode& from) {
    if (!module_) {
      module_ = std::move(one);
      if (llvm::Error error = module_->materializeAll()) problem_ = from.file + ": " + llvm::toString(std::move(error));
      return;
    }
    if (llvm::Linker::linkModules(*module_, std::move(one)) && problem_.empty())
      problem_ = from.source + ": does not link with the rest";
  }

  // A name that both have, where a linker would refuse them; empty: none.
  [[nodiscard]] std::string clash(const llvm::Module& one) const {
    if (!module_) return {};
    for (const llvm::GlobalValue& value : one.global_values()) {
      const llvm::GlobalValue* here = is_only_one(value) ? module_->getNamedValue(value.getName()) : nullptr;
      if (here != nullptr && is_only_one(*here)) return value.getName().str();
    }
    return {};
  }

  [[nodiscard]] bool needs(const llvm::Module& one) const {
    return std::ranges::any_of(one.global_values(), [&](const llvm::GlobalValue& value) {
      if (!is_definition(value)) return false;
      const llvm::GlobalValue* here = module_->getNamedValue(value.getName());
      return here != nullptr && here->isDeclaration() && !here->use_empty();
    });
  }

  // What is already there stays: a member that is needed may bring a second one of something.
  void leave_out_known(llvm::Module& one) const {
    for (llvm::GlobalValue& value : one.global_values()) {
      const llvm::GlobalValue* here = is_only_one(value) ? module_->getNamedValue(value.getName()) : nullptr;
      auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value);
      if (object == nullptr || here == nullptr || !is_only_one(*here)) continue;
      object->setComdat(nullptr);
      object->setLinkage(llvm::GlobalValue::AvailableExternallyLinkage);
    }
  }

  std::unique_ptr<llvm::Module> take() { return std::move(module_); }

 private:
  llvm::LLVMContext& context_;
  std::string& problem_;
  std::unique_ptr<llvm::Module> module_;
};

struct Member {
  const Bitcode* from;
  std::unique_ptr<llvm::Module> module;
};

// Where nobody said which one is the program: the only one there is.
void begin_with_main(Whole& whole, std::vector<Member>& members, std::string& problem) {
  std::vector<Member*> found;
  for (Member& one : members)
    if (defines_main(*one.module)) found.push_back(&one);
  if (found.size() == 1) return whole.add(std::move(found[0]->module), *found[0]->from);
  std::string names;
  for (const Member* one : found)
    names += (names.empty() ? "" : ", ") + std::filesystem::path(one->from->source).filename().string();
  problem = found.empty() ? "there is no main in these sources"
                          : "several programs (main is in " + names + "); --program NAME picks one";
}

void add_needed(Whole& whole, std::vector<Member>& members) {
  for (bool more = true; more && !whole.failed();) {
    more = false;
    for (Member& one : members) {
      if (!one.module || !whole.needs(*one.module)) continue;
      whole.leave_out_known(*one.module);
      whole.add(std::move(one.module), *one.from);
      more = true;
    }
  }
}

}  // namespace

std::unique_ptr<llvm::Module> link(const std::vector<Bitcode>& files, llvm::LLVMContext& context,
                                   std::string& problem) {
  Whole whole(context, problem);
  std::vector<Member> members;
  for (const Bitcode& file : files) {
    std::unique_ptr<llvm::Module> one = whole.open(file);
    if (whole.failed()) return nullptr;
    if (file.as_needed) {
      members.push_back({&file, std::move(one)});
      continue;
    }
    if (const std::string name = whole.clash(*one); !name.empty())
      return problem = file.source + ": defines " + name + ", which another source defines, too", nullptr;
    whole.add(std::move(one), file);
  }
  if (files.empty()) problem = "no source files";
  if (!members.empty() && !whole.has_main()) begin_with_main(whole, members, problem);
  if (!whole.failed()) add_needed(whole, members);
  return whole.failed() ? nullptr : whole.take();
}

}  // namespace trikal::predict

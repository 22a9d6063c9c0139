#include "predict/symbols/symbolize.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>
#include <llvm/Object/BuildID.h>
#include <llvm/Object/ObjectFile.h>

#include <map>

namespace trikal::predict {
namespace {

// Whether the file is still the one that ran; where neither has an id, nothing speaks against it.
bool is_same_file(const CodeAddress& address) {
  static std::map<std::string, std::string> builds;
  const auto [known, is_new] = builds.try_emplace(address.object);
  if (is_new) {
    auto file = llvm::object::ObjectFile::createObjectFile(address.object);
    if (file) known->second = llvm::toHex(llvm::object::getBuildID(file->getBinary()), true);
    else llvm::consumeError(file.takeError()), known->second = "none";
  }
  return known->second == address.build;
}

std::string known(const std::string& text) { return text == llvm::DILineInfo::BadString ? std::string() : text; }

llvm::symbolize::LLVMSymbolizer& symbolizer() {
  static llvm::symbolize::LLVMSymbolizer one([] {
    llvm::symbolize::LLVMSymbolizer::Options options;
    options.Demangle = true;
    options.UseSymbolTable = true;
    return options;
  }());
  return one;
}

}  // namespace

// The byte before is the call's own: behind it another line may begin.
extern "C" __attribute__((visibility("default"))) void trikal_symbolize(const CodeAddress& address, CodeName& name) {
  if (address.offset == 0 || !is_same_file(address)) return;
  auto info = symbolizer().symbolizeInlinedCode(address.object,
                                                {address.offset - 1, llvm::object::SectionedAddress::UndefSection});
  if (!info) return llvm::consumeError(info.takeError());
  if (info->getNumberOfFrames() == 0) return;
  const llvm::DILineInfo& innermost = info->getFrame(0);
  name = {known(innermost.FunctionName), known(innermost.FileName), innermost.Line};
}

}  // namespace trikal::predict

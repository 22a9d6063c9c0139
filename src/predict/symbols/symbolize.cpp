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

// What a compiler has put into the program of the system's headers, std::endl for one, is not where its author looks.
bool is_of_system(llvm::StringRef file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") || file.contains("/include/c++/");
}

const llvm::DILineInfo& frame_of_program(const llvm::DIInliningInfo& info) {
  for (std::uint32_t i = 0; i < info.getNumberOfFrames(); ++i) {
    const llvm::DILineInfo& frame = info.getFrame(i);
    if (frame.Line != 0 && !is_of_system(frame.FileName)) return frame;
  }
  return info.getFrame(0);
}

}  // namespace

// The byte before is the call's own: behind it another line may begin.
extern "C" __attribute__((visibility("default"))) void trikal_symbolize(const CodeAddress& address, CodeName& name) {
  if (address.offset == 0 || !is_same_file(address)) return;
  auto info = symbolizer().symbolizeInlinedCode(address.object,
                                                {address.offset - 1, llvm::object::SectionedAddress::UndefSection});
  if (!info) return llvm::consumeError(info.takeError());
  if (info->getNumberOfFrames() == 0) return;
  const llvm::DILineInfo& frame = frame_of_program(*info);
  name = {known(frame.FunctionName), known(frame.FileName), frame.Line};
}

}  // namespace trikal::predict

#include "predict/blocks/calls.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <algorithm>

#include "analyze/dataset/prediction.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

const llvm::Function* callee_of(const llvm::Instruction& call) {
  const auto* base = llvm::dyn_cast<llvm::CallBase>(&call);
  return base != nullptr ? base->getCalledFunction() : nullptr;
}

// Models of the same families that only look.
constexpr std::string_view kQuiet[] = {"feof",          "ferror",          "clearerr",   "ftell",  "ftello",
                                       "ftello64",      "fgetpos",         "fgetpos64",  "fileno", "ungetc",
                                       "setvbuf",       "setbuf",          "setlinebuf", "fcntl",  "fcntl64",
                                       "posix_fadvise", "posix_fadvise64", "madvise",    "munmap"};

// Of HDF5 what a run has counters for.
constexpr std::string_view kHdf5[] = {"H5Fcreate", "H5Fopen",  "H5Fclose", "H5Fflush", "H5Dcreate1", "H5Dcreate2",
                                      "H5Dopen1",  "H5Dopen2", "H5Dread",  "H5Dwrite", "H5Dflush",   "H5Dclose"};

// Of io_uring where what was prepared is done.
constexpr std::string_view kRing[] = {"io_uring_submit", "io_uring_submit_and_wait", "io_uring_submit_and_wait_timeout",
                                      "io_uring_submit_and_get_events"};

struct Printing {
  std::string_view name;
  unsigned format;  // the argument that is its format
};
constexpr Printing kPrinting[] = {{"printf", 0}, {"fprintf", 1}, {"dprintf", 1}, {"vprintf", 0}, {"vfprintf", 1},
                                  {"scanf", 0},  {"fscanf", 1},  {"vscanf", 0},  {"vfscanf", 1}};
constexpr std::string_view kWords[] = {"fputs", "puts", "fputc", "putc", "putchar", "fgets", "getline", "perror"};

bool has_numbers(llvm::StringRef format) {
  for (std::size_t at = format.find('%'); at < format.size(); at = format.find('%', at + 2)) {
    const std::size_t end = format.find_first_of("%diouxXeEfFgGaAcspn", at + 1);
    if (end == llvm::StringRef::npos) return false;
    if (llvm::StringRef("diouxXeEfFgGaA").contains(format[end])) return true;
    if (format[end] == '%') at = end - 1;
  }
  return false;
}

}  // namespace

bool is_system(const llvm::Function& function) {
  return function.getSubprogram() == nullptr || function.getSubprogram()->getFilename().starts_with("/usr/");
}

std::string name_of_call(const llvm::Instruction& call) {
  const llvm::Function* callee = callee_of(call);
  if (callee == nullptr) return {};
  std::string name = llvm::demangle(callee->getName());
  if (const std::size_t arguments = name.find('(');
      arguments != std::string::npos && arguments > 0 && callee->getName().starts_with("_Z"))
    name.resize(arguments);
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_"})
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  return name;
}

std::uint16_t flags_of_call(const llvm::Instruction& call) {
  const llvm::Function* callee = callee_of(call);
  if (callee == nullptr) return 0;
  const std::string name = name_of_call(call);
  for (const Printing& one : kPrinting) {
    if (one.name != name) continue;
    llvm::StringRef format;
    const auto& base = llvm::cast<llvm::CallBase>(call);
    const bool told =
        base.arg_size() > one.format && llvm::getConstantStringInfo(base.getArgOperand(one.format), format);
    return analyze::kUseText | (told && has_numbers(format) ? analyze::kUseNumbers : 0);
  }
  if (std::ranges::find(kWords, name) != std::end(kWords)) return analyze::kUseText;
  const llvm::StringRef mangled = callee->getName();
  if (mangled.starts_with("_ZNSolsE") || mangled.starts_with("_ZNSo9_M_insert") || mangled.starts_with("_ZNSirsE"))
    return analyze::kUseText | analyze::kUseNumbers;
  return mangled.starts_with("_ZSt16__ostream_insert") ? analyze::kUseText : 0;
}

bool does_io(const llvm::Instruction& call) {
  const llvm::Function* callee = callee_of(call);
  if (callee == nullptr || callee->isIntrinsic()) return false;
  static const Models kMoving = [] {
    Models all;
    for (const auto family : {posix_models(), name_models(), stream_models(), mpi_models(), hdf5_lite_models()})
      for (const NamedModel& model : family)
        if (!model.name.starts_with("MPI_") || model.name.starts_with("MPI_File_")) all.emplace(model.name, model.run);
    for (const std::string_view name : kHdf5) all.emplace(name, succeeds);
    for (const std::string_view name : kRing) all.emplace(name, succeeds);
    for (const std::string_view quiet : kQuiet) all.erase(quiet);
    return all;
  }();
  return model_for(kMoving, {callee->getName().data(), callee->getName().size()}) != nullptr;
}

bool is_in(const llvm::Instruction& call, std::string_view function) {
  const auto named = [&](const llvm::DISubprogram* one) {
    return one != nullptr && one->getName().take_until([](char c) { return c == '<'; }) == llvm::StringRef(function);
  };
  for (const llvm::DILocation* at = call.getDebugLoc(); at != nullptr; at = at->getInlinedAt())
    if (at->getScope() != nullptr && named(at->getScope()->getSubprogram())) return true;
  return named(call.getFunction()->getSubprogram());
}

}  // namespace trikal::predict

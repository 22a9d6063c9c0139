// Reads and writes. There is a function for every form of access, type of data and way to wait: 550 of them, which differ in
// what their names say and in how many words they pass on. Each has a wrapper of a few instructions that leads to the one
// of its number of words.

#include <algorithm>
#include <array>
#include <utility>

#include "capture/mpi/library.hpp"
#include "modules/pnetcdf_file/capture.hpp"
#include "modules/pnetcdf_file/capture_library.hpp"
#include "modules/pnetcdf_var/capture.hpp"
#include "modules/pnetcdf_var/wrappers.hpp"

namespace trikal::modules::pnetcdf_var {
namespace {

using namespace capture;  // NOLINT: a file of wrappers
using pnetcdf_file::pnetcdf;
using pnetcdf_file::PnetcdfCalls;

// An argument behind file and variable: a pointer, an offset, a handle of MPI's, or (how many subarrays) an int, whose upper
// half in a register means nothing.
using Word = std::intptr_t;

struct Routine {
  std::atomic<void*> function{nullptr};
  Access access;
};

Known known_variable(int file, int variable) noexcept {
  Known known;
  if (variables.find(handle_of(file, variable), known)) return known;
  char name[pnetcdf_file::kNameBytes];
  const File* whole = pnetcdf_file::file_of(file);
  const std::size_t length = whole == nullptr ? 0 : pnetcdf.name_of(file, variable, name);
  if (length == 0) return known;
  known = {record_of(*whole, {name, length}), pnetcdf.shape_of(file, variable)};
  if (known.variable != nullptr) describe(*known.variable, known.shape);
  variables.set(handle_of(file, variable), known);
  return known;
}

std::int64_t product(const Offset* counts, std::int64_t dimensions) noexcept {
  std::int64_t elements = 1;
  for (std::int64_t i = 0; counts != nullptr && i < dimensions; ++i) elements *= counts[i];
  return elements;
}

// How many elements a call is about, from its words.
std::int64_t elements_of(Form form, int file, const VariableShape& shape, const Word* words) noexcept {
  switch (form) {
    case Form::kVar: return shape.elements * (shape.has_records ? pnetcdf.records_in(file) : 1);
    case Form::kVar1: return 1;
    case Form::kVara:
    case Form::kVars:
    case Form::kVarm: return product(reinterpret_cast<const Offset*>(words[1]), shape.dimensions);
    case Form::kVarn: {
      const int subarrays = static_cast<int>(words[0]);
      const auto* counts = reinterpret_cast<const Offset* const*>(words[2]);
      std::int64_t elements = counts == nullptr ? std::max(subarrays, 0) : 0;  // without counts: an element each
      for (int i = 0; counts != nullptr && i < subarrays; ++i) elements += product(counts[i], shape.dimensions);
      return elements;
    }
    case Form::kVard: break;  // an MPI type says it
  }
  return 0;
}

// Of more dimensions than there are slots for, the last ones, which are those that lie together in the file. The slowest
// comes first, as in Darshan's logs.
void fill(const Offset* from, std::int64_t dimensions, std::int64_t* slots) noexcept {
  constexpr std::int64_t kSlots = kFiveDimensions.size();
  const std::int64_t first = std::max<std::int64_t>(dimensions - kSlots, 0);
  for (std::int64_t i = first; i < dimensions; ++i) slots[i - first] = from == nullptr ? 1 : from[i];
}

ShapeWords shape_of_access(Form form, int file, const VariableShape& shape, const Word* words) noexcept {
  ShapeWords access = {};
  if (form == Form::kVard) access[0] = mpi.known() && words[0] != 0 ? mpi.size_of(static_cast<MpiHandle>(words[0])) : 0;
  else access[0] = elements_of(form, file, shape, words) * shape.element_bytes;
  const bool strided = form == Form::kVars || form == Form::kVarm;
  if (form == Form::kVara || strided) fill(reinterpret_cast<const Offset*>(words[1]), shape.dimensions, &access[1]);
  if (strided) fill(reinterpret_cast<const Offset*>(words[2]), shape.dimensions, &access[1 + kFiveDimensions.size()]);
  return access;
}

void note(const Known& known, Span when, Access access, int file, const Word* words) noexcept {
  if (known.variable != nullptr)
    moved(*known.variable, when, access, shape_of_access(access.form, file, known.shape, words));
}

// `from`: who called the wrapper.
template <class... W>
[[gnu::noinline]] int run(Routine& routine, const void* from, int file, int variable, W... words) noexcept {
  const auto real = reinterpret_cast<int (*)(int, int, W...)>(routine.function.load(std::memory_order_relaxed));
  if (!sees_call<PnetcdfCalls>()) return real(file, variable, words...);
  return observe_asking<PnetcdfCalls>(
      real, [](int f, int v, W...) noexcept { return known_variable(f, v); },
      [&routine, from](const Known& known, Span when, int, int f, int, W... passed) noexcept {
        if (keeps_callers) caller = from;
        const Word all[] = {passed...};
        note(known, when, routine.access, f, all);
      },
      file, variable, words...);
}

constexpr std::string_view kWays[] = {"put", "get", "iput", "iget", "bput"};  // by Way
constexpr std::string_view kForms[] = {"var", "var1", "vara", "vars", "varm", "varn", "vard"};  // by Form
// The first one takes any type, and says which and how many.
constexpr std::string_view kTypes[] = {"",      "_text", "_schar", "_uchar",  "_short",    "_ushort",   "_int",
                                       "_uint", "_long", "_float", "_double", "_longlong", "_ulonglong"};

constexpr bool waits(Way way) { return way == Way::kPut || way == Way::kGet; }

// One function of the library: an access to data of one type.
struct Function {
  Access access;
  std::size_t type;

  // Behind file and variable: where, then data, then what any type needs, then the number of the request.
  [[nodiscard]] constexpr std::size_t words() const {
    constexpr std::size_t kWhere[] = {0, 1, 2, 3, 4, 3, 1};
    return kWhere[static_cast<std::size_t>(access.form)] + 1 + (type == 0 ? 2 : 0) + (waits(access.way) ? 0 : 1);
  }
  [[nodiscard]] constexpr auto name() const {
    std::array<char, 32> text = {};
    char* end = text.data();
    const auto add = [&end](std::string_view part) { end = std::copy(part.begin(), part.end(), end); };
    add("ncmpi_");
    add(kWays[static_cast<std::size_t>(access.way)]);
    add("_");
    add(kForms[static_cast<std::size_t>(access.form)]);
    add(kTypes[type]);
    if (access.collective) add("_all");
    return text;
  }
};

consteval auto all_functions() {
  constexpr std::size_t kForms6 = 6, kBlocking = 2, kOthers = 3;
  constexpr std::size_t kCount = kForms6 * std::size(kTypes) * (2 * kBlocking + kOthers) + 2 * kBlocking;
  std::array<Function, kCount> all = {};
  std::size_t count = 0;
  for (const Way way : {Way::kPut, Way::kGet, Way::kIput, Way::kIget, Way::kBput}) {
    for (const bool collective : {false, true}) {
      if (collective && !waits(way)) continue;
      for (std::size_t form = 0; form < kForms6; ++form) {
        for (std::size_t type = 0; type < std::size(kTypes); ++type)
          all[count++] = {{way, Form{static_cast<std::uint8_t>(form)}, collective}, type};
      }
      if (waits(way)) all[count++] = {{way, Form::kVard, collective}, 0};
    }
  }
  return all;
}
constexpr auto kFunctions = all_functions();

template <std::size_t>
using WordOf = Word;

template <std::size_t Number, class Words = std::make_index_sequence<kFunctions[Number].words()>>
struct Transfer;

template <std::size_t Number, std::size_t... I>
struct Transfer<Number, std::index_sequence<I...>> {
  static int wrapper(int file, int variable, WordOf<I>... words) noexcept {
    return run(routine, __builtin_return_address(0), file, variable, words...);
  }
  static constexpr auto kName = kFunctions[Number].name();
  static inline constinit Routine routine{.access = kFunctions[Number].access};
};

template <std::size_t Number>
[[gnu::noinline]] void transfer(const ImportUse& use) noexcept {
  using Wrapped = Transfer<Number>;
  use.use({Wrapped::kName.data(), reinterpret_cast<void*>(&Wrapped::wrapper), &Wrapped::routine.function}, use.with);
}

template <std::size_t First, std::size_t... Number>
void tell_group(const ImportUse& use, std::index_sequence<Number...> /*group*/) noexcept {
  (transfer<First + Number>(use), ...);
}

// In groups: clang takes an expression of 256 parts at most.
template <std::size_t First>
void tell_from(const ImportUse& use) noexcept {
  constexpr std::size_t kCount = std::min<std::size_t>(128, kFunctions.size() - First);
  tell_group<First>(use, std::make_index_sequence<kCount>());
  if constexpr (First + kCount < kFunctions.size()) tell_from<First + kCount>(use);
}

}  // namespace

void transfer_wrappers(const ImportUse& use) noexcept { tell_from<0>(use); }

}  // namespace trikal::modules::pnetcdf_var

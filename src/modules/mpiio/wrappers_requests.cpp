// Waits and tests. A request that was one of ours before the call and is none afterwards is done: that is the same for
// all of them, and needs neither indices nor flags.

#include <algorithm>

#include "modules/mpiio/capture_requests.hpp"
#include "modules/mpiio/wrappers.hpp"

namespace trikal::modules::mpiio {
namespace {

using namespace capture;  // NOLINT: a file of wrappers

constexpr int kMostAtOnce = 4096;  // of one call; more are not followed

// Which transfers a call's requests stand for, before it. 0: none of ours.
struct Before {
  int count;
  std::uint32_t* numbers;
};

void look(const Before& before, const void* requests_of_call) noexcept {
  const Inside inside;
  for (int i = 0; i < before.count; ++i) {
    const MpiHandle request = mpi.request_at(requests_of_call, static_cast<std::size_t>(i));
    before.numbers[i] = mpi.is_null_request(request) ? 0 : requests.number_of(request);
  }
}

void note_done(const Before& before, const void* after) noexcept {
  const Ticks now = read_counter();
  const Inside inside;
  if (!inside.entered()) return;
  for (int i = 0; i < before.count; ++i) {
    if (before.numbers[i] == 0 || !mpi.is_null_request(mpi.request_at(after, static_cast<std::size_t>(i)))) continue;
    Requests::Pending done;
    if (!requests.take(before.numbers[i], done)) continue;
    const double end = session.span(now, now).end;
    finished(*done.file, {done.begin, end}, done.transfer);
  }
}

bool is_followed() noexcept { return requests.any() && sees_call<MpiCalls>(); }

template <class Call, class... A>
int watched(int count, void* first, A... args) noexcept {
  if (count < 0 || first == nullptr) return Call::real(args...);
  const int looked_at = std::min(count, kMostAtOnce);
  const Before before{looked_at, static_cast<std::uint32_t*>(
                                     __builtin_alloca(sizeof(std::uint32_t) * static_cast<std::size_t>(looked_at)))};
  look(before, first);
  const int result = Call::real(args...);
  note_done(before, first);
  return result;
}

// One request first, then whatever the function takes.
template <FixedString Name, class... Rest>
struct One {
  using Call = MpiCall<Name, int(void*, Rest...)>;
  static int wrapper(void* request, Rest... rest) noexcept {
    if (!is_followed()) return Call::real(request, rest...);
    return watched<Call, void*, Rest...>(1, request, request, rest...);
  }
};

template <FixedString Name, class... Rest>
struct Many {
  using Call = MpiCall<Name, int(int, void*, Rest...)>;
  static int wrapper(int count, void* array, Rest... rest) noexcept {
    if (!is_followed()) return Call::real(count, array, rest...);
    return watched<Call, int, void*, Rest...>(count, array, count, array, rest...);
  }
};

template <FixedString N> using Wait = One<N, void*>;
template <FixedString N> using Test = One<N, int*, void*>;
template <FixedString N> using Free = One<N>;
template <FixedString N> using WaitAll = Many<N, void*>;
template <FixedString N> using TestAll = Many<N, int*, void*>;
template <FixedString N> using WaitAny = Many<N, int*, void*>;
template <FixedString N> using TestAny = Many<N, int*, int*, void*>;
template <FixedString N> using Some = Many<N, int*, int*, void*>;

constexpr ImportGroup kWrappers =
    tell_imports<imports_of<Wait, "MPI_Wait">, imports_of<Test, "MPI_Test">, imports_of<WaitAll, "MPI_Waitall">,
                 imports_of<TestAll, "MPI_Testall">, imports_of<WaitAny, "MPI_Waitany">,
                 imports_of<TestAny, "MPI_Testany">, imports_of<Some, "MPI_Waitsome">, imports_of<Some, "MPI_Testsome">,
                 imports_of<Free, "MPI_Request_free">>;

}  // namespace

void request_wrappers(const ImportUse& use) noexcept { kWrappers(use); }

}  // namespace trikal::modules::mpiio

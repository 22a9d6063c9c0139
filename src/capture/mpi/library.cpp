#include "capture/mpi/library.hpp"

#include <cstring>
#include <iterator>

#include "base/bytes.hpp"
#include "capture/loader/symbols.hpp"
#include "capture/mpi/call.hpp"
#include "capture/rare.hpp"

namespace trikal::capture {

constinit MpiLibrary mpi;
constinit thread_local std::uint32_t MpiCalls::depth = 0;

namespace {

// Handles of MPICH, Intel MPI, MVAPICH and Cray MPICH.
namespace mpich {
constexpr MpiHandle kWorld = 0x44000000, kByte = 0x4c00010d, kInfoNull = 0x1c000000, kRequestNull = 0x2c000000;
constexpr MpiHandle kErrorsReturn = 0x54000001;
constexpr std::uintptr_t kStatusIgnore = 1;
constexpr MpiHandle kNoComm = 0x04000000;
}  // namespace mpich

// Of the standard's own binary interface (MPI 5.0, appendix of constants).
namespace standard {
constexpr MpiHandle kWorld = 0x101, kByte = 0x247, kInfoNull = 0x130, kRequestNull = 0x180;
constexpr MpiHandle kNoComm = 0x100;
// Its access modes in the order of their bits, as the other flavours number them.
constexpr int kModes[] = {128, 1, 16, 64, 2, 8, 256, 32, 4};
}  // namespace standard

template <class Function>
void find(Function*& function, const char* name) noexcept {
  function = reinterpret_cast<Function*>(find_function(name));
}

bool mentions(const char* text, const char* word) noexcept { return std::strstr(text, word) != nullptr; }

// Asked by name: native libraries have the function as well, and then answer with -1.
bool has_standard_interface() noexcept {
  int (*version)(int*, int*) = nullptr;
  find(version, "PMPI_Abi_get_version");
  if (version == nullptr) find(version, "MPI_Abi_get_version");
  int major = -1, minor = -1;
  return version != nullptr && version(&major, &minor) == 0 && major > 0;
}

// The library's description of itself, which may be asked for at any time.
bool is_of_mpich_family() noexcept {
  TRIKAL_RARE static constinit char text[16384];  // as long as any of them makes it
  int (*version)(char*, int*) = nullptr;
  find(version, "PMPI_Get_library_version");
  int length = 0;
  if (version == nullptr || version(text, &length) != 0) return false;
  return mentions(text, "MPICH") || mentions(text, "Intel(R) MPI") || mentions(text, "MVAPICH");
}

}  // namespace

void MpiLibrary::look() noexcept {
  find_functions();
  const bool callable = initialized_ != nullptr && finalized_ != nullptr && rank_ != nullptr && size_ != nullptr &&
                        type_size_ != nullptr && elements_ != nullptr;
  flavour_ = MpiFlavour::kUnknown;
  if (!callable) return;
  if (has_standard_interface()) look_at_standard();
  else if (find_data("ompi_mpi_comm_world") != nullptr) look_at_open_mpi();
  else if (is_of_mpich_family()) look_at_integers();
}

void MpiLibrary::find_functions() noexcept {
  find(initialized_, "PMPI_Initialized");
  find(finalized_, "PMPI_Finalized");
  find(rank_, "PMPI_Comm_rank");
  find(size_, "PMPI_Comm_size");
  find(type_size_, "PMPI_Type_size_x");
  if (type_size_ == nullptr) find(type_size_, "PMPI_Type_size_c");  // what newer libraries may have alone
  find(elements_, "PMPI_Get_elements_x");
  if (elements_ == nullptr) find(elements_, "PMPI_Get_elements_c");
  find(position_, "PMPI_File_get_position");
  find(byte_offset_, "PMPI_File_get_byte_offset");
}

void MpiLibrary::look_at_open_mpi() noexcept {
  const auto address = [](const char* name) { return reinterpret_cast<MpiHandle>(find_data(name)); };
  world_ = address("ompi_mpi_comm_world");
  byte_ = address("ompi_mpi_byte");
  info_null_ = address("ompi_mpi_info_null");
  request_null_ = address("ompi_request_null");
  errors_return_ = address("ompi_mpi_errors_return");
  status_ignore_ = nullptr;
  if (byte_ != 0 && info_null_ != 0 && request_null_ != 0) flavour_ = MpiFlavour::kOpenMpi;
}

void MpiLibrary::look_at_integers() noexcept {
  world_ = mpich::kWorld, byte_ = mpich::kByte, info_null_ = mpich::kInfoNull, request_null_ = mpich::kRequestNull;
  errors_return_ = mpich::kErrorsReturn;
  status_ignore_ = reinterpret_cast<const void*>(mpich::kStatusIgnore);
  flavour_ = MpiFlavour::kMpich;
}

void MpiLibrary::look_at_standard() noexcept {
  world_ = standard::kWorld, byte_ = standard::kByte;
  info_null_ = standard::kInfoNull, request_null_ = standard::kRequestNull;
  status_ignore_ = nullptr;
  flavour_ = MpiFlavour::kStandard;
}

MpiHandle MpiLibrary::request_at(const void* requests, std::size_t index) const noexcept {
  const auto* bytes = static_cast<const std::byte*>(requests);
  if (flavour_ == MpiFlavour::kMpich) return load<std::uint32_t>(bytes + 4 * index);
  return load<MpiHandle>(bytes + sizeof(MpiHandle) * index);
}

std::int64_t MpiLibrary::size_of(MpiHandle type) const noexcept {
  std::int64_t bytes = 0;
  return known() && type_size_(type, &bytes) == 0 && bytes > 0 ? bytes : 0;
}

std::int64_t MpiLibrary::bytes_moved(const void* status) const noexcept {
  if (!known() || ignores(status)) return -1;
  std::int64_t bytes = -1;
  return elements_(status, byte_, &bytes) == 0 && bytes >= 0 ? bytes : -1;
}

std::int64_t MpiLibrary::byte_at(MpiHandle file, std::int64_t offset) const noexcept {
  std::int64_t byte = -1;
  return known() && byte_offset_ != nullptr && byte_offset_(file, offset, &byte) == 0 && byte >= 0 ? byte : -1;
}

std::int64_t MpiLibrary::byte_at_pointer(MpiHandle file) const noexcept {
  std::int64_t offset = 0;
  return known() && position_ != nullptr && position_(file, &offset) == 0 ? byte_at(file, offset) : -1;
}

int MpiLibrary::ranks_of(MpiHandle communicator) const noexcept {
  int ranks = 0;
  return known() && size_(communicator, &ranks) == 0 ? ranks : 0;
}

MpiLibrary::RankInJob MpiLibrary::rank_in_job() const noexcept {
  int begun = 0, over = 0;
  if (!known() || initialized_(&begun) != 0 || finalized_(&over) != 0 || begun == 0 || over != 0) return {};
  RankInJob here;
  if (rank_(world_, &here.rank) != 0 || size_(world_, &here.ranks) != 0) return {};
  return here;
}

MpiLibrary::RankInJob MpiLibrary::rank_in_session(MpiHandle opened) const noexcept {
  int (*group_of)(MpiHandle, const char*, MpiHandle*) = nullptr;
  int (*rank_in)(MpiHandle, int*) = nullptr;
  int (*size_of_group)(MpiHandle, int*) = nullptr;
  int (*free_group)(MpiHandle*) = nullptr;
  find(group_of, "PMPI_Group_from_session_pset");
  find(rank_in, "PMPI_Group_rank");
  find(size_of_group, "PMPI_Group_size");
  find(free_group, "PMPI_Group_free");
  if (!known() || group_of == nullptr || rank_in == nullptr || size_of_group == nullptr || free_group == nullptr)
    return {};
  MpiHandle group = 0;  // the upper half stays 0 where handles are of 32 bits
  if (group_of(opened, "mpi://WORLD", &group) != 0) return {};
  RankInJob here;
  if (rank_in(group, &here.rank) != 0 || size_of_group(group, &here.ranks) != 0) here = {};
  (void)free_group(&group);
  return here;
}

bool MpiLibrary::is_spawned() const noexcept {
  int (*parent_of)(MpiHandle*) = nullptr;
  find(parent_of, "PMPI_Comm_get_parent");
  MpiHandle none = flavour_ == MpiFlavour::kMpich ? mpich::kNoComm : standard::kNoComm;
  if (flavour_ == MpiFlavour::kOpenMpi) none = reinterpret_cast<MpiHandle>(find_data("ompi_mpi_comm_null"));
  MpiHandle parent = none;
  return known() && none != 0 && parent_of != nullptr && parent_of(&parent) == 0 && !same(parent, none);
}

int MpiLibrary::common_mode(int mode) const noexcept {
  if (flavour_ != MpiFlavour::kStandard) return mode;
  int common = 0;
  for (std::size_t bit = 0; bit < std::size(standard::kModes); ++bit) {
    if ((mode >> bit & 1) != 0) common |= standard::kModes[bit];
  }
  return common;
}

}  // namespace trikal::capture

// What operations take on one file system: a private folder is made there, used for a second or two, and removed.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include "predict/score/json.hpp"
#include "predict/system/profile.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;
using analyze::Costs;
using analyze::Operation;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPage = 4096;

// Seconds of one call; the median of three rounds.
double each(int calls, const std::function<void(int)>& call) {
  std::vector<double> rounds;
  for (int round = 0; round < 3; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) call(i);
    rounds.push_back(std::chrono::duration<double>(Clock::now() - begin).count() / calls);
  }
  std::ranges::sort(rounds);
  return rounds[1];
}

class Probe {
 public:
  Probe(MountProfile& mount, std::string folder, bool quick)
      : mount_(mount), folder_(std::move(folder)), quick_(quick), buffer_(1 << 20, 'x') {
    mount_.prices.assign(kOperations, {});
  }

  bool run() {
    const int file = ::open(at("data").c_str(), O_CREAT | O_RDWR | O_TRUNC, 0600);
    if (file < 0) return false;
    transfers(file);
    rest(file);
    ::close(file);
    pages();
    names();
    streams();
    guesses();
    device();
    return true;
  }

 private:
  [[nodiscard]] std::string at(const char* name) const { return folder_ + "/" + name; }
  Costs::Price& price(Operation operation) { return mount_.prices[static_cast<std::size_t>(operation)]; }
  [[nodiscard]] int few() const { return quick_ ? 100 : 1000; }

  // A small and a large transfer make a price for the call and one for the byte.
  static Costs::Price line(double small, double small_bytes, double large, double large_bytes) {
    const double byte = std::max(0.0, (large - small) / (large_bytes - small_bytes));
    return {std::max(1e-9, small - byte * small_bytes), byte};
  }

  void transfers(int file) {
    const int large = quick_ ? 8 : 48;
    const auto megabytes = static_cast<double>(buffer_.size());
    const double write_large = each(large, [&](int i) {
      if (i == 0) (void)::ftruncate(file, 0), (void)::lseek(file, 0, SEEK_SET);
      moved_ += ::write(file, buffer_.data(), buffer_.size());
    });
    const double read_large =
        each(large, [&](int i) { moved_ += ::pread(file, buffer_.data(), buffer_.size(), off_t{i} << 20); });
    (void)::lseek(file, 0, SEEK_SET);
    const double write_small = each(10 * few(), [&](int) { moved_ += ::write(file, buffer_.data(), 16); });
    (void)::lseek(file, 0, SEEK_SET);
    const double read_small = each(10 * few(), [&](int) { moved_ += ::read(file, buffer_.data(), 16); });
    price(Operation::kWrite) = line(write_small, 16, write_large, megabytes);
    price(Operation::kRead) = line(read_small, 16, read_large, megabytes);
  }

  void rest(int file) {
    price(Operation::kSeek).each = each(10 * few(), [&](int i) { (void)::lseek(file, i, SEEK_SET); });
    price(Operation::kDuplicate).each = each(few(), [&](int) { (void)::close(::dup(file)); }) / 2;
    struct stat told{};
    price(Operation::kStat).each = each(few(), [&](int) { (void)::stat(at("data").c_str(), &told); });
    const int syncs = quick_ ? 3 : 15;
    price(Operation::kSync).each = each(syncs, [&](int i) {
      moved_ += ::pwrite(file, buffer_.data(), kPage, off_t{i} * 4096);
      (void)::fsync(file);
    });
    price(Operation::kDataSync).each = each(syncs, [&](int i) {
      moved_ += ::pwrite(file, buffer_.data(), kPage, off_t{i} * 4096);
      (void)::fdatasync(file);
    });
    price(Operation::kTruncate).each = each(few(), [&](int i) { (void)::ftruncate(file, (1 << 20) + i); });
    price(Operation::kMap).each = each(few(),
                                       [&](int) {
                                         void* there = ::mmap(nullptr, kPage, PROT_READ, MAP_SHARED, file, 0);
                                         if (there != MAP_FAILED) (void)::munmap(there, kPage);
                                       }) /
                                  2;
  }

  static double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

  // What bytes cost beside being copied: new pages of the page cache, the device when they are synced, and throwing
  // away what a file had before (file systems write out a file that was replaced when it is closed).
  void pages() {
    constexpr double kLeast = 1e-12;
    const int pieces = quick_ ? 512 : 2048;
    const double bytes = static_cast<double>(pieces) * kPage;
    std::vector<double> small, sync, again;
    for (int round = 0; round < 4; ++round) {
      auto begin = Clock::now();
      int file = ::open(at("pages").c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
      double opening = since(begin);
      begin = Clock::now();
      for (int i = 0; i < pieces; ++i) moved_ += ::write(file, buffer_.data(), kPage);
      const double fresh = since(begin);
      begin = Clock::now();
      for (int i = 0; i < pieces; ++i) moved_ += ::pwrite(file, buffer_.data(), kPage, off_t{i} * off_t{kPage});
      small.push_back((fresh - since(begin)) / pieces);  // the pages were there by then
      begin = Clock::now();
      ::close(file);
      opening += since(begin);
      if (round > 0) again.push_back(opening / bytes);
    }
    for (int round = 0; round < 3; ++round) {
      const int file = ::open(at("synced").c_str(), O_CREAT | O_WRONLY, 0600);
      for (int i = 0; i < pieces; ++i) moved_ += ::write(file, buffer_.data(), kPage);
      const auto begin = Clock::now();
      (void)::fsync(file);
      sync.push_back((since(begin) - price(Operation::kSync).each) / bytes);
      ::close(file);
      (void)::unlink(at("synced").c_str());
    }
    for (std::vector<double>* all : {&small, &sync, &again}) std::ranges::sort(*all);
    mount_.page = std::max(kLeast, small[1]), mount_.synced = std::max(kLeast, sync[1]);
    mount_.replaced = std::max(kLeast, again[1]);
  }

  void names() {
    int made = -1;
    const double make = each(few(), [&](int i) {
      made = ::open(fmt::format("{}/f{}", folder_, i).c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
      ::close(made);
    });
    price(Operation::kClose).each = 0.1 * make, price(Operation::kOpen).each = 0.9 * make;
    const double around = each(few(), [&](int i) {
      const std::string one = fmt::format("{}/f{}", folder_, i % few());
      (void)::rename(one.c_str(), at("g").c_str());
      (void)::rename(at("g").c_str(), one.c_str());
    });
    price(Operation::kRename).each = around / 2;
    price(Operation::kRemove).each = each(few() / 4, [&](int i) {
      const std::string one = fmt::format("{}/f{}", folder_, i);
      ::close(::open(one.c_str(), O_CREAT | O_WRONLY, 0600));
      (void)::unlink(one.c_str());
    });
    price(Operation::kRemove).each = std::max(1e-7, price(Operation::kRemove).each - make);
  }

  void streams() {
    const double open = each(few() / 2, [&](int) {
      if (FILE* one = std::fopen(at("data").c_str(), "r+")) (void)std::fclose(one);
    });
    price(Operation::kStreamOpen).each = 0.7 * open, price(Operation::kStreamClose).each = 0.3 * open;
    FILE* file = std::fopen(at("stream").c_str(), "w+");
    if (file == nullptr) return;
    const double below = 16 * (price(Operation::kWrite).byte + price(Operation::kWrite).each / kPage);
    const double write = each(40 * few(), [&](int) { (void)std::fwrite(buffer_.data(), 16, 1, file); });
    price(Operation::kStreamWrite) = {std::max(2e-9, write - below), price(Operation::kWrite).byte};
    const double print = each(10 * few(), [&](int i) { (void)std::fprintf(file, "%d %g\n", i, 0.37 * i); });
    mount_.formatted = std::max(0.0, print - write);
    (void)std::fflush(file);
    std::rewind(file);
    const double taken = 16 * (price(Operation::kRead).byte + price(Operation::kRead).each / kPage);
    const double read =
        each(40 * few(), [&](int) { moved_ += static_cast<ssize_t>(std::fread(buffer_.data(), 16, 1, file)); });
    price(Operation::kStreamRead) = {std::max(2e-9, read - taken), price(Operation::kRead).byte};
    price(Operation::kStreamSeek).each = each(few(), [&](int i) { (void)std::fseek(file, 16 * (i % 100), SEEK_SET); });
    price(Operation::kFlush).each = each(few(), [&](int) {
      (void)std::fputc('x', file);
      (void)std::fflush(file);
    });
    (void)std::fclose(file);
  }

  // MPI's own part was not measured here: what lies below it, and a share for the layer.
  void guesses() {
    constexpr double kLayer = 2e-6, kOpening = 100e-6;
    const Costs::Price write = price(Operation::kWrite), read = price(Operation::kRead);
    for (const Operation one : {Operation::kMpiWrite, Operation::kMpiCollectiveWrite, Operation::kMpiNonblockingWrite})
      price(one) = {write.each + kLayer, write.byte};
    for (const Operation one : {Operation::kMpiRead, Operation::kMpiCollectiveRead, Operation::kMpiNonblockingRead})
      price(one) = {read.each + kLayer, read.byte};
    price(Operation::kMpiOpen).each = price(Operation::kMpiCollectiveOpen).each =
        price(Operation::kOpen).each + kOpening;
    price(Operation::kMpiClose).each = price(Operation::kClose).each + kOpening;
    price(Operation::kMpiSync).each = price(Operation::kSync).each + kLayer;
    price(Operation::kMpiSetView).each = kLayer;
    analyze::guess_hdf5_prices(mount_.prices);
  }

  // Reads of one page each, past the cache where the file system lets us, by more and more threads.
  [[nodiscard]] double reads_per_second(unsigned threads) const {
    const auto until = Clock::now() + std::chrono::milliseconds(quick_ ? 20 : 150);
    std::vector<double> done(threads, 0);
    std::vector<std::thread> all;
    const std::string path = at("data");
    for (unsigned t = 0; t < threads; ++t)
      all.emplace_back([&, t] {
        int file = ::open(path.c_str(), O_RDONLY | O_DIRECT);
        if (file < 0) file = ::open(path.c_str(), O_RDONLY);
        void* page = std::aligned_alloc(kPage, kPage);
        std::minstd_rand random(t + 1);
        while (Clock::now() < until)
          done[t] += ::pread(file, page, kPage, static_cast<off_t>(random() % 256 * kPage)) > 0 ? 1 : 0;
        std::free(page);
        ::close(file);
      });
    for (std::thread& one : all) one.join();
    double sum = 0;
    for (const double one : done) sum += one;
    return sum / (quick_ ? 0.02 : 0.15);
  }

  void device() {
    mount_.measured_by = "probe";
    std::vector<double> rates;
    for (const unsigned threads : {1U, 2U, 4U, 8U, 16U}) rates.push_back(reads_per_second(threads));
    mount_.latency = rates[0] > 0 ? 1 / rates[0] : 0;
    const double best = *std::ranges::max_element(rates);
    std::size_t enough = 0;
    while (rates[enough] < 0.9 * best) ++enough;
    mount_.concurrency = static_cast<double>(1U << enough);
    if (!quick_ && fio()) return;
    const int file = ::open(at("device").c_str(), O_CREAT | O_RDWR | O_TRUNC, 0600);
    const int pieces = quick_ ? 4 : 64;
    const auto begin = Clock::now();
    for (int i = 0; i < pieces; ++i) moved_ += ::write(file, buffer_.data(), buffer_.size());
    (void)::fdatasync(file);
    mount_.write_bandwidth = pieces * 1048576.0 / std::chrono::duration<double>(Clock::now() - begin).count();
    (void)::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    const auto again = Clock::now();
    for (int i = 0; i < pieces; ++i) moved_ += ::pread(file, buffer_.data(), buffer_.size(), off_t{i} << 20);
    mount_.read_bandwidth = pieces * 1048576.0 / std::chrono::duration<double>(Clock::now() - again).count();
    ::close(file);
  }

  // fio knows devices better than we do; 64 MiB, a second each way.
  bool fio() {
    const std::string out = at("fio.json");
    const auto ask = [&](const char* how, const char* block) -> std::optional<Json> {
      const std::string command = fmt::format(
          "fio --name=trikal --filename='{}' --rw={} --bs={} --size=64m --direct=1 --ioengine=psync --runtime=1 "
          "--time_based --output-format=json --output='{}' >/dev/null 2>&1",
          at("device"), how, block, out);
      if (std::system(command.c_str()) != 0) return std::nullopt;
      const auto told = read_json(out);
      if (!told || (*told)["jobs"].items.empty()) return std::nullopt;
      return (*told)["jobs"].items[0];
    };
    const auto wrote = ask("write", "1m"), read = ask("read", "1m"), small = ask("randread", "4k");
    if (!wrote || !read || !small) return false;
    mount_.write_bandwidth = (*wrote)["write"]["bw_bytes"].number;
    mount_.read_bandwidth = (*read)["read"]["bw_bytes"].number;
    mount_.latency = (*small)["read"]["clat_ns"]["mean"].number * 1e-9;
    mount_.measured_by = "fio";
    return mount_.write_bandwidth > 0 && mount_.read_bandwidth > 0 && mount_.latency > 0;
  }

  MountProfile& mount_;
  std::string folder_;
  bool quick_;
  std::vector<char> buffer_;
  ssize_t moved_ = 0;  // so that no call's result is thrown away
};

}  // namespace

void measure_mount(MountProfile& mount, const std::string& folder, bool quick) {
  std::string scratch = folder + "/trikal-probe-XXXXXX";
  if (::mkdtemp(scratch.data()) == nullptr || !Probe(mount, scratch, quick).run()) mount.prices.clear();
  std::error_code error;
  if (!scratch.ends_with("XXXXXX")) fs::remove_all(scratch, error);
}

}  // namespace trikal::predict

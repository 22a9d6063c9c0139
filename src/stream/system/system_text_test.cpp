#include "stream/system/system_text.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include <filesystem>

#include "stream/system/system_sampler.hpp"

namespace trikal::stream {
namespace {

std::map<std::string, double> values(const SystemReadings& readings) {
  std::map<std::string, double> found;
  for (const SystemReading& reading : readings)
    found[reading.metric + (reading.device.empty() ? "" : " " + reading.device)] = reading.value;
  return found;
}

TEST(SystemText, Processors) {
  SystemReadings readings;
  read_cpu("cpu  200 0 100 4000 50 0 7 0 0 0\ncpu0 1 2 3\nintr 5\n", 100, readings);
  const auto found = values(readings);
  EXPECT_EQ(found.at("cpu.user"), 2);
  EXPECT_EQ(found.at("cpu.iowait"), 0.5);
  EXPECT_EQ(found.size(), 8U);
}

TEST(SystemText, MemoryInBytes) {
  SystemReadings readings;
  read_memory("MemTotal:       2000 kB\nMemAvailable: 1000 kB\nHugePages_Total: 3\nDirty: x kB\n", readings);
  const auto found = values(readings);
  EXPECT_EQ(found.at("memory.total"), 2000 * 1024);
  EXPECT_EQ(found.size(), 2U);  // what is no number is not there
}

TEST(SystemText, Pressure) {
  SystemReadings readings;
  read_pressure("some avg10=0.00 avg60=0.00 avg300=0.10 total=1500000\nfull avg10=0.0 avg60=0 avg300=0 total=500000\n",
                "io", readings);
  EXPECT_EQ(values(readings), (std::map<std::string, double>{{"pressure.io.some", 1.5}, {"pressure.io.full", 0.5}}));
}

TEST(SystemText, DisksWithoutPartitions) {
  SystemReadings readings;
  const auto is_disk = [](std::string_view name) { return name == "sda"; };
  read_disks(" 8 0 sda 10 0 4 20 30 0 8 40 0 500 60 0 0\n 8 1 sda1 1 1 1 1 1 1 1 1 1 1 1\n 8 0 sda short\n", is_disk,
             readings);
  const auto found = values(readings);
  EXPECT_EQ(found.at("disk.read_bytes sda"), 4 * 512);
  EXPECT_EQ(found.at("disk.write_bytes sda"), 8 * 512);
  EXPECT_EQ(found.at("disk.busy_seconds sda"), 0.5);
  EXPECT_EQ(found.size(), 7U);
}

TEST(SystemText, Network) {
  SystemReadings readings;
  read_network("Inter-|   Receive | Transmit\n face |bytes packets\n  eth0: 100 2 0 0 0 0 0 0 300 4 0 0 0 0 0 0\n",
               readings);
  const auto found = values(readings);
  EXPECT_EQ(found.at("network.received_bytes eth0"), 100);
  EXPECT_EQ(found.at("network.sent_bytes eth0"), 300);
}

TEST(SystemText, NfsOfItsMountsOnly) {
  SystemReadings readings;
  read_nfs(
      "device proc mounted on /proc with fstype proc\n\tbytes: 9 9 9 9 9 9 9 9\n"
      "device s:/x mounted on /home with fstype nfs4 statvers=1.1\n\tbytes: 1 2 3 4 5 6 7 8\n"
      "\tREAD: 10 10 0 1 2 3 4 2000 0\n\tWRITE: 3 3 0 1 2 3 4 1000 0\n",
      readings);
  const auto found = values(readings);
  EXPECT_EQ(found.at("nfs.read_bytes /home"), 5);
  EXPECT_EQ(found.at("nfs.write_bytes /home"), 6);
  EXPECT_EQ(found.at("nfs.reads /home"), 10);
  EXPECT_EQ(found.at("nfs.read_seconds /home"), 2);
  EXPECT_EQ(found.size(), 6U);
}

TEST(SystemText, LustreClients) {
  SystemReadings readings;
  read_lustre(
      "snapshot_time 1.2 secs.usecs\nread_bytes 12 samples [bytes] 1 2 4096\nwrite_bytes 3 samples [bytes] 1 2 8192 "
      "99\nopen 5 samples [regs]\n",
      "fs0-ffff", readings);
  EXPECT_EQ(values(readings), (std::map<std::string, double>{{"lustre.reads fs0-ffff", 12},
                                                             {"lustre.read_bytes fs0-ffff", 4096},
                                                             {"lustre.writes fs0-ffff", 3},
                                                             {"lustre.write_bytes fs0-ffff", 8192}}));
}

// A machine of files.
class Machine {
 public:
  Machine() { std::filesystem::create_directories(root_ + "/proc/net"); }
  ~Machine() { std::filesystem::remove_all(root_); }
  void network(int received) {
    std::ofstream(root_ + "/proc/net/dev") << "eth0: " << received << " 0 0 0 0 0 0 0 7 0 0 0 0 0 0 0\n";
  }
  [[nodiscard]] const std::string& root() const { return root_; }

 private:
  std::string root_ = ::testing::TempDir() + "machine-" + std::to_string(getpid());
};

std::map<std::string, double> sampled(SystemSampler& sampler, Nanoseconds now) {
  std::vector<SystemValue> system;
  sampler.sample(now, system);
  std::map<std::string, double> found;
  for (const SystemValue& value : system) found[value.metric] = value.value;
  return found;
}

TEST(SystemSampler, TellsWhatCountersGrewByInASecond) {
  Machine machine;
  SystemSampler sampler(machine.root());
  machine.network(1000);
  EXPECT_TRUE(sampled(sampler, kSecond).empty());  // what it has grown by is not known yet, and there is nothing else
  machine.network(1500);
  EXPECT_EQ(sampled(sampler, 3 * kSecond).at("network.received_bytes"), 250);
  machine.network(100);  // the interface is another one
  const auto after = sampled(sampler, 4 * kSecond);
  EXPECT_FALSE(after.contains("network.received_bytes"));
  EXPECT_EQ(after.at("network.sent_bytes"), 0);
}

}  // namespace
}  // namespace trikal::stream

// Ways to use files that other observers miss, each on a file of its own in the folder that is given.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

constexpr int kTimes = 100;
constexpr std::size_t kBlock = 4096, kCopied = 200 * 1024, kMapped = 1 << 20;
char block[kBlock];
std::string folder;

std::string at(const std::string& name) { return folder + "/" + name; }

void must(bool done, const char* what) {
  if (done) return;
  std::perror(what);
  std::exit(1);
}

int make(const std::string& name) {
  const int file = open(at(name).c_str(), O_CREAT | O_RDWR | O_TRUNC, 0644);
  must(file >= 0, name.c_str());
  return file;
}

void write_and_ask(int file) {
  struct stat about;
  for (int i = 0; i < kTimes; ++i) must(write(file, block, kBlock) == kBlock, "write");
  for (int i = 0; i < 10 * kTimes; ++i) {
    must(stat(at("asked").c_str(), &about) == 0 && fstat(file, &about) == 0, "stat");
  }
}

void copy_in_the_kernel(int from) {
  const int to = make("copied");
  loff_t read_at = 0, write_at = 0;
  must(copy_file_range(from, &read_at, to, &write_at, kCopied, 0) == kCopied, "copy_file_range");
  off_t start = 0;
  must(lseek(to, 0, SEEK_END) == kCopied && sendfile(to, from, &start, kCopied) == kCopied, "sendfile");
  close(to);
}

void map() {
  const int file = make("mapped");
  must(ftruncate(file, kMapped) == 0, "ftruncate");
  void* memory = mmap(nullptr, kMapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  must(memory != MAP_FAILED, "mmap");
  std::memset(memory, 1, kMapped);
  must(msync(memory, kMapped, MS_SYNC) == 0 && munmap(memory, kMapped) == 0, "msync");
  close(file);
}

void use_streams() {
  std::ofstream out(at("ofstream"), std::ios::binary);
  for (int i = 0; i < kTimes; ++i) out.write(block, kBlock);
  out.close();
  FILE* file = fopen(at("unlocked").c_str(), "w");
  for (int i = 0; i < kTimes; ++i) must(fwrite_unlocked(block, 1, kBlock, file) == kBlock, "fwrite_unlocked");
  fclose(file);
  file = fopen(at("lines").c_str(), "w");
  for (int i = 0; i < kTimes; ++i) must(fprintf(file, "%099d\n", i) == 100, "fprintf");
  fclose(file);
  file = fopen(at("lines").c_str(), "r");
  char* line = nullptr;
  std::size_t size = 0;
  while (getline(&line, &size, file) > 0) {
  }
  std::free(line);
  fclose(file);
}

void go_around() {
  int file = make("dprintf");
  for (int i = 0; i < kTimes; ++i) must(dprintf(file, "%s", "0123456789") == 10, "dprintf");
  close(file);
  file = make("syscall");
  for (int i = 0; i < kTimes; ++i) must(syscall(SYS_write, file, block, kBlock) == kBlock, "syscall");
  close(file);
}

void make_and_remove() {
  for (int i = 0; i < 2 * kTimes; ++i) {
    const std::string name = "gone-" + std::to_string(i);
    must(mkdir(at(name).c_str(), 0755) == 0 && rmdir(at(name).c_str()) == 0, "mkdir");
    close(make(name));
    must(unlink(at(name).c_str()) == 0, "unlink");
  }
  DIR* directory = opendir(folder.c_str());
  while (readdir(directory) != nullptr) {
  }
  closedir(directory);
}

}  // namespace

int main(int, char** argv) {
  folder = argv[1];
  const int asked = make("asked");
  write_and_ask(asked);
  copy_in_the_kernel(asked);
  map();
  use_streams();
  go_around();
  make_and_remove();
  close(asked);
  return 0;
}

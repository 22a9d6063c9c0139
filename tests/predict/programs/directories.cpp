// The current folder and links by std::filesystem: where streams with relative names lead to. argv[1]: how many folders.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;

static void put(const fs::path& name, const std::string& text) { std::ofstream(name) << text; }
static std::string get(const fs::path& name) {
  std::ifstream in(name);
  std::string line;
  std::getline(in, line);
  return line;
}

int main(int argc, char** argv) {
  std::ofstream out("answers");
  const fs::path start = fs::current_path();
  for (int i = 0; i < std::atoi(argv[1]); ++i) {
    const fs::path name = "directory" + std::to_string(i);
    fs::create_directory(name);
    fs::current_path(name);
    put("note", std::string(10 + i % 4, 'n'));
    put("../shared", std::string(20, 's'));
    fs::current_path("..");
  }
  for (int i = 0; i < std::atoi(argv[1]); ++i) out << get("directory" + std::to_string(i) + "/note").size() << '\n';
  out << get("shared") << '\n';
  fs::create_symlink("shared", "soft");
  fs::create_hard_link("shared", "hard");
  put("soft", "changed by the link");
  out << get("hard") << get("shared") << '\n';
  out << fs::relative(fs::absolute("directory0/note"), start).string() << '\n';
  out << fs::relative(fs::canonical("directory0/../soft"), start).string() << '\n';
  std::error_code error;
  fs::current_path("nowhere", error);
  out << (error ? "no" : "yes") << '\n';
  out << fs::create_directory("directory0") << fs::create_directory("none/below", error) << error.value() << '\n';
  out << fs::remove("directory0", error) << error.value() << fs::remove("soft") << fs::exists("shared") << '\n';
  fs::rename("directory0", "renamed");
  out << get("renamed/note") << fs::exists("directory0") << '\n';
  out << fs::remove_all("renamed") << fs::exists("renamed") << '\n';
  fs::current_path(start);
  return 0;
}

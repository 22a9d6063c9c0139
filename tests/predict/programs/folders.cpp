// Goes through folders, those that are there and those it makes: what it finds decides what it writes.
// argv[1]: a folder; argv[2]: how many files to make.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace fs = std::filesystem;

static std::vector<fs::path> texts(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".txt") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

// Every text as upper/<stem>.copy; how long it is stands in the index.
static void copy_texts(const fs::path& folder, const fs::path& to) {
  fs::create_directories(to);
  std::ofstream index(to / "index");
  for (const fs::path& one : texts(folder)) {
    std::ifstream in(one, std::ios::binary);
    fs::path name = to / one.filename();
    name.replace_extension(".copy");
    std::ofstream out(name, std::ios::binary);
    out << in.rdbuf();
    index << one.stem().string() << ' ' << one.parent_path().filename().string() << ' ' << fs::file_size(one) << '\n';
  }
}

static void list_tree(const fs::path& folder, std::ofstream& out) {
  std::set<std::string> lines;
  for (auto at = fs::recursive_directory_iterator(folder); at != fs::recursive_directory_iterator(); ++at) {
    if (at->path().filename() == "hidden") at.disable_recursion_pending();
    lines.insert(std::string(at.depth(), ' ') + at->path().lexically_relative(folder).string() +
                 (at->is_directory() ? "/" : ""));
  }
  for (const std::string& line : lines) out << line << '\n';
}

static void parts(std::ofstream& out) {
  for (const char* text : {"", "/", "a", "a/b.c", "/usr/lib/x.tar.gz", "a/", "a//b/../c", ".", "..", ".hidden",
                           "a/.hidden.txt", "name."}) {
    const fs::path path = text;
    out << path.filename() << path.stem() << path.extension() << path.parent_path() << path.root_path()
        << path.relative_path() << path.lexically_normal() << path.has_extension() << path.has_filename()
        << path.is_absolute() << ' ' << std::distance(path.begin(), path.end());
    for (const fs::path& part : path) out << ' ' << part.string().size();
    fs::path other = path;
    other += ".more";
    other /= "x";
    out << other.replace_filename("y") << (other < path) << (fs::path(text) == path) << '\n';
  }
}

int main(int argc, char** argv) {
  const fs::path given = argv[1], work = "work";
  const int count = std::atoi(argv[2]);
  copy_texts(given, work / "copies");
  for (int i = 0; i < count; ++i) {
    const fs::path folder = work / ("part" + std::to_string(i % 3));
    fs::create_directory(folder);
    std::ofstream(folder / ("made" + std::to_string(i) + ".txt")) << std::string(10 * i, 'x');
  }
  std::ofstream report("report.txt");
  for (int i = 0; i < 3; ++i)
    if (fs::exists(work / ("part" + std::to_string(i))))
      copy_texts(work / ("part" + std::to_string(i)), work / "again");
  list_tree(given, report);
  list_tree(work, report);
  parts(report);
  std::error_code error;
  fs::directory_iterator none("missing", error);
  report << (none == fs::directory_iterator()) << bool(error) << fs::is_empty(given) << '\n';
  report << fs::remove_all(work / "again") << ' ' << fs::remove_all("missing") << ' ' << fs::exists(work / "again")
         << '\n';
  list_tree(work, report);
  return 0;
}

// A settings file, a table and a log as applications have them: classes with virtual functions, maps, templates, lines cut
// into fields, a log that is flushed when it is destroyed.
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

class Log {
 public:
  explicit Log(const std::string& name) : out_(name, std::ios::app) {}
  ~Log() { out_ << "closed after " << lines_ << " lines" << std::endl; }
  void line(const std::string& level, const std::string& text) {
    out_ << '[' << std::setw(5) << std::left << level << "] " << text << '\n';
    ++lines_;
  }

 private:
  std::ofstream out_;
  int lines_ = 0;
};

Log global_log("run.log");

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::map<std::string, std::string> settings_of(const std::string& name) {
  std::map<std::string, std::string> out;
  std::ifstream in(name);
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    const auto position = line.find('=');
    if (position != std::string::npos) out[trimmed(line.substr(0, position))] = trimmed(line.substr(position + 1));
  }
  global_log.line("info", name + " has " + std::to_string(out.size()) + " settings");
  return out;
}

struct Writer {
  virtual ~Writer() = default;
  virtual void row(const std::vector<double>& values) = 0;
};
struct TextWriter : Writer {
  explicit TextWriter(const std::string& name) : out(name) {}
  void row(const std::vector<double>& values) override {
    for (std::size_t i = 0; i < values.size(); ++i)
      out << (i ? "," : "") << std::fixed << std::setprecision(3) << values[i];
    out << '\n';
  }
  std::ofstream out;
};
struct BinaryWriter : Writer {
  explicit BinaryWriter(const std::string& name) : out(name, std::ios::binary) {}
  void row(const std::vector<double>& values) override {
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(double)));
  }
  std::ofstream out;
};

template <class T>
T setting(const std::map<std::string, std::string>& all, const std::string& name, T otherwise) {
  const auto found = all.find(name);
  if (found == all.end()) return otherwise;
  std::istringstream text(found->second);
  T value{};
  return text >> value ? value : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const auto all = settings_of(argc > 1 ? argv[1] : "settings.txt");
  const int rows = setting(all, "rows", 10);
  const double scale = setting(all, "scale", 1.0);
  std::vector<std::unique_ptr<Writer>> writers;
  writers.push_back(std::make_unique<TextWriter>(setting<std::string>(all, "output", "out") + ".csv"));
  writers.push_back(std::make_unique<BinaryWriter>("out.bin"));
  const std::function<double(int)> value = [scale](int i) { return scale * i; };
  for (int i = 0; i < rows; ++i) {
    const std::vector<double> values = {value(i), value(i + 1), value(2 * i)};
    for (const auto& writer : writers) writer->row(values);
  }
  writers.clear();
  std::ifstream in("out.csv");
  std::string line;
  double sum = 0;
  while (std::getline(in, line)) {
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) sum += std::stod(cell);
  }
  std::ostringstream told;
  told << "sum " << std::setprecision(2) << std::fixed << sum << " 0x" << std::hex << 255;
  global_log.line("info", told.str());
  std::cout << told.str() << std::endl;
  std::cerr << "done" << '\n';
  return 0;
}

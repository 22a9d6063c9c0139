#include "gather/directory_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>

namespace trikal::gather {

DirectoryWatch::DirectoryWatch() : descriptor_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}

DirectoryWatch::~DirectoryWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool DirectoryWatch::add(const std::string& directory) {
  if (descriptor_ < 0) return false;
  // A mapping keeps its file open: the last process that has it closes it when it ends or becomes another program.
  const int watch = ::inotify_add_watch(descriptor_, directory.c_str(), IN_CLOSE_WRITE | IN_CREATE | IN_MOVED_TO);
  if (watch >= 0) directories_.emplace_back(watch, directory);
  return watch >= 0;
}

DirectoryWatch::News DirectoryWatch::read(const std::function<void(const Event&)>& use) {
  News news;
  alignas(inotify_event) char buffer[16 * 1024];
  for (;;) {
    const ssize_t got = descriptor_ < 0 ? -1 : ::read(descriptor_, buffer, sizeof buffer);
    if (got <= 0) return news;
    for (const char* at = buffer; at < buffer + got;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      at += sizeof *event + event->len;
      news.any = true;
      news.lost = news.lost || (event->mask & IN_Q_OVERFLOW) != 0;
      const auto found = std::ranges::find(directories_, event->wd, &std::pair<int, std::string>::first);
      if (event->len > 0 && found != directories_.end())
        use({found->second, event->name, (event->mask & IN_CLOSE_WRITE) != 0});
    }
  }
}

}  // namespace trikal::gather

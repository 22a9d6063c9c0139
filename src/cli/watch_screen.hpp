#pragma once
// Where `trikal watch` says what goes on: a screen that is drawn over and over on a terminal, lines elsewhere.

#include <string>

#include "cli/webhook.hpp"
#include "watch/watcher.hpp"

namespace trikal::cli {

class WatchScreen final : public watch::Audience {
 public:
  enum class Show : bool { kNothing, kScreen };
  // `command`: what is watched, for alerts. `webhook`: where those are posted; null: nowhere.
  WatchScreen(Show show, std::string store, std::string command, std::unique_ptr<Webhook> webhook)
      : show_(show), store_(std::move(store)), command_(std::move(command)), webhook_(std::move(webhook)) {}
  // All alerts have been posted, or never will be.
  void finish();

  void show(const report::LiveScreen& screen) override;
  void alert(const watch::SnapshotFinding& finding, double elapsed) override;
  void store_failed(const Error& error, const std::string& message) override;
  void refused(const std::string& map, const Error& error) override;

 private:
  // What is on the terminal now goes, so that what comes next stands alone.
  void wipe();
  void tell_problems();

  Show show_;
  std::string store_, command_;
  std::unique_ptr<Webhook> webhook_;
  std::size_t lines_ = 0;  // of the screen that is on the terminal
};

}  // namespace trikal::cli

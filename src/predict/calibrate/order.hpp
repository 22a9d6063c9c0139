#pragma once
// Which blocks of an application are more I/O-intensive than which others: what a model should get right beside how much.

#include "predict/calibrate/fit.hpp"

namespace trikal::predict {

class Order {
 public:
  explicit Order(const Rows& rows);

  // How much of the measured order is not there in `shares`, one a row: 0 where all pairs are far enough apart, 1 where
  // all are alike, more where they are the other way round. Applications count alike, however many blocks they have.
  [[nodiscard]] double missing(const std::vector<double>& shares) const;

 private:
  struct Pair {
    std::size_t more, less;
    double weight;
  };
  std::vector<Pair> pairs_;
};

}  // namespace trikal::predict

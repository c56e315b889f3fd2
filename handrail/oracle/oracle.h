// Online regression: predicts the cost of every arm, then learns the cost of the one that was
// played. One call a round for all arms, so that the virtual call is lost beside the work.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "handrail/base/aligned_bytes.h"
#include "handrail/base/bytes.h"
#include "handrail/core/arm_features.h"

namespace handrail {

enum class Loss : std::uint8_t { kSquare = 0, kLog = 1 };

// Log-loss predictions stay this far from 0 and 1, where the loss would be infinite.
inline constexpr double kLogLossEdge = 1e-6;

// Scratch memory of the caller's, so that predicting is const and needs no allocation once it has
// grown. Its contents mean nothing between calls.
struct Scratch {
  std::vector<double> first;
  std::vector<double> second;
  AlignedBytes bytes;  // for kernels, which know what they keep there
  SparseRow list;      // of a row that comes without one
};

class Oracle {
 public:
  Oracle() = default;
  virtual ~Oracle() = default;
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  // Writes one prediction an arm, each in [0, 1]; with log loss in [10^-6, 1 - 10^-6].
  virtual void predict(const ArmFeatures& features, std::span<double> costs,
                       Scratch& scratch) const = 0;

  // Whether predict() and update() go by the list of a shared row where there is one, so that it is
  // made once a round and nobody needs to keep the row itself.
  virtual bool reads_lists() const { return false; }

  // Learns that `arm` cost `cost`, a number in [0, 1].
  virtual void update(const ArmView& arm, double cost) = 0;

  // What it promises about its regret over the updates so far, in its own loss, against the best of
  // its class. Networks promise nothing.
  virtual std::optional<double> regret_bound() const = 0;

  // The whole state: after load() of what save() wrote, every later call gives the same bits.
  // load() is called on an oracle of the same configuration.
  virtual void save(ByteWriter& out) const = 0;
  virtual Status load(ByteReader& in) = 0;
};

}  // namespace handrail

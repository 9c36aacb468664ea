// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/dtype.h"
#include "profiler/protocol/connection.h"
#include "tests/bench/targets/interleave.h"

namespace fusebench::targets {

/// What people would use instead, run by a Python process (tests/bench/peers/peers.py) that times
/// blocks of calls when it is told to.
class Peers {
 public:
  /// Starts the process. Without a working interpreter there are no peers.
  explicit Peers(const std::string& python);

  /// "PyTorch 2.5.1", or why there is none.
  std::string about(const std::string& peer) const;
  /// A peer ("torch", "torch-static", "numexpr") on the study's first statements, for a (rows, 16)
  /// input; nothing if it is not there. Throws std::runtime_error if it gives another result than
  /// `ours`.
  std::optional<Contender> study(const std::string& peer, int statements, std::int64_t rows,
                                 double ours, int threads = 1);
  /// The same of a program: a text that defines program(), for inputs that filled() and classesOf()
  /// make, and of what it returns the first element of the first tensor.
  struct Input {
    std::vector<std::int64_t> shape{};
    bool classes = false;          ///< int64, each below `count` of PeerProgram
    DType dtype = DType::float32;  ///< of those that are filled
  };
  struct PeerProgram {
    std::string name{};  ///< without blanks
    std::string text{};
    std::vector<Input> inputs{};
    std::int64_t classes = 0;
    /// The inputs that its first result is differentiated by, if any, and whether gradients are
    /// computed or only what they need is kept.
    std::vector<int> by{};
    bool back = true;
    /// The text is run as a study's PyTorch worker runs it.
    bool source = false;
    /// The name of an earlier program whose result must be the same.
    std::string like{};
  };
  /// `tolerance`: relative, between its result and `ours`.
  std::optional<Contender> program(const std::string& peer, const PeerProgram& program, double ours,
                                   double tolerance = 1e-3);
  /// The peak of the bytes that a call of a program allocates in PyTorch, without its inputs but
  /// with its results, by PyTorch's own profiler; nothing if PyTorch is not installed.
  std::optional<double> peakBytes(const PeerProgram& program);

 private:
  bool isThere(const std::string& peer) const;
  std::optional<Contender> prepared(const std::string& peer, const std::string& name,
                                    const std::string& request, double ours, double tolerance);
  std::optional<std::string> ask(const std::string& line, double seconds);

  std::shared_ptr<WorkerConnection> process_;
  std::vector<std::pair<std::string, std::string>> found_;    ///< peer, its version
  std::vector<std::pair<std::string, std::string>> missing_;  ///< peer, why
};

}  // namespace fusebench::targets

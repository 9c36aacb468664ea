// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/device/backend.h"
#include "engine/device/tensor.h"
#include "engine/language/program.h"
#include "tests/bench/targets/interleave.h"
#include "tests/bench/targets/peers.h"
#include "tests/bench/targets/target.h"

namespace fusebench::targets {

/// The tools with which the groups of targets measure.
struct Bench {
  Backend& backend;
  Peers& peers;
  double seconds = 2;  ///< for a set of contenders
  int chains = 500;    ///< random ones
  std::vector<Target> targets{};
  /// Measurements to repeat after each later group. An absolute time, unlike a ratio to another
  /// time, depends on how busy the machine is, which changes from minute to minute.
  std::vector<std::function<void()>> again{};
};

/// A tensor with values around zero. peers.py fills its inputs alike.
Tensor filled(Backend& backend, const Shape& shape, DType dtype = DType::float32);
/// A program in an executor on these inputs.
Contender executing(std::string name, Backend& backend, const char* executor,
                    const Program& program, std::vector<Tensor> inputs);
/// The first element of the program's result for these inputs.
double resultOf(Backend& backend, const Program& program, const std::vector<Tensor>& inputs);
/// Sums of float32 in another order are as near as this.
inline constexpr double kSameSum = 1e-3;
/// Throws std::runtime_error naming the contender if it gives something else than we do: beyond
/// rounding, relatively, it must be the same work that is timed.
void requireSame(const std::string& contender, double given, double ours,
                 double tolerance = kSameSum);
/// The fusion study's first statements on a (rows, 16) input.
Contender study(std::string name, Backend& backend, const char* executor, int statements,
                std::int64_t rows);

Estimate scaled(const Estimate& estimate, double factor);

/// The groups, each adding its lines.
void fusedSmall(Bench& bench);
void eagerSmall(Bench& bench);
void fusedLarge(Bench& bench);
void memoryBound(Bench& bench);
void threads(Bench& bench);
void instant(Bench& bench);
void compiling(Bench& bench);
void randomChains(Bench& bench);
void functions(Bench& bench);
void layouts(Bench& bench);
void contractions(Bench& bench);
void rows(Bench& bench);
void types(Bench& bench);
void simulated(Bench& bench);
void training(Bench& bench);
void views(Bench& bench);
void direct(Bench& bench);
void wholeBlocks(Bench& bench);

}  // namespace fusebench::targets

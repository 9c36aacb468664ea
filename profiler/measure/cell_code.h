// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/device/backend.h"
#include "engine/plan/plan.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// One cell's kernels in the form that its backend compiles, for people to read, for the shapes of
/// the input list's first entry. Ops are those of the experiment's program as written, even if a
/// cell runs a shortened or repeated version.
class CellCode {
 public:
  /// Throws ProgramError, Unavailable, std::runtime_error.
  CellCode(Backend& backend, const Experiment& experiment, CellKey key);

  struct KernelInfo {
    std::string name;
    std::vector<int> statements;  ///< statements of the cell's program, from 0; -1: the return
    std::vector<int> ops;
    bool backward = false;  ///< whether all of it computes gradients
  };
  const std::vector<KernelInfo>& kernels() const { return kernels_; }

  /// The memory of a value, and the steps (kernels) that need it; see Storage.
  struct StorageInfo {
    std::string name;  ///< the input, the statement, or the op that creates it
    std::string kind;  ///< "input", "held", "temporary", "saved", "result"
    std::string memory;
    std::int64_t bytes = 0;
    int first = 0;  ///< -1: exists before the first step
    int last = 0;   ///< the number of steps: needed after the last
  };
  const std::vector<StorageInfo>& storages() const { return storages_; }
  /// "x (8, 16)": the inputs that the kernels are shown for.
  const std::string& inputs() const { return inputs_; }
  const CellKey& key() const { return key_; }
  /// The plan that the kernels are of; see toText(Plan).
  const std::string& planText() const { return planText_; }

  /// Each language that there is: "readable", and the backend's own, in the order of lowering.
  const std::vector<GeneratedCode>& languages(std::size_t kernel);

 private:
  Backend& backend_;
  CellKey key_;
  Program program_;              ///< the cell's
  SharedProgram run_;            ///< its final form: with gradients as ops like any other
  std::vector<int> opsWritten_;  ///< per op of that: the op as written; -1: none
  /// The result of generating the code of one step.
  struct Made {
    std::optional<Kernel> kernel;  ///< none for a library's call
    std::optional<OpList> list;    ///< if it runs as such
    std::optional<LibraryCall> call;
    std::vector<std::int64_t> integers;  ///< the integers of the call's launch
    std::string copy;                    ///< in words, for a step that is a copy
  };
  std::vector<GeneratedCode> textsOf(const Made& made);
  void listStorages(const Plan& plan, std::span<const std::int64_t> symbols);

  std::vector<Made> made_;
  std::vector<KernelInfo> kernels_;
  std::vector<StorageInfo> storages_;
  std::string inputs_;
  std::string planText_;
  std::map<std::size_t, std::vector<GeneratedCode>> languages_;
};

/// For each op of a cell's program the op of the program as written; -1: none.
std::vector<int> opsAsWritten(const Program& cell, const Program& written);

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/device/host_memory.h"
#include "engine/run/reference.h"
#include "profiler/experiment/computed_fill.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/weights_file.h"

namespace fusebench {

/// The tensors that a cell's calls run over, one entry per call.
struct InputList {
  std::vector<std::vector<Tensor>> entries;  ///< one tensor per program input
  std::vector<std::size_t> kinds;            ///< per entry: the first entry with the same shapes
  std::vector<std::size_t> bytes;            ///< of each entry
  std::size_t totalBytes = 0;
  int wanted = 0;  ///< how many entries the experiment requests

  /// First entries of each kind of shapes, in order.
  std::vector<std::size_t> firstOfKind() const;
};

/// The dtype of an input; float32 if it names none.
DType dtypeOf(const InputSpec& spec);
/// The inputs of a variant, of the dtypes that it has them in.
InputSet inputsOf(const Experiment& experiment, const Variant& variant);

/// The distance of a number from the nearest value of the coarsest float type that a variant
/// computes in, relative to the number: 2^-24 for float32, 2^-11 for float16, 2^-9 for bfloat16.
double roundingUnit(const Experiment& experiment, const Variant& variant);

/// Prefix of a layout that lists the dimensions, as in "order 2,0,1".
inline constexpr std::string_view kOrderLayout = "order ";
/// The dimensions of such a layout, the slowest first; nothing: it is not one of this rank.
std::optional<std::vector<int>> orderOfDimensions(const std::string& layout, std::size_t rank);

/// Strides, in elements, of a tensor of an input; nothing: its layout is not one of tensors of that
/// rank.
std::optional<Strides> inputStrides(const InputSpec& spec, const Shape& shape);

/// Bytes of memory that one tensor of an input takes, layout included.
std::size_t storageBytes(const InputSpec& spec, const Shape& shape);

/// Gives the inputs that belong to the program the extents that they have at a place, where axes
/// sweep sizes that these depend on: a layer's width.
void setHeld(const Experiment& experiment, const Variant& variant,
             const std::vector<std::int64_t>& at, InputSet& set);

/// The value of one element: it depends only on seed, entry, input and row-major index, so that it
/// is the same for every layout, cell and platform. Integers are 16 times the float, rounded
/// towards zero, uint8 the magnitude of that; a bool is whether the float is greater than 0, or for
/// uniform than 1/2.
double elementOf(const InputSpec& spec, std::uint64_t seed, std::int64_t entry, std::size_t input,
                 std::int64_t index);

/// Creates and keeps input lists; cells whose lists are equal share one.
class InputStore {
 public:
  /// None where they are not used, on a simulated device that computes nothing.
  enum class Values { made, none };

  /// `available`: bytes of free memory. All lists together are meant to fit a quarter of it, so
  /// each is shortened to its share, but not below one entry.
  /// `rank`: which of the ranks that run a cell this process is.
  InputStore(Backend& backend, const Experiment& experiment, std::uint64_t available, int rank = 0,
             Values values = Values::made);

  /// The values of inputs that name some; without a file they are drawn. Before the first get().
  void setWeights(std::shared_ptr<const WeightsFile> weights) { weights_ = std::move(weights); }

  /// Created on first use. If all lists together exceed half of the free memory, the least recently
  /// used ones are freed.
  std::shared_ptr<const InputList> get(const CellKey& cell);
  /// An entry as another rank has it.
  std::vector<Tensor> entryOf(const CellKey& cell, std::int64_t entry, int rank);
  /// Entries that get() would make, and their bytes, without making them.
  struct Plan {
    int entries = 0;
    std::size_t totalBytes = 0;
    std::vector<Form> largest;  ///< forms of the entry with the most bytes, as if contiguous
  };
  Plan plan(const CellKey& cell) const;

  /// Identifies the list: cells with the same key share it.
  std::string keyOf(const CellKey& cell) const;

  std::uint64_t available() const { return available_; }
  std::size_t heldBytes() const { return heldBytes_; }

 private:
  struct Held {
    std::shared_ptr<const InputList> list;
    std::uint64_t lastUse = 0;
  };
  /// Those of the cell's tensors that its program takes, in the program's order, and their indices
  /// in the set.
  struct Taken {
    InputSet set;
    std::vector<std::size_t> inputs;
  };
  Taken takenBy(const CellKey& cell) const;
  Memory memoryOf(const InputSpec& spec) const;
  /// The values that an input's code computes, evaluated once.
  const ComputedFill& computed(const InputSpec& spec);
  Tensor make(const InputSpec& spec, const Shape& shape, std::int64_t entry, std::size_t input,
              int rank);
  void makeRoom(std::size_t bytes);

  Backend& backend_;
  const Experiment& experiment_;
  std::uint64_t available_;
  int rank_;
  Values values_;
  std::shared_ptr<const WeightsFile> weights_;
  std::uint64_t share_ = 0;           ///< bytes for one list
  std::unique_ptr<HostMemory> host_;  ///< for inputs that are in host memory; outlives them
  std::map<std::string, Held> held_;
  std::map<std::string, ComputedFill> computed_;  ///< by code
  std::size_t heldBytes_ = 0;
  std::uint64_t uses_ = 0;
};

/// A tensor's elements as doubles in row-major order; any strides.
std::vector<double> valuesOf(Backend& backend, const Tensor& tensor);

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/write_checks.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

/// The dimensions with a stride, widest stride first.
struct Steps {
  std::vector<std::int64_t> extents, strides;

  explicit Steps(const Extent& tensor) {
    std::vector<int> dims;
    for (int d = 0; d < tensor.shape.rank(); ++d)
      if (tensor.shape[d] > 1 && tensor.strides[d] != 0) dims.push_back(d);
    std::ranges::stable_sort(dims,
                             [&](int a, int b) { return tensor.strides[a] > tensor.strides[b]; });
    for (const int d : dims) {
      extents.push_back(tensor.shape[d]);
      strides.push_back(tensor.strides[d]);
    }
  }
  /// Distance between the first element and the last.
  std::int64_t span() const {
    std::int64_t reach = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) reach += (extents[d] - 1) * strides[d];
    return reach;
  }
};

/// Whether `a` and `b` share an element: their distance is a sum of strides, each taken at most as
/// often as its extent allows. The search begins with the widest stride, which leaves few choices
/// if dimensions do not overlap. After too many tries the answer is yes.
class Meeting {
 public:
  Meeting(const Steps& a, const Steps& b) {
    // A step of `a` by k elements forward is a step of `b` backward.
    const auto add = [&](const Steps& steps, bool forwards) {
      for (std::size_t d = 0; d < steps.extents.size(); ++d)
        all_.push_back({steps.strides[d], forwards ? 0 : 1 - steps.extents[d],
                        forwards ? steps.extents[d] - 1 : 0});
    };
    add(a, true);
    add(b, false);
    std::ranges::stable_sort(all_,
                             [](const Step& x, const Step& y) { return x.stride > y.stride; });
    low_.assign(all_.size() + 1, 0);
    high_ = common_ = low_;
    for (std::size_t i = all_.size(); i-- > 0;) {
      low_[i] = low_[i + 1] + all_[i].least * all_[i].stride;
      high_[i] = high_[i + 1] + all_[i].most * all_[i].stride;
      common_[i] = std::gcd(common_[i + 1], all_[i].stride);
    }
  }

  bool reaches(std::int64_t distance, std::size_t from = 0) {
    if (++tried_ > kMostTried) return true;
    if (distance < low_[from] || distance > high_[from]) return false;
    if (from == all_.size()) return true;  // it is 0
    if (distance % common_[from] != 0) return false;
    const Step& step = all_[from];
    // Limits the steps to those that the remaining strides can compensate.
    const std::int64_t most = divideDown(distance - low_[from + 1], step.stride);
    const std::int64_t least = -divideDown(high_[from + 1] - distance, step.stride);
    for (std::int64_t k = std::max(step.least, least); k <= std::min(step.most, most); ++k)
      if (reaches(distance - k * step.stride, from + 1)) return true;
    return false;
  }

 private:
  static constexpr int kMostTried = 20000;
  struct Step {
    std::int64_t stride, least, most;
  };
  static std::int64_t divideDown(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && a < 0 ? 1 : 0);
  }

  std::vector<Step> all_;
  std::vector<std::int64_t> low_, high_, common_;  ///< for the steps from each index to the last
  int tried_ = 0;
};

}  // namespace

bool mayOverlap(const Extent& a, const Extent& b) {
  if (elementCount(a.shape) == 0 || elementCount(b.shape) == 0) return false;
  const Steps ofA(a), ofB(b);
  if (a.offset + ofA.span() < b.offset || b.offset + ofB.span() < a.offset) return false;
  return Meeting(ofA, ofB).reaches(b.offset - a.offset);
}

void checkWritten(const Op& op, const Shape& shape, const Strides& strides) {
  if (elementCount(shape) == 0) return;
  for (int d = 0; d < shape.rank(); ++d)
    if (shape[d] > 1 && strides[d] == 0)
      failProgram(op.place,
                  std::string(op.row->name) +
                      " in place: unsupported operation: more than one element of the written-to "
                      "tensor refers to a single memory location; clone() the tensor before "
                      "writing to it");
}

void checkOverlap(const Op& op, const Extent& written, const Extent& read) {
  const bool same = written.offset == read.offset && written.shape == read.shape &&
                    written.strides == read.strides;
  if (!same) checkApart(op, written, read);
}

void checkApart(const Op& op, const Extent& written, const Extent& read) {
  if (!mayOverlap(written, read)) return;
  failProgram(op.place,
              std::string(op.row->name) +
                  " in place: unsupported operation: some elements of the input tensor and the "
                  "written-to tensor refer to a single memory location; clone() the tensor before "
                  "performing the operation");
}

bool readsBesideWritten(const Program& program) {
  return std::ranges::any_of(program.ops, [&](const Op& op) {
    if (!op.writesInto()) return false;
    const ValueId root = writtenRoot(program, op.into), name = sameTensor(program, op.into);
    return std::ranges::any_of(op.operands, [&](const Operand& operand) {
      return reads(op, operand) && writtenRoot(program, operand.value) == root &&
             sameTensor(program, operand.value) != name;
    });
  });
}

}  // namespace fusebench

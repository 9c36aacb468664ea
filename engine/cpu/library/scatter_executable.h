// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/cpu/codegen/cpu_executable.h"
#include "engine/plan/library_call.h"

namespace fusebench::cpu {

/// A call that adds elements at the positions in an index, in our own loops. Each thread has its
/// own columns, in each of which elements are added in the order of the index: the bits do not
/// depend on the number of threads. Positions out of range are ignored.
class ScatterExecutable final : public CpuExecutable {
 public:
  explicit ScatterExecutable(LibraryCall call);

  void run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
           std::uint64_t* partials) const override;
  bool partials() const override { return false; }
  std::int64_t firstExtent(const std::int64_t* integers) const override;
  std::int64_t grain(const std::int64_t* integers) const override;
  double estimate(const std::int64_t* integers) const override;
  void finish(std::vector<std::uint64_t>&, int, const LaunchArguments&) const override {}
  std::size_t partialWords() const override { return 0; }

 protected:
  std::string findName() const override { return call_.name; }
  KernelTraffic findTraffic() const override { return trafficOf(call_); }

 private:
  LibraryCall call_;
};

}  // namespace fusebench::cpu

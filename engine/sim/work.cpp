// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sim/work.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/plan/kernel_nodes.h"
#include "engine/sim/collectives.h"

namespace fusebench::sim {
namespace {

constexpr double kWarpThreads = 32, kBlockThreads = 256;
/// Elements that a thread of a lone block reduces before it is worth having several blocks.
constexpr double kAlone = 8;
/// Blocks of a multiprocessor that a launch wants at most.
constexpr double kBlocksEach = 8;

/// Instructions of a primitive: those that are a routine take many, on units of their own.
void add(ElementWork& work, Primitive primitive, TypeClass type) {
  constexpr double kRoutine = 20;
  switch (primitive) {
    case Primitive::input:
    case Primitive::scalar:
    case Primitive::constant:
    case Primitive::carried:
      return;
    default:
      break;
  }
  if (info(primitive).routine || primitive == Primitive::div || primitive == Primitive::sqrt) {
    (type == TypeClass::float64 ? work.float64 : work.special) += kRoutine;
    return;
  }
  (type == TypeClass::float64                               ? work.float64
   : type == TypeClass::float32 || type == TypeClass::truth ? work.float32
                                                            : work.integer) += 1;
}

/// Number of tensors without a contiguous dimension: libraries do not accept them.
int stridedIn(const CallSizes& sizes) {
  return static_cast<int>(
      std::ranges::count_if(sizes.steps, [&](const std::vector<std::int64_t>& steps) {
        bool follows = false;
        for (std::size_t loop = 0; loop < steps.size() && loop < sizes.loops.size(); ++loop) {
          if (steps[loop] == 0 || sizes.loops[loop] == 1) continue;
          if (steps[loop] == 1) return false;
          follows = true;
        }
        return follows;
      }));
}

/// Products of so many multiplications are worth copying strided operands for, as on CUDA.
constexpr double kLeastToCopyFor = 64.0 * 64 * 64;

}  // namespace

void WorkModel::readLoops(const LoopNest& nest) {
  int next = 0;
  for (int dim = 0; dim < nest.rank(); ++dim) {
    const std::int64_t extent = nest.extents[dim];
    const bool open = extent == kAtLaunch;
    extents_.push_back({open ? 0 : extent, open ? next++ : -1, nest.reduced(dim)});
  }
  work_.reduces = nest.reducedMask != 0;
  traffic_ = KernelTraffic(nest);
}

WorkModel::WorkModel(const Kernel& kernel) {
  work_.kind = Work::Kind::compiled;
  readLoops(kernel);
  const std::vector<int> needed = numberNeeded(kernel);
  for (std::size_t node = 0; node < needed.size(); ++node)
    if (needed[node] >= 0)
      add(work_.element, kernel.body.nodes()[node].primitive, kernel.body.nodes()[node].type);
}

WorkModel::WorkModel(const OpList& list) {
  work_.kind = Work::Kind::opList;
  readLoops(list.kernel);
  for (const ListedOp& step : list.ops) {
    if (!step.row || !step.row->meaning) continue;
    ++work_.ops;
    ExprGraph graph;
    std::array<Expr, 3> operands;
    for (int o = 0; o < step.operandCount; ++o)
      operands[static_cast<std::size_t>(o)] = {
          &graph, graph.input(o, ((step.row->truthOperands >> o) & 1u) ? TypeClass::truth
                                                                       : TypeClass::float32)};
    std::vector<Expr> parameters;
    for (const double parameter : step.parameters)
      parameters.push_back({&graph, graph.constant(parameter)});
    step.row->meaning(
        Args({operands.data(), static_cast<std::size_t>(step.operandCount)}, parameters));
    for (const ExprNode& node : graph.nodes()) add(work_.element, node.primitive, node.type);
  }
}

WorkModel::WorkModel(const LibraryCall& call) : call_(call), traffic_(trafficOf(call)) {
  work_.kind = call.ofRanks() ? Work::Kind::links : Work::Kind::library;
  work_.what = call.ranks.kind;
}

Work WorkModel::of(const std::int64_t* integers, void* const* pointers) const {
  Work work = work_;
  if (work.kind == Work::Kind::empty) return work;
  work.elements = work.kept = 1;
  if (call_ && call_->ofRanks()) {
    work.elements = work.kept =
        static_cast<double>(elementsOf(*call_, call_->operands.size(), integers));
    const bool brings = work.what != Collective::barrier && work.what != Collective::reduceWait;
    if (brings && !call_->operands.empty()) {
      const std::size_t brought = call_->operands.size() - 1;
      work.bytes = static_cast<double>(elementsOf(*call_, brought, integers)) *
                   static_cast<double>(info(call_->dtype(brought)).size);
    }
    return work;
  }
  if (call_ && call_->scatter.is) {
    const ScatterSizes sizes = scatterSizesOf(*call_, integers);
    work.products = static_cast<double>(sizes.added);
    work.elements = work.kept = static_cast<double>(sizes.columnCount() * sizes.places);
  } else if (call_ && call_->order.is) {
    const OrderSizes sizes = orderSizesOf(*call_, integers);
    work.products = sizes.comparisons();
    work.elements = work.kept = static_cast<double>(sizes.rowCount() * sizes.length);
  } else if (call_) {
    const CallSizes sizes = sizesOf(*call_, integers);
    work.products = static_cast<double>(sizes.count());
    work.elements = work.kept = static_cast<double>(sizes.kept(call_->form));
    work.windows = !sizes.windowed.empty();
    const int strided = work.windows ? 0 : stridedIn(sizes);
    const bool isPool = work.windows && call_->operands.size() < 2;
    work.loops = isPool || (strided > 0 && work.products < kLeastToCopyFor);
    work.copies = work.loops ? 0 : strided;
    if (strided > 0) work.missing |= kElementOrder;
    for (std::size_t tensor = 0; work.windows && tensor < call_->tensors(); ++tensor)
      if (!liesPacked(*call_, tensor, integers)) work.missing |= kWindowLayout;
    for (const DType type : call_->operands)
      if (type != DType::float32 && type != DType::float64) work.missing |= kProductType;
    if (call_->search) work.missing |= kLibrarySearch;
  } else if (!traffic_.walksInOrder(integers)) {
    work.missing |= kElementOrder;
  }
  for (const Extent& extent : extents_) {
    const auto size =
        static_cast<double>(extent.position < 0 ? extent.known : integers[extent.position]);
    work.elements *= size;
    if (!extent.reduced) work.kept *= size;
  }
  const KernelBytes bytes = traffic_.of(integers, pointers);
  work.bytes = static_cast<double>(std::max<std::int64_t>(0, bytes.read) +
                                   std::max<std::int64_t>(0, bytes.written));
  return work;
}

Grid gridOf(const Work& work, const Parameters& device) {
  Grid grid;
  if (work.elements <= 0) return grid;
  grid.threads = std::min(kBlockThreads, std::ceil(work.elements / kWarpThreads) * kWarpThreads);
  const double most = device.multiprocessors * kBlocksEach;
  grid.blocks = std::clamp(std::ceil(work.elements / grid.threads), 1.0, most);
  if (work.reduces && work.kept > 0) {
    // For a single result one block takes several elements per thread before several blocks share
    // it.
    const double each = work.elements / work.kept;
    const double alone = kBlockThreads * kAlone;
    if (work.kept == 1 && each <= alone) grid.blocks = 1;
    grid.merges = each > alone && work.kept < 2 * device.multiprocessors;
  }
  grid.each = std::max(1.0, work.elements / (grid.blocks * grid.threads));
  return grid;
}

namespace {

/// On a device with no further data, a library takes every call.
bool byLoops(const Work& work, const Parameters& device) {
  return work.loops && device.loopProduct > 0;
}

/// Operands that are copied first, on a device of which it is known that its library is choosy.
int copiesOf(const Work& work, const Parameters& device) {
  return device.loopProduct > 0 ? work.copies : 0;
}

/// A library's call: tiles of the result go to the multiprocessors, so that few of them leave most
/// of the device idle.
double libraryNanoseconds(const Work& work, const Parameters& device) {
  if (byLoops(work, device)) {
    // Each thread computes one result. The position of a window takes longer to find than a row.
    constexpr double kOfWindows = 2.5;
    const double cost = work.windows ? kOfWindows : 1;
    const double each = work.kept > 0 ? work.products / work.kept : 0;
    return device.kernelFloor +
           std::max({cost * each * device.loopProduct, cost * work.products / device.loopRate,
                     work.bytes / device.bandwidth});
  }
  constexpr double kTile = 64.0 * 64.0;
  const double tiles = std::max(1.0, std::ceil(work.kept / kTile));
  const double busy = std::min(1.0, tiles / device.multiprocessors);
  // A copied operand is read and written once more.
  const double copied = copiesOf(work, device) * device.kernelFloor +
                        (copiesOf(work, device) > 0 ? 2 * work.bytes / device.bandwidth : 0);
  return device.kernelFloor + copied +
         std::max(work.products / (device.contractRate * busy), work.bytes / device.bandwidth);
}

/// Communication between ranks. A single rank only copies.
double linksNanoseconds(const Work& work, const Parameters& device) {
  if (work.what == Collective::reduceWait) return 0;
  const double copied = work.ranks > 1 ? work.copied : work.bytes;
  return device.kernelFloor + linkNanoseconds(work.what, work.bytes, work.ranks, device) +
         2 * copied / device.bandwidth;
}

}  // namespace

double nanoseconds(const Work& work, const Parameters& device) {
  if (work.kind == Work::Kind::library) return libraryNanoseconds(work, device);
  if (work.kind == Work::Kind::links) return linksNanoseconds(work, device);
  if (work.kind == Work::Kind::empty || work.elements <= 0) return device.kernelFloor;
  const bool list = work.kind == Work::Kind::opList;
  const Grid grid = gridOf(work, device);
  const double threads = grid.blocks * grid.threads;
  // Threads beyond those that run at a time come after them.
  const double waves =
      std::max(1.0, std::ceil(threads / (device.multiprocessors * device.threadsEach)));
  // Waiting for loads is part of the floor; elements of a thread overlap except for their
  // instructions.
  const double thread = list ? work.ops * device.interpreterOp * waves * std::min(grid.each, 2.0)
                             : work.element.all() * device.instruction * waves * grid.each;
  const double more = list ? device.interpreterThroughput : 1;
  const double instructions =
      work.elements * more *
      (work.element.float32 / device.float32Rate + work.element.float64 / device.float64Rate +
       work.element.integer / device.integerRate + work.element.special / device.specialRate);
  const double fits = work.bytes <= device.cacheBytes ? device.cacheBandwidth : device.bandwidth;
  const double bytes = work.bytes / std::max(fits, device.bandwidth);
  double time = device.kernelFloor + std::max({thread, instructions, bytes});
  if (list) time += device.interpreterFloor;
  if (work.reduces) {
    const double together = std::min(grid.threads, std::max(1.0, work.elements / work.kept));
    time += std::log2(std::max(together, 1.0)) * device.reduceStep;
    if (grid.merges) time += device.merge;
  }
  return time;
}

double hostNanoseconds(const Work& work, const Parameters& device) {
  if (work.kind != Work::Kind::library || byLoops(work, device)) return 0;
  return device.libraryCall + copiesOf(work, device) * device.launch;
}

double share(const Work& work, const Parameters& device) {
  const Grid grid = gridOf(work, device);
  return std::clamp(grid.blocks * grid.threads / (device.multiprocessors * device.threadsEach),
                    1e-6, 1.0);
}

}  // namespace fusebench::sim

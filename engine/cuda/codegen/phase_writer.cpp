// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/phase_writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/cuda/codegen/accumulator_text.h"
#include "engine/cuda/codegen/loop_writer.h"
#include "engine/cuda/codegen/typed_text.h"

namespace fusebench::cuda {
namespace {

TypedAccumulator accumulatorFor(const KernelOutput& output) {
  return {output.accumulate, output.accumulated};
}

/// A block has up to so many rows: one for each group of the fewest threads that share one.
constexpr std::string_view kToRow =
    R"(// What the thread with threadIdx.x = 0 has of a row, for all threads of the row.
template <class State>
static __device__ __forceinline__ State toRow(const State mine) {
  __shared__ State rows[128];
  __syncthreads();  // readers of an earlier one are done
  if (threadIdx.x == 0) rows[threadIdx.y] = mine;
  __syncthreads();
  return rows[threadIdx.y];
}
)";

}  // namespace

PhaseWriter::PhaseWriter(KernelFacts& facts, const SourceOptions& options, SourceText& text)
    : facts_(facts), text_(text), split_(phasesOf(facts.kernel, nullptr)) {
  for (int dim = 0; dim < facts.kernel.rank(); ++dim)
    (facts.kernel.reduced(dim) ? reduced_ : kept_).push_back(dim);
  int number = 0;
  for (const KernelPhase& loop : split_.loops) {
    ++number;
    add(loop, options, fmt::format("phase{}", number),
        fmt::format("One element of a row in phase {}.", number));
  }
  if (!split_.last.kernel.outputs.empty())
    add(split_.last, options, "atLast", "What is of the row, after all phases.");
}

void PhaseWriter::add(const KernelPhase& said, const SourceOptions& options,
                      const std::string& name, const std::string& comment) {
  Phase& phase = phases_.emplace_back(Phase{&said, KernelFacts(said.kernel, options), nullptr});
  nameAsWhole(phase);
  phase.element = std::make_unique<ElementFunction>(phase.facts, facts_.names.make(name), comment);
}

void PhaseWriter::nameAsWhole(Phase& phase) const {
  KernelFacts& own = phase.facts;
  own.whole = &facts_;
  own.index = facts_.index;
  own.extents = facts_.extents;
  own.indices = facts_.indices;
  own.scalars = facts_.scalars;
  own.carried = facts_.carried;
  for (std::size_t t = 0; t < phase.said->tensors.size(); ++t) {
    const int tensor = phase.said->tensors[t];
    if (tensor == KernelPhase::kNowhere) continue;
    own.pointers[t] = facts_.pointers[static_cast<std::size_t>(tensor)];
    own.strides[t] = facts_.strides[static_cast<std::size_t>(tensor)];
  }
}

std::vector<bool> PhaseWriter::primitives() const {
  std::vector<bool> used(kPrimitives, false);
  for (const Phase& phase : phases_)
    for (std::size_t p = 0; p < used.size(); ++p)
      used[p] = used[p] || phase.element->primitives()[p];
  return used;
}

bool PhaseWriter::vectors() const {
  return std::ranges::any_of(split_.loops, [&](const KernelPhase& loop) {
    const auto found = std::ranges::find(phases_, &loop, &Phase::said);
    KernelFacts facts = found->facts;
    return LoopWriter(facts, *found->element, text_, kept_, reduced_).vectors();
  });
}

void PhaseWriter::writeFunctions() const {
  for (const Phase& phase : phases_) phase.element->write(text_);
}

void PhaseWriter::writeHelpers() const {
  std::vector<std::string> written;
  for (const KernelOutput& carried : facts_.kernel.carried) {
    const TypedAccumulator kind = accumulatorFor(carried);
    if (std::ranges::find(written, kind.state()) != written.end()) continue;
    written.push_back(kind.state());
    text_.block(kind.definition());
  }
  text_.block(acrossRowText());
  text_.block(kToRow);
}

void PhaseWriter::writePhase(Phase& phase) {
  const Kernel& kernel = phase.said->kernel;
  struct Gathered {
    const KernelOutput* output;
    std::size_t number;
    std::string gathering, state;
  };
  std::vector<Gathered> all;
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o) {
    if (!kernel.outputs[o].reduces) continue;
    const TypedAccumulator kind = accumulatorFor(kernel.outputs[o]);
    const int carried = phase.said->carried[o];
    const std::string state = facts_.names.make(fmt::format("state{}", carried));
    const std::string gathering = kind.gathering() == kind.state()
                                      ? state
                                      : facts_.names.make(fmt::format("gathering{}", carried));
    all.push_back({&kernel.outputs[o], o, gathering, state});
    text_.line(fmt::format("{} {} = {};", kind.gathering(), gathering, kind.nothing()));
  }
  const auto adds = [&](const std::vector<std::string>& results, bool four) {
    StatementComments comments(text_, facts_.program);
    for (const Gathered& each : all) {
      const TypedAccumulator kind = accumulatorFor(*each.output);
      const std::string& value = results[phase.element->resultOf(each.number)];
      const std::string place = !info(each.output->accumulate).positions ? ""
                                : four                                   ? ", 4 * i + k"
                                                                         : ", i";
      comments.before(each.output->op);
      if (!four || kind.addsFour()) {
        text_.line(fmt::format("add({}, {}{});", each.gathering, value, place), each.output->op);
        continue;
      }
      text_.line("#pragma unroll", each.output->op);
      text_.line(fmt::format("for (int k = 0; k < 4; ++k) add({}, {}[k]{});", each.gathering, value,
                             place),
                 each.output->op);
    }
  };
  // A block of its own: phases have names of their loops in common.
  text_.open(kept_.empty() ? "if (length > 0)" : "if (row < rows)");
  LoopWriter::writeIndices(facts_, text_, kept_, "row", false);
  LoopWriter loop(phase.facts, *phase.element, text_, kept_, reduced_);
  loop.write(
      "length", "lane", "lanes", [&](const auto& results) { adds(results, false); },
      [&](const auto& results) { adds(results, true); });
  text_.close();
  for (const Gathered& each : all) {
    const TypedAccumulator kind = accumulatorFor(*each.output);
    const std::string mine =
        each.gathering == each.state ? each.gathering : fmt::format("gathered({})", each.gathering);
    const std::string made = facts_.names.make(each.state + "_row");
    text_.line(fmt::format("const {} {} = toRow(acrossRow({}));", kind.state(), made, mine));
    const AccumulatorText& words = accumulatorText(each.output->accumulate);
    const std::string count =
        words.count.empty() ? "(double)length" : fmt::format("{}.{}", made, words.count);
    const auto carried = static_cast<std::size_t>(phase.said->carried[each.number]);
    text_.line(
        fmt::format("const {} {} = {};", classText(classOf(each.output->tensor.dtype)),
                    facts_.carried[carried],
                    carriedText(*each.output, fmt::format("{}.{}", made, words.result), count)),
        each.output->op);
  }
}

void PhaseWriter::writeLast() {
  text_.open(kept_.empty() ? "if (threadIdx.x == 0)" : "if (threadIdx.x == 0 && row < rows)");
  LoopWriter::writeIndices(facts_, text_, kept_, "row", false);
  writeOfRow();
  text_.close();
}

void PhaseWriter::writeOfRow() {
  Phase& phase = phases_.back();
  LoopWriter(phase.facts, *phase.element, text_, kept_, reduced_).writeOnce("1", "0");
}

void PhaseWriter::writeEntry(const std::string& name) {
  const std::string& index = facts_.index;
  text_.line("// Rows of threads, each of which goes along one row once a phase.");
  text_.line(fmt::format("extern \"C\" __global__ void __launch_bounds__({})", kRowThreads));
  text_.open(fmt::format("{}({})", name, facts_.parameters(true)));
  text_.line(fmt::format("const {} length = {};", index, facts_.product(reduced_)));
  text_.line(fmt::format("const {0} lane = ({0})threadIdx.x;", index));
  text_.line(fmt::format("const {0} lanes = ({0})blockDim.x;", index));
  if (!kept_.empty()) {
    text_.line(fmt::format("const {} rows = {};", index, facts_.product(kept_)));
    text_.open(
        fmt::format("for ({0} first = ({0})blockIdx.x * blockDim.y; first < rows; "
                    "first += ({0})gridDim.x * blockDim.y)",
                    index));
    text_.line(fmt::format("const {} row = first + threadIdx.y;", index));
  }
  for (std::size_t p = 0; p < split_.loops.size(); ++p) writePhase(phases_[p]);
  if (phases_.size() > split_.loops.size()) writeLast();
  if (!kept_.empty()) text_.close();
  text_.close();
}

}  // namespace fusebench::cuda

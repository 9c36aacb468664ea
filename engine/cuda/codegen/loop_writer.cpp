// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/loop_writer.h"

#include <fmt/format.h>

#include "engine/cuda/codegen/typed_text.h"
#include "engine/ops/accumulators.h"

namespace fusebench::cuda {
namespace {

std::string withoutPlus(const std::string& offset) {
  return offset.empty() ? "0" : offset.substr(3);
}

}  // namespace

LoopWriter::LoopWriter(KernelFacts& facts, const ElementFunction& element, SourceText& text,
                       std::vector<int> outer, std::vector<int> order)
    : facts_(facts),
      element_(element),
      text_(text),
      outer_(std::move(outer)),
      order_(std::move(order)) {
  std::vector<bool> touched(facts_.tensors(), false);
  for (std::size_t t : element_.inputs()) touched[t] = !facts_.kernel.inputs[t].indexed;
  bool positions = false;
  for (std::size_t o = 0; o < facts_.kernel.outputs.size(); ++o) {
    const KernelOutput& output = facts_.kernel.outputs[o];
    touched[facts_.kernel.inputs.size() + o] = !output.reduces;
    positions |= output.reduces && info(output.accumulate).positions;
  }
  path_ = vectorPath(facts_, order_, order_.back(), touched);
  // Positions count in the order of the dimensions: four neighbours must be four in a row.
  for (std::size_t d = 1; positions && d < order_.size(); ++d)
    path_.possible &= order_[d - 1] < order_[d];
}

std::vector<int> LoopWriter::allDims() const {
  std::vector<int> dims = outer_;
  dims.insert(dims.end(), order_.begin(), order_.end());
  return dims;
}

void LoopWriter::writeIndices(const KernelFacts& facts, SourceText& text,
                              const std::vector<int>& dims, const std::string& running, bool four) {
  const auto define = [&](std::size_t d, const std::string& value) {
    text.line(fmt::format("const {} {} = {};", facts.index,
                          facts.indices[static_cast<std::size_t>(dims[d])], value));
  };
  const std::string times = four ? "4 * " : "";
  if (dims.empty()) return;
  if (dims.size() == 1) return define(0, times + running);
  text.line(fmt::format("{} rest = {};", facts.index, running));
  for (std::size_t d = dims.size() - 1; d > 0; --d) {
    const bool last = d + 1 == dims.size();
    define(d, fmt::format("{}digit(rest, {}{})", last ? times : "",
                          facts.extents[static_cast<std::size_t>(dims[d])],
                          last && four ? " / 4" : ""));
  }
  define(0, "rest");
}

std::string LoopWriter::element(const KernelFacts& facts, std::size_t t,
                                const std::vector<int>& dims) {
  if (facts.tensor(t).counts)
    return fmt::format("({}{})", facts.pointers[t], facts.offset(t, dims));
  return fmt::format("{}[{}]", facts.pointers[t], withoutPlus(facts.offset(t, dims)));
}

void LoopWriter::storeResults(const std::vector<std::string>& results, bool four,
                              const Kept* kept) {
  const Kernel& kernel = facts_.kernel;
  StatementComments comments(text_, facts_.program);
  for (std::size_t o = 0; o < kernel.outputs.size(); ++o) {
    const KernelOutput& output = kernel.outputs[o];
    if (output.reduces) continue;
    const std::size_t t = kernel.inputs.size() + o;
    const std::string& result = results[element_.resultOf(o)];
    if (kept && !kept->results[o].empty()) {
      text_.line("#pragma unroll", output.op);
      text_.line(
          fmt::format("for (int k = 0; k < 4; ++k) {}[j][k] = {}[k];", kept->results[o], result),
          output.op);
      continue;
    }
    if (four)
      text_.line(
          fmt::format("store4({}{}, {});", facts_.pointers[t], facts_.offset(t, allDims()), result),
          output.op);
    else
      text_.line(fmt::format("{} = {};", element(facts_, t, allDims()),
                             storableText(output.tensor.dtype, result)),
                 output.op);
  }
}

/// One element's results, in variables of these names.
std::vector<std::string> LoopWriter::computeOne() {
  writeIndices(facts_, text_, order_, "i", false);
  std::vector<std::string> values, results;
  for (std::size_t t : element_.inputs()) {
    values.push_back(
        facts_.kernel.inputs[t].indexed
            ? fmt::format("{}{}", facts_.pointers[t], facts_.offset(t, allDims()))
            : loadedText(facts_.kernel.inputs[t].dtype, element(facts_, t, allDims())));
  }
  for (const auto& result : element_.results()) {
    results.push_back(result.name);
    text_.line(fmt::format("{} {};", classText(result.type), result.name));
  }
  text_.line(element_.call(values, results));
  return results;
}

void LoopWriter::writeOne(const Use& use) {
  const std::vector<std::string> results = computeOne();
  storeResults(results, false);
  if (use) use(results);
}

void LoopWriter::writeFirst(const Use& use) {
  text_.line(fmt::format("const {} i = 0;", facts_.index));
  use(computeOne());
}

void LoopWriter::openFours(int fours, const std::string& lane, const std::string& lanes) {
  text_.line("#pragma unroll");
  text_.open(fmt::format("for (int j = 0; j < {}; ++j)", fours));
  text_.line(fmt::format("const {} i = j * {} + {};", facts_.index, lanes, lane));
}

void LoopWriter::writeKeeping(const Kept& kept, const std::string& count, const std::string& lane,
                              const std::string& lanes) {
  openFours(kept.fours, lane, lanes);
  text_.open(fmt::format("if (i < {} / 4)", count));
  writeIndices(facts_, text_, order_, "i", true);
  for (std::size_t t = 0; t < kept.arrays.size(); ++t)
    if (!kept.arrays[t].empty())
      text_.line(fmt::format("load4({}[j], {}{});", kept.arrays[t], facts_.pointers[t],
                             facts_.offset(t, allDims())));
  text_.close();
  text_.close();
}

void LoopWriter::writeKept(const Kept& kept, const std::string& count, const std::string& lane,
                           const std::string& lanes, const Use& four) {
  openFours(kept.fours, lane, lanes);
  // What is the same for all of the row is computed by the first, which all others come after.
  text_.line(fmt::format("if (i >= {} / 4) break;", count));
  writeFour(four, &kept);
  text_.close();
}

void LoopWriter::writeFour(const Use& use, const Kept* kept) {
  writeIndices(facts_, text_, order_, "i", true);
  const int dim = order_.back();
  std::vector<std::string> values, results, names;
  for (std::size_t t : element_.inputs()) {
    const KernelTensor& input = facts_.kernel.inputs[t];
    const std::string& name = facts_.inputNames[t];
    if (kept && !kept->arrays[t].empty()) {
      values.push_back(kept->arrays[t] + "[j][k]");
      continue;
    }
    if (input.indexed) {
      const std::string step =
          input.strides[dim] == 0
              ? std::string()
              : fmt::format(" + k * {}", facts_.strides[t][static_cast<std::size_t>(dim)]);
      values.push_back(
          fmt::format("{}{}{}", facts_.pointers[t], facts_.offset(t, allDims()), step));
      continue;
    }
    if (input.counts && input.strides[dim] != 0) {
      text_.line(fmt::format("const long long {} = {};", name, element(facts_, t, allDims())));
      values.push_back(
          fmt::format("{} + k * {}", name, facts_.strides[t][static_cast<std::size_t>(dim)]));
      continue;
    }
    if (input.strides[dim] == 0) {
      text_.line(fmt::format("const {} {} = {};", classText(classOf(input.dtype)), name,
                             loadedText(input.dtype, element(facts_, t, allDims()))));
      values.push_back(name);
      continue;
    }
    text_.line(fmt::format("{} {}[4];", classText(classOf(input.dtype)), name));
    text_.line(
        fmt::format("load4({}, {}{});", name, facts_.pointers[t], facts_.offset(t, allDims())));
    values.push_back(name + "[k]");
  }
  for (const auto& result : element_.results()) {
    text_.line(fmt::format("{} {}[4];", classText(result.type), result.name));
    names.push_back(result.name);
    results.push_back(result.name + "[k]");
  }
  text_.line("#pragma unroll");
  text_.line("for (int k = 0; k < 4; ++k) " + element_.call(values, results));
  storeResults(names, true, kept);
  if (use) use(names);
}

void LoopWriter::write(const std::string& count, const std::string& lane, const std::string& lanes,
                       const Use& one, const Use& four) {
  const std::string& index = facts_.index;
  std::string begin = lane;
  if (path_.possible) {
    std::string condition = fmt::format("{} > {}", count, lanes);
    for (const std::string& each : path_.conditions) condition += " && " + each;
    text_.line(fmt::format("{} done = 0;", index));
    text_.line("// Four at a time where all is aligned and each thread has several to do.");
    text_.open(fmt::format("if ({})", condition));
    text_.line(fmt::format("#pragma unroll {}", unrollFours_));
    text_.open(fmt::format("for ({0} i = {1}; i < {2} / 4; i += {3})", index, lane, count, lanes));
    writeFour(four);
    text_.close();
    text_.line(fmt::format("done = {0} / 4 * 4;", count));
    text_.close();
    begin = "done + " + lane;
  }
  text_.line(fmt::format("#pragma unroll {}", unroll_));
  text_.open(fmt::format("for ({0} i = {1}; i < {2}; i += {3})", index, begin, count, lanes));
  writeOne(one);
  text_.close();
}

void LoopWriter::writeOnce(const std::string& count, const std::string& lane) {
  text_.line(fmt::format("const {} i = {};", facts_.index, lane));
  text_.open(fmt::format("if (i < {})", count));
  writeOne({});
  text_.close();
}

std::string_view wideDigitText() {
  return R"(// The last digit of a number whose digits count up to extent; `rest` loses it.
static __device__ __forceinline__ long long digit(long long& rest, const long long extent) {
  const long long number = rest;
  if (((number | extent) >> 32) == 0) {  // a 64-bit division is many instructions
    rest = (unsigned)number / (unsigned)extent;
    return (unsigned)number % (unsigned)extent;
  }
  rest = number / extent;
  return number % extent;
}
)";
}

std::string loopHelpers(const KernelFacts& facts, bool vectors) {
  std::string text;
  if (facts.kernel.rank() > 1) {
    if (facts.index == "int") {
      text +=
          "// The last digit of a number whose digits count up to extent; `rest` loses it.\n"
          "static __device__ __forceinline__ int digit(int& rest, const int extent) {\n"
          "  const int last = rest % extent;\n"
          "  rest /= extent;\n"
          "  return last;\n"
          "}\n\n";
    } else {
      text += wideDigitText();
      text += '\n';
    }
  }
  if (!vectors) return text;
  bool floats = false, truths = false;
  for (std::size_t t = 0; t < facts.tensors(); ++t) {
    floats |= facts.tensor(t).dtype == DType::float32;
    truths |= facts.tensor(t).dtype == DType::boolean;
  }
  if (floats)
    text +=
        "static __device__ __forceinline__ bool aligned(const float* pointer) {\n"
        "  return (reinterpret_cast<unsigned long long>(pointer) & 15) == 0;\n"
        "}\n"
        "static __device__ __forceinline__ void load4(float (&to)[4], const float* from) {\n"
        "  const float4 four = *reinterpret_cast<const float4*>(from);\n"
        "  to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;\n"
        "}\n"
        "static __device__ __forceinline__ void store4(float* to, const float (&from)[4]) {\n"
        "  float4 four;\n"
        "  four.x = from[0], four.y = from[1], four.z = from[2], four.w = from[3];\n"
        "  *reinterpret_cast<float4*>(to) = four;\n"
        "}\n\n";
  if (truths)
    text +=
        "static __device__ __forceinline__ bool aligned(const unsigned char* pointer) {\n"
        "  return (reinterpret_cast<unsigned long long>(pointer) & 3) == 0;\n"
        "}\n"
        "static __device__ __forceinline__ void load4(bool (&to)[4], const unsigned char* from) {\n"
        "  const uchar4 four = *reinterpret_cast<const uchar4*>(from);\n"
        "  to[0] = four.x != 0, to[1] = four.y != 0, to[2] = four.z != 0, to[3] = four.w != 0;\n"
        "}\n"
        "static __device__ __forceinline__ void store4(unsigned char* to, const bool (&from)[4]) "
        "{\n"
        "  uchar4 four;\n"
        "  four.x = from[0], four.y = from[1], four.z = from[2], four.w = from[3];\n"
        "  *reinterpret_cast<uchar4*>(to) = four;\n"
        "}\n\n";
  return text;
}

}  // namespace fusebench::cuda

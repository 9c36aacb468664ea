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
                       std::vector<int> outer, std::vector<int> order, int width)
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
  path_ = vectorPath(facts_, order_, order_.back(), touched, width);
  // Positions count in the order of the dimensions: adjacent elements must follow each other in it.
  for (std::size_t d = 1; positions && d < order_.size(); ++d)
    path_.possible &= order_[d - 1] < order_[d];
}

std::vector<int> LoopWriter::allDims() const {
  std::vector<int> dims = outer_;
  dims.insert(dims.end(), order_.begin(), order_.end());
  return dims;
}

void LoopWriter::writeIndices(const KernelFacts& facts, SourceText& text,
                              const std::vector<int>& dims, const std::string& running, int width) {
  const auto define = [&](std::size_t d, const std::string& value) {
    text.line(fmt::format("const {} {} = {};", facts.index,
                          facts.indices[static_cast<std::size_t>(dims[d])], value));
  };
  const std::string times = width > 1 ? fmt::format("{} * ", width) : "";
  if (dims.empty()) return;
  if (dims.size() == 1) return define(0, times + running);
  text.line(fmt::format("{} rest = {};", facts.index, running));
  for (std::size_t d = dims.size() - 1; d > 0; --d) {
    const bool last = d + 1 == dims.size();
    define(d, fmt::format("{}digit(rest, {}{})", last ? times : "",
                          facts.extents[static_cast<std::size_t>(dims[d])],
                          last && width > 1 ? fmt::format(" / {}", width) : ""));
  }
  define(0, "rest");
}

std::string LoopWriter::element(const KernelFacts& facts, std::size_t t,
                                const std::vector<int>& dims) {
  if (facts.tensor(t).counts)
    return fmt::format("({}{})", facts.pointers[t], facts.offset(t, dims));
  return fmt::format("{}[{}]", facts.pointers[t], withoutPlus(facts.offset(t, dims)));
}

void LoopWriter::storeResults(const std::vector<std::string>& results, bool several,
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
      text_.line(fmt::format("for (int k = 0; k < {}; ++k) {}[j][k] = {}[k];", path_.width,
                             kept->results[o], result),
                 output.op);
      continue;
    }
    if (several)
      text_.line(storeVectorText(output.tensor.dtype, path_.width,
                                 facts_.pointers[t] + facts_.offset(t, allDims()), result),
                 output.op);
    else
      text_.line(fmt::format("{} = {};", element(facts_, t, allDims()),
                             storableText(output.tensor.dtype, result)),
                 output.op);
  }
}

/// One element's results, in variables of these names.
std::vector<std::string> LoopWriter::computeOne() {
  writeIndices(facts_, text_, order_, "i");
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

void LoopWriter::openVectors(int vectors, const std::string& lane, const std::string& lanes) {
  text_.line("#pragma unroll");
  text_.open(fmt::format("for (int j = 0; j < {}; ++j)", vectors));
  text_.line(fmt::format("const {} i = j * {} + {};", facts_.index, lanes, lane));
}

void LoopWriter::writeKeeping(const Kept& kept, const std::string& count, const std::string& lane,
                              const std::string& lanes) {
  openVectors(kept.vectors, lane, lanes);
  text_.open(fmt::format("if (i < {} / {})", count, path_.width));
  writeIndices(facts_, text_, order_, "i", path_.width);
  for (std::size_t t = 0; t < kept.arrays.size(); ++t)
    if (!kept.arrays[t].empty())
      text_.line(loadVectorText(facts_.kernel.inputs[t].dtype, path_.width, kept.arrays[t] + "[j]",
                                facts_.pointers[t] + facts_.offset(t, allDims())));
  text_.close();
  text_.close();
}

void LoopWriter::writeKept(const Kept& kept, const std::string& count, const std::string& lane,
                           const std::string& lanes, const Use& several) {
  openVectors(kept.vectors, lane, lanes);
  // The first vector computes the values that are the same all along the row; all others come after
  // it.
  text_.line(fmt::format("if (i >= {} / {}) break;", count, path_.width));
  writeSeveral(several, &kept);
  text_.close();
}

void LoopWriter::writeSeveral(const Use& use, const Kept* kept) {
  writeIndices(facts_, text_, order_, "i", path_.width);
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
    text_.line(fmt::format("{} {}[{}];", classText(classOf(input.dtype)), name, path_.width));
    text_.line(loadVectorText(input.dtype, path_.width, name,
                              facts_.pointers[t] + facts_.offset(t, allDims())));
    values.push_back(name + "[k]");
  }
  for (const auto& result : element_.results()) {
    text_.line(fmt::format("{} {}[{}];", classText(result.type), result.name, path_.width));
    names.push_back(result.name);
    results.push_back(result.name + "[k]");
  }
  text_.line("#pragma unroll");
  text_.line(fmt::format("for (int k = 0; k < {}; ++k) ", path_.width) +
             element_.call(values, results));
  storeResults(names, true, kept);
  if (use) use(names);
}

void LoopWriter::write(const std::string& count, const std::string& lane, const std::string& lanes,
                       const Use& one, const Use& several) {
  const std::string& index = facts_.index;
  std::string begin = lane;
  if (path_.possible) {
    std::string condition = fmt::format("{} > {}", count, lanes);
    for (const std::string& each : path_.conditions) condition += " && " + each;
    text_.line(fmt::format("{} done = 0;", index));
    text_.line(
        fmt::format("// {} at a time where all is aligned and each thread has several to do.",
                    path_.width == kWideVector ? "Eight"
                    : path_.width == kVector   ? "Four"
                                               : "Two"));
    text_.open(fmt::format("if ({})", condition));
    text_.line(fmt::format("#pragma unroll {}", unrollVectors_));
    text_.open(fmt::format("for ({0} i = {1}; i < {2} / {3}; i += {4})", index, lane, count,
                           path_.width, lanes));
    writeSeveral(several);
    text_.close();
    text_.line(fmt::format("done = {0} / {1} * {1};", count, path_.width));
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

std::string loopHelpers(const KernelFacts& facts, int width) {
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
  if (width <= 1) return text;
  std::vector<DType> dtypes;
  for (std::size_t t = 0; t < facts.tensors(); ++t) dtypes.push_back(facts.tensor(t).dtype);
  text += vectorHelpers(dtypes, width);
  return text;
}

}  // namespace fusebench::cuda

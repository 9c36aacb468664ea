// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/contraction_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/codegen/call_text.h"
#include "engine/cuda/codegen/kernel_facts.h"
#include "engine/cuda/codegen/source_text.h"
#include "engine/cuda/codegen/typed_text.h"

namespace fusebench::cuda {
namespace {

using DimKind = ContractDim::Kind;

/// Whether its terms are products of int8 alone, at one place of each factor.
bool sumsBytes(const LibraryCall& call) {
  if (call.accumulate != Accumulate::sum || call.average || call.form.addend >= 0 ||
      call.operands != std::vector{DType::int8, DType::int8} || call.result != DType::int32 ||
      call.settings.alpha != 1 || call.tail != Tail::none ||
      call.form.kept == call.form.letters.size())
    return false;
  for (const std::vector<ContractDim>& dims : call.form.tensors)
    for (const ContractDim& dim : dims)
      if (dim.kind != DimKind::loop) return false;
  return true;
}

constexpr std::string_view kFourProducts =
    R"(// Four bytes times four, added up: an instruction from compute capability 6.1 on.
static __device__ __forceinline__ int fourProducts(const int a, const int b, int sum) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 610
  for (int shift = 0; shift < 32; shift += 8)
    sum += (int)(signed char)(a >> shift) * (int)(signed char)(b >> shift);
  return sum;
#else
  return __dp4a(a, b, sum);
#endif
}
)";

/// Writes one call's kernel, line by line.
class ContractionWriter {
 public:
  explicit ContractionWriter(const LibraryCall& call)
      : call_(call), type_(classText(classOf(call.result))) {
    for (std::size_t t = 0; t < call.operands.size(); ++t)
      if (static_cast<int>(t) != call.form.addend) factors_.push_back(t);
  }

  Source write() {
    Source source;
    const std::string name = "contract_" + identifier(call_.name);
    std::vector<DType> stored(call_.operands);
    stored.push_back(call_.result);
    if (const std::string helpers = typedHelpers(stored); !helpers.empty()) text_.block(helpers);
    if (sumsBytes(call_)) text_.block(std::string(kFourProducts));
    text_.open(callOpening(call_, name));
    loops();
    text_.line("long long total = 1;");
    for (std::size_t l = 0; l < call_.form.kept; ++l)
      text_.line(fmt::format("total *= {};", count(call_.form.letters[l])));
    const bool bytes = sumsBytes(call_);
    const std::string thread = "(long long)blockIdx.x * blockDim.x + threadIdx.x";
    const std::string threads = "(long long)gridDim.x * blockDim.x";
    text_.open(bytes
                   ? fmt::format("for (long long at = ({0}) / {2}; at < total; at += {1} / {2})",
                                 thread, threads, kWarp)
                   : fmt::format("for (long long at = {}; at < total; at += {})", thread, threads));
    text_.line("long long rest = at;");
    for (std::size_t l = call_.form.kept; l-- > 0;) {
      const char letter = call_.form.letters[l];
      text_.line(fmt::format("const long long {} = rest % {};", place(letter), count(letter)));
      text_.line(fmt::format("rest /= {};", count(letter)));
    }
    if (bytes) {
      dotProducts();
    } else {
      sums();
      store();
    }
    text_.close();
    text_.close();
    source.text = text_.takeText();
    source.lineOps = text_.takeOps();
    source.entries = {{name, Role::elements, kContractionThreads}};
    source.loops.role = Role::elements;
    return source;
  }

 private:
  // Letters of either case: two identifiers.
  static std::string count(char letter) { return fmt::format("n_{}{}", letter, cased(letter)); }
  static std::string place(char letter) { return fmt::format("i_{}{}", letter, cased(letter)); }
  static const char* cased(char letter) { return letter >= 'a' ? "" : "_"; }
  static std::string windowPlace(int window) { return fmt::format("w{}", window); }

  /// How often each loop goes: those that are kept as the result says.
  void loops() {
    const std::size_t result = call_.operands.size();
    const std::int64_t groups = call_.settings.groups;
    std::string known;
    const auto set = [&](char letter, const std::string& value) {
      if (known.find(letter) != std::string::npos) return;
      known += letter;
      text_.line(fmt::format("const long long {} = {};", count(letter), value));
    };
    const auto each = [&](std::size_t tensor, bool windows) {
      for (std::size_t d = 0; d < call_.rank(tensor); ++d) {
        const ContractDim& dim = call_.form.tensors[tensor][d];
        if (dim.kind == DimKind::loop) set(dim.outer, extentName(tensor, d));
        if (dim.kind == DimKind::split) {
          set(dim.outer, fmt::format("{}", groups));
          set(dim.inner, fmt::format("{} / {}", extentName(tensor, d), groups));
        }
        if ((dim.kind == DimKind::window || dim.kind == DimKind::spread) && windows)
          set(dim.inner,
              fmt::format("{}", call_.settings.kernel[static_cast<std::size_t>(dim.window)]));
      }
    };
    each(result, false);
    // Weights say what windows go over; where there are none, the settings do.
    for (const std::size_t t : factors_) each(t, false);
    for (const std::size_t t : factors_)
      if (!call_.settings.kernel.empty()) each(t, true);
  }

  /// Where an element is.
  std::string offset(std::size_t tensor) const {
    std::string text;
    for (std::size_t d = 0; d < call_.rank(tensor); ++d) {
      const ContractDim& dim = call_.form.tensors[tensor][d];
      std::string at = place(dim.outer);
      if (dim.kind == DimKind::split)
        at = fmt::format("({} * {} + {})", at, count(dim.inner), place(dim.inner));
      if (dim.kind == DimKind::window || dim.kind == DimKind::spread) at = windowPlace(dim.window);
      std::string term = fmt::format("{} * {}", at, strideName(tensor, d));
      const bool repeats = dim.batch || static_cast<int>(tensor) == call_.form.addend;
      if (repeats && tensor < call_.operands.size())
        term = fmt::format("({} == 1 ? 0 : {})", extentName(tensor, d), term);
      text += (text.empty() ? "" : " + ") + term;
    }
    return text.empty() ? "0" : text;
  }

  /// An element, as what is computed with: integers become int by C++'s own rule.
  std::string loaded(std::size_t tensor, const std::string& at) const {
    return loadedText(call_.dtype(tensor), fmt::format("p{}[{}]", tensor, at));
  }

  /// A warp's lanes go along the last loop next to each other: with sixteen, four, or one byte each
  /// at a time, as the factors' layouts allow.
  void dotProducts() {
    const char depth = call_.form.letters.back();
    text_.line(fmt::format("const int lane = threadIdx.x % {};", kWarp));
    text_.line("int sum = 0;");
    for (std::size_t l = call_.form.kept; l + 1 < call_.form.letters.size(); ++l) {
      const char letter = call_.form.letters[l];
      text_.open(
          fmt::format("for (long long {0} = 0; {0} < {1}; ++{0})", place(letter), count(letter)));
    }
    text_.open("");
    text_.line(fmt::format("const long long {} = 0;", place(depth)));
    std::string steps[2];
    for (std::size_t t = 0; t < 2; ++t) {
      text_.line(fmt::format("const signed char* const f{0} = p{0} + ({1});", t, offset(t)));
      for (std::size_t d = 0; d < call_.rank(t); ++d)
        if (call_.form.tensors[t][d].outer == depth)
          steps[t] = call_.form.tensors[t][d].batch
                         ? fmt::format("({} == 1 ? 0 : {})", extentName(t, d), strideName(t, d))
                         : strideName(t, d);
      if (steps[t].empty()) steps[t] = "0";
      text_.line(fmt::format("const long long step{} = {};", t, steps[t]));
    }
    text_.line("const bool along = step0 == 1 && step1 == 1;");
    text_.line("const unsigned long long lies = (unsigned long long)f0 | (unsigned long long)f1;");
    text_.line("long long done = 0;");
    const std::string whole = count(depth);
    text_.open("if (along && lies % 16 == 0)");
    text_.line("const int4* const w0 = (const int4*)f0;");
    text_.line("const int4* const w1 = (const int4*)f1;");
    text_.open(fmt::format("for (long long i = lane; i < {} / 16; i += {})", whole, kWarp));
    text_.line("const int4 x = w0[i], y = w1[i];");
    text_.line("sum = fourProducts(x.x, y.x, sum);");
    text_.line("sum = fourProducts(x.y, y.y, sum);");
    text_.line("sum = fourProducts(x.z, y.z, sum);");
    text_.line("sum = fourProducts(x.w, y.w, sum);");
    text_.close();
    text_.line(fmt::format("done = {} / 16 * 16;", whole));
    text_.close();
    text_.open("if (along && lies % 4 == 0)");
    text_.line("const int* const w0 = (const int*)f0;");
    text_.line("const int* const w1 = (const int*)f1;");
    text_.line(
        fmt::format("for (long long i = done / 4 + lane; i < {} / 4; i += {})", whole, kWarp));
    text_.line("  sum = fourProducts(w0[i], w1[i], sum);");
    text_.line(fmt::format("done = {} / 4 * 4;", whole));
    text_.close();
    text_.line(fmt::format("for (long long i = done + lane; i < {}; i += {})", whole, kWarp));
    text_.line("  sum += f0[i * step0] * f1[i * step1];");
    text_.close();
    for (std::size_t l = call_.form.kept; l + 1 < call_.form.letters.size(); ++l) text_.close();
    text_.line(fmt::format("for (int delta = {}; delta > 0; delta /= 2)", kWarp / 2));
    text_.line("  sum += __shfl_down_sync(0xffffffff, sum, delta);");
    text_.line(fmt::format("if (lane == 0) p2[{}] = sum;", offset(2)));
  }

  void sums() {
    const bool back = call_.form.spreads();  // what comes back adds up
    const bool max = call_.accumulate == Accumulate::max && !back;
    const char* const infinity = type_ == std::string("double")
                                     ? "__longlong_as_double(0x7ff0000000000000LL)"
                                     : "__int_as_float(0x7f800000)";
    text_.line(max ? fmt::format("{} sum = -{};", type_, infinity)
                   : fmt::format("{} sum = 0;", type_));
    // Parts of some terms, so that the error does not grow with every one of them.
    if (!max) text_.line(fmt::format("{} part = 0;", type_));
    if (!max) text_.line("int held = 0;");
    if (call_.average && !back) text_.line("long long inside = 0;");
    int opened = 0;
    for (std::size_t l = call_.form.kept; l < call_.form.letters.size(); ++l) {
      const char letter = call_.form.letters[l];
      text_.open(
          fmt::format("for (long long {0} = 0; {0} < {1}; ++{0})", place(letter), count(letter)));
      ++opened;
      for (const std::size_t t : factors_)
        for (std::size_t d = 0; d < call_.rank(t); ++d)
          if (const ContractDim& dim = call_.form.tensors[t][d]; lastSummed(dim) == letter) {
            if (dim.kind == DimKind::window) window(dim, extentName(t, d));
            if (dim.kind == DimKind::spread) spread(dim, extentName(t, d));
          }
    }
    const bool greatest = back && call_.accumulate == Accumulate::max;
    if (greatest) onlyGreatest();
    std::string term;
    for (const std::size_t t : factors_)
      if (t == 0 || !greatest) term += (term.empty() ? "" : " * ") + loaded(t, offset(t));
    if (call_.average && back) term += counted();
    if (call_.average && !back) text_.line("++inside;");
    if (max) {
      text_.line(fmt::format("const {} term = {};", type_, term));
      text_.line("if (term > sum || term != term) sum = term;");
    } else {
      text_.line(fmt::format("part += {};", term));
      text_.open("if (++held == 64)");
      text_.line("sum += part;");
      text_.line("part = 0;");
      text_.line("held = 0;");
      text_.close();
    }
    for (; opened > 0; --opened) text_.close();
    if (!max) text_.line("sum += part;");
  }

  /// The later of a window's two loops that is summed over: within it both are known.
  char lastSummed(const ContractDim& dim) const {
    if (dim.kind != DimKind::window && dim.kind != DimKind::spread) return 0;
    return std::max(call_.form.loop(dim.outer), call_.form.loop(dim.inner)) ==
                   call_.form.loop(dim.outer)
               ? dim.outer
               : dim.inner;
  }

  void spread(const ContractDim& dim, const std::string& windows) {
    const auto w = static_cast<std::size_t>(dim.window);
    const std::string at = windowPlace(dim.window);
    const std::int64_t stride = call_.settings.stride[w];
    text_.line(fmt::format("const long long from{} = {} + {} - {} * {};", w, place(dim.outer),
                           call_.settings.padding[w], place(dim.inner),
                           call_.settings.dilation[w]));
    text_.line(fmt::format("if (from{0} < 0 || from{0} % {1} != 0) continue;", w, stride));
    text_.line(fmt::format("const long long {} = from{} / {};", at, w, stride));
    text_.line(fmt::format("if ({} >= {}) continue;", at, windows));
  }

  /// " / (float)counted": what the window's average was divided by.
  std::string counted() {
    std::string product;
    for (const ContractDim& dim : call_.form.tensors[0]) {
      if (dim.kind != DimKind::spread) continue;
      const auto w = static_cast<std::size_t>(dim.window);
      const std::int64_t padding = call_.settings.padding[w];
      text_.line(fmt::format("const long long first{} = {} * {} - {};", w, windowPlace(dim.window),
                             call_.settings.stride[w], padding));
      const std::int64_t room = call_.settings.countsPadding ? padding : 0;
      text_.line(
          fmt::format("const long long end{0} = first{0} + {1} < {2} + {3} ? first{0} + {1} "
                      ": {2} + {3};",
                      w, count(dim.inner), count(dim.outer), room));
      const char* const begin =
          call_.settings.countsPadding ? "first{0}" : "(first{0} > 0 ? first{0} : 0)";
      text_.line(fmt::format("const long long counted{} = end{} - {};", w, w,
                             fmt::format(fmt::runtime(begin), w)));
      product += fmt::format("{}counted{}", product.empty() ? "" : " * ", w);
    }
    return fmt::format(" / ({})({})", type_, product);
  }

  /// Continues with the next window unless this place has its greatest element: the first one of
  /// several, the last NaN.
  void onlyGreatest() {
    text_.line("bool found = false, here = false;");
    text_.line(fmt::format("{} greatest = 0;", type_));
    int opened = 0;
    std::string same, at = offset(1);
    for (std::size_t d = 0; d < call_.rank(0); ++d) {
      const ContractDim& dim = call_.form.tensors[0][d];
      if (dim.kind != DimKind::spread) continue;
      const auto w = static_cast<std::size_t>(dim.window);
      text_.open(fmt::format("for (long long q{0} = 0; q{0} < {1}; ++q{0})", w, count(dim.inner)));
      ++opened;
      text_.line(fmt::format("const long long z{0} = {1} * {2} - {3} + q{0} * {4};", w,
                             windowPlace(dim.window), call_.settings.stride[w],
                             call_.settings.padding[w], call_.settings.dilation[w]));
      text_.line(fmt::format("if (z{0} < 0 || z{0} >= {1}) continue;", w, count(dim.outer)));
      same += fmt::format("{}q{} == {}", same.empty() ? "" : " && ", w, place(dim.inner));
      const std::string own = place(dim.outer) + " * ";
      at.replace(at.find(own), own.size(), fmt::format("z{} * ", w));
    }
    text_.line(fmt::format("const {} value = {};", type_, loaded(1, at)));
    text_.line("if (found && !(value > greatest) && value == value) continue;");
    text_.line("found = true;");
    text_.line("greatest = value;");
    text_.line(fmt::format("here = {};", same));
    for (; opened > 0; --opened) text_.close();
    text_.line("if (!here) continue;");
  }

  void window(const ContractDim& dim, const std::string& most) {
    const auto w = static_cast<std::size_t>(dim.window);
    const std::string at = windowPlace(dim.window);
    text_.line(fmt::format("const long long {} = {} * {} - {} + {} * {};", at, place(dim.outer),
                           call_.settings.stride[w], call_.settings.padding[w], place(dim.inner),
                           call_.settings.dilation[w]));
    text_.line(fmt::format("if ({0} < 0 || {0} >= {1}) continue;", at, most));
  }

  void store() {
    if (call_.average && !call_.form.spreads()) average();
    std::string value = "sum";
    if (call_.settings.alpha != 1)
      value = fmt::format("({}){} * sum", type_, doubleText(call_.settings.alpha));
    if (call_.form.addend >= 0 && call_.settings.beta != 0) {
      const auto a = static_cast<std::size_t>(call_.form.addend);
      const std::string added = loaded(a, offset(a));
      value += call_.settings.beta == 1
                   ? " + " + added
                   : fmt::format(" + ({}){} * {}", type_, doubleText(call_.settings.beta), added);
    }
    if (call_.tail != Tail::none) value = withTail(value);
    const std::size_t result = call_.operands.size();
    text_.line(
        fmt::format("p{}[{}] = {};", result, offset(result), storableText(call_.result, value)));
  }

  /// The name of what its tail makes of a value, which is computed with in float32. Gelu is
  /// written as its row does it: 1 + tanh(u) would lose every digit below x = -5.
  std::string withTail(const std::string& value) {
    text_.line(fmt::format("float made = {};", value));
    text_.line(call_.tail == Tail::relu
                   ? "if (!(made > 0) && made == made) made = 0;"
                   : "made = made / (1.0f + expf(-made * fmaf(made * made, 0.0713548163f, "
                     "1.5957691216f)));");
    return "made";
  }

  void average() {
    if (!call_.settings.countsPadding) {
      text_.line(fmt::format("sum /= ({})inside;", type_));
      return;
    }
    text_.line("long long counted = 1;");
    for (const std::size_t t : factors_)
      for (std::size_t d = 0; d < call_.rank(t); ++d) {
        const ContractDim& dim = call_.form.tensors[t][d];
        if (dim.kind != DimKind::window) continue;
        const auto w = static_cast<std::size_t>(dim.window);
        const std::int64_t padding = call_.settings.padding[w];
        text_.line(fmt::format("const long long first{} = {} * {} - {};", w, place(dim.outer),
                               call_.settings.stride[w], padding));
        text_.line(fmt::format("const long long left{0} = {1} + {2} - first{0};", w,
                               extentName(t, d), padding));
        text_.line(fmt::format("counted *= left{0} < {1} ? left{0} : {1};", w, count(dim.inner)));
      }
    text_.line(fmt::format("sum /= ({})counted;", type_));
  }

  const LibraryCall& call_;
  std::string type_;
  std::vector<std::size_t> factors_;
  SourceText text_;
};

}  // namespace

int threadsAnElement(const LibraryCall& call) {
  return sumsBytes(call) ? kWarp : 1;
}

Source contractionSource(const LibraryCall& call) {
  return ContractionWriter(call).write();
}

}  // namespace fusebench::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
// The table of what the engine is held to on a GPU, measured here and now:
//   gpu-targets [launches] [bandwidth] [types] [rows] [sizes] [products] [bytes]
//   gpu-targets calls EXECUTOR STATEMENTS ROWS    a few calls, for a profiler to watch
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/driver/nvrtc.h"
#include "engine/cuda/library/cublas_lt.h"
#include "engine/language/parser.h"
#include "engine/plan/quantize.h"
#include "profiler/machine/clock.h"
#include "tests/bench/targets/interleave.h"
#include "tests/bench/targets/target.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/gpu/gpu.h"

namespace fusebench {

CudaOptions testOptions(const std::string& device) {
  CudaOptions options;
  options.device = device;
  return options;
}
std::unique_ptr<Backend> makeTestBackend() {
  return makeCudaBackend(testOptions());
}

namespace {

using targets::Contender;
using targets::Rounds;
using targets::Target;

/// So many launches as a driver surely queues without making the host wait.
constexpr std::int64_t kQueued = 256;

/// The host's time to enqueue; the device's queue is emptied now and then, which is not timed.
Contender enqueueing(std::string name, Backend& backend, int launches, std::function<void()> call) {
  return {std::move(name), [&backend, launches, call = std::move(call)](std::int64_t calls) {
            const std::int64_t inARow = std::max<std::int64_t>(1, kQueued / launches);
            double taken = 0;
            for (std::int64_t done = 0; done < calls;) {
              const std::int64_t now = std::min(inARow, calls - done);
              const std::int64_t start = nowNanoseconds();
              for (std::int64_t i = 0; i < now; ++i) call();
              taken += static_cast<double>(nowNanoseconds() - start);
              backend.synchronize();
              done += now;
            }
            return taken;
          }};
}

/// The device's time, by its own clock.
Contender onDevice(std::string name, Backend& backend, std::function<void()> call) {
  const std::shared_ptr<DeviceTimer> timer = backend.makeTimer();
  return {std::move(name), [&backend, timer, call = std::move(call)](std::int64_t calls) {
            backend.synchronize();
            timer->start();
            for (std::int64_t i = 0; i < calls; ++i) call();
            timer->stop();
            return timer->nanoseconds();
          }};
}

/// A launch of the driver's with nothing around it: one kernel with two pointers and a length.
class BareLaunch {
 public:
  BareLaunch()
      : driver_(cuda::Driver::open()),
        device_(
            std::make_shared<const cuda::Device>(driver_, cuda::listDevices(*driver_).front())) {
    const auto nvrtc = cuda::Nvrtc::open(std::string(), driver_->version());
    const auto target = nvrtc->targetFor(device_->info().major, device_->info().minor);
    const auto code = nvrtc->compile(
        "extern \"C\" __global__ void bare(const float* a, float* b, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) b[i] = a[i] + 1;\n}\n",
        "bare", target.value(), cuda::compileOptions({}));
    device_->use();
    cuda::Module module = nullptr;
    driver_->moduleLoadDataEx(&module, code.bytes.data(), 0, nullptr, nullptr);
    driver_->moduleGetFunction(&function_, module, "bare");
    driver_->streamCreate(&stream_, cuda::kStreamNonBlocking);
    driver_->memAlloc(&from_, 4096);
    driver_->memAlloc(&to_, 4096);
  }
  void launch() {
    void* arguments[] = {&from_, &to_, &length_};
    driver_->launchKernel(function_, 1, 1, 1, 128, 1, 1, 0, stream_, arguments, nullptr);
  }
  void synchronize() { driver_->streamSynchronize(stream_); }

 private:
  std::shared_ptr<const cuda::Driver> driver_;
  std::shared_ptr<const cuda::Device> device_;
  cuda::Function function_ = nullptr;
  cuda::Stream stream_ = nullptr;
  cuda::DevicePointer from_ = 0, to_ = 0;
  int length_ = 128;
};

Program studyOf(int statements) {
  return firstStatements(parseProgram(studyProgram()), statements);
}

void launches(std::vector<Target>& table) {
  EngineFixture fixture;
  Backend& backend = fixture.backend();
  BareLaunch bare;
  const std::vector<Tensor> inputs{fixture.random({8, 16})};
  std::vector<Contender> contenders{{"bare", [&](std::int64_t calls) {
                                       double taken = 0;
                                       for (std::int64_t done = 0; done < calls;) {
                                         const auto now = std::min(kQueued, calls - done);
                                         const std::int64_t start = nowNanoseconds();
                                         for (std::int64_t i = 0; i < now; ++i) bare.launch();
                                         taken += static_cast<double>(nowNanoseconds() - start);
                                         bare.synchronize();
                                         done += now;
                                       }
                                       return taken;
                                     }}};
  std::vector<std::unique_ptr<Executor>> executors;
  const auto add = [&](const char* name, int statements) {
    executors.push_back(makeExecutor(name, backend, studyOf(statements)));
    Executor& executor = *executors.back();
    executor.call(inputs);  // compiles, and records what is to be replayed
    const std::uint64_t before = backend.launches();
    executor.call(inputs);
    const int count = static_cast<int>(backend.launches() - before);
    backend.synchronize();
    const std::string title = fmt::format("{} {}", name, statements);
    std::printf("%s: %d launches\n", title.c_str(), count);
    contenders.push_back(
        enqueueing(title, backend, count, [&executor, &inputs] { executor.call(inputs); }));
    return count;
  };
  const int eager = add("eager", 30);
  for (const char* name : {"static", "dynamic", "instant", "replay", "static+replay"})
    for (const int statements : {1, 30}) add(name, statements);
  const Rounds rounds(contenders, 8, 0.02);
  Estimate perLaunch = rounds.ratio("eager 30", "bare");
  for (double* value : {&perLaunch.value, &perLaunch.low, &perLaunch.high}) *value /= eager;
  table.push_back(
      {"host", "eager a launch / bare cuLaunchKernel", Target::Want::atMost, 1.3, perLaunch});
  for (const Contender& contender : contenders)
    table.push_back(
        {"host", contender.name, Target::Want::nothing, 0, rounds.time(contender.name), "ns"});
}

struct Layout {
  Shape shape;
  bool transposed = false;
  const char* made =
      nullptr;  ///< the program that makes it of float32, where it is of another type
};

/// A program over large tensors: how near it comes to a copy of as many bytes.
struct Streaming {
  const char* what;
  const char* program;
  Layout input;
  double bytesPerElement;  ///< read and written, of the input's elements
  double limit;            ///< of the copy's bandwidth; 0: none is set
};

/// A tensor of numbers from -1 to 1.
Tensor numbersOf(EngineFixture& fixture, const Layout& layout) {
  Tensor made = fixture.tensor(layout.shape, {});
  std::vector<float> values(static_cast<std::size_t>(elementCount(layout.shape)));
  std::uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) * 0x1p-23f - 1;
  }
  fixture.backend().copyIn(made, values.data(), values.size() * sizeof(float));
  if (layout.made) made = fixture.run("eager", layout.made, {made})[0];
  return layout.transposed ? EngineFixture::transposed(made) : made;
}

void stream(std::vector<Target>& table, const char* group, std::span<const Streaming> cases,
            double seconds) {
  for (const Streaming& one : cases) {
    EngineFixture fixture;
    Backend& backend = fixture.backend();
    const std::vector<Tensor> inputs{numbersOf(fixture, one.input)};
    const Program program = *one.program ? parseProgram(one.program) : studyOf(30);
    const std::size_t copyBytes = inputs[0].bytes();
    const Tensor copied = makeTensor(backend.allocator(), inputs[0].dtype, Shape(inputs[0].shape));
    const double bytes = one.bytesPerElement * static_cast<double>(elementCount(inputs[0].shape));
    std::vector<std::unique_ptr<Executor>> executors;
    std::vector<Contender> contenders{onDevice(
        "copy", backend, [&] { backend.copyWithin(copied.data(), inputs[0].data(), copyBytes); })};
    for (const char* name : {"eager", "static", "dynamic", "instant"}) {
      executors.push_back(makeExecutor(name, backend, program));
      Executor& executor = *executors.back();
      executor.call(inputs);
      executor.call(inputs);
      backend.synchronize();
      contenders.push_back(onDevice(name, backend, [&] { executor.call(inputs); }));
    }
    const Rounds rounds(contenders, seconds, 0.01);
    const double copyPerByte = 1 / (2.0 * static_cast<double>(copyBytes));
    for (std::size_t i = 1; i < contenders.size(); ++i) {
      Estimate share = rounds.ratio("copy", contenders[i].name);
      for (double* value : {&share.value, &share.low, &share.high}) *value *= bytes * copyPerByte;
      const bool aim = one.limit > 0 && i >= 2 && i <= 3;
      table.push_back({group, fmt::format("{}: {} of a copy's", one.what, contenders[i].name),
                       aim ? Target::Want::atLeast : Target::Want::nothing, one.limit, share});
    }
    table.push_back({group, fmt::format("{}: copy", one.what), Target::Want::nothing, 0,
                     rounds.time("copy"), "ns"});
  }
}

void bandwidth(std::vector<Target>& table) {
  const Shape large({16384, 16384});
  const Streaming cases[] = {
      {"3 cheap ops, 1 GiB", "return torch.relu((x + 0.1) * 1.1)", {large}, 8, 0.92},
      {"add 1, 1 GiB", "return x + 1", {large}, 8, 0.92},
      {"sum, 1 GiB", "return x.sum()", {large}, 4, 0.9},
      {"sum over rows (dim 1)", "return x.sum(dim=1)", {large}, 4, 0.9},
      {"sum over columns (dim 0)", "return x.sum(dim=0)", {large}, 4, 0.9},
      {"sum of many short rows", "return x.sum(dim=1)", {Shape({1 << 22, 64})}, 4, 0},
      {"sum of few long rows", "return x.sum(dim=1)", {Shape({16, 1 << 24})}, 4, 0},
      {"middle dim of three", "return x.sum(dim=1)", {Shape({512, 512, 1024})}, 4, 0},
      {"transposed input", "return x * 2 + 1", {large, true}, 8, 0},
      {"transposed, summed", "return torch.exp(x).sum()", {large, true}, 4, 0},
      {"broadcast row", "m = x.sum(dim=0)\nreturn x * m", {large}, 12, 0},
      {"S1, 30 statements", "", {large}, 4, 0},
      {"3 cheap ops, 16 MiB", "return torch.relu((x + 0.1) * 1.1)", {Shape({2048, 2048})}, 8, 0},
  };
  stream(table, "bandwidth", cases, 1.2);
}

/// The same in other types: how wide their loads and stores are shows.
void types(std::vector<Target>& table) {
  const Shape large({16384, 16384});
  const char* const cheap = "return torch.relu((x + 0.1) * 1.1)";
  const Streaming cases[] = {
      {"3 cheap ops, float16", cheap, {large, false, "return x.half()"}, 4, 0.9},
      {"3 cheap ops, bfloat16", cheap, {large, false, "return x.bfloat16()"}, 4, 0.9},
      {"3 cheap ops, float64", cheap, {Shape({16384, 8192}), false, "return x.double()"}, 16, 0.9},
      {"x * 3 + 1, int32", "return x * 3 + 1", {large, false, "return (x * 100).int()"}, 8, 0.9},
      {"sum, float16", "return x.sum()", {large, false, "return x.half()"}, 2, 0.9},
      {"sum over rows, bfloat16",
       "return x.sum(dim=1)",
       {large, false, "return x.bfloat16()"},
       2,
       0.9},
      {"float32 to float16", "return x.half()", {large}, 6, 0.9},
      {"float16 to float32", "return x.float()", {large, false, "return x.half()"}, 6, 0.9},
  };
  stream(table, "types", cases, 0.6);
}

/// Reductions of rows whose results are used for the same rows, by the rows' length.
void rows(std::vector<Target>& table) {
  for (const Shape& shape :
       {Shape({256, 512}), Shape({8192, 512}), Shape({8192, 8192}), Shape({64, 1 << 20})}) {
    const std::string norm = fmt::format("return F.layer_norm(x, ({},))", shape[1]),
                      rms = fmt::format("return F.rms_norm(x, ({},))", shape[1]);
    const bool large = elementCount(shape) > 1 << 24;
    const Streaming cases[] = {
        {"softmax", "return torch.softmax(x, -1)", {shape}, 8, large ? 0.8 : 0},
        {"layer_norm", norm.c_str(), {shape}, 8, large ? 0.8 : 0},
        {"rms_norm", rms.c_str(), {shape}, 8, large ? 0.8 : 0},
    };
    stream(table, fmt::format("rows of {}", toString(shape)).c_str(), cases, 0.6);
  }
}

void sizes(std::vector<Target>& table) {
  for (const int statements : {5, 30}) {
    for (const std::int64_t rows : {8, 256, 4096, 65536, 1048576}) {
      EngineFixture fixture;
      const std::vector<Tensor> inputs{fixture.random({rows, 16})};
      std::vector<std::unique_ptr<Executor>> executors;
      std::vector<Contender> contenders;
      for (const char* name : {"eager", "static", "dynamic", "instant", "static+replay"}) {
        executors.push_back(makeExecutor(name, fixture.backend(), studyOf(statements)));
        Executor& executor = *executors.back();
        executor.call(inputs);
        executor.call(inputs);
        contenders.push_back(onDevice(name, fixture.backend(), [&] { executor.call(inputs); }));
      }
      const Rounds rounds(contenders, 0.5, 0.002);
      for (const char* name : {"dynamic", "instant", "static+replay", "eager"})
        table.push_back({fmt::format("S1 {} on {}", statements, rows * 16),
                         fmt::format("{} / static", name), Target::Want::nothing, 0,
                         rounds.ratio(name, "static")});
      table.push_back({fmt::format("S1 {} on {}", statements, rows * 16), "static",
                       Target::Want::nothing, 0, rounds.time("static"), "ns"});
    }
  }
}

/// cuBLASLt with nothing around it: row-major float32 matrices of its own, prepared once, on a
/// stream of its own.
class BareProduct {
 public:
  BareProduct(std::int64_t m, std::int64_t n, std::int64_t k)
      : driver_(cuda::Driver::open()),
        device_(
            std::make_shared<const cuda::Device>(driver_, cuda::listDevices(*driver_).front())) {
    std::string why;
    library_ = cuda::CublasLt::open({}, *driver_, why);
    if (!library_) throw std::runtime_error(why);
    device_->use();
    driver_->streamCreate(&stream_, cuda::kStreamNonBlocking);
    driver_->eventCreate(&begin_, cuda::kEventDefault);
    driver_->eventCreate(&end_, cuda::kEventDefault);
    for (const auto& [address, elements] :
         {std::pair{&a_, m * k}, {&b_, k * n}, {&result_, m * n}}) {
      const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(float);
      driver_->memAlloc(address, bytes);
      driver_->memsetD8Async(*address, 0, bytes, stream_);
    }
    check(library_->create(&handle_));
    // By columns it is the other way round.
    check(library_->layoutCreate(&first_, cuda::kCudaFloat32, static_cast<std::uint64_t>(n),
                                 static_cast<std::uint64_t>(k), n));
    check(library_->layoutCreate(&second_, cuda::kCudaFloat32, static_cast<std::uint64_t>(k),
                                 static_cast<std::uint64_t>(m), k));
    check(library_->layoutCreate(&made_, cuda::kCudaFloat32, static_cast<std::uint64_t>(n),
                                 static_cast<std::uint64_t>(m), n));
    check(library_->descriptionCreate(&description_, cuda::kComputeFloat32, cuda::kCudaFloat32));
    cuda::LtPreference preference = nullptr;
    check(library_->preferenceCreate(&preference));
    const std::uint64_t most =
        device_->info().major >= 9 ? std::uint64_t{32} << 20 : std::uint64_t{8} << 20;
    check(library_->preferenceSet(preference, cuda::kLtMostWorkspace, &most, sizeof most));
    int count = 0;
    check(library_->heuristic(handle_, description_, first_, second_, made_, made_, preference, 1,
                              &found_, &count));
    library_->preferenceDestroy(preference);
    if (found_.workspaceBytes > 0) driver_->memAlloc(&workspace_, found_.workspaceBytes);
  }
  void enqueue() {
    const float one = 1, none = 0;
    check(library_->matmul(handle_, description_, &one, at(b_), first_, at(a_), second_, &none,
                           at(result_), made_, at(result_), made_, &found_.algorithm,
                           at(workspace_), found_.workspaceBytes, stream_));
  }
  /// By the device's clock, nanoseconds.
  double timed(std::int64_t calls) {
    device_->use();
    driver_->streamSynchronize(stream_);
    driver_->eventRecord(begin_, stream_);
    for (std::int64_t i = 0; i < calls; ++i) enqueue();
    driver_->eventRecord(end_, stream_);
    driver_->eventSynchronize(end_);
    float milliseconds = 0;
    driver_->eventElapsedTime(&milliseconds, begin_, end_);
    return static_cast<double>(milliseconds) * 1e6;
  }

 private:
  static void* at(cuda::DevicePointer address) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
  }
  static void check(cuda::LtStatus status) {
    if (status != cuda::kLtSuccess) throw std::runtime_error(cuda::ltStatusName(status));
  }

  std::shared_ptr<const cuda::Driver> driver_;
  std::shared_ptr<const cuda::Device> device_;
  std::shared_ptr<const cuda::CublasLt> library_;
  cuda::Stream stream_ = nullptr;
  cuda::Event begin_ = nullptr, end_ = nullptr;
  cuda::DevicePointer a_ = 0, b_ = 0, result_ = 0, workspace_ = 0;
  cuda::LtHandle handle_ = nullptr;
  cuda::LtLayout first_ = nullptr, second_ = nullptr, made_ = nullptr;
  cuda::LtDescription description_ = nullptr;
  cuda::LtFound found_{};
};

void products(std::vector<Target>& table) {
  for (const std::int64_t size : {256, 1024, 4096}) {
    EngineFixture fixture;
    Backend& backend = fixture.backend();
    if (!backend.libraryTraits().missing.empty()) {
      std::printf("products: %s\n", backend.libraryTraits().missing.c_str());
      return;
    }
    const std::vector<Tensor> inputs{fixture.random({size, size}, 1),
                                     fixture.random({size, size}, 2), fixture.random({size}, 3)};
    BareProduct bare(size, size, size);
    std::vector<Contender> contenders{
        {"cuBLASLt", [&](std::int64_t calls) { return bare.timed(calls); }}};
    std::vector<std::unique_ptr<Executor>> executors;
    const auto add = [&](const char* name, const char* text, const char* executor, bool search) {
      ExecutorOptions options;
      options.search = search;
      executors.push_back(makeExecutor(executor, backend, parseProgram(text), options));
      Executor& made = *executors.back();
      made.call(inputs);
      made.call(inputs);
      backend.synchronize();
      contenders.push_back(onDevice(name, backend, [&] { made.call(inputs); }));
    };
    const char* const product = "def f(x, y, b):\n  return x @ y";
    add("static", product, "static", false);
    add("eager", product, "eager", false);
    add("search", product, "static", true);
    add("with bias and relu", "def f(x, y, b):\n  return torch.relu(torch.addmm(b, x, y))",
        "static", false);
    const Rounds rounds(contenders, 1.0, 0.01);
    const std::string group = fmt::format("product {0} x {0} x {0}", size);
    table.push_back({group, "static / cuBLASLt", Target::Want::atMost, 1.05,
                     rounds.ratio("static", "cuBLASLt")});
    table.push_back(
        {group, "eager / cuBLASLt", Target::Want::nothing, 0, rounds.ratio("eager", "cuBLASLt")});
    table.push_back(
        {group, "search / static", Target::Want::atMost, 1.0, rounds.ratio("search", "static")});
    table.push_back({group, "with bias and relu / static", Target::Want::atMost, 1.05,
                     rounds.ratio("with bias and relu", "static")});
    table.push_back({group, "cuBLASLt", Target::Want::nothing, 0, rounds.time("cuBLASLt"), "ns"});
  }
}

/// A layer in bytes against the same one in float32, and its product alone. Small batches show what
/// the levels cost, large ones the products.
void bytes(std::vector<Target>& table) {
  const std::string layer =
      "class Net(nn.Module):\n  def __init__(self):\n    super().__init__()\n"
      "    self.fc = nn.Linear(2048, 2048)\n  def forward(self, x):\n    return F.relu(self.fc(x))";
  const Program program = parseProgram(layer);
  for (const std::int64_t rows : {1, 64, 4096}) {
    EngineFixture fixture;
    Backend& backend = fixture.backend();
    std::vector<Tensor> inputs{fixture.random({rows, 2048}, 1)};
    for (const HeldInput& held : program.held)
      inputs.push_back(fixture.random(held.initial.extents, 2, 0.02F));
    std::vector<ValueType> types;
    for (const Tensor& input : inputs) types.push_back({input.shape, input.dtype});
    const std::vector<LayerRange> ranges{{-4, 4}};
    std::vector<std::unique_ptr<Executor>> executors;
    std::vector<Contender> contenders;
    const auto add = [&](const char* name, std::unique_ptr<Executor> executor,
                         const std::vector<Tensor>& given) {
      executors.push_back(std::move(executor));
      Executor& made = *executors.back();
      made.call(given);
      made.call(given);
      backend.synchronize();
      contenders.push_back(onDevice(name, backend, [&made, &given] { made.call(given); }));
    };
    add("float32", makeExecutor("static", backend, program), inputs);
    const auto quantize = [&](Quantizing how) {
      return makePreparedExecutor(
          "static", backend,
          quantized(program, types, how, ranges, backend.libraryTraits().byteProducts));
    };
    add("dynamic int8", quantize(Quantizing::dynamicInt8), inputs);
    add("static int8", quantize(Quantizing::staticInt8), inputs);
    const auto levels = [&](std::int64_t count) {
      return fixture.typed(DType::int8, {count, 2048},
                           std::vector<double>(static_cast<std::size_t>(count) * 2048, 3));
    };
    const std::vector<Tensor> factors{levels(rows), EngineFixture::transposed(levels(2048))};
    add("its product",
        makeExecutor("static", backend, parseProgram("def f(x, y):\n  return torch._int_mm(x, y)")),
        factors);
    const Rounds rounds(contenders, 1.0, 0.01);
    const std::string group = fmt::format("layer of 2048 in bytes, {} rows", rows);
    for (const char* name : {"dynamic int8", "static int8", "its product"})
      table.push_back({group, fmt::format("{} / float32", name), Target::Want::nothing, 0,
                       rounds.ratio(name, "float32")});
    table.push_back({group, "float32", Target::Want::nothing, 0, rounds.time("float32"), "ns"});
  }
}

/// For a profiler: some calls of the study's program and nothing else.
int callsOf(const std::string& executor, int statements, std::int64_t rows) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({rows, 16})};
  const auto made = makeExecutor(executor, fixture.backend(), studyOf(statements));
  for (int call = 0; call < 4; ++call) made->call(inputs);
  fixture.backend().synchronize();
  return 0;
}

struct Group {
  std::string_view name;
  void (*measure)(std::vector<Target>& table);
};
constexpr Group kGroups[] = {
    {"launches", launches}, {"bandwidth", bandwidth}, {"types", types}, {"rows", rows},
    {"sizes", sizes},       {"products", products},   {"bytes", bytes}};

int run(const std::vector<std::string>& words) {
  if (words.size() == 4 && words[0] == "calls")
    return callsOf(words[1], std::stoi(words[2]), std::stoll(words[3]));
  for (const std::string& word : words)
    if (std::ranges::none_of(kGroups, [&](const Group& group) { return group.name == word; }))
      throw std::invalid_argument(
          "there is no group \"" + word +
          "\"; there are launches, bandwidth, types, rows, sizes, products and bytes");
  std::printf("On %s\n", makeTestBackend()->description().c_str());
  for (const Group& group : kGroups) {
    if (!words.empty() && std::find(words.begin(), words.end(), group.name) == words.end())
      continue;
    std::vector<Target> table;
    group.measure(table);
    std::printf("%s\n", tableText(table).c_str());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace fusebench

int main(int argc, char** argv) {
  try {
    return fusebench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu-targets: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps what CUPTI hands over on a real device, buffer by buffer, for the tests of its reading:
//   gpu-keep-records FILE
// FILE then contains JSON: for each buffer its bytes in hexadecimal, where its records begin
// according to CUPTI, and the names that its kernels point to.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/cuda/cupti/activity_collector.h"
#include "engine/cuda/driver/driver.h"
#include "engine/cuda/runtime/cuda_backend.h"
#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "profiler/files/files.h"

namespace fusebench {
namespace {

using cuda::ActivityRecord;
using cuda::CuptiFunctions;
using cuda::CuptiResult;

/// Buffers as they are read, by CUPTI's own steps.
class KeptBuffers {
 public:
  static CuptiResult step(std::uint8_t* buffer, std::size_t bytes, ActivityRecord** record) {
    const bool first = !*record;
    const CuptiResult result = next(buffer, bytes, record);
    if (first) begin(buffer, bytes);
    if (result == cuda::kCuptiSuccess) add(reinterpret_cast<std::uint8_t*>(*record));
    return result;
  }

  static inline CuptiResult (*next)(std::uint8_t*, std::size_t, ActivityRecord**) = nullptr;
  static inline nlohmann::json kept = nlohmann::json::array();

 private:
  static void begin(const std::uint8_t* buffer, std::size_t bytes) {
    std::string hexadecimal;
    char pair[3];
    for (std::size_t i = 0; i < bytes; ++i) {
      std::snprintf(pair, sizeof pair, "%02x", buffer[i]);
      hexadecimal += pair;
    }
    kept.push_back({{"bytes", hexadecimal},
                    {"records", nlohmann::json::array()},
                    {"names", nlohmann::json::object()}});
    base_ = buffer;
  }

  static void add(const std::uint8_t* record) {
    nlohmann::json& buffer = kept.back();
    buffer["records"].push_back(record - base_);
    std::uint32_t kind = 0;
    std::memcpy(&kind, record, sizeof kind);
    if (kind != cuda::kActivityKernel && kind != cuda::kActivitySerialKernel) return;
    const char* name = nullptr;
    std::memcpy(&name, record + cuda::record::kernel::name, sizeof name);
    buffer["names"][std::to_string(record - base_)] = name ? name : "";
  }

  static inline const std::uint8_t* base_ = nullptr;
};

/// Calls of each way to run a program, so that every kind of record is there: launches, copies,
/// graphs.
void work(Backend& backend) {
  const Program program = parseProgram("x = torch.sin(x)\ny = x * 0.5\nreturn (x + y).sum()");
  Tensor input = makeTensor(backend.allocator(), DType::float32, Shape({64, 48}));
  const std::vector<float> values(static_cast<std::size_t>(elementCount(input.shape)), 0.25f);
  for (const ExecutorInfo& info : executorsOn(backend)) {
    const auto executor = makeExecutor(info.name, backend, program);
    for (int call = 0; call < 4; ++call) {
      backend.copyIn(input, values.data(), values.size() * sizeof(float));
      executor->call(std::vector{input});
    }
    backend.synchronize();
  }
}

int keepRecords(const std::string& file) {
  const auto cupti = cuda::Cupti::open(std::string(), cuda::driverVersionOf());
  CuptiFunctions functions = cupti->functions();
  KeptBuffers::next = functions.getNextRecord;
  functions.getNextRecord = &KeptBuffers::step;
  // CUPTI may call to the end of the process, so neither is ever taken down.
  auto* const collector = new cuda::ActivityCollector(functions, cupti->version());
  const CollectorStatus status = collector->attach();
  std::printf("%s\n", status.found.c_str());
  if (!status.collects()) return 1;
  const auto backend = makeCudaBackend();
  collector->begin();
  KeptBuffers::kept.clear();
  work(*backend);
  const Collected collected = collector->end();
  std::printf("%zu calls, %zu of the device, %s\n", collected.activities.calls.size(),
              collected.activities.work.size(), sentenceOf(collected.activities.losses).c_str());
  const nlohmann::json record = {{"device", backend->description()},
                                 {"cupti", cupti->versionText()},
                                 {"buffers", KeptBuffers::kept}};
  writeFile(file, record.dump());
  return 0;
}

}  // namespace
}  // namespace fusebench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "gpu-keep-records FILE\n");
    return 2;
  }
  try {
    return fusebench::keepRecords(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu-keep-records: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/surrounding_rows.h"

#include <algorithm>
#include <iterator>

namespace fusebench {
namespace {

using How = SurroundingRow::How;

constexpr const char* kTune =
    "the variant option `tune`, set to search, tries algorithms in its place";
constexpr const char* kRanks = "the variant option `ranks` runs the program on several processes";
constexpr const char* kQuantize = "use the variant option `quantise` for integer matmuls";

constexpr SurroundingRow kRows[] = {
    {"print"},
    {"pprint."},
    {"input"},
    {"breakpoint"},
    {"open"},
    {"time."},
    {"timeit."},
    {"datetime."},
    {"warnings."},
    {"logging."},
    {"os."},
    {"sys."},
    {"gc."},
    {"json."},
    {"argparse."},
    {"random."},
    {"tqdm", How::same},
    {"matplotlib."},
    {"pandas."},
    {"tabulate"},
    {"pytest"},
    {"unittest"},
    {"triton.testing."},
    {"numpy.random.seed"},
    {"numpy.testing."},
    {"torch.manual_seed"},
    {"torch.seed"},
    {"torch.random."},
    {"torch.save"},
    {"torch.set_printoptions"},
    {"torch.set_float32_matmul_precision"},
    {"torch.set_num_threads"},
    {"torch.set_num_interop_threads"},
    {"torch.set_warn_always"},
    {"torch.use_deterministic_algorithms"},
    {"torch.testing."},
    {"torch.profiler."},
    {"torch.autograd.profiler."},
    {"torch.autograd.set_detect_anomaly"},
    {"torch.utils.benchmark."},
    {"torch.nn.attention.sdpa_kernel"},
    {"torch.nn.attention.SDPBackend"},
    {"torch._dynamo."},
    {"torch._inductor."},
    {"torch._logging."},
    {"torch._functorch.config"},
    {"torch.compiler.reset"},
    {"torch.compiler.cudagraph_mark_step_begin"},
    {"torch.cuda.amp.common."},
    {"torch.cuda.Event"},
    {"torch.cuda.Stream"},
    {"torch.cuda.stream"},
    {"torch.cuda.current_stream"},
    {"torch.cuda.default_stream"},
    {"torch.cuda.set_device"},
    {"torch.cuda.synchronize"},
    {"torch.cuda.empty_cache"},
    {"torch.cuda.ipc_collect"},
    {"torch.cuda.manual_seed"},
    {"torch.cuda.manual_seed_all"},
    {"torch.cuda.nvtx."},
    {"torch.cuda.profiler."},
    {"torch.cuda.memory."},
    {"torch.cuda.memory_allocated"},
    {"torch.cuda.memory_reserved"},
    {"torch.cuda.memory_summary"},
    {"torch.cuda.memory_stats"},
    {"torch.cuda.max_memory_allocated"},
    {"torch.cuda.max_memory_reserved"},
    {"torch.cuda.reset_peak_memory_stats"},
    {"torch.cuda.reset_max_memory_allocated"},
    {"torch.cuda.get_device_name"},
    {"torch.cuda.get_device_properties"},
    {"torch.cuda.get_device_capability"},
    {"torch.cuda.device_count"},
    {"torch.cpu.synchronize"},
    {"torch.mps."},
    {"torch.backends.cudnn.benchmark", How::variant, kTune},
    {"torch.backends.cuda.sdp_kernel"},
    {"torch.backends."},
    {"torch.distributed.init_process_group", How::variant, kRanks},
    {"torch.distributed.destroy_process_group", How::variant, kRanks},
    {"torch.multiprocessing."},
    {"torch.nn.DataParallel", How::same, kRanks},
    {"torch.nn.parallel.DataParallel", How::same, kRanks},
    {"torch.nn.parallel.DistributedDataParallel", How::same, kRanks},
    {"torch.quantization.quantize_dynamic", How::same, kQuantize},
    {"torch.ao.quantization.quantize_dynamic", How::same, kQuantize},
    {"torch.quantization.prepare", How::same, kQuantize},
    {"torch.ao.quantization.prepare", How::same, kQuantize},
    {"torch.quantization.convert", How::same, kQuantize},
    {"torch.ao.quantization.convert", How::same, kQuantize},
    {"torch.quantization.get_default_qconfig", How::variant, kQuantize},
    {"torch.ao.quantization.get_default_qconfig", How::variant, kQuantize},
    {"torch.quantization.fuse_modules", How::same, kQuantize},
    {"torch.ao.quantization.fuse_modules", How::same, kQuantize},
    {"torch.quantization.fuse_modules_qat", How::same, kQuantize},
    {"torch.ao.quantization.fuse_modules_qat", How::same, kQuantize},
    {"torch.quantization.prepare_qat", How::same, kQuantize},
    {"torch.ao.quantization.prepare_qat", How::same, kQuantize},
    {"torch.quantization.get_default_qat_qconfig", How::variant, kQuantize},
    {"torch.ao.quantization.get_default_qat_qconfig", How::variant, kQuantize},
    {"torch.quantization.default_qconfig", How::variant, kQuantize},
    {"torch.ao.quantization.default_qconfig", How::variant, kQuantize},
    {"torch.quantization.default_dynamic_qconfig", How::variant, kQuantize},
    {"torch.ao.quantization.default_dynamic_qconfig", How::variant, kQuantize},
    {"torch.quantization.float16_dynamic_qconfig", How::variant, kQuantize},
    {"torch.ao.quantization.float16_dynamic_qconfig", How::variant, kQuantize},
};

bool covers(std::string_view row, std::string_view path) {
  if (!path.starts_with(row)) return false;
  return row.ends_with('.') || path.size() == row.size() || path[row.size()] == '.';
}

}  // namespace

std::span<const SurroundingRow> surroundingRows() {
  return kRows;
}

const SurroundingRow* findSurrounding(std::string_view path) {
  // A longer row precedes one that covers it.
  const auto* const found = std::ranges::find_if(
      kRows, [path](const SurroundingRow& row) { return covers(row.path, path); });
  return found == std::end(kRows) ? nullptr : found;
}

}  // namespace fusebench

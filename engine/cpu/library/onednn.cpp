// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/onednn.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "engine/base/saying.h"
#include "engine/cpu/library/onednn_api.h"
#include "engine/cpu/library/onednn_calls.h"

namespace fusebench::cpu {

#ifdef FUSEBENCH_ONEDNN

namespace {

class OpenedOneDnn final : public OneDnn {
 public:
  std::string version() const override {
    const dnnl_version_t* const found = api_.version();
    return fmt::format("{}.{}.{}", found->major, found->minor, found->patch);
  }
  std::string file() const override {
    return SharedLibrary::fileOf(reinterpret_cast<const void*>(api_.version));
  }
  bool sumsBytesExactly() const override { return api_.sumsBytesExactly(); }
  std::unique_ptr<PreparedCall> prepare(const LibraryRequest& request) override {
    // The library's choice depends on the number of threads.
    api_.useThreads(request.threads);
    try {
      return request.sizes.windowed.empty() && request.sizes.spread.empty()
                 ? prepareProduct(api_, request, version())
                 : prepareWindows(api_, request, version());
    } catch (const std::runtime_error&) {  // it refuses: there are loops of ours
      return nullptr;
    }
  }
  bool multiply(const FloatMatrix& first, const FloatMatrix& second, float* to, std::int64_t toStep,
                bool adds) override {
    if (first.rows == 0 || second.columns == 0 || first.columns == 0) return false;
    const bool firstTurned = !first.isRowMajor(), secondTurned = !second.isRowMajor();
    if ((firstTurned && !first.isColumnMajor()) || (secondTurned && !second.isColumnMajor()))
      return false;
    // The step between single rows or columns is not looked at, but must be large enough.
    const auto step = [](const FloatMatrix& matrix, bool turned) {
      return turned ? std::max(matrix.columnStep, matrix.rows)
                    : std::max(matrix.rowStep, matrix.columns);
    };
    api_.useThreads(1);
    return api_.sgemm(firstTurned ? 'T' : 'N', secondTurned ? 'T' : 'N', first.rows, second.columns,
                      first.columns, 1.0f, first.data, step(first, firstTurned), second.data,
                      step(second, secondTurned), adds ? 1.0f : 0.0f, to, toStep) == dnnl_success;
  }
  bool open(std::string& why) { return api_.open(why); }

 private:
  DnnlApi api_;
};

/// The library that was found. Lives to the end of the process: its threads may outlast
/// destructors.
struct Found {
  OpenedOneDnn* library = nullptr;
  std::string missing;

  Found() {
    auto opened = std::make_unique<OpenedOneDnn>();
    if (opened->open(missing)) library = opened.release();
  }
};

const Found& found() {
  static const Found* const kFound = new Found;
  return *kFound;
}

}  // namespace

OneDnn* OneDnn::find() {
  return found().library;
}
const std::string& OneDnn::missing() {
  return found().missing;
}

#else

OneDnn* OneDnn::find() {
  return nullptr;
}
const std::string& OneDnn::missing() {
  static const std::string kMissing = saying(
      "Fusebench was built without oneDNN: on Debian 12 apt-get install libdnnl-dev and build it "
      "again");
  return kMissing;
}

#endif

}  // namespace fusebench::cpu

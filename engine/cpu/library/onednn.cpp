// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/onednn.h"

#include <fmt/format.h>

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
    // What is chosen depends on how many there are.
    api_.useThreads(request.threads);
    try {
      return request.sizes.windowed.empty() && request.sizes.spread.empty()
                 ? prepareProduct(api_, request, version())
                 : prepareWindows(api_, request, version());
    } catch (const std::runtime_error&) {  // it refuses: there are loops of ours
      return nullptr;
    }
  }
  bool open(std::string& why) { return api_.open(why); }

 private:
  DnnlApi api_;
};

/// What was found. Lives to the end of the process: its threads may outlast destructors.
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

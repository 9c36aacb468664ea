// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/kept_inputs.h"

#include <sys/stat.h>

#include <atomic>
#include <mutex>
#include <set>
#include <utility>

namespace fusebench {
namespace {

struct KeptInputs {
  std::atomic<bool> kept = false;
  std::mutex mutex;
  std::set<std::pair<dev_t, ino_t>> files;
};

KeptInputs& inputs() {
  static KeptInputs inputs;
  return inputs;
}

}  // namespace

void keepInputs() {
  inputs().kept = true;
}

void noteInput(const struct stat& status) {
  if (!inputs().kept || !S_ISREG(status.st_mode)) return;
  const std::lock_guard lock(inputs().mutex);
  inputs().files.emplace(status.st_dev, status.st_ino);
}

void noteInput(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) noteInput(status);
}

bool isKeptInput(const struct stat& status) {
  if (!inputs().kept) return false;
  const std::lock_guard lock(inputs().mutex);
  return inputs().files.contains({status.st_dev, status.st_ino});
}

}  // namespace fusebench

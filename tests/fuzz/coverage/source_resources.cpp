// SPDX-License-Identifier: GPL-3.0-or-later
// Resources of a program whose build makes none: those of the sources. Backends: none.
#include "profiler/files/shipped_resources.h"
#include "profiler/machine/backend_table.h"
#include "tests/support/built_paths.h"

namespace fusebench {

std::string test::sourcePath(std::string_view below) {
  return FUSEBENCH_SOURCE_DIR + std::string(below);
}

std::string_view sourceResources() {
  return FUSEBENCH_SOURCE_DIR "/resources";
}

std::string_view buildFolder() {
  return "";
}

std::string_view installedResources() {
  return "";
}

std::span<const EmbeddedFile> shippedResources() {
  return {};
}

std::vector<BackendRow> shippedBackendRows() {
  return {};
}

}  // namespace fusebench

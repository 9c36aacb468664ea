// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/worker/side_files.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "engine/base/saying.h"
#include "profiler/files/base64.h"
#include "profiler/files/files.h"

namespace fusebench {

namespace fs = std::filesystem;

SideFiles::~SideFiles() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

const std::string& SideFiles::folder() {
  if (!folder_.empty()) return folder_;
  std::string made = (fs::temp_directory_path() / "fusebench-side-XXXXXX").string();
  if (!mkdtemp(made.data()))
    throw std::runtime_error(
        systemMessage(made, saying("could not create a folder for side files")));
  return folder_ = made;
}

nlohmann::json SideFiles::read(const std::string& path, std::int64_t offset) const {
  if (folder_.empty() || fs::path(path).parent_path() != fs::path(folder_))
    throw std::runtime_error(saying("this is not a side file of this worker"));
  std::ifstream file(path, std::ios::binary);
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  if (!file || error) throw std::runtime_error(systemMessage(path, saying("cannot be read")));
  std::string chunk(kSideFileChunk, '\0');
  file.seekg(offset);
  file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
  chunk.resize(static_cast<std::size_t>(file.gcount()));
  return {{"data", toBase64(chunk)}, {"bytes", bytes}};
}

}  // namespace fusebench

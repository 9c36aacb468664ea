// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "profiler/files/input_error.h"

namespace fusebench {

std::string systemMessage(const std::string& path, std::string_view what) {
  return fmt::format("{}: {}: {}", path, what, std::generic_category().message(errno));
}

std::string readFile(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw InputError(fmt::format("{}: this is a folder; name a file", path));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(systemMessage(path, "cannot be opened"));
  std::string content;
  char buffer[1 << 16];
  while (file.read(buffer, sizeof buffer) || file.gcount() > 0) {
    content.append(buffer, static_cast<std::size_t>(file.gcount()));
    if (content.size() > (std::size_t{1} << 30)) throw InputError(path + ": larger than 1 GiB");
  }
  return content;
}

void writeFile(const std::string& path, std::string_view content) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  errno = 0;
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (file && std::rename(temporary.c_str(), path.c_str()) == 0) return;
  const std::string message = systemMessage(path, "cannot be written");
  std::remove(temporary.c_str());
  throw InputError(message);
}

}  // namespace fusebench

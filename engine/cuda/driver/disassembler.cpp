// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/driver/disassembler.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/base/spawn.h"
#include "engine/base/text_lines.h"

namespace fusebench::cuda {
namespace {

namespace fs = std::filesystem;

/// A file without a name, which other programs open by number.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("fusebench", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::string path() const { return fmt::format("/proc/{}/fd/{}", getpid(), descriptor_); }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0) throw std::system_error(errno, std::generic_category(), "write");
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  std::string read() const {
    std::string all;
    char part[1 << 14];
    for (ssize_t count = 0;
         (count = pread(descriptor_, part, sizeof part, static_cast<off_t>(all.size()))) > 0;)
      all.append(part, static_cast<std::size_t>(count));
    return all;
  }

 private:
  int descriptor_;
};

bool isProgram(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::string firstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// The number behind `"...", line N` in one of nvdisasm's notes; 0 if it is none.
int notedLine(std::string_view note) {
  constexpr std::string_view kWord = "line ";
  const std::size_t at = note.rfind(kWord);
  int line = 0;
  if (at != std::string_view::npos)
    std::from_chars(note.data() + at + kWord.size(), note.data() + note.size(), line);
  return line;
}

}  // namespace

std::unique_ptr<Disassembler> Disassembler::find(const std::string& beside) {
  std::vector<fs::path> folders;
  if (const char* named = std::getenv("FUSEBENCH_CUDA_NVDISASM"); named && *named)
    return isProgram(named) ? std::make_unique<Disassembler>(named) : nullptr;
  if (!beside.empty()) folders.push_back(fs::path(beside).parent_path().parent_path() / "bin");
  if (const char* path = std::getenv("PATH"))
    for (std::string_view rest = path; !rest.empty();) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      // A relative one would be a folder that somebody else may have filled.
      if (rest.starts_with('/')) folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  folders.emplace_back("/usr/local/cuda/bin");
  for (const char* name : {"nvdisasm", "cuobjdump"})
    for (const fs::path& folder : folders)
      if (folder.is_absolute() && isProgram(folder / name))
        return std::make_unique<Disassembler>((folder / name).string());
  return nullptr;
}

Disassembly Disassembler::read(std::string_view cubin) const {
  MemoryFile code, printed, errors;
  code.write(cubin);
  const bool dumps = fs::path(program_).filename() == "cuobjdump";
  std::vector<std::string> command{program_};
  for (const char* option : dumps ? std::vector{"-sass"} : std::vector{"-c", "-g", "-ndf"})
    command.emplace_back(option);
  command.push_back(code.path());
  const pid_t child = spawnInThisGroup(command, -1, printed.descriptor(), errors.descriptor());
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(saying("{} failed: {}", program_, firstLine(errors.read())));
  return readDisassembly(printed.read());
}

Disassembly readDisassembly(std::string_view printed) {
  Disassembly made;
  int source = 0;
  forEachLine(printed, [&](std::string_view line) {
    const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    const std::string_view word = line.substr(start);
    if (word.starts_with("//##")) {
      if (word.find("File") != std::string_view::npos) source = notedLine(word);
      return;
    }
    // Addresses: "/*2af0*/". cuobjdump prints the encoding as well, as "/* 0x... */".
    const bool instruction = word.size() > 2 && word.starts_with("/*") &&
                             std::isxdigit(static_cast<unsigned char>(word[2])) != 0;
    const bool label =
        word.starts_with(".text.") || word.starts_with(".L_") || word.starts_with("Function :");
    if (!instruction && !label) return;
    made.text.append(line);
    made.text += '\n';
    made.sourceLines.push_back(instruction ? source : 0);
  });
  return made;
}

}  // namespace fusebench::cuda

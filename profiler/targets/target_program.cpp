// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/targets/target_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "engine/base/saying.h"
#include "engine/base/sha256.h"
#include "engine/base/shown_text.h"
#include "profiler/files/descriptor.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/shell_text.h"
#include "profiler/protocol/captured_command.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;

constexpr double kProbeSeconds = 60, kCopySeconds = 3600;
constexpr int kConnectionFailed = 255;  ///< ssh's own exit code

std::string systemHere() {
  utsname names{};
  uname(&names);
  return fmt::format("{} {}", names.sysname, names.machine);
}

/// The last line that says something: ssh prints its reason last.
std::string lastLine(const std::string& text) {
  std::istringstream lines(text);
  std::string line, last;
  while (std::getline(lines, line)) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) last = line;
  }
  return shownText(last);
}

std::string remedyFor(const TargetSpec& spec) {
  if (spec.kind == TargetSpec::Kind::ssh)
    return saying("make sure that \"ssh {}{}\" logs in without prompting",
                  spec.port ? fmt::format("-p {} ", spec.port) : "", spec.host);
  return saying("make sure that \"srun hostname\" works there");
}

std::string reasonOf(const CapturedCommand& command) {
  if (command.timedOut) return saying("it did not answer in time");
  const std::string said = lastLine(command.err);
  return said.empty() ? saying("it exited with code {}", command.exitCode) : said;
}

CapturedCommand runThere(const TargetSpec& spec, const std::string& script, int input,
                         double seconds, const std::stop_token& stop,
                         const std::function<void()>& waiting = {}) {
  try {
    return runCaptured(shellCommand(spec, script), input, seconds, stop, waiting);
  } catch (const std::runtime_error& error) {
    throw TargetFailed(saying("{}: {}; install it, or measure here", spec.text(), error.what()));
  }
}

std::string begin() {
  return fmt::format("printf '\\n%s\\n' {}\n", shellQuoted(kOutputBegins));
}

std::vector<std::string> linesOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string afterBanner(const std::string& output) {
  const std::string line = fmt::format("{}\n", kOutputBegins);
  const std::size_t at = output.find(line);
  return at == std::string::npos ? std::string() : output.substr(at + line.size());
}

PortableProgram portableProgram(const std::string& own) {
  const fs::path folder = fs::path(own).parent_path();
  PortableProgram program;
  program.path = own;
  std::error_code ignored;
  if (const char* named = std::getenv("FUSEBENCH_PORTABLE_CLI"); named && *named)
    program.path = named;
  else if (const fs::path beside = folder / "fusebench-cli-portable"; fs::exists(beside, ignored))
    program.path = beside.string();
  else if (const fs::path built = folder / "../../portable/bin/fusebench-cli";
           fs::exists(built, ignored))
    program.path = built.lexically_normal().string();
  const std::string content = readFile(program.path);
  program.bytes = content.size();
  program.hash = sha256(content);
  return program;
}

TargetFound probeTarget(const TargetSpec& spec, const PortableProgram& program,
                        const std::stop_token& stop) {
  // The folder of the person's own data, as the XDG base directory specification has it.
  const std::string script =
      begin() +
      fmt::format(
          "uname -sm\n"
          "path=\"${{XDG_DATA_HOME:-$HOME/.local/share}}/fusebench/{}-{}/fusebench-cli\"\n"
          "printf '%s\\n' \"$path\"\n"
          "if [ -x \"$path\" ]; then sha256sum < \"$path\"; fi\n",
          FUSEBENCH_VERSION, program.hash.substr(0, 12));
  const CapturedCommand answer = runThere(spec, script, -1, kProbeSeconds, stop);
  const auto lines = linesOf(afterBanner(answer.out));
  if (answer.exitCode != 0 || lines.size() < 2)
    throw TargetFailed(
        saying("{} cannot be reached: {}; {}", spec.text(), reasonOf(answer), remedyFor(spec)));
  TargetFound found;
  found.system = lines[0];
  found.path = lines[1];
  found.program = lines.size() > 2 && lines[2].starts_with(program.hash);
  if (found.system != systemHere())
    throw TargetFailed(
        saying("{} is {}, and this program is built for {}; measure there with a build for that "
               "architecture",
               spec.text(), shownName(found.system), systemHere()));
  return found;
}

void copyProgram(const TargetSpec& spec, const TargetFound& found, const PortableProgram& program,
                 const std::function<void(std::uint64_t)>& copied, const std::stop_token& stop) {
  const Descriptor file(open(program.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) throw TargetFailed(systemMessage(program.path, saying("cannot be read")));
  // It comes to its place only when it is whole and runs.
  const std::string script =
      begin() + fmt::format(
                    "path={}\n"
                    "umask 077\n"
                    "mkdir -p \"${{path%/*}}\" || exit 1\n"
                    "part=\"$path.$$.part\"\n"
                    "trap 'rm -f \"$part\"' EXIT\n"
                    "trap 'exit 1' HUP INT TERM\n"
                    "cat > \"$part\" || exit 1\n"
                    "sha256sum < \"$part\" | grep -q {} || {{ echo 'the copy arrived damaged' >&2; "
                    "exit 1; }}\n"
                    "chmod 700 \"$part\" && \"$part\" --version < /dev/null || exit 3\n"
                    "mv \"$part\" \"$path\"\n",
                    shellQuoted(found.path), program.hash);
  // Both ends share the place that was read up to.
  const CapturedCommand done = runThere(spec, script, file.get(), kCopySeconds, stop, [&] {
    if (const off_t at = lseek(file.get(), 0, SEEK_CUR); copied && at >= 0)
      copied(static_cast<std::uint64_t>(at));
  });
  if (stop.stop_requested()) throw TargetFailed("stopped");
  if (done.exitCode == 3)
    throw TargetFailed(saying(
        "{}: the program does not start there: {}; build the one that needs no libraries: cmake "
        "--preset portable && cmake --build --preset portable",
        spec.text(), reasonOf(done)));
  if (done.exitCode != 0)
    throw TargetFailed(saying(
        "{}: the program cannot be copied to {}: {}", spec.text(), shownText(found.path),
        done.exitCode == kConnectionFailed ? saying("the connection was lost") : reasonOf(done)));
}

std::string programScript(const std::string& path, const std::vector<std::string>& arguments) {
  std::string command = shellQuoted(path);
  for (const std::string& word : arguments) command += ' ' + shellQuoted(word);
  return "TMPDIR=$(mktemp -d \"${TMPDIR:-/tmp}/fusebench-XXXXXX\") || exit 1\n"
         "export TMPDIR\n"
         "trap 'rm -rf \"$TMPDIR\"' EXIT\n"
         "trap 'exit 1' HUP INT TERM\n" +
         begin() + command + "\n";
}

}  // namespace fusebench

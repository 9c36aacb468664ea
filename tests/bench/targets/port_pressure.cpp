// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/targets/port_pressure.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <vector>

#include "engine/cpu/codegen/schedule.h"
#include "engine/cpu/codegen/target.h"
#include "engine/run/executor.h"
#include "tests/temporary_folder.h"

// Twelve multiply-adds, and what counts the turns. `v`: the registers' first letter.
#define FUSEBENCH_MULTIPLY_ADD(v, n) "vfmadd231ps %%" v "mm12, %%" v "mm13, %%" v "mm" #n "\n\t"
#define FUSEBENCH_TURN(v)       \
  FUSEBENCH_MULTIPLY_ADD(v, 0)  \
  FUSEBENCH_MULTIPLY_ADD(v, 1)  \
  FUSEBENCH_MULTIPLY_ADD(v, 2)  \
  FUSEBENCH_MULTIPLY_ADD(v, 3)  \
  FUSEBENCH_MULTIPLY_ADD(v, 4)  \
  FUSEBENCH_MULTIPLY_ADD(v, 5)  \
  FUSEBENCH_MULTIPLY_ADD(v, 6)  \
  FUSEBENCH_MULTIPLY_ADD(v, 7)  \
  FUSEBENCH_MULTIPLY_ADD(v, 8)  \
  FUSEBENCH_MULTIPLY_ADD(v, 9)  \
  FUSEBENCH_MULTIPLY_ADD(v, 10) \
  FUSEBENCH_MULTIPLY_ADD(v, 11)

namespace fusebench::targets {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The text of each loop that holds no other one.
std::vector<std::string> innermostLoops(const std::vector<std::string>& lines) {
  static const std::regex label("(\\.L[A-Za-z0-9_]+):.*"), back("\\s+(j[a-z]+)\\s+(\\.L\\S+)");
  std::map<std::string, std::size_t> labels;
  std::vector<std::pair<std::size_t, std::size_t>> loops;
  std::smatch found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (std::regex_match(lines[i], found, label)) labels[found[1]] = i;
    // LLVM ends a counted loop in a jump if less; other jumps back leave rare paths or outer loops.
    if (std::regex_match(lines[i], found, back) && (found[1] == "jl" || found[1] == "jne") &&
        labels.contains(found[2]))
      loops.emplace_back(labels[found[2]], i);
  }
  std::vector<std::string> texts;
  for (const auto& loop : loops) {
    const bool holds = std::any_of(loops.begin(), loops.end(), [&](const auto& other) {
      return other != loop && other.first >= loop.first && other.second <= loop.second;
    });
    if (holds) continue;
    std::string text;
    for (std::size_t i = loop.first + 1; i < loop.second; ++i)
      if (!lines[i].starts_with(".")) text += lines[i] + "\n";
    texts.push_back(std::move(text));
  }
  return texts;
}

/// The output of a command.
std::string printed(const std::string& command) {
  std::string text;
  if (FILE* pipe = ::popen(command.c_str(), "r")) {
    char piece[4096];
    while (const std::size_t got = std::fread(piece, 1, sizeof piece, pipe))
      text.append(piece, got);
    ::pclose(pipe);
  }
  return text;
}

}  // namespace

PortPressure pressureOfLoops(const std::string& assembly) {
  static const std::regex throughput("Block RThroughput:\\s+([0-9.]+)");
  const test::TemporaryFolder folder;
  PortPressure pressure;
  for (const std::string& loop : innermostLoops(linesOf(assembly))) {
    std::ofstream(folder.path("loop.s")) << loop;
    const std::string said =
        printed("llvm-mca-19 -mcpu=native -iterations=100 '" + folder.path("loop.s") + "' 2>&1");
    std::smatch found;
    if (!std::regex_search(said, found, throughput))
      return {0, "llvm-mca-19 gave no figure: " + said.substr(0, said.find('\n'))};
    pressure.cycles += std::stod(found[1]);
  }
  if (pressure.cycles == 0) pressure.why = "the code has no loop";
  return pressure;
}

PortPressure pressureOfStatic(Backend& backend, const Program& program, const Tensor& input) {
  const auto kernels =
      makeExecutor("static", backend, program)->kernels(std::vector<Tensor>{input});
  if (kernels.size() != 1) return {0, "the program is not one kernel"};
  const cpu::Target target = cpu::hostTarget(0);
  const int step = target.vector.width * cpu::schedule(kernels[0], target, 0).interleave;
  for (const GeneratedCode& code : backend.code(kernels[0])) {
    if (code.language != "assembly") continue;
    // The functions after the kernel are those that its rare paths call.
    PortPressure pressure = pressureOfLoops(code.text.substr(0, code.text.find(".LBB1_")));
    pressure.cycles /= step;
    return pressure;
  }
  return {0, "this back end shows no assembly"};
}

#if defined(__x86_64__)

Contender additionsInTurn() {
  return calling("additions", [] {
    std::uint64_t value = 0;
    const std::uint64_t three =
        3;  // in a register: small constants some processors add for nothing
    for (int i = 0; i < kAdditions / 16; ++i)
      asm volatile(
          "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
          "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
          "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
          "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0"
          : "+r"(value)
          : "r"(three));
  });
}

Contender independentMultiplyAdds() {
  const bool wide = __builtin_cpu_supports("avx512f") != 0;
  if (!wide && __builtin_cpu_supports("fma") == 0) return {"multiply-adds", {}};
  return calling("multiply-adds", [wide] {
    std::int64_t turns = kTurns;
    if (wide)
      asm volatile("vzeroall\n1:\n\t" FUSEBENCH_TURN("z") "decq %0\n\tjne 1b\n\tvzeroupper"
                   : "+r"(turns)
                   :
                   : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                     "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
    else
      asm volatile("vzeroall\n1:\n\t" FUSEBENCH_TURN("y") "decq %0\n\tjne 1b\n\tvzeroupper"
                   : "+r"(turns)
                   :
                   : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                     "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
  });
}

std::string multiplyAddLoop() {
  const bool wide = __builtin_cpu_supports("avx512f") != 0;
  std::string text = wide ? ".LBB0_0:\n\t" FUSEBENCH_TURN("z") "decq %%rax\n\tjne .LBB0_0\n"
                          : ".LBB0_0:\n\t" FUSEBENCH_TURN("y") "decq %%rax\n\tjne .LBB0_0\n";
  for (std::size_t at; (at = text.find("%%")) != std::string::npos;) text.erase(at, 1);
  return text;
}

#else

Contender additionsInTurn() {
  return {"additions", {}};
}
Contender independentMultiplyAdds() {
  return {"multiply-adds", {}};
}
std::string multiplyAddLoop() {
  return {};
}

#endif

}  // namespace fusebench::targets

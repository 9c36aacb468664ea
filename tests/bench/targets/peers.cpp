// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/targets/peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "profiler/protocol/process.h"
#include "tests/bench/targets/measure.h"
#include "tests/support/built_paths.h"

namespace fusebench::targets {
namespace {

constexpr double kStartSeconds = 60;     // importing PyTorch from a cold disk
constexpr double kPrepareSeconds = 300;  // torch.compile
constexpr double kRunSeconds = 600;

std::string wordOf(std::string_view peer) {
  return std::string(peer.substr(0, peer.find('-')));
}

nlohmann::json requestOf(const Peers::PeerProgram& program) {
  nlohmann::json request{{"text", program.text},     {"classes", program.classes},
                         {"by", program.by},         {"back", program.back},
                         {"source", program.source}, {"like", program.like}};
  for (const Peers::Input& input : program.inputs)
    request["inputs"].push_back(
        {{"shape", input.shape},
         {"dtype", input.classes ? "int64" : std::string(info(input.dtype).name)}});
  return request;
}

}  // namespace

Peers::Peers(const std::string& python) {
  const std::string script = fusebench::test::sourcePath("/tests/bench/peers/peers.py");
  std::string why;
  try {
    process_ = startWorker({python, script});
    const auto answer = ask("who", kStartSeconds);
    const auto who = nlohmann::json::parse(answer.value_or("null"), nullptr, false);
    if (!who.is_object()) throw std::runtime_error(python + " does not answer");
    for (const auto& [peer, version] : who.items())
      if (version.is_string()) found_.emplace_back(peer, version.get<std::string>());
    for (const auto& [peer, reason] : who["why"].items())
      missing_.emplace_back(peer, reason.get<std::string>());
  } catch (const std::runtime_error& error) {
    process_.reset();
    why = error.what();
  }
  for (const char* peer : {"torch", "numexpr"})
    if (std::none_of(found_.begin(), found_.end(),
                     [&](const auto& f) { return f.first == peer; }) &&
        !why.empty())
      missing_.emplace_back(peer, why);
}

std::optional<std::string> Peers::ask(const std::string& line, double seconds) {
  if (!process_ || !process_->send(line + "\n")) return std::nullopt;
  auto received = process_->receive(seconds);
  if (received.event != WorkerConnection::Event::line) {
    process_->kill();
    process_.reset();
    return std::nullopt;
  }
  return received.line;
}

std::string Peers::about(const std::string& peer) const {
  const std::string word = wordOf(peer);
  for (const auto& [name, version] : found_)
    if (name == word) return fmt::format("{} {}", word == "torch" ? "PyTorch" : word, version);
  for (const auto& [name, reason] : missing_)
    if (name == word) return fmt::format("no {}: {}", word == "torch" ? "PyTorch" : word, reason);
  return "no " + word;
}

bool Peers::isThere(const std::string& peer) const {
  const bool there = std::any_of(found_.begin(), found_.end(),
                                 [&](const auto& f) { return f.first == wordOf(peer); });
  const bool compiles = std::none_of(missing_.begin(), missing_.end(), [&](const auto& m) {
    return m.first == "torch.compile" && peer != "torch" && wordOf(peer) == "torch";
  });
  return there && compiles && process_;
}

std::optional<Contender> Peers::study(const std::string& peer, int statements, std::int64_t rows,
                                      double ours, int threads) {
  const std::string name = fmt::format("{}/{}/{}/{}", peer, statements, rows, threads);
  return prepared(peer, name,
                  fmt::format("prepare {} {} {} {} {}", name, peer, statements, rows, threads),
                  ours, kSameSum);
}

std::optional<Contender> Peers::program(const std::string& peer, const PeerProgram& program,
                                        double ours, double tolerance) {
  const std::string name = fmt::format("{}/{}", peer, program.name);
  return prepared(peer, name,
                  fmt::format("program {} {} 1 {}", name, peer, requestOf(program).dump()), ours,
                  tolerance);
}

std::optional<double> Peers::peakBytes(const PeerProgram& program) {
  if (!isThere("torch")) return std::nullopt;
  const auto answer = ask("peak " + requestOf(program).dump(), kPrepareSeconds);
  double bytes = 0;
  if (answer && std::sscanf(answer->c_str(), "ok %lf", &bytes) == 1) return bytes;
  fmt::print(stderr, "targets: the memory of {} is not known: {}\n", program.name,
             answer.value_or("its process is gone"));
  return std::nullopt;
}

std::optional<Contender> Peers::prepared(const std::string& peer, const std::string& name,
                                         const std::string& request, double ours,
                                         double tolerance) {
  if (!isThere(peer)) return std::nullopt;
  const auto made = ask(request, kPrepareSeconds);
  double given = 0;
  if (!made || std::sscanf(made->c_str(), "ok %lf", &given) != 1) {
    fmt::print(stderr, "targets: {} cannot be prepared: {}\n", name,
               made.value_or("its process is gone"));
    return std::nullopt;
  }
  requireSame(name, given, ours, tolerance);
  return Contender{peer, [this, name](std::int64_t calls) {
                     const auto taken = ask(fmt::format("run {} {}", name, calls), kRunSeconds);
                     char* end = nullptr;
                     const double value = taken ? std::strtod(taken->c_str(), &end) : 0;
                     if (!taken || end == taken->c_str() || value <= 0)
                       throw std::runtime_error(name + " gave no time: " + taken.value_or("gone"));
                     return value;
                   }};
}

}  // namespace fusebench::targets

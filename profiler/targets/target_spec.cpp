// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/targets/target_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/files/input_error.h"
#include "profiler/files/shell_text.h"

namespace fusebench {
namespace {

constexpr std::array<std::string_view, 9> kSlurmOptions = {
    "account",  "constraint", "cpus-per-task", "gpus", "mem",
    "nodelist", "qos",        "reservation",   "time"};
constexpr std::string_view kForms =
    toBeSaid("here, ssh:[user@]host[:port] or slurm:[partition][,gpus=1,...]");

[[noreturn]] void fail(std::string_view given, const std::string& what) {
  throw InputError(saying("--target {}: {}", shownName(given), what));
}

/// Names of hosts, users, partitions and values: nothing that a shell or an option parser reads
/// otherwise.
bool isPlain(std::string_view word) {
  constexpr std::string_view kOther = "._-@:+/%[]*&|";
  return !word.empty() && word.front() != '-' && std::all_of(word.begin(), word.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kOther.find(c) != std::string_view::npos;
  });
}

TargetSpec parseSsh(std::string_view given, std::string_view rest) {
  TargetSpec spec;
  spec.kind = TargetSpec::Kind::ssh;
  const std::size_t colon = rest.rfind(':');
  // A bare IPv6 address has more colons than one: its port belongs into the ssh configuration.
  if (colon != std::string_view::npos && rest.find(':') == colon) {
    const std::string_view port = rest.substr(colon + 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), spec.port);
    if (error != std::errc() || end != port.data() + port.size() || spec.port < 1 ||
        spec.port > 65535)
      fail(given, saying("\"{}\" is not a port; a port is 1 to 65535", shownName(port)));
    rest = rest.substr(0, colon);
  }
  if (!isPlain(rest))
    fail(given,
         saying("the host is missing; write ssh:user@host, or a name from your ssh configuration"));
  spec.host = rest;
  return spec;
}

TargetSpec parseSlurm(std::string_view given, std::string_view rest) {
  TargetSpec spec;
  spec.kind = TargetSpec::Kind::slurm;
  for (bool first = true; first || !rest.empty(); first = false) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      if (first && part.empty()) continue;
      if (!first || !isPlain(part))
        fail(given,
             saying("\"{}\" is not an option; write options as name=value, after the partition",
                    shownName(part)));
      spec.partition = part;
      continue;
    }
    const std::string_view name = part.substr(0, equals), value = part.substr(equals + 1);
    if (!isPlain(value))
      fail(given, saying("{} has no value that can be passed to Slurm", shownName(name)));
    if (name == "job")
      spec.job = value;
    else if (std::find(kSlurmOptions.begin(), kSlurmOptions.end(), name) != kSlurmOptions.end())
      spec.options.emplace_back(name, value);
    else
      fail(given, saying("there is no option \"{}\"; the options are {}", shownName(name),
                         fmt::join(kSlurmOptions, ", ")));
  }
  return spec;
}

}  // namespace

TargetSpec parseTarget(std::string_view text) {
  if (text == "here") return {};
  if (text.starts_with("ssh:")) return parseSsh(text, text.substr(4));
  if (text.starts_with("slurm:")) return parseSlurm(text, text.substr(6));
  if (text == "slurm") return parseSlurm(text, "");
  fail(text, saying("there is no such target; a target is {}", said(kForms)));
}

std::string TargetSpec::text() const {
  switch (kind) {
    case Kind::here:
      return "here";
    case Kind::ssh:
      return port ? fmt::format("ssh:{}:{}", host, port) : "ssh:" + host;
    case Kind::slurm:
      break;
  }
  std::string text = "slurm:" + partition;
  for (const auto& [name, value] : options) text += fmt::format(",{}={}", name, value);
  if (!job.empty()) text += ",job=" + job;
  return text;
}

std::vector<std::string> shellCommand(const TargetSpec& spec, const std::string& script) {
  switch (spec.kind) {
    case TargetSpec::Kind::here:
      return {"sh", "-c", script};
    case TargetSpec::Kind::ssh: {
      const char* client = std::getenv("FUSEBENCH_SSH");
      std::vector<std::string> command = {client && *client ? client : "ssh",
                                          // Without a terminal nobody could answer a question; a
                                          // dead connection is noticed within a minute.
                                          "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10",
                                          "-o", "ServerAliveInterval=15", "-o",
                                          "ServerAliveCountMax=4"};
      if (spec.port) command.insert(command.end(), {"-p", std::to_string(spec.port)});
      // The user's login shell reads this line, whichever it is; it only has to start another.
      command.insert(command.end(), {spec.host, "exec sh -c " + shellQuoted(script)});
      return command;
    }
    case TargetSpec::Kind::slurm:
      break;
  }
  std::vector<std::string> command = {"srun", "--quiet", "--ntasks=1", "--nodes=1"};
  if (!spec.job.empty()) command.insert(command.end(), {"--jobid=" + spec.job, "--overlap"});
  command.insert(command.end(), {"sh", "-c", script});
  return command;
}

}  // namespace fusebench

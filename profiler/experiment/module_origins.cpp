// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/module_origins.h"

#include <algorithm>
#include <map>

namespace fusebench {
namespace {

/// The path of each of a program's frames: the modules that are called within one another.
std::vector<std::string> framePaths(const Program& program) {
  std::vector<std::string> paths;
  for (const Frame& frame : program.frames) {
    std::string path = frame.parent < 0 ? "" : paths[static_cast<std::size_t>(frame.parent)];
    if (frame.kind == Frame::Kind::module) {
      std::string name = frame.name.starts_with("self.") ? frame.name.substr(5) : frame.name;
      std::erase(name, ']');
      std::replace(name.begin(), name.end(), '[', '.');
      path += (path.empty() ? "" : ".") + name;
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

/// The nodes of one program by the lines of its text.
std::map<int, const CapturedModel::Node*> nodesByLine(const CapturedModel& model, int number) {
  std::map<int, const CapturedModel::Node*> byLine;
  for (const CapturedModel::Node& node : model.nodes)
    if (node.program == number) byLine[node.line] = &node;
  return byLine;
}

int lineOf(const Program& program, const Op& op) {
  return op.statement < 0 ? op.place.line
                          : program.statements[static_cast<std::size_t>(op.statement)].place.line;
}

std::vector<std::string_view> textLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::vector<ModuleOrigin> originsOf(const Experiment& experiment, const Program& program,
                                    int number) {
  std::vector<ModuleOrigin> origins(program.ops.size());
  if (!experiment.capture) {
    const std::vector<std::string> paths = framePaths(program);
    for (std::size_t i = 0; i < origins.size(); ++i)
      if (const int frame = program.ops[i].frame; frame >= 0)
        origins[i].module = paths[static_cast<std::size_t>(frame)];
    return origins;
  }
  const CapturedModel& model = *experiment.capture;
  const auto byLine = nodesByLine(model, number);
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const auto found = byLine.find(lineOf(program, program.ops[i]));
    if (found == byLine.end()) continue;
    origins[i] = {model.modules.at(static_cast<std::size_t>(found->second->module)),
                  model.sources.at(static_cast<std::size_t>(found->second->source))};
  }
  return origins;
}

std::vector<std::string> statementModules(const Experiment& experiment, const Program& program,
                                          int number) {
  std::vector<std::string> modules(program.statements.size());
  const std::vector<ModuleOrigin> origins = originsOf(experiment, program, number);
  for (std::size_t i = origins.size(); i-- > 0;)
    if (const int statement = program.ops[i].statement;
        statement >= 0 && static_cast<std::size_t>(statement) < modules.size())
      modules[static_cast<std::size_t>(statement)] = origins[i].module;
  return modules;
}

int programNumber(const Experiment& experiment, const Variant& variant) {
  if (variant.program.empty() || variant.program == experiment.programName) return 0;
  for (std::size_t i = 0; i < experiment.morePrograms.size(); ++i)
    if (experiment.morePrograms[i].name == variant.program) return static_cast<int>(i) + 1;
  return 0;
}

bool isWithinModule(std::string_view module, std::string_view path) {
  return path.empty() || module == path ||
         (module.size() > path.size() && module.starts_with(path) && module[path.size()] == '.');
}

std::string_view moduleAround(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

void followText(CapturedModel& model, int number, std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old = textLines(before), now = textLines(after);
  const std::size_t common = std::min(old.size(), now.size());
  std::size_t head = 0, tail = 0;
  while (head < common && old[head] == now[head]) ++head;
  while (tail < common - head && old[old.size() - 1 - tail] == now[now.size() - 1 - tail]) ++tail;
  const auto shift = static_cast<int>(now.size()) - static_cast<int>(old.size());
  const auto lastOfHead = static_cast<int>(head);
  const auto firstOfTail = static_cast<int>(old.size() - tail) + 1;
  std::erase_if(model.nodes, [&](CapturedModel::Node& node) {
    if (node.program != number || node.line <= lastOfHead) return false;
    if (node.line >= firstOfTail) {
      node.line += shift;
      return false;
    }
    return shift != 0;
  });
}

}  // namespace fusebench

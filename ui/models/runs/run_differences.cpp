// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the differences between two runs other than their samples.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <set>
#include <vector>

#include "profiler/files/json_text.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/runs/run_comparison.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr double kLoadThatMatters = 0.5;  ///< difference of the 1 minute loads
constexpr qsizetype kLongestText = 160;

QString fromText(const std::string& text) {
  return QString::fromStdString(text);
}

/// A value in words: text as it is, lists joined, anything else as JSON.
QString words(const json* value) {
  if (!value || value->is_null()) return {};
  if (value->is_string()) return fromText(value->get<std::string>());
  if (value->is_boolean()) return value->get<bool>() ? uiText("yes") : uiText("no");
  if (value->is_array() &&
      std::all_of(value->begin(), value->end(), [](const json& v) { return v.is_primitive(); })) {
    QStringList parts;
    for (const json& part : *value) parts << words(&part);
    return parts.join(QStringLiteral(", "));
  }
  const QString text =
      fromText(value->dump(-1, ' ', false, json::error_handler_t::replace)).remove(u'"');
  return text.size() > kLongestText ? text.left(kLongestText - 1) + u'…' : text;
}

const json* member(const json& object, const char* path) {
  const json::json_pointer pointer(path);
  return object.contains(pointer) ? &object.at(pointer) : nullptr;
}

class Differences {
 public:
  void add(const QString& what, const QString& a, const QString& b) {
    if (a != b) found_.push_back({what, a, b});
  }

  void addMember(const QString& what, const json& a, const json& b, const char* path) {
    const json *inA = member(a, path), *inB = member(b, path);
    if (inA && inB && *inA == *inB) return;
    add(what, words(inA), words(inB));
  }

  std::vector<RunDifference> take() { return std::move(found_); }

 private:
  std::vector<RunDifference> found_;
};

void addMachine(Differences& found, const json& a, const json& b) {
  for (const auto& [what, path] : std::initializer_list<std::pair<const char*, const char*>>{
           {uiMark("processor"), "/cpu/model"},
           {uiMark("vector units"), "/cpu/vector_units"},
           {uiMark("cores"), "/cpu/cores"},
           {uiMark("hardware threads"), "/cpu/threads"},
           {uiMark("caches"), "/cpu/caches"},
           {uiMark("frequency governor"), "/cpu/governor"},
           {uiMark("turbo"), "/cpu/turbo"},
           {uiMark("backend"), "/backend"},
           {uiMark("CUPTI"), "/cupti"},
           {uiMark("GPU"), "/gpu"},
           {uiMark("kernel of the system"), "/kernel"},
           {uiMark("operating system"), "/os"},
           {uiMark("compiler"), "/compiler"},
           {uiMark("runs inside"), "/virtual"},
           {uiMark("version of Fusebench"), "/version"},
           {uiMark("commit it was built from"), "/commit"}})
    found.addMember(uiText(what), a, b, path);
  // Free memory and the load are never twice the same; only a busy machine is
  // worth a word.
  const json *loadA = member(a, "/load/0"), *loadB = member(b, "/load/0");
  if (loadA && loadB && loadA->is_number() && loadB->is_number()) {
    const double first = loadA->get<double>(), second = loadB->get<double>();
    if (std::abs(first - second) >= kLoadThatMatters)
      found.add(uiText("load of the machine"), QString::number(first, 'f', 1),
                QString::number(second, 'f', 1));
  }
}

/// Elements of two lists of named objects, matched by name.
void addNamed(Differences& found, const QString& what, const json* a, const json* b) {
  const auto byName = [](const json* list) {
    std::map<std::string, const json*> named;
    if (list && list->is_array())
      for (const json& element : *list)
        if (element.is_object() && element.contains("name") && element["name"].is_string())
          named[element["name"].get<std::string>()] = &element;
    return named;
  };
  const auto inA = byName(a), inB = byName(b);
  std::set<std::string> names;
  for (const auto* list : {&inA, &inB})
    for (const auto& [name, ignored] : *list) names.insert(name);
  for (const std::string& name : names) {
    const auto first = inA.find(name), second = inB.find(name);
    const QString title = QStringLiteral("%1 %2").arg(what, fromText(name));
    if (first == inA.end() || second == inB.end()) {
      const QString there = uiText("there"), absent = uiText("not there");
      found.add(title, first == inA.end() ? absent : there, second == inB.end() ? absent : there);
      continue;
    }
    std::set<std::string> keys;
    for (const json* object : {first->second, second->second})
      for (const auto& [key, ignored] : object->items()) keys.insert(key);
    for (const std::string& key : keys)
      // The index of its color does not affect how it was measured.
      if (key != "series")
        found.addMember(title + QStringLiteral(": ") + fromText(key), *first->second,
                        *second->second, ("/" + key).c_str());
  }
}

/// For experiments with several programs: those that only one has, and those that differ.
void addNamedPrograms(Differences& found, const Experiment& a, const Experiment& b) {
  std::map<std::string, std::pair<std::string, std::string>> texts;
  const auto collect = [&texts](const Experiment& e, auto which) {
    if (!e.programName.empty()) texts[e.programName].*which = e.programText;
    for (const NamedProgram& each : e.morePrograms) texts[each.name].*which = each.text;
  };
  using Texts = std::pair<std::string, std::string>;
  collect(a, &Texts::first);
  collect(b, &Texts::second);
  for (const auto& [name, pair] : texts) {
    if (pair.first == pair.second) continue;
    const auto shown = [](const std::string& written, const QString& there) {
      return written.empty() ? uiText("none") : there;
    };
    found.add(uiText("program ") + fromText(name), shown(pair.first, uiText("one")),
              shown(pair.second, uiText("another")));
  }
}

void addExperiment(Differences& found, const Experiment& a, const Experiment& b) {
  const json first = jsonOf(toJson(a)), second = jsonOf(toJson(b));
  found.add(uiText("title"), fromText(a.title), fromText(b.title));
  if (a.programText != b.programText) {
    const auto lines = [](const Experiment& e) {
      return uiText("%1 statements").arg(e.program.statements.size());
    };
    const bool sameCount = a.program.statements.size() == b.program.statements.size();
    found.add(uiText("program"), lines(a),
              sameCount ? uiText("%1, other ones").arg(lines(b)) : lines(b));
  }
  addNamedPrograms(found, a, b);
  found.add(uiText("baseline"), fromText(a.baseline), fromText(b.baseline));
  addNamed(found, uiText("inputs"), member(first, "/inputs"), member(second, "/inputs"));
  addNamed(found, uiText("variant"), member(first, "/variants"), member(second, "/variants"));
  addNamed(found, uiText("axis"), member(first, "/axes"), member(second, "/axes"));
  for (const auto& [what, path] : std::initializer_list<std::pair<const char*, const char*>>{
           {uiMark("time budget in seconds"), "/measure/budgetSeconds"},
           {uiMark("minimum samples"), "/measure/minimumSamples"},
           {uiMark("maximum samples"), "/measure/maximumSamples"},
           {uiMark("requested precision"), "/measure/precision"},
           {uiMark("compiles measured"), "/measure/compileRepeats"},
           {uiMark("seed"), "/measure/seed"}})
    found.addMember(uiText(what), first, second, path);
}

}  // namespace

std::vector<RunDifference> differencesOf(const Run& a, const Run& b) {
  Differences found;
  found.add(uiText("device"), fromText(a.device), fromText(b.device));
  addMachine(found, a.environment, b.environment);
  const auto yesNo = [](bool on, const char* yes, const char* no) { return uiText(on ? yes : no); };
  found.add(uiText("quick or full"), yesNo(a.quick, uiMark("quick"), uiMark("full")),
            yesNo(b.quick, uiMark("quick"), uiMark("full")));
  found.add(uiText("end"), yesNo(a.interrupted, uiMark("stopped early"), uiMark("finished")),
            yesNo(b.interrupted, uiMark("stopped early"), uiMark("finished")));
  addExperiment(found, a.experiment, b.experiment);
  return found.take();
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between two runs besides their samples.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <set>

#include "profiler/files/json_text.h"
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
  if (value->is_boolean()) return value->get<bool>() ? QStringLiteral("yes") : QStringLiteral("no");
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
           {"processor", "/cpu/model"},
           {"vector units", "/cpu/vector_units"},
           {"cores", "/cpu/cores"},
           {"hardware threads", "/cpu/threads"},
           {"caches", "/cpu/caches"},
           {"frequency governor", "/cpu/governor"},
           {"turbo", "/cpu/turbo"},
           {"backend", "/backend"},
           {"CUPTI", "/cupti"},
           {"GPU", "/gpu"},
           {"kernel of the system", "/kernel"},
           {"operating system", "/os"},
           {"compiler", "/compiler"},
           {"runs inside", "/virtual"},
           {"version of Fusebench", "/version"},
           {"commit it was built from", "/commit"}})
    found.addMember(QString::fromLatin1(what), a, b, path);
  // Free memory and the load are never twice the same; only a busy machine is
  // worth a word.
  const json *loadA = member(a, "/load/0"), *loadB = member(b, "/load/0");
  if (loadA && loadB && loadA->is_number() && loadB->is_number()) {
    const double first = loadA->get<double>(), second = loadB->get<double>();
    if (std::abs(first - second) >= kLoadThatMatters)
      found.add(QStringLiteral("load of the machine"), QString::number(first, 'f', 1),
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
      const QString there = QStringLiteral("there"), absent = QStringLiteral("not there");
      found.add(title, first == inA.end() ? absent : there, second == inB.end() ? absent : there);
      continue;
    }
    std::set<std::string> keys;
    for (const json* object : {first->second, second->second})
      for (const auto& [key, ignored] : object->items()) keys.insert(key);
    for (const std::string& key : keys)
      // The place of its colour says nothing of how it was measured.
      if (key != "series")
        found.addMember(title + QStringLiteral(": ") + fromText(key), *first->second,
                        *second->second, ("/" + key).c_str());
  }
}

/// Of experiments with several programs: those that only one has, and those that differ.
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
      return written.empty() ? QStringLiteral("none") : there;
    };
    found.add(QStringLiteral("program ") + fromText(name), shown(pair.first, QStringLiteral("one")),
              shown(pair.second, QStringLiteral("another")));
  }
}

void addExperiment(Differences& found, const Experiment& a, const Experiment& b) {
  const json first = jsonOf(toJson(a)), second = jsonOf(toJson(b));
  found.add(QStringLiteral("title"), fromText(a.title), fromText(b.title));
  if (a.programText != b.programText) {
    const auto lines = [](const Experiment& e) {
      return QStringLiteral("%1 statements").arg(e.program.statements.size());
    };
    const bool sameCount = a.program.statements.size() == b.program.statements.size();
    found.add(QStringLiteral("program"), lines(a),
              sameCount ? QStringLiteral("%1, other ones").arg(lines(b)) : lines(b));
  }
  addNamedPrograms(found, a, b);
  found.add(QStringLiteral("baseline"), fromText(a.baseline), fromText(b.baseline));
  addNamed(found, QStringLiteral("inputs"), member(first, "/inputs"), member(second, "/inputs"));
  addNamed(found, QStringLiteral("variant"), member(first, "/variants"),
           member(second, "/variants"));
  addNamed(found, QStringLiteral("axis"), member(first, "/axes"), member(second, "/axes"));
  for (const auto& [what, path] : std::initializer_list<std::pair<const char*, const char*>>{
           {"time budget in seconds", "/measure/budgetSeconds"},
           {"fewest samples", "/measure/minimumSamples"},
           {"most samples", "/measure/maximumSamples"},
           {"precision wanted", "/measure/precision"},
           {"compiles measured", "/measure/compileRepeats"},
           {"seed", "/measure/seed"}})
    found.addMember(QString::fromLatin1(what), first, second, path);
}

}  // namespace

std::vector<RunDifference> differencesOf(const Run& a, const Run& b) {
  Differences found;
  found.add(QStringLiteral("device"), fromText(a.device), fromText(b.device));
  addMachine(found, a.environment, b.environment);
  const auto yesNo = [](bool on, const char* yes, const char* no) {
    return QString::fromLatin1(on ? yes : no);
  };
  found.add(QStringLiteral("kind of run"), yesNo(a.quick, "quick", "full"),
            yesNo(b.quick, "quick", "full"));
  found.add(QStringLiteral("end"), yesNo(a.interrupted, "stopped early", "finished"),
            yesNo(b.interrupted, "stopped early", "finished"));
  addExperiment(found, a.experiment, b.experiment);
  return found.take();
}

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
// Answers as a file, and several readers' answers as a table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "profiler/analysis/wording.h"
#include "profiler/catalogue/catalogue.h"
#include "profiler/course/answers.h"
#include "profiler/files/csv_text.h"
#include "profiler/files/json_reader.h"

namespace fusebench::course {
namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const Measured& measured) {
  if (!measured.word.empty()) return {{"word", measured.word}, {"alike", measured.alike}};
  const Estimate& estimate = measured.estimate;
  Json json = {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
  json["interval"] = estimate.kind == Estimate::Kind::interval;
  return json;
}

Measured measuredIn(const JsonReader& reader) {
  reader.expectObject({}, {"word", "alike", "value", "low", "high", "interval"});
  Measured measured;
  if (reader.has("word")) {
    measured.word = reader["word"].string();
    for (std::size_t i = 0; reader.has("alike") && i < reader["alike"].size(); ++i)
      measured.alike.push_back(reader["alike"][i].string());
    return measured;
  }
  // An end that is not finite is written as null.
  const auto figure = [&reader](const char* key, double missing) {
    const bool there = reader.has(key) && !reader[key].json().is_null();
    return there ? reader[key].number(-1e300, 1e300) : missing;
  };
  constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  Estimate& estimate = measured.estimate;
  estimate.value = figure("value", kNoEnd);
  estimate.low = figure("low", -kNoEnd);
  estimate.high = figure("high", kNoEnd);
  estimate.kind = reader.has("interval") && reader["interval"].boolean() ? Estimate::Kind::interval
                                                                         : Estimate::Kind::range;
  return measured;
}

Json jsonOf(const GivenAnswer& given, bool prediction) {
  Json json = {{"ask", given.ask}, {"given", given.given}, {"seen", given.seen}};
  if (prediction) json["factor"] = given.factor ? Json(*given.factor) : Json();
  json["right"] = given.right ? Json(*given.right) : Json();
  if (given.possible) json["possible"] = true;
  if (given.measured) json["measured"] = jsonOf(*given.measured);
  return json;
}

GivenAnswer givenIn(const JsonReader& reader) {
  reader.expectObject({"ask", "given"}, {"seen", "factor", "right", "possible", "measured"});
  GivenAnswer given;
  given.ask = reader["ask"].string();
  given.given = reader["given"].string();
  if (reader.has("seen")) given.seen = reader["seen"].string();
  if (reader.has("factor") && !reader["factor"].json().is_null())
    given.factor = reader["factor"].number(0, 1e300);
  if (reader.has("right") && !reader["right"].json().is_null())
    given.right = reader["right"].boolean();
  if (reader.has("possible")) given.possible = reader["possible"].boolean();
  if (reader.has("measured")) given.measured = measuredIn(reader["measured"]);
  return given;
}

}  // namespace

std::string toJson(const Answers& answers) {
  Json json = {{"fusebench", "answers"},        {"version", 1},       {"lesson", answers.lesson},
               {"title", answers.title},        {"who", answers.who}, {"device", answers.device},
               {"startedAt", answers.startedAt}};
  json["predictions"] = Json::array();
  for (const GivenAnswer& given : answers.predictions)
    json["predictions"].push_back(jsonOf(given, true));
  json["questions"] = Json::array();
  for (const GivenAnswer& given : answers.questions)
    json["questions"].push_back(jsonOf(given, false));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Answers parseAnswers(std::string_view json, std::string_view file) {
  const JsonDocument document(json, file);
  const JsonReader root(document);
  root.expectObject({"fusebench", "lesson", "predictions", "questions"},
                    {"version", "title", "who", "device", "startedAt"});
  if (root["fusebench"].string() != "answers")
    root["fusebench"].fail(
        saying("this is not an answers file; save one from a lesson with \"Save answers\""));
  Answers answers;
  answers.lesson = root["lesson"].string();
  for (const auto& [key, to] : {std::pair{"title", &answers.title},
                                {"who", &answers.who},
                                {"device", &answers.device},
                                {"startedAt", &answers.startedAt}})
    if (root.has(key)) *to = root[key].string();
  for (const auto& [key, to] :
       {std::pair{"predictions", &answers.predictions}, {"questions", &answers.questions}})
    for (std::size_t i = 0; i < root[key].size(); ++i) to->push_back(givenIn(root[key][i]));
  return answers;
}

std::string collectedTable(const std::vector<Answers>& all) {
  std::string text = "who,lesson,device,right,questions,predictions off by\n";
  for (const Answers& answers : all) {
    std::string off;
    for (const GivenAnswer& given : answers.predictions) {
      if (!off.empty()) off += "; ";
      off += given.factor ? wording::number(std::max(*given.factor, 1 / *given.factor)) : "-";
    }
    text += fmt::format("{},{},{},{},{},{}\n", csvField(answers.who), csvField(answers.lesson),
                        csvField(answers.device), answers.right(), answers.questions.size(),
                        csvField(off));
  }
  return text;
}

}  // namespace fusebench::course

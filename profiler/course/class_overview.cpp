// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/course/class_overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "profiler/catalogue/catalogue.h"
#include "profiler/files/csv_text.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"

namespace fusebench::course {
namespace {

constexpr double kNearFactor = 2;

/// Answers that are right, of how many; predictions that are near, of how many.
struct Score {
  std::size_t right = 0, questions = 0, near = 0, predictions = 0;
  void add(const Score& other) {
    right += other.right;
    questions += other.questions;
    near += other.near;
    predictions += other.predictions;
  }
};

Score scoreOf(const Answers& answers) {
  Score score;
  score.right = static_cast<std::size_t>(answers.right());
  score.questions = answers.questions.size();
  score.predictions = answers.predictions.size();
  score.near = static_cast<std::size_t>(
      std::ranges::count_if(answers.predictions, [](const GivenAnswer& given) {
        if (given.right) return *given.right;
        return given.factor && std::max(*given.factor, 1 / *given.factor) <= kNearFactor;
      }));
  return score;
}

std::string shareText(std::size_t part, std::size_t whole) {
  return whole == 0 ? std::string() : fmt::format("{:.2f}", double(part) / double(whole));
}

/// The line of a reader, or of everyone, with a column for each of these lessons.
std::string lineOf(const std::string& who, const std::vector<std::string>& lessons,
                   const std::map<std::string, Score>& scores) {
  std::string line = csvField(who);
  Score total;
  for (const std::string& lesson : lessons) {
    const auto found = scores.find(lesson);
    line += ',';
    if (found == scores.end()) continue;
    line += shareText(found->second.right, found->second.questions);
    total.add(found->second);
  }
  return line + fmt::format(",{},{}\n", shareText(total.right, total.questions),
                            shareText(total.near, total.predictions));
}

}  // namespace

FolderAnswers answersInFolder(const std::string& folder) {
  std::error_code problem;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem))
    if (at->path().extension() == ".json") files.push_back(at->path().string());
  if (problem)
    throw InputError(saying("{}: could not list this folder: {}", folder, problem.message()));
  if (files.empty())
    throw InputError(
        saying("{}: this folder contains no answers; collect files that readers wrote "
               "with \"Save answers\"",
               folder));
  std::ranges::sort(files);
  FolderAnswers found;
  for (const std::string& file : files) {
    try {
      found.answers.push_back(parseAnswers(readFile(file, kLargestWritten), file));
    } catch (const InputError& error) {
      found.problems.emplace_back(error.what());
    }
  }
  // One damaged file of a class leaves the others readable.
  if (found.answers.empty()) throw InputError(found.problems.front());
  return found;
}

std::string classOverview(std::vector<Answers> all) {
  std::ranges::stable_sort(all, {}, &Answers::startedAt);
  std::map<std::string, std::map<std::string, Score>> readers;
  std::vector<std::string> lessons;
  for (const std::string& name : shippedLessons())
    if (std::ranges::find(all, name, &Answers::lesson) != all.end()) lessons.push_back(name);
  for (const Answers& answers : all) {
    if (std::ranges::find(lessons, answers.lesson) == lessons.end())
      lessons.push_back(answers.lesson);
    readers[answers.who][answers.lesson] = scoreOf(answers);
  }
  std::string table = "who";
  for (const std::string& lesson : lessons) table += "," + csvField(lesson);
  table += ",right,predictions within 2\n";
  std::map<std::string, Score> everyone;
  for (const auto& [who, scores] : readers) {
    table += lineOf(who, lessons, scores);
    for (const auto& [lesson, score] : scores) everyone[lesson].add(score);
  }
  return table + lineOf("all", lessons, everyone);
}

}  // namespace fusebench::course

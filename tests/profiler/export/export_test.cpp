// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "profiler/export/export_data.h"
#include "profiler/export/export_table.h"
#include "profiler/export/result_json.h"
#include "tests/profiler/run/sample_data.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Run measured(const std::string& title = "A, \"small\" study_1") {
  Run run = emptyRun(smallExperiment({1, 2}));
  run.experiment.title = title;
  run.startedAt = "2025-01-01T00:00:00Z";
  fillSamples(run, 40, 0.01, 3,
              [](const CellKey& key) { return key.variant == 0 ? 100.0 * double(key.at[0]) : 80; });
  for (Cell& cell : run.cells) cell.stop = Stop::converged;
  run.cells[1].launches = LaunchCounts{1, 1.5, 2};
  run.cells[3].samples.clear();
  run.cells[3].stop = Stop::failed;
  run.cells[3].error = "went wrong, \"badly\"\nhere";
  return run;
}

ExportedRun exported(const Run& run, const std::string& name = "first") {
  return {name, &run, findCrossings(run)};
}

/// An independent reader of RFC 4180.
std::vector<std::vector<std::string>> parseCsv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += '"';
      ++i;
    } else if (c == '"') {
      inside = !inside;
    } else if (!inside && c == ',') {
      rows.back().emplace_back();
    } else if (!inside && c == '\n') {
      rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

std::string field(const std::vector<std::vector<std::string>>& csv, std::size_t row,
                  const std::string& column) {
  const auto& header = csv.front();
  const auto found = std::find(header.begin(), header.end(), column);
  EXPECT_NE(found, header.end()) << column;
  return found == header.end() ? "" : csv[row][static_cast<std::size_t>(found - header.begin())];
}

TEST(ExportedCsv, HasOneRowACellWithUnitsInTheHeaderAndReadsBackExactly) {
  const auto run = measured();
  const ExportedRun one = exported(run);
  const auto csv = parseCsv(toCsv({&one, 1}));
  ASSERT_EQ(csv.size(), run.cells.size() + 1);
  for (const auto& row : csv) EXPECT_EQ(row.size(), csv.front().size());
  for (std::size_t i = 0; i < run.cells.size(); ++i) {
    const Cell& cell = run.cells[i];
    EXPECT_EQ(field(csv, i + 1, "statements"), std::to_string(cell.key.at[0]));
    EXPECT_EQ(field(csv, i + 1, "variant"), cell.key.variant == 0 ? "eager" : "fused");
    if (cell.samples.empty()) continue;
    EXPECT_EQ(std::stod(field(csv, i + 1, "latency_ns")), cell.latency().value);
    EXPECT_EQ(std::stod(field(csv, i + 1, "latency_ci_low_ns")), cell.latency().low);
    EXPECT_EQ(field(csv, i + 1, "samples_count"), "40");
  }
  EXPECT_EQ(field(csv, 2, "launches_mean_per_call"), "1.5");
  EXPECT_EQ(field(csv, 1, "launches_mean_per_call"), "") << "not counted is not 0";
  EXPECT_EQ(field(csv, 4, "latency_ns"), "");
  EXPECT_EQ(field(csv, 4, "error"), "went wrong, \"badly\"\nhere");
}

TEST(ExportedCsv, SeveralRunsAreToldApartByTheFirstColumn) {
  const auto a = measured(), b = measured();
  const ExportedRun both[] = {exported(a, "be,fore"), exported(b, "after")};
  const auto csv = parseCsv(toCsv(both));
  ASSERT_EQ(csv.size(), 2 * a.cells.size() + 1);
  EXPECT_EQ(field(csv, 1, "run"), "be,fore");
  EXPECT_EQ(field(csv, csv.size() - 1, "run"), "after");
}

TEST(ExportedJson, IsTheResultObject) {
  const auto run = measured();
  const ExportedRun one = exported(run);
  EXPECT_EQ(json::parse(toJson({&one, 1})), json(resultJson(run, one.crossings)));
  const ExportedRun both[] = {exported(run, "a"), exported(run, "b")};
  const json two = json::parse(toJson(both));
  EXPECT_EQ(two["runs"].size(), 2U);
  EXPECT_EQ(two["runs"][1]["name"], "b");
  EXPECT_EQ(two["runs"][1]["cells"], json(resultJson(run, one.crossings))["cells"]);
}

TEST(ExportedTables, SayWhatWasMeasuredAtEachPlace) {
  const auto run = measured();
  const ExportTable table = latencyTable(run);
  EXPECT_THAT(table.header, ElementsAre("statements", "eager, ns", "fused, ns", "fused speedup"));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][0], "1");
  EXPECT_THAT(table.rows[0][1], testing::MatchesRegex("(99.[0-9]|100|101) \\(.* – .*\\)"));
  EXPECT_EQ(table.rows[1][2], "failed");
  EXPECT_EQ(table.rows[1][3], "");
  const ExportTable narrow = latencyTable(run, 1);
  EXPECT_EQ(narrow.rows.size(), run.cells.size());
  for (const auto& row : cellTable(run).rows) EXPECT_EQ(row.size(), cellTable(run).header.size());
}

TEST(ExportedTables, SayHowManyGraphsThereAreAndWhatKeepsABudgetWhereThatDiffers) {
  auto run = measured();
  const auto column = [&](const char* title) -> std::vector<std::string> {
    const ExportTable table = cellTable(run);
    const auto at = std::ranges::find(table.header, title);
    std::vector<std::string> cells;
    if (at == table.header.end()) return cells;
    for (const auto& row : table.rows)
      cells.push_back(row[static_cast<std::size_t>(at - table.header.begin())]);
    return cells;
  };
  run.cells[1].graphs = 1;
  EXPECT_THAT(column("graphs"), testing::IsEmpty());
  run.cells[3].graphs = 2;
  EXPECT_THAT(column("graphs"), ElementsAre("", "1", "", "2"));
  EXPECT_THAT(column("activation memory budget"), testing::IsEmpty());
  run.cells[3].memoryShare = 0.4;
  EXPECT_THAT(column("activation memory budget"), ElementsAre("", "", "", "0.4"));
  EXPECT_EQ(json(resultJson(run, {}))["cells"][3]["graphs"], 2);
}

TEST(ExportedTables, MarkWhatIsDifferentAndSayOnceWhatHoldsOfAll) {
  auto run = measured();
  std::vector<Cell*> cells;
  for (Cell& cell : run.cells)
    if (!cell.samples.empty()) cells.push_back(&cell);
  ASSERT_GT(cells.size(), 1U);
  for (Cell* cell : cells) cell->stop = Stop::converged;
  const auto stars = [&] {
    int count = 0;
    for (const auto& row : latencyTable(run).rows)
      for (const std::string& text : row) count += text.find('*') != std::string::npos;
    return count;
  };
  EXPECT_EQ(stars(), 0);
  cells[0]->stop = Stop::cap;
  EXPECT_EQ(stars(), 1);
  EXPECT_THAT(latencyTable(run).notes,
              testing::Contains("* stopped before the interval was narrow enough"));
  for (Cell* cell : cells) cell->stop = Stop::budget;
  EXPECT_EQ(stars(), 0);
  EXPECT_THAT(latencyTable(run).notes,
              testing::Contains("every measurement stopped before its interval was narrow enough"));
  // As on a simulated device: nothing is left to be narrowed.
  for (Sample& sample : cells[0]->samples) sample.nanoseconds = 1e3;
  EXPECT_THAT(latencyTable(run).notes,
              testing::Contains("* stopped before the interval was narrow enough"));
  for (Cell* cell : cells)
    for (Sample& sample : cell->samples) sample.nanoseconds = 1e3;
  EXPECT_THAT(latencyTable(run).notes, testing::Each(testing::Not(HasSubstr("narrow enough"))));
}

TEST(ExportedMarkdown, KeepsItsColumnsWhateverTheTextsSay) {
  auto run = measured("A | b_c *d*");
  run.experiment.variants[1].name = "fu|sed";
  const ExportedRun one = exported(run);
  const std::string text = toMarkdown({&one, 1});
  EXPECT_THAT(text, HasSubstr("## A \\| b\\_c \\*d\\*\n"));
  std::istringstream lines(text);
  std::string line;
  int rows = 0;
  while (std::getline(lines, line)) {
    if (!line.starts_with("|")) continue;
    ++rows;
    int bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    EXPECT_EQ(bars, 5) << line;
  }
  EXPECT_EQ(rows, 4);
}

TEST(ExportedMarkdown, SaysWhichResultsAreWrongOrCannotBeCompared) {
  auto run = measured();
  EXPECT_THAT(toMarkdown(std::vector<ExportedRun>{exported(run)}), Not(HasSubstr("wrong results")));
  run.cells[1].relativeError = 0.5;
  EXPECT_THAT(toMarkdown(std::vector<ExportedRun>{exported(run)}),
              HasSubstr("Times of wrong results mean nothing."));
  run.cells[1].relativeError = std::nullopt;
  run.experiment.variants[1].executor = "torch";
  run.cells[1].checkNote = "PyTorch's calls after the first return different results";
  EXPECT_THAT(toMarkdown(std::vector<ExportedRun>{exported(run)}),
              HasSubstr("- PyTorch's calls after the first return different results.\n"));
}

TEST(ExportedMarkdown, NamesNoPlaceWhereNothingIsSwept) {
  auto run = emptyRun(smallExperiment({1}));
  run.experiment.axes[0].name = "threads";
  fillSamples(run, 40, 0.01, 3, [](const CellKey& key) { return key.variant == 0 ? 100.0 : 80; });
  EXPECT_FALSE(run.experiment.sweeps());
  const std::string text = toMarkdown(std::vector<ExportedRun>{exported(run)});
  EXPECT_THAT(text, Not(HasSubstr("| threads")));
  run.experiment.axes[0].values = {2};
  EXPECT_THAT(toMarkdown(std::vector<ExportedRun>{exported(run)}), HasSubstr("| threads"));
}

TEST(ExportedLatex, EscapesWhatLatexWouldTakeForItsOwn) {
  auto run = measured("100% of_all {sets} & more~");
  const ExportedRun one = exported(run);
  const std::string text = toLatex({&one, 1});
  EXPECT_THAT(text, HasSubstr("100\\% of\\_all \\{sets\\} \\& more\\textasciitilde{}"));
  EXPECT_THAT(text, HasSubstr("\\begin{tabular}{rrrr}"));
  EXPECT_THAT(text, HasSubstr("$\\times$"));
  EXPECT_THAT(text, Not(HasSubstr("×")));
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line))
    if (line.ends_with("\\\\")) {
      int cells = 1;
      for (std::size_t i = 1; i < line.size(); ++i) cells += line[i] == '&' && line[i - 1] != '\\';
      EXPECT_EQ(cells, 4) << line;
    }
}

TEST(ExportedBenchmarkJson, HasEverySampleAndItsAggregates) {
  const auto run = measured();
  const ExportedRun one = exported(run);
  const json all = json::parse(toBenchmarkJson({&one, 1}));
  ASSERT_TRUE(all["context"].contains("date"));
  std::map<std::string, int> iterations;
  for (const json& entry : all["benchmarks"]) {
    EXPECT_EQ(entry["time_unit"], "ns");
    if (entry["run_type"] == "iteration") ++iterations[entry["name"]];
    if (entry["name"] == "eager/statements:2_median") {
      EXPECT_EQ(entry["real_time"], run.cells[2].latency().value);
      EXPECT_EQ(entry["run_name"], "eager/statements:2");
      EXPECT_EQ(entry["aggregate_name"], "median");
    }
  }
  EXPECT_EQ(iterations["eager/statements:1"], 40);
  EXPECT_EQ(iterations.count("fused/statements:2"), 0U) << "nothing was measured there";
  EXPECT_EQ(iterations.size(), 3U);
}

TEST(RunText, IsWhatTheFileSays) {
  const auto run = measured();
  const auto back = parseRun(runText(run), "text");
  EXPECT_EQ(runText(back), runText(run));
  EXPECT_EQ(back.cells[0].times(), run.cells[0].times());
  EXPECT_EQ(back.experiment.title, run.experiment.title);
}

}  // namespace
}  // namespace fusebench

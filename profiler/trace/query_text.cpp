// SPDX-License-Identifier: GPL-3.0-or-later
// The queries that ship, and results as text.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <type_traits>

#include "engine/base/saying.h"
#include "profiler/files/csv_text.h"
#include "profiler/trace/trace_query.h"

namespace fusebench {
namespace {

constexpr SavedQuery kSavedQueries[] = {
    {"longest-kernels", toBeSaid("The kernels that take the most time, by name"),
     "SELECT short_name, class, count(*) AS launches, sum(dur_ns) AS total_ns,\n"
     "       CAST(avg(dur_ns) AS INTEGER) AS mean_ns, max(dur_ns) AS longest_ns\n"
     "FROM kernels GROUP BY short_name, class ORDER BY total_ns DESC LIMIT 50"},
    {"late-kernels", toBeSaid("The kernels with the longest delay after their launch call"),
     "SELECT event, short_name, start_ns, dur_ns, delay_ns, operator\n"
     "FROM kernels WHERE delay_ns IS NOT NULL ORDER BY delay_ns DESC LIMIT 50"},
    {"idle-gaps", toBeSaid("The longest gaps of each stream, and the kernel that ended them"),
     "SELECT event, track, gap_ns, start_ns - gap_ns AS from_ns, short_name FROM (\n"
     "  SELECT event, track, short_name, start_ns,\n"
     "         start_ns - lag(start_ns + dur_ns) OVER (PARTITION BY track ORDER BY start_ns)\n"
     "           AS gap_ns FROM kernels)\n"
     "WHERE gap_ns > 0 ORDER BY gap_ns DESC LIMIT 50"},
    {"launch-bound", toBeSaid("Kernels that are shorter than the call that launched them"),
     "SELECT k.short_name, count(*) AS launches, sum(k.dur_ns) AS kernels_ns,\n"
     "       sum(c.dur_ns) AS calls_ns\n"
     "FROM kernels k JOIN events c ON c.event = k.call\n"
     "WHERE k.dur_ns < c.dur_ns GROUP BY k.short_name ORDER BY calls_ns DESC LIMIT 50"},
    {"operators", toBeSaid("The operators with the most time of their own kernels"),
     "SELECT name, count(*) AS calls, sum(device_self_ns) AS device_ns,\n"
     "       sum(host_self_ns) AS host_ns, sum(kernels) AS kernels\n"
     "FROM operators WHERE kind = 'operator'\n"
     "GROUP BY name ORDER BY device_ns DESC, host_ns DESC LIMIT 50"},
    {"modules", toBeSaid("The modules with the time of the operators in them"),
     "SELECT module, count(*) AS calls, sum(device_self_ns) AS device_ns,\n"
     "       sum(host_self_ns) AS host_ns\n"
     "FROM operators WHERE module IS NOT NULL\n"
     "GROUP BY module ORDER BY device_ns DESC, host_ns DESC LIMIT 50"},
    {"shapes", toBeSaid("The operators by the shapes that they were called with"),
     "SELECT name, shapes, dtypes, count(*) AS calls, sum(device_total_ns) AS device_ns,\n"
     "       sum(host_total_ns) AS host_ns\n"
     "FROM operators WHERE shapes IS NOT NULL\n"
     "GROUP BY name, shapes, dtypes ORDER BY device_ns DESC, host_ns DESC LIMIT 50"},
    {"copies", toBeSaid("Copies by kind, with their bytes where they are recorded"),
     "SELECT name, count(*) AS copies, sum(dur_ns) AS total_ns, sum(bytes_read) AS bytes\n"
     "FROM kernels WHERE kind = 'copy' GROUP BY name ORDER BY total_ns DESC LIMIT 50"},
    {"synchronizations", toBeSaid("Calls in which the host waits for a device"),
     "SELECT event, name, start_ns, dur_ns FROM events\n"
     "WHERE kind = 'runtime' AND name LIKE '%Synchronize%' ORDER BY dur_ns DESC LIMIT 50"},
};

}  // namespace

std::span<const SavedQuery> savedQueries() {
  return kSavedQueries;
}

const SavedQuery& savedQueryNamed(const std::string& name) {
  std::string known;
  for (const SavedQuery& query : kSavedQueries) {
    if (name == query.name) return query;
    known += (known.empty() ? "" : ", ") + std::string(query.name);
  }
  throw InputError(
      saying("--saved: query \"{}\" not found; the saved queries are {}", name, known));
}

std::string querySchemaText() {
  std::string text;
  for (const QuerySchema& schema : querySchemas()) {
    text += fmt::format("## {}\n\n{}.\n\n| {} | {} | {} |\n|---|---|---|\n", schema.name,
                        said(schema.meaning), said("column"), said("type"), said("meaning"));
    for (const QueryColumn& column : schema.columns)
      text += fmt::format("| `{}` | {} | {} |\n", column.name, column.type, said(column.meaning));
    text += "\n";
  }
  text += fmt::format("## {}\n\n| {} | {} |\n|---|---|\n", said("Saved queries"), said("name"),
                      said("meaning"));
  for (const SavedQuery& query : kSavedQueries)
    text += fmt::format("| `{}` | {} |\n", query.name, said(query.meaning));
  return text;
}

std::string textOf(const QueryValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{:.6g}", *real);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return {};
}

std::string queryCsv(const QueryResult& result) {
  std::string text;
  const auto line = [&](std::size_t columns, const auto& field) {
    for (std::size_t i = 0; i < columns; ++i) {
      if (i > 0) text += ',';
      text += field(i);
    }
    text += "\n";
  };
  line(result.columns.size(), [&](std::size_t i) { return csvField(result.columns[i]); });
  for (const auto& row : result.rows)
    line(row.size(), [&](std::size_t i) {
      const auto* words = std::get_if<std::string>(&row[i]);
      return words ? csvField(*words) : textOf(row[i]);
    });
  return text;
}

nlohmann::ordered_json queryJson(const QueryResult& result) {
  using Json = nlohmann::ordered_json;
  Json object = {{"fusebench", "query"}, {"columns", result.columns}};
  Json rows = Json::array();
  for (const auto& row : result.rows) {
    Json values = Json::array();
    for (const QueryValue& value : row)
      std::visit(
          [&](const auto& known) {
            if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::monostate>)
              values.push_back(nullptr);
            else
              values.push_back(known);
          },
          value);
    rows.push_back(std::move(values));
  }
  object["rows"] = std::move(rows);
  object["cut"] = result.cut.empty() ? Json() : Json(result.cut);
  return object;
}

}  // namespace fusebench

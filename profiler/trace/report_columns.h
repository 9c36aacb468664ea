// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "profiler/trace/trace_report.h"

namespace fusebench {

/// How comma-separated values show a number or a text.
enum class ColumnForm : std::uint8_t {
  number,  ///< whole, or with six digits
  tenths,  ///< with one digit after the point
  text,    ///< in quotes
  word     ///< one of a few words, which needs no quotes
};

/// The forms of the report that have the column.
enum class ColumnOf : std::uint8_t { both, csv, json };

/// A figure of one row of a trace's report. Times are in whole nanoseconds (`_ns`), shares from 0
/// to 1 (`_share`, `share`); null: not known.
template <class Row>
struct ReportColumn {
  const char* key;
  nlohmann::ordered_json (*value)(const TraceReport& report, const Row& row);
  ColumnForm form = ColumnForm::number;
  ColumnOf of = ColumnOf::both;
};

/// The parts of each device's time.
std::span<const ReportColumn<DeviceBreakdown>> deviceColumns();
/// Totals of slices by name.
std::span<const ReportColumn<SpanTotal>> nameColumns();
/// Totals of kernels by class.
std::span<const ReportColumn<ClassTotal>> classColumns();
/// Sequences of small kernels, and what one kernel or one graph would save.
std::span<const ReportColumn<Saving>> savingColumns();

/// Totals of collectives by name, dtype, bytes and ranks.
std::span<const ReportColumn<CollectiveTotal>> collectiveColumns();

/// A value as a field of comma-separated values.
std::string csvOf(const nlohmann::ordered_json& value, ColumnForm form);

template <class Row>
std::string csvHeader(std::span<const ReportColumn<Row>> columns) {
  std::string text = "trace";
  for (const ReportColumn<Row>& column : columns)
    if (column.of != ColumnOf::json) text.append(1, ',').append(column.key);
  text.push_back('\n');
  return text;
}

/// One line; `title`: the title of the trace, as a field.
template <class Row>
std::string csvLine(std::span<const ReportColumn<Row>> columns, const std::string& title,
                    const TraceReport& report, const Row& row) {
  std::string text = title;
  for (const ReportColumn<Row>& column : columns)
    if (column.of != ColumnOf::json)
      text.append(1, ',').append(csvOf(column.value(report, row), column.form));
  text.push_back('\n');
  return text;
}

template <class Row>
nlohmann::ordered_json jsonRow(std::span<const ReportColumn<Row>> columns,
                               const TraceReport& report, const Row& row) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const ReportColumn<Row>& column : columns)
    if (column.of != ColumnOf::csv) object[column.key] = column.value(report, row);
  return object;
}

}  // namespace fusebench

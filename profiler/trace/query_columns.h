// SPDX-License-Identifier: GPL-3.0-or-later
// How a table of a trace's database is defined: as one list of its columns, each with its value.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "profiler/trace/query_tables.h"

namespace fusebench {

inline constexpr const char *kQueryInteger = "INTEGER", *kQueryReal = "REAL", *kQueryText = "TEXT";

/// A column with its value in a row. Rows are those of the source.
template <typename Source>
struct ValuedColumn {
  const char* name;
  const char* type;
  const char* meaning;  ///< a message
  QueryValue (*value)(const Source&, std::size_t row);
};

/// The columns as querySchemas() lists them.
template <typename Source, std::size_t kColumns>
constexpr std::array<QueryColumn, kColumns> describedColumns(
    const ValuedColumn<Source> (&columns)[kColumns]) {
  std::array<QueryColumn, kColumns> described{};
  for (std::size_t i = 0; i < kColumns; ++i)
    described[i] = {columns[i].name, columns[i].type, columns[i].meaning};
  return described;
}

/// A table with such a list. A source has rows(), and find(key) as QueryTable has it.
template <typename Source>
class ListedQueryTable : public QueryTable {
 public:
  ListedQueryTable(const QuerySchema& schema, std::span<const ValuedColumn<Source>> columns,
                   std::shared_ptr<const Trace> trace)
      : QueryTable(schema), columns_(columns), source_(std::move(trace)) {}
  std::size_t rows() const override { return source_.rows(); }
  std::optional<std::size_t> find(std::int64_t key) const override { return source_.find(key); }
  QueryValue value(std::size_t row, int column) const override {
    return columns_[static_cast<std::size_t>(column)].value(source_, row);
  }

 private:
  std::span<const ValuedColumn<Source>> columns_;
  Source source_;
};

/// A schema, and the table for a trace.
struct QueryTableMaker {
  QuerySchema schema;
  std::unique_ptr<QueryTable> (*make)(const QuerySchema& schema, std::shared_ptr<const Trace>);
};
QueryTableMaker kernelQueryTable();
QueryTableMaker operatorQueryTable();
QueryTableMaker collectiveQueryTable();
QueryTableMaker counterQueryTable();
QueryTableMaker sampleQueryTable();

inline QueryValue valueOrNull(std::int64_t number, std::int64_t unknown) {
  return number == unknown ? QueryValue() : QueryValue(number);
}
inline QueryValue valueOrNull(std::string_view text) {
  return text.empty() ? QueryValue() : QueryValue(std::string(text));
}
inline QueryValue numberValue(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}
/// The row of a table whose keys are the numbers of its rows.
inline std::optional<std::size_t> rowOfNumber(std::int64_t key, std::size_t rows) {
  if (key < 0 || static_cast<std::uint64_t>(key) >= rows) return std::nullopt;
  return static_cast<std::size_t>(key);
}
/// The row of an event in a sorted list.
std::optional<std::size_t> rowOfEvent(const std::vector<EventId>& events, std::int64_t key);

}  // namespace fusebench

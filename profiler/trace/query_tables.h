// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "profiler/trace/operator_frames.h"
#include "profiler/trace/trace.h"

namespace fusebench {

/// One value of a query. Empty: NULL.
using QueryValue = std::variant<std::monostate, std::int64_t, double, std::string>;

/// A column as --schema and the documentation describe it.
struct QueryColumn {
  const char* name;
  const char* type;     ///< INTEGER, REAL or TEXT
  const char* meaning;  ///< a message
};
/// A table as --schema and the documentation describe it. The first column is its key.
struct QuerySchema {
  const char* name;
  const char* meaning;  ///< a message
  std::span<const QueryColumn> columns;
};
/// All tables of a trace's database.
std::span<const QuerySchema> querySchemas();

/// The rows of one table, computed from the trace on each read.
class QueryTable {
 public:
  explicit QueryTable(const QuerySchema& schema) : schema_(schema) {}
  virtual ~QueryTable() = default;
  const QuerySchema& schema() const { return schema_; }
  virtual std::size_t rows() const = 0;
  virtual QueryValue value(std::size_t row, int column) const = 0;
  /// The row whose key this is.
  virtual std::optional<std::size_t> find(std::int64_t key) const = 0;

 private:
  const QuerySchema& schema_;
};

/// In the order of querySchemas().
std::vector<std::unique_ptr<QueryTable>> queryTables(const std::shared_ptr<const Trace>& trace);

}  // namespace fusebench

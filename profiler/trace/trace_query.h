// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "profiler/files/input_error.h"
#include "profiler/trace/query_tables.h"
#include "profiler/trace/trace.h"

namespace fusebench {

/// Limits of a query: its text may come from anyone.
struct QueryLimits {
  std::uint64_t operations = 4'000'000'000;       ///< for SQLite's machine: about a minute
  std::size_t rows = 100'000;                     ///< for the result
  std::size_t textBytes = std::size_t{64} << 20;  ///< for the result
  std::int64_t memoryBytes = std::int64_t{512} << 20;
};

struct QueryResult {
  std::vector<std::string> columns;
  std::vector<std::vector<QueryValue>> rows;
  std::string cut;  ///< why there are more rows than these; empty: there are no more
};

/// The query itself is invalid: the tables and columns help.
class QueryError : public InputError {
 public:
  using InputError::InputError;
};

/// Runs a SELECT over the tables of querySchemas(), in an in-memory database without stored data:
/// rows are computed from the trace on each read. Only reading is allowed: no other statement, no
/// file, no extension. Throws QueryError if the query is invalid, InputError if it exceeds a limit.
/// `goOn` is called regularly; if it returns false, the query is canceled.
QueryResult queryTrace(const std::shared_ptr<const Trace>& trace, const std::string& sql,
                       const std::function<bool()>& goOn = {}, const QueryLimits& limits = {});

/// A query that ships.
struct SavedQuery {
  const char* name;     ///< "longest-kernels"
  const char* meaning;  ///< a message
  const char* sql;
};
std::span<const SavedQuery> savedQueries();
/// Throws InputError, naming the existing queries.
const SavedQuery& savedQueryNamed(const std::string& name);

/// The tables and columns in Markdown, with the saved queries: docs/query.md.
std::string querySchemaText();

/// "12", "0.5", the text; empty for NULL.
std::string textOf(const QueryValue& value);
std::string queryCsv(const QueryResult& result);
nlohmann::ordered_json queryJson(const QueryResult& result);

}  // namespace fusebench

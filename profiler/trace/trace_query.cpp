// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_query.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/trace_builder.h"

namespace fusebench {
namespace {

constexpr int kOperationsPerAsk = 1 << 14;

struct CloseQuery {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct FinishQuery {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// SQLite's limit of memory is one for the whole process: it is there only while a query runs.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::int64_t bytes) : before_(sqlite3_hard_heap_limit64(bytes)) {}
  ~MemoryLimit() { sqlite3_hard_heap_limit64(before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  std::int64_t before_;
};

// A virtual table of SQLite over a QueryTable: https://www.sqlite.org/vtab.html
struct TableHandle : sqlite3_vtab {
  const QueryTable* table = nullptr;
};
struct TableCursor : sqlite3_vtab_cursor {
  const QueryTable* table = nullptr;
  std::size_t row = 0, end = 0;
};

int connectTable(sqlite3* database, void* given, int, const char* const*, sqlite3_vtab** made,
                 char**) {
  const auto* table = static_cast<const QueryTable*>(given);
  std::string declaration = "CREATE TABLE t(";
  for (const QueryColumn& column : table->schema().columns)
    declaration += fmt::format("{}\"{}\" {}", declaration.ends_with('(') ? "" : ", ", column.name,
                               column.type);
  declaration += ")";
  if (const int code = sqlite3_declare_vtab(database, declaration.c_str()); code != SQLITE_OK)
    return code;
  auto* handle = new (std::nothrow) TableHandle;
  if (!handle) return SQLITE_NOMEM;
  handle->table = table;
  *made = handle;
  return SQLITE_OK;
}

int disconnectTable(sqlite3_vtab* handle) {
  delete static_cast<TableHandle*>(handle);
  return SQLITE_OK;
}

/// A row is found by its key at once; all else walks through the table.
int planTable(sqlite3_vtab* handle, sqlite3_index_info* info) {
  const QueryTable& table = *static_cast<TableHandle*>(handle)->table;
  const auto rows = static_cast<double>(table.rows());
  info->estimatedCost = rows + 1;
  info->estimatedRows = static_cast<sqlite3_int64>(table.rows());
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    if (!constraint.usable || constraint.iColumn != 0 ||
        constraint.op != SQLITE_INDEX_CONSTRAINT_EQ)
      continue;
    info->aConstraintUsage[i].argvIndex = 1;
    info->idxNum = 1;
    info->estimatedCost = 1;
    info->estimatedRows = 1;
    break;
  }
  return SQLITE_OK;
}

int openCursor(sqlite3_vtab* handle, sqlite3_vtab_cursor** made) {
  auto* cursor = new (std::nothrow) TableCursor;
  if (!cursor) return SQLITE_NOMEM;
  cursor->table = static_cast<TableHandle*>(handle)->table;
  *made = cursor;
  return SQLITE_OK;
}

int closeCursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<TableCursor*>(cursor);
  return SQLITE_OK;
}

int beginCursor(sqlite3_vtab_cursor* given, int index, const char*, int, sqlite3_value** values) {
  auto& cursor = *static_cast<TableCursor*>(given);
  cursor.row = 0;
  cursor.end = cursor.table->rows();
  if (index == 0) return SQLITE_OK;
  // Other types are compared by SQLite, which checks each row again.
  cursor.end = 0;
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return SQLITE_OK;
  if (const auto row = cursor.table->find(sqlite3_value_int64(values[0]))) {
    cursor.row = *row;
    cursor.end = *row + 1;
  }
  return SQLITE_OK;
}

int stepCursor(sqlite3_vtab_cursor* cursor) {
  ++static_cast<TableCursor*>(cursor)->row;
  return SQLITE_OK;
}
int atEnd(sqlite3_vtab_cursor* given) {
  const auto& cursor = *static_cast<TableCursor*>(given);
  return cursor.row >= cursor.end;
}

int putColumn(sqlite3_vtab_cursor* given, sqlite3_context* to, int column) {
  const auto& cursor = *static_cast<TableCursor*>(given);
  try {
    const QueryValue value = cursor.table->value(cursor.row, column);
    if (const auto* integer = std::get_if<std::int64_t>(&value))
      sqlite3_result_int64(to, *integer);
    else if (const auto* real = std::get_if<double>(&value))
      sqlite3_result_double(to, *real);
    else if (const auto* text = std::get_if<std::string>(&value))
      sqlite3_result_text64(to, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    else
      sqlite3_result_null(to);
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;  // no exception may pass through SQLite
  }
  return SQLITE_OK;
}

int putRow(sqlite3_vtab_cursor* cursor, sqlite3_int64* row) {
  *row = static_cast<sqlite3_int64>(static_cast<TableCursor*>(cursor)->row);
  return SQLITE_OK;
}

/// Without xCreate: the tables are there by their names, and there can be no others.
sqlite3_module tableModule() {
  sqlite3_module module{};
  module.xConnect = connectTable;
  module.xDisconnect = disconnectTable;
  module.xBestIndex = planTable;
  module.xOpen = openCursor;
  module.xClose = closeCursor;
  module.xFilter = beginCursor;
  module.xNext = stepCursor;
  module.xEof = atEnd;
  module.xColumn = putColumn;
  module.xRowid = putRow;
  return module;
}

/// Reading alone; no function that reaches outside of the database.
int allowReading(void*, int action, const char*, const char* name, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return name && sqlite3_stricmp(name, "load_extension") != 0 ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

class Querying {
 public:
  Querying(const std::shared_ptr<const Trace>& trace, const std::function<bool()>& goOn,
           const QueryLimits& limits)
      : goOn_(goOn), limits_(limits), memory_(limits.memoryBytes), tables_(queryTables(trace)) {
    sqlite3* database = nullptr;
    const int code =
        sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
    database_.reset(database);
    if (code != SQLITE_OK) throw std::bad_alloc();
    // Sorting keeps to memory, and so to the limit. Set before anything but reading is refused.
    sqlite3_exec(database, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr);
    static const sqlite3_module kModule = tableModule();
    for (const auto& table : tables_) {
      // Asked for once now: SQLite declares a table where it is first used, and to declare one is
      // refused later on.
      const std::string first = fmt::format("SELECT 1 FROM {} LIMIT 0", table->schema().name);
      if (sqlite3_create_module(database, table->schema().name, &kModule, table.get()) !=
              SQLITE_OK ||
          sqlite3_exec(database, first.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        throw std::bad_alloc();
    }
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 16 << 20);
    sqlite3_limit(database, SQLITE_LIMIT_SQL_LENGTH, 64 << 10);
    sqlite3_limit(database, SQLITE_LIMIT_EXPR_DEPTH, 200);
    sqlite3_limit(database, SQLITE_LIMIT_COMPOUND_SELECT, 50);
    sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_set_authorizer(database, allowReading, nullptr);
    sqlite3_progress_handler(database, kOperationsPerAsk, &Querying::ask, this);
  }

  QueryResult run(const std::string& sql) {
    if (sql.find('\0') != std::string::npos)
      throw InputError(saying("the query has a NUL character; remove it"));
    sqlite3_stmt* prepared = nullptr;
    const char* rest = nullptr;
    const int code = sqlite3_prepare_v3(
        database_.get(), sql.c_str(), static_cast<int>(std::min<std::size_t>(sql.size(), 1 << 20)),
        0, &prepared, &rest);
    const std::unique_ptr<sqlite3_stmt, FinishQuery> statement(prepared);
    if (code != SQLITE_OK) fail(code);
    if (!prepared) throw QueryError(saying("the query is empty"));
    if (std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos)
      throw InputError(saying("the query has more than one statement; write one SELECT"));
    QueryResult result;
    const int columns = sqlite3_column_count(prepared);
    for (int i = 0; i < columns; ++i) {
      const char* name = sqlite3_column_name(prepared, i);
      if (!name) throw std::bad_alloc();
      result.columns.emplace_back(name);
    }
    std::size_t bytes = 0;
    for (;;) {
      const int stepped = sqlite3_step(prepared);
      if (stepped == SQLITE_DONE) return result;
      if (stepped != SQLITE_ROW) fail(stepped);
      if (result.rows.size() == limits_.rows) {
        result.cut =
            saying("only the first {} rows are shown; add LIMIT or group them", limits_.rows);
        return result;
      }
      auto& row = result.rows.emplace_back();
      for (int i = 0; i < columns; ++i) row.push_back(valueAt(prepared, i, bytes));
      if (bytes <= limits_.textBytes) continue;
      result.cut = saying("only the first {} MiB are shown; ask for fewer rows or columns",
                          limits_.textBytes >> 20U);
      return result;
    }
  }

 private:
  static QueryValue valueAt(sqlite3_stmt* statement, int column, std::size_t& bytes) {
    switch (sqlite3_column_type(statement, column)) {
      case SQLITE_INTEGER:
        return static_cast<std::int64_t>(sqlite3_column_int64(statement, column));
      case SQLITE_FLOAT:
        return sqlite3_column_double(statement, column);
      case SQLITE_NULL:
        return {};
      default: {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
        bytes += size;
        return text ? std::string(text, size) : std::string();
      }
    }
  }

  static int ask(void* self) {
    auto& querying = *static_cast<Querying*>(self);
    querying.canceled_ = querying.goOn_ && !querying.goOn_();
    querying.operations_ += kOperationsPerAsk;
    querying.exhausted_ = querying.operations_ > querying.limits_.operations;
    return querying.canceled_ || querying.exhausted_;
  }

  [[noreturn]] void fail(int code) {
    if (canceled_) throw Canceled();
    if (exhausted_)
      throw InputError(
          saying("the query took too long; join tables by event, call or track, or ask for less"));
    if (code == SQLITE_NOMEM)
      throw InputError(saying("the query needs more than {} MiB of memory; ask for less",
                              limits_.memoryBytes >> 20));
    if (code == SQLITE_AUTH)
      throw InputError(saying("this is not allowed in a query; use SELECT alone"));
    const std::string what = sqlite3_errmsg(database_.get());
    throw QueryError(saying("the query is wrong: {}", what));
  }

  const std::function<bool()>& goOn_;
  QueryLimits limits_;
  MemoryLimit memory_;
  std::vector<std::unique_ptr<QueryTable>> tables_;
  std::unique_ptr<sqlite3, CloseQuery> database_;
  std::uint64_t operations_ = 0;
  bool canceled_ = false, exhausted_ = false;
};

}  // namespace

QueryResult queryTrace(const std::shared_ptr<const Trace>& trace, const std::string& sql,
                       const std::function<bool()>& goOn, const QueryLimits& limits) {
  return Querying(trace, goOn, limits).run(sql);
}

}  // namespace fusebench

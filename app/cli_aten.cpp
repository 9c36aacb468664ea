// SPDX-License-Identifier: GPL-3.0-or-later
// ops --aten: the operations that graphs exported by PyTorch may call.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "app/cli_commands.h"
#include "app/cli_format.h"
#include "engine/base/saying.h"
#include "engine/language/aten_table.h"

namespace fusebench::cli {
namespace {

using Json = nlohmann::ordered_json;

/// How many overloads there are, and how many of them are supported.
struct AtenCount {
  std::size_t all = 0, supported = 0;
};

AtenCount countOf(bool coreAlone) {
  AtenCount count;
  for (const AtenRow& row : atenRows()) {
    if (coreAlone && !row.core) continue;
    ++count.all;
    count.supported += row.supported();
  }
  return count;
}

Json countJson(const AtenCount& count) {
  return {{"overloads", count.all}, {"supported", count.supported}};
}

}  // namespace

int atenCommand(bool json) {
  const AtenCount all = countOf(false), core = countOf(true);
  if (json) {
    Json made = {{"fusebench", "ops"},
                 {"version", 1},
                 {"all", countJson(all)},
                 {"core", countJson(core)},
                 {"aten", Json::array()}};
    for (const AtenRow& row : atenRows())
      made["aten"].push_back({{"name", "torch.ops.aten." + row.name + "." + row.overload},
                              {"signature", row.schema},
                              {"core", row.core},
                              {"supported", row.supported()},
                              {"is", row.supported() ? Json(row.target) : Json(nullptr)},
                              {"missing", row.supported() ? Json(nullptr) : Json(row.refusal)}});
    printJson(made);
    return kDone;
  }
  Table table({head("operation"), saying("core"), saying("what it is here, or why it is missing")});
  table.leftFrom(0);
  for (const AtenRow& row : atenRows())
    table.add({row.name + "." + row.overload, row.core ? saying("core") : std::string(),
               row.supported() ? row.target : saying("missing: {}", row.refusal)});
  printOut(table.text() + saying("\n{} overloads, {} supported; core set: {}, {} supported\n",
                                 all.all, all.supported, core.all, core.supported));
  return kDone;
}

}  // namespace fusebench::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_schema.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli_commands.h"
#include "engine/base/saying.h"
#include "profiler/experiment/experiment_keys.h"

namespace fusebench::cli {

void addSchemaCommand(CLI::App& app, int& code) {
  auto markdown = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("schema", saying("Print a JSON Schema of experiment files, for editors"));
  command->add_flag("--markdown", *markdown,
                    saying("Print tables of all keys in Markdown instead"));
  command->callback([markdown, &code] {
    printOut(*markdown ? experimentKeysPage() : experimentSchema());
    code = kDone;
  });
}

}  // namespace fusebench::cli

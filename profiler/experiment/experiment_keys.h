// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "profiler/experiment/experiment_rules.h"

namespace fusebench {

/// The objects of an experiment's file.
enum class FilePart : std::uint8_t {
  experiment,
  inputSet,
  tensor,
  variant,
  axis,
  claim,
  claimThan,
  measure,
  capture
};

/// The type that the value of a key must have. Ranges and choices are those that reading and
/// problemsOf() check.
namespace key_types {
struct Text {};
struct Flag {};
struct Whole {
  IntegerRange range;
};
struct Real {
  NumberRange range;
};
struct OneOf {
  std::span<const std::string_view> names;
};
struct Object {
  FilePart part;
};
struct ListOf {
  FilePart part;
  ListRule rule;
};
/// A type that none of these describes: in words, and as a JSON Schema.
struct Other {
  std::string_view words, schema;
};
}  // namespace key_types
using KeyType =
    std::variant<key_types::Text, key_types::Flag, key_types::Whole, key_types::Real,
                 key_types::OneOf, key_types::Object, key_types::ListOf, key_types::Other>;

/// A key of an experiment's file, as docs/experiments.md and the JSON Schema describe it. The
/// reader accepts these and no others.
struct ExperimentKey {
  FilePart part;
  std::string_view name;
  bool required = false;
  KeyType type;
  std::string_view usual;    ///< JSON of the value used where the key is left out; may be empty
  std::string_view example;  ///< JSON
  std::string_view meaning;  ///< sentences
};

std::span<const ExperimentKey> experimentKeys();
/// The name of a part in the JSON Schema and in headings: "input set".
std::string_view name(FilePart part);

class JsonReader;
/// Reports an error unless this is an object that has only keys of the part, and all required ones.
void expectKeys(const JsonReader& object, FilePart part);

/// A JSON Schema (draft 2020-12) of experiment files, for editors.
std::string experimentSchema();
/// All keys in tables, as Markdown.
std::string experimentKeysPage();

}  // namespace fusebench

// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/plan/quantize.h"
#include "profiler/experiment/experiment_keys.h"
#include "profiler/experiment/variant_executors.h"

namespace fusebench {
namespace {

using SchemaJson = nlohmann::ordered_json;

constexpr std::array kParts = {FilePart::experiment, FilePart::inputSet,  FilePart::tensor,
                               FilePart::variant,    FilePart::axis,      FilePart::measure,
                               FilePart::claim,      FilePart::claimThan, FilePart::capture};

SchemaJson partReference(FilePart part) {
  return {{"$ref", fmt::format("#/$defs/{}", name(part))}};
}

/// Names that are in tables of their own: executors, and ways to quantize.
std::vector<std::string_view> namesFor(const ExperimentKey& key) {
  std::vector<std::string_view> names;
  if (key.part != FilePart::variant) return names;
  if (key.name == "executor")
    for (const ExecutorInfo& executor : variantExecutors()) names.push_back(executor.name);
  if (key.name == "quantise")
    for (const QuantizingName& each : quantizingNames()) names.push_back(each.name);
  return names;
}

SchemaJson schemaOf(const ExperimentKey& key) {
  struct Writer {
    SchemaJson operator()(key_types::Text) const { return {{"type", "string"}}; }
    SchemaJson operator()(key_types::Flag) const { return {{"type", "boolean"}}; }
    SchemaJson operator()(const key_types::Whole& whole) const {
      return {{"type", "integer"}, {"minimum", whole.range.low}, {"maximum", whole.range.high}};
    }
    SchemaJson operator()(const key_types::Real& real) const {
      return {{"type", "number"}, {"minimum", real.range.low}, {"maximum", real.range.high}};
    }
    SchemaJson operator()(const key_types::OneOf& of) const {
      SchemaJson names = SchemaJson::array();
      for (const std::string_view each : of.names) names.push_back(each);
      return {{"enum", names}};
    }
    SchemaJson operator()(const key_types::Object& object) const {
      return partReference(object.part);
    }
    SchemaJson operator()(const key_types::ListOf& list) const {
      return {{"type", "array"},
              {"minItems", list.rule.minimum},
              {"maxItems", list.rule.maximum},
              {"items", partReference(list.part)}};
    }
    SchemaJson operator()(const key_types::Other& other) const {
      return SchemaJson::parse(other.schema);
    }
  };
  const auto names = namesFor(key);
  SchemaJson schema =
      names.empty() ? std::visit(Writer{}, key.type) : Writer{}(key_types::OneOf{names});
  schema["description"] = key.meaning;
  if (!key.usual.empty()) schema["default"] = SchemaJson::parse(key.usual);
  if (!key.example.empty()) schema["examples"].push_back(SchemaJson::parse(key.example));
  return schema;
}

SchemaJson objectSchema(FilePart part) {
  SchemaJson object = {{"type", "object"},
                       {"additionalProperties", false},
                       {"required", SchemaJson::array()},
                       {"properties", SchemaJson::object()}};
  for (const ExperimentKey& key : experimentKeys()) {
    if (key.part != part) continue;
    if (key.required) object["required"].push_back(key.name);
    object["properties"][key.name] = schemaOf(key);
  }
  return object;
}

std::string wordsOf(const ExperimentKey& key) {
  struct Writer {
    std::string operator()(key_types::Text) const { return "text"; }
    std::string operator()(key_types::Flag) const { return "true or false"; }
    std::string operator()(const key_types::Whole& whole) const {
      if (whole.range.high == INT64_MAX)
        return fmt::format("whole number from {}", whole.range.low);
      return fmt::format("whole number, {} to {}", whole.range.low, whole.range.high);
    }
    std::string operator()(const key_types::Real& real) const {
      return fmt::format("number, {} to {}", real.range.low, real.range.high);
    }
    std::string operator()(const key_types::OneOf& of) const {
      std::string text;
      for (std::size_t i = 0; i < of.names.size(); ++i)
        text += fmt::format("{}`\"{}\"`",
                            i == 0                    ? ""
                            : i + 1 < of.names.size() ? ", "
                                                      : " or ",
                            of.names[i]);
      return text;
    }
    std::string operator()(const key_types::Object& object) const {
      return fmt::format("object: [{0}](#{0})", name(object.part));
    }
    std::string operator()(const key_types::ListOf& list) const {
      std::string anchor(name(list.part));
      for (char& c : anchor)
        if (c == ' ') c = '-';
      return fmt::format("list of {} to {} objects: [{}](#{})", list.rule.minimum,
                         list.rule.maximum, name(list.part), anchor);
    }
    std::string operator()(const key_types::Other& other) const { return std::string(other.words); }
  };
  const auto names = namesFor(key);
  return names.empty() ? std::visit(Writer{}, key.type) : Writer{}(key_types::OneOf{names});
}

std::string code(std::string_view json) {
  return json.empty() ? std::string() : fmt::format("`{}`", json);
}

}  // namespace

std::string experimentSchema() {
  SchemaJson schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", "Fusebench experiment"}};
  schema.update(objectSchema(FilePart::experiment));
  schema["oneOf"] = {{{"required", {"program"}}}, {{"required", {"programs"}}}};
  for (const FilePart part : kParts)
    if (part != FilePart::experiment) schema["$defs"][name(part)] = objectSchema(part);
  return schema.dump(1) + "\n";
}

std::string experimentKeysPage() {
  std::string page;
  for (const FilePart part : kParts) {
    std::string title(name(part));
    title.front() = static_cast<char>(title.front() - 'a' + 'A');
    page += fmt::format(
        "## {}\n\n| key | value | default | example | meaning |\n|---|---|---|---|---|\n", title);
    for (const ExperimentKey& key : experimentKeys())
      if (key.part == part)
        page += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, wordsOf(key),
                            key.required ? "**required**" : code(key.usual), code(key.example),
                            key.meaning);
    page += "\n";
  }
  page.pop_back();
  return page;
}

}  // namespace fusebench

# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of experiment files: docs/experiments.md, the JSON Schema, and the reader agree.

Run as: schema_test.py SOURCES FUSEBENCH_CLI
        schema_test.py SOURCES FUSEBENCH_CLI --write   writes both files again
"""
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(sys.argv[1])
CLI = sys.argv[2]
PAGE = SOURCES / "docs" / "experiments.md"
SCHEMA = SOURCES / "resources" / "experiment.schema.json"
MARK = "<!-- What follows is the output of `fusebench-cli schema --markdown`. -->\n"


def printed(*arguments):
    return subprocess.run([CLI, "schema", *arguments], capture_output=True, text=True, check=True).stdout


def is_type(value, wanted):
    if wanted == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if wanted == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, {"string": str, "boolean": bool, "object": dict, "array": list}[wanted])


def faults(value, schema, root, path=""):
    """Where a value does not fit a schema: as much of JSON Schema as ours uses."""
    known = {"$schema", "$ref", "$defs", "title", "description", "default", "examples", "type", "enum", "minimum", "maximum",
             "minItems", "maxItems", "items", "required", "properties", "additionalProperties", "minProperties", "maxProperties",
             "pattern", "oneOf", "anyOf"}
    assert set(schema) <= known, set(schema) - known
    if "$ref" in schema:
        return faults(value, root["$defs"][schema["$ref"].split("/")[-1]], root, path)
    found = []
    if "type" in schema and not is_type(value, schema["type"]):
        return [f"{path}: not of type {schema['type']}"]
    if "enum" in schema and not any(value == one and type(value) is type(one) for one in schema["enum"]):
        found.append(f"{path}: none of {schema['enum']}")
    if "minimum" in schema and is_type(value, "number") and not schema["minimum"] <= value <= schema.get("maximum", value):
        found.append(f"{path}: out of range")
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        found.append(f"{path}: does not match {schema['pattern']}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{path}: {len(value)} items")
        for i, one in enumerate(value):
            found += faults(one, schema.get("items", {}), root, f"{path}/{i}")
    if isinstance(value, dict):
        if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
            found.append(f"{path}: {len(value)} keys")
        found += [f"{path}/{key}: missing" for key in schema.get("required", []) if key not in value]
        rest = schema.get("additionalProperties", {})
        for key, one in value.items():
            part = schema.get("properties", {}).get(key, rest)
            found += [f"{path}/{key}: unknown"] if part is False else faults(one, part, root, f"{path}/{key}")
    for word, right in (("oneOf", lambda n: n == 1), ("anyOf", lambda n: n > 0)):
        if word in schema and not right(sum(not faults(value, {**one}, root, path) for one in schema[word])):
            found.append(f"{path}: fits not {word}")
    return found


MINIMAL = {"fusebench": "experiment", "version": 1, "title": "t", "program": ["def f(x):", "    return x + 1"],
           "inputs": [{"name": "x", "tensors": [{"name": "x", "extents": [4]}]}],
           "variants": [{"name": "eager", "executor": "eager"}, {"name": "static", "executor": "static"}], "baseline": "eager"}


class Schema(unittest.TestCase):
    schema = json.loads(SCHEMA.read_text()) if SCHEMA.exists() else {}

    def test_the_files_are_those_that_the_program_prints(self):
        self.assertEqual(SCHEMA.read_text(), printed(), f"write it: {' '.join(sys.argv[:3])} --write")
        self.assertEqual(PAGE.read_text().partition(MARK)[2].strip(), printed("--markdown").strip(),
                         f"write it: {' '.join(sys.argv[:3])} --write")

    def test_every_shipped_experiment_fits(self):
        files = sorted((SOURCES / "resources" / "experiments").glob("*.json"))
        self.assertGreater(len(files), 40)
        for file in files:
            with self.subTest(file=file.name):
                self.assertEqual(faults(json.loads(file.read_text()), self.schema, self.schema), [])

    def test_examples_and_defaults_fit_their_keys(self):
        seen = 0
        for part in [self.schema, *self.schema["$defs"].values()]:
            for name, key in part["properties"].items():
                for value in key.get("examples", []) + ([key["default"]] if "default" in key else []):
                    with self.subTest(key=name, value=value):
                        self.assertEqual(faults(value, key, self.schema), [])
                    seen += 1
        self.assertGreater(seen, 90)

    def accepts(self, experiment):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "e.json"
            file.write_text(json.dumps(experiment))
            ended = subprocess.run([CLI, "code", str(file), "--plan"], capture_output=True, text=True)
        return ended.returncode != 2, ended.stderr

    def changed(self, path, value):
        experiment = copy.deepcopy(MINIMAL)
        at = experiment
        for step in path[:-1]:
            at = at[step] if isinstance(at, list) else at.setdefault(step, {})
        at[path[-1]] = value
        return experiment

    def test_the_reader_refuses_what_the_schema_refuses(self):
        for path, right, wrong in [
                (("$schema",), "experiment.schema.json", 1), (("metric",), "peak_bytes", "speed"),
                (("variants", 1, "executor"), "replay", "quick"), (("variants", 1, "threads"), 4, 0),
                (("variants", 1, "quantise"), "dynamic int8", "int4"), (("variants", 1, "pages"), "huge", "big"),
                (("variants", 1, "fastMath"), True, "yes"), (("variants", 1, "checkpoint"), None, "some"),
                (("variants", 1, "speed"), None, 1), (("measure", "budgetSeconds"), 5, 0), (("measure", "cache"), "hot", "cold"),
                (("measure", "seed"), 5, -1), (("measure", "samples"), None, 5), (("inputs", 0, "count"), 3, 0),
                (("inputs", 0, "tensors", 0, "fill"), "ones", "twos"), (("inputs", 0, "tensors", 0, "range"), [0, 1], [0]),
                (("inputs", 0, "tensors", 0, "layout"), "order 0", "sideways"), (("inputs",), None, []),
                (("axes",), [{"name": "threads", "values": [1, 2]}], [{"name": "threads", "values": []}]), (("programs",), None, {}),
                (("claims",), [{"text": "t", "variant": "static", "against": "eager", "ratio": 1}], [{"text": "t"}])]:
            with self.subTest(path=path):
                for value, fits in ((right, True), (wrong, False)):
                    if value is None:
                        continue
                    experiment = self.changed(path, value)
                    self.assertEqual(not faults(experiment, self.schema, self.schema), fits, value)
                    accepted, complaint = self.accepts(experiment)
                    self.assertEqual(accepted, fits, complaint or value)


def write():
    SCHEMA.write_text(printed())
    head = PAGE.read_text().partition(MARK)[0]
    PAGE.write_text(head + MARK + "\n" + printed("--markdown"))


if __name__ == "__main__":
    if "--write" in sys.argv:
        write()
    else:
        unittest.main(argv=sys.argv[:1])

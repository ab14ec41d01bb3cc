"""Validates JSON from standard input, and prints it on one line.

usage: validate_json.py SCHEMA

Knows the part of JSON Schema that the schemas here use, and refuses a schema with
any other keyword. Of a SARIF log it also looks at what a schema cannot say: rule
indices, regions that end before they begin, and edits that overlap.
"""

import json
import re
import sys

IGNORED = {"$schema", "$defs", "title", "description"}
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Validator:
    def __init__(self, schema):
        self.root = schema
        self.problems = []

    def fail(self, path, text):
        self.problems.append(f"{path or '/'}: {text}")

    def check(self, value, schema, path):
        for key, rule in schema.items():
            if key in IGNORED:
                continue
            method = getattr(self, "check_" + key.strip("$"), None)
            if not method:
                sys.exit(f"the schema has '{key}', which this script does not know")
            method(value, rule, schema, path)

    def check_ref(self, value, rule, schema, path):
        self.check(value, self.root["$defs"][rule.removeprefix("#/$defs/")], path)

    def check_type(self, value, rule, schema, path):
        names = rule if isinstance(rule, list) else [rule]
        if not any(is_type(value, name) for name in names):
            self.fail(path, f"is no {' or '.join(names)}")

    def check_const(self, value, rule, schema, path):
        if value != rule:
            self.fail(path, f"is {value!r} and not {rule!r}")

    def check_enum(self, value, rule, schema, path):
        if value not in rule:
            self.fail(path, f"is {value!r} and none of {rule}")

    def check_pattern(self, value, rule, schema, path):
        if isinstance(value, str) and not re.search(rule, value):
            self.fail(path, f"{value!r} does not match {rule}")

    def check_minimum(self, value, rule, schema, path):
        if isinstance(value, int) and value < rule:
            self.fail(path, f"is {value}, less than {rule}")

    def check_minItems(self, value, rule, schema, path):
        if isinstance(value, list) and len(value) < rule:
            self.fail(path, f"has {len(value)} items, less than {rule}")

    def check_uniqueItems(self, value, rule, schema, path):
        texts = [json.dumps(item, sort_keys=True) for item in value]
        if len(set(texts)) != len(texts):
            self.fail(path, "has an item twice")

    def check_items(self, value, rule, schema, path):
        if isinstance(value, list):
            for i, item in enumerate(value):
                self.check(item, rule, f"{path}/{i}")

    def check_required(self, value, rule, schema, path):
        if isinstance(value, dict):
            for key in rule:
                if key not in value:
                    self.fail(path, f"has no '{key}'")

    def check_properties(self, value, rule, schema, path):
        if isinstance(value, dict):
            for key, item in rule.items():
                if key in value:
                    self.check(value[key], item, f"{path}/{key}")

    def check_additionalProperties(self, value, rule, schema, path):
        if isinstance(value, dict) and rule is False:
            for key in value.keys() - schema.get("properties", {}).keys():
                self.fail(path, f"has '{key}', which the schema does not have")


def start(region):
    return region["startLine"], region["startColumn"]


def end(region):
    return region["endLine"], region["endColumn"]


def check_sarif(log):
    """What the schema of SARIF does not say, and the standard does."""
    problems = []
    for run in log["runs"]:
        rules = run["tool"]["driver"].get("rules", [])
        for result in run["results"]:
            if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
                problems.append(f"rule {result['ruleIndex']} is not {result['ruleId']}")
            for location in result["locations"] + result.get("relatedLocations", []):
                region = location.get("physicalLocation", {}).get("region")
                if region and end(region) < start(region):
                    problems.append(f"a region ends before it begins: {region}")
            for fix in result.get("fixes", []):
                for change in fix["artifactChanges"]:
                    regions = [r["deletedRegion"] for r in change["replacements"]]
                    regions.sort(key=start)
                    for a, b in zip(regions, regions[1:]):
                        if start(b) < end(a):
                            problems.append(f"edits overlap: {a} and {b}")
    return problems


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    document = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    validator = Validator(schema)
    validator.check(document, schema, "")
    problems = validator.problems
    if not problems and document.get("version") == "2.1.0":
        problems = check_sarif(document)
    if problems:
        sys.exit("\n".join(problems))
    print(json.dumps(document, ensure_ascii=False, sort_keys=True))


main()

"""every_form.py LIBRARY TEMP: each form that a plan may insert, expanded, does on
the payload of the corpus that is named after it what the form does; stock mlir-opt
runs the expansion."""

import os
import re
import subprocess
import sys

library, temp = sys.argv[1:]
os.makedirs(temp, exist_ok=True)


def read(name):
    with open(os.path.join(library, name)) as file:
        return file.read()


def write(name, text):
    path = os.path.join(temp, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def run(*command, stdin=None):
    result = subprocess.run(command, capture_output=True, text=True, input=stdin)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    return result.stdout


forms = re.findall(r"^normalform\.form @(\S+)((?:(?!^normalform|^//).*\n)*)", read("forms.mlir"), re.M)
automatic = [name for name, body in forms if not re.search(r"^\s*manual\b", body, re.M)]
pieces = {}
for piece in read("corpus.mlir").split("// -----"):
    name = re.search(r"^// @(\S+)", piece, re.M)
    if name:
        pieces[name[1]] = piece

checked = 0
for form in automatic:
    payload = write(f"{form}.payload.mlir", pieces[form])
    schedule = write(
        f"{form}.schedule.mlir",
        "module attributes {transform.with_named_sequence} {\n"
        "  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {\n"
        f"    transform.normalform.normalize %module to @{form} : !transform.any_op\n"
        "    transform.yield\n  }\n}\n",
    )
    expanded = os.path.join(temp, f"{form}.expanded.mlir")
    run("formwork", "normalize", payload, f"--transform={schedule}", "--expand", "-o", expanded)
    with open(expanded) as file:
        assert "normalform" not in file.read(), form
    clean = ("mlir-opt", "--canonicalize", "--cse")
    stock = run(
        *clean,
        stdin=run(
            "mlir-opt",
            payload,
            f"--transform-preload-library=transform-library-paths={expanded}",
            "--transform-interpreter",
        ),
    )
    ours = run(*clean, stdin=run("formwork", "apply", payload, f"--transform={schedule}"))
    if stock != ours:
        sys.exit(f"{form}: expanded\n{stock}\nnormalized\n{ours}")
    checked += 1
print(f"{checked} forms")

"""The lit suite: MLIR in, MLIR or diagnostics out."""

import os
import re
import shutil
import subprocess

import lit.formats

config.name = "Formwork"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
# A DEFINE may use another one.
config.recursiveExpansionLimit = 4
config.test_source_root = os.path.dirname(__file__)

# A time-out is a failure. lit measures it with psutil; without it (another python3
# than Debian's stands first on PATH) the suite runs unlimited.
try:
    import psutil  # noqa: F401

    lit_config.maxIndividualTestTime = 300
except ImportError:
    lit_config.note("no psutil, so no time-outs")

# Tests name the tools as a user would, and the stock ones beside them.
path = [config.formwork_tools, config.llvm_tools, os.environ["PATH"]]
config.environment["PATH"] = os.pathsep.join(path)
config.substitutions.append(("%examples", os.path.join(config.formwork_source, "examples")))
config.substitutions.append(("%source", config.formwork_source))
# The payloads that the tests of the verifier share, however deep they lie.
config.substitutions.append(
    ("%inputs", os.path.join(config.test_source_root, "verifier", "Inputs"))
)
config.substitutions.append(("%tools", config.formwork_tools))
config.substitutions.append(("%share", config.formwork_share))
# Formwork in the stock tools.
plugin = os.path.join(config.formwork_libraries, "FormworkPlugin.so")
config.substitutions.append(
    ("%load-plugin", f"--load-dialect-plugin={plugin} --load-pass-plugin={plugin}")
)
config.substitutions.append(("%plugin", plugin))
# A step that breaks the payload.
config.substitutions.append(
    ("%miscompile", os.path.join(config.formwork_libraries, "FormworkMiscompile.so"))
)
config.substitutions.append(("%python", "python3"))
config.substitutions.append(
    ("%diagnostic", os.path.join(config.formwork_source, "scripts", "diagnostics") + " check")
)
config.substitutions.append(("%formwork", os.path.join(config.formwork_tools, "formwork")))

config.substitutions.append(("%tutorial", config.tutorial_plugin))

# The features of the machine. Skipped tests are counted by lit as unsupported.
version = subprocess.run(
    [os.path.join(config.formwork_tools, "formwork"), "--version"],
    capture_output=True,
    text=True,
    check=True,
).stdout
toolkit = re.search(r"CUDA toolkit \S+ \((.*)\)", version)
if toolkit:
    config.available_features.add("cuda-toolkit")
    config.substitutions.append(("%ptxas", os.path.join(toolkit.group(1), "bin", "ptxas")))
if config.formwork_sanitize:
    # Tests make MLIR crash. That ends a process by a signal here, too.
    config.environment.setdefault("ASAN_OPTIONS", "abort_on_error=1:handle_segv=0")
    # Some of these crashes are reads of memory that the sanitizers fill otherwise.
    config.available_features.add("sanitizers")
else:
    # The plugin is built without the sanitizers' runtime, which the host would need.
    config.available_features.add("plugin")
for program, feature in [
    ("clang-format-22", "clang-format"),
    ("g++", "g++"),
    ("mlir-opt-19", "mlir-19"),
    ("zsh", "zsh"),
    ("fish", "fish"),
    ("man", "man"),
]:
    if shutil.which(program):
        config.available_features.add(feature)
if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("cuda-runtime")

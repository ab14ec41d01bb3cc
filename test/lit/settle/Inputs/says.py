"""usage: says TEXT COMMAND...

Runs COMMAND, and fails with all that it printed where TEXT is not in that.
"""
import subprocess
import sys

done = subprocess.run(sys.argv[2:], capture_output=True, text=True)
if sys.argv[1] not in done.stdout + done.stderr:
    sys.exit(f"no '{sys.argv[1]}' in:\n{done.stdout}{done.stderr}")

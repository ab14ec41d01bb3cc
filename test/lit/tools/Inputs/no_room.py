"""no_room.py BYTES COMMAND...: runs COMMAND, whose files can have BYTES bytes at most."""

import resource
import signal
import subprocess
import sys


def limit():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)


sys.exit(subprocess.call(sys.argv[2:], preexec_fn=limit))

# status.sh CODE COMMAND...: runs the command and fails unless it exits with CODE.
expected=$1
shift
"$@"
actual=$?
if [ "$actual" -ne "$expected" ]; then
  echo "expected exit code $expected but got $actual: $*" >&2
  exit 1
fi

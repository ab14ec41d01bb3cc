# ops.sh: the names of the ops in the MLIR on standard input, with their number.
grep -oE '\b[a-z_]+\.[a-z_.]+' | sort | uniq -c

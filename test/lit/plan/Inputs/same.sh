# same.sh EXAMPLE TEMP: the expanded schedule of an example, run by stock mlir-opt,
# yields what the normalized one yields here.
set -eu
formwork normalize "$1/payload.mlir" --transform="$1/schedule.mlir" --expand -o "$2.expanded.mlir"
! grep -q normalform "$2.expanded.mlir"
mlir-opt "$1/payload.mlir" \
  --transform-preload-library="transform-library-paths=$2.expanded.mlir" \
  --transform-interpreter | mlir-opt --canonicalize --cse -o "$2.stock"
formwork apply "$1/payload.mlir" --transform="$1/schedule.mlir" --normalize 2>/dev/null |
  mlir-opt --canonicalize --cse -o "$2.normalized"
diff "$2.stock" "$2.normalized"

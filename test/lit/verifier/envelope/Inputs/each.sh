# each.sh FOLDER: for each payload, step and steps behind it in FOLDER, checks the schedule
# that they make, and runs it with the stock interpreter.
cd "$1" || exit 1
number=0
for step in steps/*; do
  for behind in behind/*; do
    cat head.txt "$step" "$behind" tail.txt > schedule.mlir
    for payload in payloads/*; do
      formwork check "$payload" --transform=schedule.mlir --static --strict > said.txt 2>&1 ||
        { echo "not proved: $payload, $step, $behind"; cat said.txt; }
      mlir-opt "$payload" --transform-preload-library=transform-library-paths=schedule.mlir \
        --transform-interpreter -o result.txt > said.txt 2>&1 ||
        { echo "fails: $payload, $step, $behind"; cat said.txt; }
      number=$((number + 1))
    done
  done
done
echo "$number schedules"

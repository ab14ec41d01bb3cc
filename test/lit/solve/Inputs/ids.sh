# ids.sh SOURCE OUTPUT: compares the ids of constraints in the documentation with those
# in the code and in the tests, and prints what is missing.
cd "$1" || exit 2
grep -o '^| `[a-z.-]*`\(, `[a-z.-]*`\)*' docs/design/009-symbolic-sizes.md |
  grep -o '[a-z]*[.-][a-z-]*' > "$2.listed"
cat verifier/models/*/*.cpp verifier/findings/*.cpp | tr '\n' ' ' |
  grep -oE '(require\(|Requirement [a-z]+\{)[^"]*"[a-z]+\.[a-z-]+"' | grep -oE '[a-z]+\.[a-z-]+"$' |
  tr -d '"' | sort -u > "$2.derived"
while read -r id; do
  grep -rqF "$id" verifier/models verifier/findings || echo "$id is derived nowhere"
  grep -rlF "$id" test/lit test/unit | grep -qv 'Inputs/ids.sh\|/study.test' ||
    echo "$id has no test"
done < "$2.listed"
while read -r id; do
  grep -qF "$id" "$2.listed" || echo "$id is not listed"
done < "$2.derived"
echo "listed: $(grep -c . "$2.listed"), derived: $(grep -c . "$2.derived")"

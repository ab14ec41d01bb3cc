# paths.sh ROOT FILE: prints each path of the repository that FILE names and that is not there.
grep -oE '\b(bench|docs|engine|normalforms|scripts|tools|verifier|test/lit)/[A-Za-z0-9_./-]*' "$2" |
  sed 's/[.,]*$//' | sort -u | while read -r path; do
  [ -e "$1/$path" ] || echo "$path"
done

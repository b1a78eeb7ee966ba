# Runs a test binary of Go's, by `go test -exec`: one that ended well before its tests did leaves its mark. A profile is
# written by the testing package alone, at its own end; a TestMain may choose to run nothing, and is looked at elsewhere.
place=$(dirname "$(dirname "$0")")
program=$1
shift
profile=$place/$$.profile
"$program" "$@" -test.mutexprofile="$profile"
status=$?
if [ $status -eq 0 ] && [ ! -f "$profile" ] && ! grep -qs 'func TestMain' ./*_test.go; then
  echo "${PWD##*/}: the code ended the process before its tests were done" > "$place/$$.open"
fi
rm -f "$profile"
exit $status

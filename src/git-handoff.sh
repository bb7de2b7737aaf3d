# The program's first lines, as a shell reads them (build.mjs puts them into a comment of the JavaScript below).
# At the start of an agent's session git is asked while Node starts, which takes a third off the waiting; everything
# else goes to Node at once. No asterisk may stand before a slash here.
self=$0
while [ -h "$self" ]; do
  to=$(readlink "$self") || break
  case $to in
    /*) self=$to ;;
    *) self=${self%/*}/$to ;;
  esac
done
dist=${self%/*}
if [ "$1" = session-start ] && [ -f "$dist/hook.cjs" ]; then
  [ "$GIT_HANDOFF" != 0 ] || exit 0
  shift
  exec 3<&0 2>/dev/null
  {
    # The folder decides, not what a git around us happens to have exported.
    unset GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY \
      GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_QUARANTINE_PATH
    exec sh "$dist/../hooks/post-checkout" --answers all
  } </dev/null 3<&- | node "$dist/hook.cjs" session-start --answered "$@"
  exit 0
fi
exec node "$dist/cli.cjs" "$@"

#!/bin/sh
# In place of LibreOffice, for tests: does what the first line of the document says.
while [ $# -gt 0 ]; do
    case $1 in
    --convert-to) ending=${2%%:*}; shift ;;
    --outdir) out=$2; shift ;;
    esac
    document=$1
    shift
done
read -r action place < "$document"
case $action in
fail)
    exit 1
    ;;
hang)
    echo "$TMPDIR" > "$place/folder"
    sleep 600 &
    echo $! > "$place/child"
    echo $$ > "$place/pid.new"
    mv "$place/pid.new" "$place/pid"
    wait
    ;;
meet)
    mkdir "$place/run.$$"
    ls -d "$place"/run.* | wc -l >> "$place/runs"
    while [ ! -e "$place/go" ]; do sleep 0.02; done
    rmdir "$place/run.$$"
    ;;
esac
cp "$document" "$out/document.$ending"

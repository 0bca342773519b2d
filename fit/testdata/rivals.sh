#!/bin/sh
# Fits by loadstone, R (mixtools, fitdistrplus) and SciPy, on the same run
# times, in turn. docs/findings/benchmarks.md says what it printed.
#
#   fit/testdata/rivals.sh LOADSTONE FOLDER [ROUNDS] | python3 fit/testdata/rivals.py medians
#
# LOADSTONE is the built command; FOLDER has the logs of the Parallel Workloads
# Archive named below. ROUNDS is 5 if not given. PYTHON and RSCRIPT name the
# interpreters; LIMIT is when R gives a fit up, in seconds.
set -eu
loadstone=$1 folder=$2 rounds=${3:-5}
python=${PYTHON:-python3} rscript=${RSCRIPT:-Rscript} limit=${LIMIT:-300}
here=$(dirname "$0")
kth=KTH-SP2-1996-2.1-cln nasa=NASA-iPSC-1993-3.1-cln llnl=LLNL-Thunder-2007-1.1-cln ricc=RICC-2010-2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

go build -o "$work/rivals" "$here/rivals.go"
for jobs in 5000 1000000; do
    "$loadstone" generate --quiet --model lublin1999-batch --jobs $jobs -o "$work/$jobs.swf"
done
for log in $kth $nasa $llnl $ricc; do
    gunzip -c "$folder/$log.swf.gz" > "$work/$log.swf"
done
# ln of a second is no Gamma's: all fits are of the run times above one.
for data in 5000 1000000 $kth $nasa $llnl $ricc; do
    awk '!/^;/ && $4 > 1 { print $4 }' "$work/$data.swf" > "$work/$data.txt"
done
"$python" "$here/rivals.py" draw > "$work/samples.txt"

ours() { name=$1; shift; "$work/rivals" "$name" "$work/$name.txt" "$@"; }
scipy() { name=$1; shift; "$python" "$here/rivals.py" "$name" "$work/$name.txt" "$@"; }
r() { name=$1; shift; "$rscript" "$here/rivals.R" "$name" "$work/$name.txt" "$round" "$limit" "$@"; }
whole() { name=$1; shift; "$python" "$here/rivals.py" command "$name" "$loadstone" fit "$work/$name.swf" --quiet "$@"; }

ours samples rejections
scipy samples rejections "rejections kstest"
round=1
while [ "$round" -le "$rounds" ]; do
    for data in 5000 $kth 1000000; do
        ours $data hyper-gamma gamma log-normal weibull
        scipy $data hyper-gamma "hyper-gamma counts" gamma log-normal weibull
    done
    for data in $nasa $llnl $ricc; do
        ours $data hyper-gamma
        scipy $data "hyper-gamma counts"
    done
    r $kth gamma log-normal weibull
    r 5000 hyper-gamma "hyper-gamma random" gamma log-normal weibull
    ours $kth log-normal/199 weibull/199
    scipy $kth log-normal/199 weibull/199
    for data in $kth $ricc 1000000; do
        whole $data --family hyper-gamma
    done
    whole 1000000 --family hyper-gamma --replicates 200 --intervals 0.95
    round=$((round + 1))
done

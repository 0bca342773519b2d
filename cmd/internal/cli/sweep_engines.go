package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/study/sweep"
)

// mostTasks is the number of tasks of a job array: Slurm's default MaxArraySize is 1001.
// Longer studies have several runs a task.
const mostTasks = 1000

// engine is what the scripts for other engines name: absolute paths.
type engine struct {
	program, study, results string
	runs                    int
}

// printEngine writes the script of the engine that is asked for.
func (a *app) printEngine(o sweepOptions, plan *sweep.Plan) error {
	e := engine{runs: plan.Runs()}
	for _, x := range []struct {
		to   *string
		path string
	}{{&e.study, o.study}, {&e.results, o.Results}} {
		path, err := filepath.Abs(x.path)
		if err != nil {
			return err
		}
		*x.to = path
	}
	var err error
	if e.program, err = os.Executable(); err != nil {
		return err
	}
	for _, path := range []string{e.program, e.study, e.results} {
		if strings.ContainsAny(path, "\n\r\x00") {
			return fmt.Errorf("%q: a line break in its name: want a name that fits on a line of a script", path)
		}
	}
	text := ""
	switch {
	case o.Slurm:
		text = e.slurm()
	case o.Snakemake:
		text = e.snakemake()
	default:
		text = e.parallel()
	}
	_, err = io.WriteString(a.Out, text)
	return err
}

// command is a command line that a shell takes as it is.
func (e *engine) command(more string) string {
	return fmt.Sprintf("%s sweep %s --results %s %s", shellQuoted(e.program), shellQuoted(e.study), shellQuoted(e.results), more)
}

// shellQuoted quotes a text for a POSIX shell.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func (e *engine) parallel() string {
	var b strings.Builder
	for k := range e.runs {
		b.WriteString(e.command(fmt.Sprintf("-q --run %d", k+1)) + "\n")
	}
	return b.String()
}

// slurm is a script that submits a job array and, after it, a job that collects. A task
// whose program is killed asks to be requeued, at most three times: a task that has failed
// would keep the second job from its start.
func (e *engine) slurm() string {
	each := (e.runs + mostTasks - 1) / mostTasks
	tasks := (e.runs + each - 1) / each
	return fmt.Sprintf(`#!/bin/sh
# Submits the %d runs of a study as a job array of %d tasks, and a job that collects
# their results when all have succeeded. Give sbatch's options (partition, account, time,
# memory) by its variables: SBATCH_PARTITION=batch SBATCH_TIMELIMIT=60 sh submit.sh
set -eu
results=%s
mkdir -p "$results/slurm"
array=$(sbatch --parsable --array=1-%d --cpus-per-task=1 --requeue --open-mode=append \
  --job-name=sweep --chdir="$results/slurm" --output=%%A_%%a.txt <<'TASK'
#!/bin/sh
export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}"
from=$(((SLURM_ARRAY_TASK_ID - 1) * %d + 1))
to=$((SLURM_ARRAY_TASK_ID * %d))
[ "$to" -le %d ] || to=%d
code=0
%s || code=$?
if [ "$code" -gt 128 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
  sleep 60
fi
exit "$code"
TASK
)
array=${array%%%%;*}
sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --cpus-per-task=1 \
  --job-name=sweep-collect --chdir="$results/slurm" --output=collect-%%j.txt <<'COLLECT'
#!/bin/sh
%s
COLLECT
`, e.runs, tasks, shellQuoted(e.results), tasks, each, each, e.runs, e.runs, e.command(`-q --run "$from-$to"`), e.command("--collect"))
}

// snakemake is a Snakefile with a job for each run, and one that collects.
func (e *engine) snakemake() string {
	quoted := func(text string) string {
		b, err := json.Marshal(text) // a literal of Python too
		if err != nil {
			panic("cli: " + err.Error())
		}
		return string(b)
	}
	return fmt.Sprintf(`# snakemake -s THIS_FILE --cores 2
PROGRAM = %s
STUDY = %s
RESULTS = %s
RUNS = %d

workdir: RESULTS  # file names below are patterns, in which a folder's name may have no braces

rule all:
    input:
        "table.csv",
        "table.parquet",

rule collect:
    input:
        [f"runs/{run // 1000:04d}/{run:07d}.json" for run in range(1, RUNS + 1)],
    output:
        "table.csv",
        "table.parquet",
    shell:
        "{PROGRAM:q} sweep {STUDY:q} --results {RESULTS:q} -q --collect"

rule run:
    output:
        "runs/{part,[0-9]+}/{run,[0-9]+}.json",
    params:
        number=lambda wildcards: int(wildcards.run),
    shell:
        "{PROGRAM:q} sweep {STUDY:q} --results {RESULTS:q} -q --run {params.number}"
`, quoted(e.program), quoted(e.study), quoted(e.results), e.runs)
}

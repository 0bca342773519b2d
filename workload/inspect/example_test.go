package inspect_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// fourJobs is a log of 8 processors. Job 3 uses more than the machine has, and job 4 has a negative
// run time.
const fourJobs = `; MaxProcs: 8
1    0  0 600  4 -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1
2  300  0 900  4 -1 -1 -1 -1 -1 1 2 -1 -1 -1 -1 -1 -1
3 1200 60 300 16 -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1
4 1800  0  -5  1 -1 -1 -1 -1 -1 1 3 -1 -1 -1 -1 -1 -1
`

func open() *workload.Log {
	log, err := logfile.OpenReader("jobs.swf", strings.NewReader(fourJobs), workload.Options{})
	if err != nil {
		panic(err)
	}
	return log
}

// Describe summarises a log.
func ExampleDescribe() {
	log := open()
	defer log.Close()
	d, err := inspect.Describe(context.Background(), log, inspect.DescribeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d jobs of %d users, %.0f %% serial\n", d.Jobs, d.Users, 100*d.Serial)
	run := d.Columns["run_time_s"]
	fmt.Printf("run times: mean %g s, median %g s, %d negative\n", run.Mean, run.Median, run.Negative)
	// (600 * 4 + 900 * 4 + 300 * 16) processor seconds of work over 1800 * 8
	fmt.Printf("offered load %.2f\n", d.OfferedLoad)
	// Output:
	// 4 jobs of 3 users, 25 % serial
	// run times: mean 600 s, median 600 s, 1 negative
	// offered load 0.75
}

// Validate checks a log against rules and reports where they are violated.
func ExampleValidate() {
	log := open()
	defer log.Close()
	v, err := inspect.Validate(context.Background(), log, inspect.ValidateOptions{First: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range v.Findings {
		if f.Severity == inspect.Fault {
			fmt.Printf("%s: %d %s\n", f.Rule, f.Count, f.Counts)
			for _, p := range f.Places {
				fmt.Printf("  line %d, job %d: %s %s\n", p.Line, p.Job, p.Field, p.Saw)
			}
		}
	}
	// Output:
	// allocated-over-machine: 1 jobs
	//   line 4, job 3: allocated_processors 16
	// machine-over-full: 1 moments
	//   line 4, job 3: allocated_processors 16 busy, from 1260 s for 300 s
	// negative-run-time: 1 jobs
	//   line 5, job 4: run_time_s -5
}

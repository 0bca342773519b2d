package slurm_test

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// Read accounting records in the format of sacct -P. Package logfile recognises the format.
func Example() {
	const text = `JobIDRaw|User|Partition|Submit|Start|End|AllocCPUS|Timelimit|State
17|alice|batch|2024-05-01T10:00:00|2024-05-01T10:05:00|2024-05-01T11:05:00|16|02:00:00|COMPLETED
`
	log, err := logfile.OpenReader("sacct.txt", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	for j, err := range log.Jobs() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: job %d waited %g s and ran %g s of %g s on %d processors\n", log.Format, j.ID, j.Wait, j.Run, j.Time, j.Size)
	}
	// Output:
	// sacct: job 17 waited 300 s and ran 3600 s of 7200 s on 16 processors
}

// Read the running and waiting jobs from the output of squeue.
func ExampleReadQueue() {
	const text = `JOBID|USER|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|REASON
17|alice|RUNNING|2024-05-01T10:00:00|2024-05-01T10:05:00|1:00:00|2:00:00|16|None
18|bob|PENDING|2024-05-01T10:30:00|N/A|0:00|1:00:00|64|Resources
`
	queue, err := slurm.ReadQueue("squeue.txt", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range queue.Jobs {
		fmt.Printf("job %s: %d processors for up to %g s; waits for %q\n", j.Label, j.Processors, j.Time, j.Reason)
	}
	// Output:
	// job 17: 16 processors for up to 7200 s; waits for ""
	// job 18: 64 processors for up to 3600 s; waits for "Resources"
}

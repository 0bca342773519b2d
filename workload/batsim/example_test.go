package batsim_test

import (
	"fmt"
	"os"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/batsim"
)

// Write two jobs as a Batsim workload file.
func Example() {
	var header workload.Header
	header.Set("MaxProcs", "8")
	out, err := batsim.Format.Create(os.Stdout, header, workload.WriteOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var jobs []workload.Job
	for i, run := range []float64{600, 90} {
		j := workload.UnknownJob()
		j.ID, j.Row = int64(i+1), int64(i)
		j.Submit, j.Run, j.Size, j.Processors, j.Allocated, j.Time = float64(60*i), run, 4, 4, 4, 3600
		jobs = append(jobs, j)
	}
	for batch, err := range workload.Batches(workload.JobsOf(jobs)) {
		if err == nil {
			err = out.Write(batch)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := out.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {
	// "jobs": [
	// {"id": "1", "subtime": 0, "res": 4, "walltime": 3600, "profile": "delay600"},
	// {"id": "2", "subtime": 60, "res": 4, "walltime": 3600, "profile": "delay90"}
	// ],
	// "profiles": {
	// "delay600": {"type": "delay", "delay": 600},
	// "delay90": {"type": "delay", "delay": 90}
	// },
	// "nb_res": 8,
	// "description": " MaxProcs: 8"
	// }
}

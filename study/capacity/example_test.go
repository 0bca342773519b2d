package capacity_test

import (
	"context"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/study/capacity"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Find the number of processors on which no job of a log waits more than a minute.
func Example() {
	var jobs []workload.Job
	for i := range 84 { // four jobs every twelve hours
		for k := range 4 {
			j := workload.UnknownJob()
			j.Row, j.ID, j.User = int64(len(jobs)), int64(len(jobs)+1), int64(k)
			j.Submit, j.Wait, j.Run, j.Time = float64(i*43200), math.Floor(float64(k)/3)*60, 60, 300
			j.Processors, j.Size = 1, 1
			jobs = append(jobs, j)
		}
	}
	r, err := capacity.Compute(context.Background(), capacity.Options{Log: workload.LogOf("made", workload.Header{}, jobs), Processors: 3, Target: "wait_p99 <= 1m"})
	if err != nil {
		fmt.Println(err)
		return
	}
	a := r.Answers[0]
	fmt.Printf("%g processors in place of %d\n", a.Size, r.Today)
	// Output:
	// 2 processors in place of 3
}

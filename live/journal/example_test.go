package journal_test

import (
	"fmt"
	"os"
	"time"

	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Store a submission with the answer that was given, and the start of the job, and read
// both back, as a service does that was restarted.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := journal.Open(dir, journal.Begin{Origin: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC), Source: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	j := workload.UnknownJob()
	j.ID, j.Submit, j.Size = 17, 3600, 4
	submit := &journal.Event{Kind: workload.Submit, Time: 3600, Job: j, AnsweredAt: 3601,
		Answers: []journal.Answer{{Predictor: "bmbp", Quantile: 0.95, Seconds: 900}}}
	j.Wait = 60
	start := &journal.Event{Kind: workload.Start, Time: 3660, Job: j}
	if err := store.Append(submit, start); err != nil {
		fmt.Println(err)
		return
	}
	if err := store.Sync(); err != nil { // from here on a crash loses neither
		fmt.Println(err)
		return
	}
	for entry, err := range store.Entries() {
		if err != nil {
			fmt.Println(err)
			return
		}
		if e, ok := entry.(*journal.Event); ok {
			fmt.Printf("at %g s: job %d, wait %g s, %d answers\n", e.Time, e.Job.ID, e.Job.Wait, len(e.Answers))
		}
	}
	// Output:
	// at 3600 s: job 17, wait NaN s, 1 answers
	// at 3660 s: job 17, wait 60 s, 0 answers
}

package journal_test

import (
	"fmt"
	"os"

	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Store the start of a job, and read it back as a restarted service does.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := journal.Open(dir, journal.Begin{Source: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	j := workload.UnknownJob()
	j.ID, j.Submit, j.Wait = 17, 3600, 60
	if err := store.Append(&journal.Event{Kind: workload.Start, Time: 3660, Job: j}); err != nil {
		fmt.Println(err)
	}
	if err := store.Sync(); err != nil { // from here on the entry survives a crash
		fmt.Println(err)
	}
	for entry, err := range store.Entries() {
		if err != nil {
			fmt.Println(err)
		}
		if e, ok := entry.(*journal.Event); ok {
			fmt.Printf("at %g s: job %d, wait %g s\n", e.Time, e.Job.ID, e.Job.Wait)
		}
	}
	// Output: at 3660 s: job 17, wait 60 s
}

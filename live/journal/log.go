package journal

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Format reads a store as a job log: its jobs in the order in which they were first seen,
// with all later events merged. The store is read without the lock, possibly while a service
// writes it. The log contains the entries that are in the store when it is opened.
var Format = workload.Format{Name: storeFormat, OpenFolder: openLog}

const storeFormat = "store"

// IsStore reports whether a folder holds a store.
func IsStore(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, fileName))
	return err == nil
}

// openLog reads a store into memory. It returns nil if the folder has no store.
func openLog(name, dir string, o workload.Options) (*workload.Log, error) {
	if !IsStore(dir) {
		return nil, nil
	}
	log, from := workload.NewLog(name, storeFormat)
	var jobs []workload.Job
	places := map[int64]int{} // index in jobs, by row
	names := map[string][]*Name{}
	var columns workload.ColumnSet
	for entry, err := range Read(dir) {
		if err != nil {
			return nil, err
		}
		switch e := entry.(type) {
		case *Begin:
			log.Header.Add("Version", "2.2")
			if !e.Origin.IsZero() {
				log.Header.AddStart(e.Origin)
			}
			log.Header.Add("Note", "From the store of a live service. It watches: "+workload.OneLine(e.Source))
		case *Name:
			names[e.Key] = append(names[e.Key], e)
		case *Event:
			place, known := places[e.Job.Row]
			switch {
			case e.Kind == workload.Submit:
				places[e.Job.Row] = len(jobs)
				jobs = append(jobs, e.Job)
			case known:
				e.Merge(&jobs[place])
			default:
				from.Warnings.Add("no-submission", "events of jobs whose submission is not in the store: left out", 0, fmt.Sprintf("the %s of %s", e.Kind, e.Job.Label()))
			}
			for c := workload.FirstOptional; c < workload.NumColumns; c++ {
				if at := workload.ColumnAt(c); at.Int(&e.Job) != workload.Unknown || !math.IsNaN(at.Number(&e.Job)) {
					columns |= workload.ColumnSetOf(c)
				}
			}
			from.Taken, from.TakenKnown = e.Time, true
		}
	}
	for _, c := range workload.NamedColumns() {
		key := workload.NameKey(c)
		for _, n := range names[key] {
			log.Header.AddNamed(key, n.Number, n.Text)
		}
		delete(names, key) // several columns may share a key
	}
	from.Declare(columns)
	from.Batches = workload.Batches(workload.JobsOf(jobs))
	return log, nil
}

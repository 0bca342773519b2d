package mapping_test

import (
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// readCSV reads a text completely.
func readCSV(text string, o workload.Options) (*workload.Log, []workload.Job, error) {
	l, err := logfile.OpenReader("log.csv", strings.NewReader(text), o)
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	var jobs []workload.Job
	for j, err := range l.Jobs() {
		if err != nil {
			return l, jobs, err
		}
		jobs = append(jobs, j)
	}
	return l, jobs, nil
}

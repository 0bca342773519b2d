package logtest

import (
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Counts returns the counts of a log's warnings by rule.
func Counts(l *workload.Log) map[string]int64 {
	n := map[string]int64{}
	for _, w := range l.Warnings() {
		n[w.Rule] += w.Count
	}
	return n
}

// Drain reads a log to its end, including every value, and returns the number of jobs.
func Drain(l *workload.Log, err error) (rows int64, _ error) {
	if err != nil {
		return 0, err
	}
	defer l.Close()
	for _, err := range l.Jobs() {
		if err != nil {
			return rows, err
		}
		rows++
	}
	return rows, nil
}

// ReadAll returns a log's jobs as one batch.
func ReadAll(l *workload.Log) (*workload.Batch, error) {
	all := &workload.Batch{}
	for j, err := range l.Jobs() {
		if err != nil {
			return all, err
		}
		all.Append(&j)
	}
	return all, nil
}

// JobsOf reads a file and returns, for each job, its known values by column, with names instead
// of their numbers. notes are the header's lines, except those with names, and the warnings.
func JobsOf(path string, o workload.Options) (jobs []map[string]string, notes string, err error) {
	l, err := logfile.Open(path, o)
	if err != nil {
		return nil, "", err
	}
	defer l.Close()
	for j, err := range l.Jobs() {
		if err != nil {
			return nil, "", err
		}
		job := map[string]string{}
		for col := range workload.NumColumns {
			c := workload.ColumnAt(col)
			if !c.Known(&j) {
				continue
			}
			if job[c.Name] = strconv.FormatFloat(c.Number(&j), 'g', -1, 64); !c.Float() {
				job[c.Name] = strconv.FormatInt(c.Int(&j), 10)
			}
			if names := l.Names(); names != nil && c.NameKey != "" {
				if name, ok := names.Text(col, c.Int(&j)); ok {
					job[c.Name] = name
				}
			}
		}
		jobs = append(jobs, job)
	}
	var lines []string
	for _, line := range l.Header.Lines {
		if key, _, _ := strings.Cut(strings.TrimSpace(line), ":"); !strings.Contains("User Group Application Queue Partition Account QOS GPUType", key) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	for _, w := range l.Warnings() {
		lines = append(lines, w.String())
	}
	return jobs, strings.Join(lines, "\n"), nil
}

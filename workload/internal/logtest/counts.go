package logtest

import (
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Counts are a log's warnings by rule.
func Counts(l *workload.Log) map[string]int64 {
	n := map[string]int64{}
	for _, w := range l.Warnings() {
		n[w.Rule] += w.Count
	}
	return n
}

// Drain reads a log to its end, looking at every value.
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

// ReadAll is a log's jobs as one batch.
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

// Cells are the cells of a table in a text: rows are lines, with "|" between their cells.
func Cells(text string) (rows [][]string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		cells := strings.Split(line, "|")
		for i, cell := range cells {
			cells[i] = strings.TrimSpace(cell)
		}
		rows = append(rows, cells)
	}
	return rows
}

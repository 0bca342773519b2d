package slurm

import (
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// writeHeader writes what is known of the log before its jobs.
func (s *sacctReader) writeHeader(h *workload.Header) {
	h.Add("Version", "2.2")
	for _, b := range s.ahead {
		if clusters := &b.names[sacctClusterColumn]; clusters.Len() > 0 {
			h.Add("Computer", workload.OneLine(string(clusters.At(1))))
			break
		}
	}
	if !math.IsNaN(s.table.start) {
		h.Add("UnixStartTime", parse.FormatNumber(s.table.start))
		if !s.unixStart() {
			h.Add("TimeZoneString", s.zone.String())
		}
	}
	h.Add("Note", "From Slurm's sacct. Second 0 is midnight of the day on which the first job was submitted.")
	h.Add("Note", "group: "+s.columnOf(sacctAccount, sacctGroup, sacctGID)+"; application: "+s.columnOf(sacctJobName)+
		"; queue: "+s.columnOf(sacctQOS, sacctPartition)+"; partition: "+s.columnOf(sacctPartition)+".")
	if s.layout.has(sacctMaxRSS) {
		h.Add("Note", "used memory: an upper bound, MaxRSS times the tasks of the largest step, by the processors.")
	}
}

// columnOf names the first of some columns that the log has.
func (s *sacctReader) columnOf(fields ...sacctField) string {
	for _, f := range fields {
		if s.layout.has(f) {
			return s.layout.fieldName(f)
		}
	}
	return "unknown"
}

// endHeader adds what is known when the log has been read.
func (s *sacctReader) endHeader(h *workload.Header) {
	var states []string
	for state, n := range s.table.states {
		if n > 0 {
			states = append(states, fmt.Sprintf("%s %d", sacctJobState(state), n))
		}
	}
	h.Add("Note", "Jobs by state: "+strings.Join(states, ", ")+".")
	s.table.names.Warn(&s.from.Warnings)
	s.table.names.AddTo(h)
}

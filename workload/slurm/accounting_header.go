package slurm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// optionalColumns are those of the job table that come of fields of record.
const optionalColumns = `requested_nodes ReqNodes ReqTRES
allocated_nodes NNodes AllocTRES
requested_gpus ReqTRES
allocated_gpus AllocTRES
gpu_type_id ReqTRES AllocTRES
requested_memory_total_kb ReqMem ReqTRES
used_memory_total_kb MaxRSS
energy_j Energy AllocTRES
account_id Account
qos_id QOS
array_id JobID
eligible_time_s Eligible
`

// noJobs is the error for a log with records of which none is a job.
func (s *accounts) noJobs() error {
	e := &workload.InputError{File: s.name, Err: fmt.Errorf("%w in %d lines", workload.ErrNoJobs, s.line)}
	list := s.from.Warnings.List()
	if i := slices.IndexFunc(list, func(w workload.Warning) bool { return w.Rule == "broken-record" }); i >= 0 {
		w := list[i]
		e.Line, e.Saw, e.Want = w.Line, w.Saw, "records with "+words.Counted(len(s.layout.columns), "column")+", as the first line has"
	} else if s.steps > 0 {
		e.Saw = words.Counted(int(s.steps), "step") + " without their jobs"
	} else if len(list) > 0 {
		last := list[len(list)-1]
		e.Line, e.Saw = last.Line, last.String()
	}
	return e
}

// writeHeader writes what is known of the log before its jobs.
func (s *accounts) writeHeader() {
	h := &s.log.Header
	h.Add("Version", "2.2")
	for _, b := range s.ahead {
		if first := slices.IndexFunc(b.rows, func(r row) bool { return r.names[clusterName] > 0 }); first >= 0 {
			h.Add("Computer", workload.OneLine(string(b.text(b.rows[first].names[clusterName]))))
			break
		}
	}
	if !math.IsNaN(s.start) {
		_, isText := s.source.(*textLines)
		s.writeClock(s.start, isText)
	}
	h.Add("Note", "From Slurm's sacct. Second 0 is midnight of the day on which the first job was submitted.")
	note := ""
	for _, c := range []string{"group Account Group GID", "application JobName", "queue QOS Partition", "partition Partition"} {
		fields := strings.Fields(c)
		note += "; " + fields[0] + ": " + cmp.Or(s.layout.nameOf(fields[1:]...), "unknown")
	}
	h.Add("Note", note[2:]+".")
	if s.layout.has("MaxRSS") {
		h.Add("Note", "used memory: an upper bound, MaxRSS times the tasks of the largest step, by the processors.")
	}
}

// endHeader adds what is known when the log has been read.
func (s *accounts) endHeader() {
	var counts []string
	for state, n := range s.states {
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", states[state].long, n))
		}
	}
	s.log.Header.Add("Note", "Jobs by state: "+strings.Join(counts, ", ")+".")
	s.names.Warn(&s.from.Warnings)
	s.names.AddTo(&s.log.Header)
}

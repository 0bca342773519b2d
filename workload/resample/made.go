package resample

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Made counts the jobs of a twin that have been read so far. Users is the number of known users,
// summed over laps: a user in two laps counts twice.
type Made struct {
	extent.Made
	source *source
	stayed int64 // number of jobs in the same hour as in the log
}

// add counts a job that was submitted at before in the log.
func (m *Made) add(j *workload.Job, before, work float64, lap int64) {
	m.Made.Add(j, work)
	if lap == 0 && math.Floor(before/3600) == math.Floor(j.Submit/3600) {
		m.stayed++
	}
}

// Load returns the offered load of the twin on a machine of the given size, from the first
// submission to the last; NaN if the size is 0 or the load is undefined.
func (m *Made) Load(processors int64) float64 {
	if m.source.counted || processors < 1 {
		return math.NaN()
	}
	return m.Made.Load(processors)
}

// Stayed returns the share of jobs, from 0 to 1, that are submitted in the same hour of the same
// week as in the log. Jobs after the twin's first lap are never counted.
func (m *Made) Stayed() float64 { return float64(m.stayed) / float64(max(1, m.Jobs)) }

// Load returns the offered load of the original log on the twin's machine; NaN if it is
// undefined.
func (t *Twin) Load() float64 {
	if t.counted || t.elapsed <= 0 || t.processors < 1 {
		return math.NaN()
	}
	return t.total / t.elapsed / float64(t.processors)
}

// Processors returns the size of the machine, 0 if it is unknown.
func (t *Twin) Processors() int64 { return t.processors }

// Header returns the header of the twin: the log's header with the counts in made, and notes on
// what the twin is, how it was made and what it reveals. Notes on the first two precede all lines
// of the log except Version. name is the name of the log.
func (t *Twin) Header(log workload.Header, name string, made *Made) workload.Header {
	h := log.Clone()
	h.Remove("Note", workload.CleanedNote) // they are about the log's jobs
	by := "up to 5 minutes"
	switch period, _ := t.period(); period {
	case week:
		by = "whole weeks and " + by
	case day:
		by = "whole days and " + by
	}
	what := []string{fmt.Sprintf(" Note: a twin of %s, not a log: the jobs of its users, each user moved in time by %s", strconv.Quote(name), by)}
	if t.o.By != "" {
		what = append(what, fmt.Sprintf(" Note: made by %s: %s", t.o.By, t.o.flags()))
	}
	if load := made.Load(t.processors); !math.IsNaN(load) {
		what = append(what, fmt.Sprintf(" Note: offered load %.4g on %d processors; the log's is %.4g", load, t.processors, t.Load()))
	}
	first := 0 // before the log's lines, which are not about a twin
	if fields := h.Fields(); len(fields) > 0 && fields[0].Key == "Version" {
		first = fields[0].Line + 1
	}
	h.Lines = slices.Insert(h.Lines, first, what...)
	h.Add("Note", "the jobs are records of the log's users: their sizes, run times, hours and habits; anonymise the log before a twin is passed on")
	h.Add("Note", "waits are unknown, since those of the log are from another schedule; preceding job and think time give the dependencies of jobs")
	h.Add("Note", fmt.Sprintf("%.1f %% of the jobs are submitted in the same week and hour as in the log", 100*made.Stayed()))
	if t.processors > 0 {
		if n, ok := h.Processors(); !ok || n != t.processors {
			h.Set("MaxProcs", strconv.FormatInt(t.processors, 10))
		}
	}
	h.Complete(made.Facts.Facts(), t.o.By)
	return h
}

// flags returns the options as flags of the command.
func (o Options) flags() string {
	all := []string{"generate --like LOG"}
	for _, f := range opt.Fields(&o) {
		if f.IsSet() {
			all = append(all, "--"+f.Name+" "+f.String())
		}
	}
	if o.UsersFactor > 0 {
		all = append(all, fmt.Sprintf("--load %gx", o.UsersFactor))
	}
	return strings.Join(append(all, fmt.Sprintf("--seed %d", o.Seed)), " ")
}

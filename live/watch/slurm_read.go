package watch

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// readQueue takes the jobs of the controller, of which some have ended.
func (s *slurmSource) readQueue(p *Poll, r io.Reader) error {
	q, err := slurm.ReadQueue(s.name+" jobs", r, s.log)
	if err != nil {
		return err
	}
	if err := saidErrors(q.Warnings); err != nil {
		return err
	}
	if err := mostUnreadable(q); err != nil {
		return err
	}
	change := s.o.Names.translation(q.Names)
	p.Jobs = make([]Sighting, 0, len(q.Jobs))
	for i := range q.Jobs {
		in := &q.Jobs[i]
		out := Sighting{Job: in.Job, Label: cutName(in.Label), Expected: s.seconds(in.Expected), Priority: in.Priority,
			Held: in.Held, Reason: cutName(in.Reason), Withdrawn: s.seconds(in.Withdrawn)}
		s.place(&out.Job, change)
		switch {
		case in.Status == workload.Unknown:
			p.Jobs = append(p.Jobs, out)
		case in.Wait >= 0 && math.IsNaN(in.Run): // ended, nobody knows when
			p.Jobs = append(p.Jobs, out)
		default:
			p.Ended = append(p.Ended, out)
		}
	}
	if q.Taken > 0 {
		p.At = max(p.At, min(s.seconds(q.Taken), s.seconds(unix(s.now()))))
	}
	p.Warnings = append(p.Warnings, q.Warnings...)
	return nil
}

// readEnded takes jobs of the database.
func (s *slurmSource) readEnded(p *Poll, r io.Reader) error {
	e, err := slurm.ReadEnded(s.name+" accounting", r, s.log)
	if err != nil {
		return err
	}
	if err := saidErrors(e.Warnings); err != nil {
		return err
	}
	change := s.o.Names.translation(e.Names)
	p.Ended = make([]Sighting, 0, len(e.Jobs))
	for i := range e.Jobs {
		in := &e.Jobs[i]
		out := Sighting{Job: in.Job, Label: in.Label, Tasks: in.Tasks, Expected: math.NaN(), Priority: workload.Unknown, Withdrawn: s.seconds(in.Withdrawn)}
		s.place(&out.Job, change)
		p.Ended = append(p.Ended, out)
	}
	return nil
}

// nothingFound is the error that Slurm puts into a list of ended jobs that is empty:
// ESLURM_REST_EMPTY_RESULT.
var nothingFound = regexp.MustCompile(`\berror 9003\)|Nothing found`)

// saidErrors is the error that Slurm put into a list. Where the controller does not answer,
// squeue --json of Slurm 22.05 prints a list without jobs and exits with 0.
func saidErrors(warnings []workload.Warning) error {
	for _, w := range warnings {
		if w.Rule == "slurm-errors" && !nothingFound.MatchString(w.Saw) {
			return fmt.Errorf("error of Slurm: %s", cutName(oneLine([]byte(w.Saw))))
		}
	}
	return nil
}

// mostUnreadable rejects a list of which most jobs cannot be read, as of a version of Slurm
// with another form: the queue would look empty.
func mostUnreadable(q *slurm.Queue) error {
	for _, w := range q.Warnings {
		if w.Rule == "unreadable-jobs" && w.Count > int64(len(q.Jobs)) {
			return fmt.Errorf("%d of %d jobs cannot be read, the first: %s", w.Count, w.Count+int64(len(q.Jobs)), cutName(oneLine([]byte(w.Saw))))
		}
	}
	return nil
}

// labelOf is the name of a job without a label.
func labelOf(j *workload.Job) string {
	if j.ID == workload.Unknown {
		return ""
	}
	return strconv.FormatInt(j.ID, 10)
}

// place gives a job the caller's clock and numbers.
func (s *slurmSource) place(j *workload.Job, change translation) {
	j.MoveTo(s.seconds(j.Submit))
	change.apply(j)
}

// countHidden counts the processors in use that no job accounts for. Jobs may have started
// between the two questions: what counts is what two polls in a row show.
func (s *slurmSource) countHidden(p *Poll) {
	var held int64
	for i := range p.Jobs {
		if j := &p.Jobs[i]; !j.Pending() && j.Allocated > 0 {
			held += j.Allocated
		}
	}
	before := s.uncounted
	s.uncounted = max(0, p.Capacity.Used-held)
	p.Hidden = min(before, s.uncounted)
	if p.Hidden > 0 && p.Hidden*20 > p.Capacity.Used {
		p.warn("hidden-jobs", strconv.FormatInt(p.Hidden, 10)+" of "+strconv.FormatInt(p.Capacity.Used, 10)+
			" processors in use belong to jobs that are not listed, as when Slurm's PrivateData hides other users' jobs")
	}
}

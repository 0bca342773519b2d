package watch

import (
	"context"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// readLog reads a log: its jobs that ended and, of a state, those that wait and run.
func (s *files) readLog(ctx context.Context, path string, p *Poll, state bool) error {
	log, err := logfile.Open(path, s.f.Log)
	if err != nil {
		return err
	}
	defer log.Close()
	clock, _ := log.Header.Clock()
	shift := 0.0
	if clock.Known {
		shift = unix(clock.Start) - unix(s.o.Origin)
	}
	for j, err := range log.Jobs() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		out := Sighting{Job: j, Label: labelOf(&j), Expected: math.NaN(), Priority: workload.Unknown, Withdrawn: math.NaN()}
		out.MoveTo(j.Submit + shift)
		switch ended := j.Run >= 0 || j.Status == workload.StatusCancelled; {
		case ended:
			p.Ended = append(p.Ended, out)
		case state:
			p.Jobs = append(p.Jobs, out)
		}
		if state {
			for _, t := range []float64{out.Submit, out.Start(), out.End()} {
				if t > p.At && !math.IsInf(t, 1) {
					p.At = t
				}
			}
		}
	}
	change := logNumbers(log, s.o.Names)
	for _, list := range [][]Sighting{p.Jobs, p.Ended} {
		for i := range list {
			change.apply(&list[i].Job)
		}
	}
	if taken, known := log.Taken(); known && state {
		p.At = max(p.At, taken+shift)
	}
	p.Capacity.Processors, _ = log.Header.Processors()
	p.Warnings = append(p.Warnings, workload.WarningsAbout(log.Name, log.Warnings())...)
	return nil
}

// numbering gives the numbers of a log those of the service, through their names, or as
// texts where they have none.
type numbering struct {
	names *Names
	texts [workload.NumColumns]map[int64]string
	known [workload.NumColumns]map[int64]int64
}

func logNumbers(log *workload.Log, names *Names) *numbering {
	n := &numbering{names: names}
	for _, c := range workload.NamedColumns() {
		n.texts[c], n.known[c] = log.Header.Names(workload.NameKey(c)), map[int64]int64{}
	}
	return n
}

func (n *numbering) number(column int, x int64) int64 {
	if x == workload.Unknown {
		return x
	}
	number, ok := n.known[column][x]
	if !ok {
		text := n.texts[column][x]
		if text == "" {
			text = strconv.FormatInt(x, 10)
		}
		number = n.names.Number(column, text)
		n.known[column][x] = number
	}
	return number
}

func (n *numbering) apply(j *workload.Job) { renumber(j, n.number) }

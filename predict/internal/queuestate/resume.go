package queuestate

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// mostCount is the largest number of anything counted in a state.
const mostCount = 1 << 53

// Resume gives a state that was read the columns that New takes, and returns an error
// where it is none that could have been written.
func (s *State) Resume(columns []*workload.Column) error {
	s.columns = columns
	if math.IsNaN(s.Now) || s.Now > math.MaxFloat64 || s.Seen < 0 || s.Seen > mostCount || !finite(s.Machine, s.Slow.Mean, s.Left, s.Busy, s.Late) {
		return errors.New("a machine or a moment that cannot be")
	}
	for row, j := range s.Jobs {
		if j == nil || s.Users[j.User] == nil || s.Queues[j.Queue] == nil {
			return fmt.Errorf("the job of row %d is in no user's or queue's jobs", row)
		}
		if !finite(j.Submit, j.Processors, j.Length, j.Work) || j.Processors < 1 || j.Length < 0 || j.Running && !finite(j.Start) {
			return fmt.Errorf("the job of row %d has no processors, or is at no time", row)
		}
	}
	groups := []*Group{&s.All}
	groups = slices.AppendSeq(groups, maps.Values(s.Users))
	groups = slices.AppendSeq(groups, maps.Values(s.Queues))
	for _, g := range groups {
		if err := g.check(s); err != nil {
			return err
		}
	}
	for _, waits := range []ByKey[*Smoothed]{s.Sizes, s.Times} {
		for _, w := range waits {
			if w == nil || w.N < 0 || !finite(w.Mean) {
				return errors.New("a kind of jobs has no waits")
			}
		}
	}
	for _, e := range s.Ends {
		if !finite(e.At, e.Value) {
			return errors.New("a running job reaches its time at none")
		}
	}
	return nil
}

func (g *Group) check(s *State) error {
	if g == nil || len(g.Line.Rows) > 0 && (s.Jobs[g.Line.Rows[0]] == nil || s.Jobs[g.Line.Rows[0]].Running) {
		return errors.New("a line of waiting jobs does not begin with one")
	}
	if g.Line.Gone < 0 || g.Line.Gone > len(g.Line.Rows) || g.Burst.Jobs < 0 || int64(g.Burst.Jobs) > mostCount || g.Wait.N < 0 || g.Run.N < 0 ||
		!finite(g.Submits, g.Wait.Mean, g.Run.Mean, g.Last.Processors, g.Last.Length) || !g.Waiting.possible() || !g.Running.possible() {
		return errors.New("a group of jobs that cannot be")
	}
	return nil
}

func (l *Load) possible() bool { return finite(l.Jobs, l.Processors, l.Work) && l.Jobs >= 0 }

// finite says whether all are numbers.
func finite(all ...float64) bool {
	return !slices.ContainsFunc(all, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

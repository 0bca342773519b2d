package sched

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Priority serves the log's queues (Request.Queue) in the order given, and
// queues that are not in it after them, as one. Within a queue jobs are in the
// order of submission. As under FCFS the job at the head of all holds up those
// behind it. Running jobs are not stopped for more urgent ones.
type Priority struct {
	Queues []int64 // the most urgent first
}

var (
	_ Ordered    = Priority{}
	_ Adjustable = Priority{}
)

// Name returns "priority".
func (Priority) Name() string { return "priority" }

// UsesEstimates returns false.
func (Priority) UsesEstimates() bool { return false }

// Planner implements Policy.
func (Priority) Planner(m *State) Planner { return inOrder(m) }

// Before implements Ordered.
func (p Priority) Before(a, b Task) bool {
	if ra, rb := p.rank(a), p.rank(b); ra != rb {
		return ra < rb
	}
	return a.Number < b.Number
}

func (p Priority) rank(t Task) int {
	if i := slices.Index(p.Queues, t.Request.Queue); i >= 0 {
		return i
	}
	return len(p.Queues)
}

// With implements Adjustable: the queues, with commas between.
func (p Priority) With(_, value string) (Policy, error) {
	p.Queues = nil
	for _, text := range strings.Split(value, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || slices.Contains(p.Queues, n) {
			return nil, errors.New("queue numbers separated by commas, each once")
		}
		p.Queues = append(p.Queues, n)
	}
	return p, nil
}

// Parameters implements Adjustable.
func (Priority) Parameters() []string { return []string{"queues"} }

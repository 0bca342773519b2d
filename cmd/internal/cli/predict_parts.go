package cli

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// predictParts are the ways of cutting a log into parts.
var predictParts = []string{"site", "month", "burst"}

// predictPart is a predictor's score on one part of the log.
type predictPart struct {
	by, part string
	wait     *score.Wait
	bound    *score.Bound
}

// partTallies are the scores of several predictors by parts of the log.
type partTallies struct {
	run   *predictRun
	clock workload.Clock
	by    []map[partKey]*partTally // by predictor

	followed []*predictFollower // by predictor
}

type partKey struct {
	by   string
	part int64
}

type partTally struct {
	wait    score.WaitTally
	bound   score.BoundTally
	isBound bool
}

func (r *predictRun) newParts(predictors int) *partTallies {
	p := &partTallies{run: r, by: make([]map[partKey]*partTally, predictors)}
	p.clock, _ = r.header.Clock()
	for i := range p.by {
		p.by[i] = map[partKey]*partTally{}
		p.followed = append(p.followed, new(predictFollower))
	}
	return p
}

// noteBurst remembers whether a job is in a burst; jobs come by submission.
func (r *predictRun) noteBurst(j *workload.Job, b *score.Bursts) {
	if !slices.Contains(r.o.by, "burst") {
		return
	}
	for int64(len(r.bursts)) <= j.Row {
		r.bursts = append(r.bursts, false)
	}
	r.bursts[j.Row] = b.In(&j.Request)
}

// thirtyDays is the length of a part of a log that has no dates.
const thirtyDays = 30 * 86400

func (p *partTallies) part(by string, q *workload.Request) int64 {
	switch by {
	case "site":
		return q.Partition
	case "burst":
		if p.run.bursts[q.Row] {
			return 1
		}
		return 0
	}
	if !p.clock.Known {
		return int64(math.Floor(max(-1e15, min(1e15, q.Submit/thirtyDays))))
	}
	return monthOf(p.clock, q.Submit)
}

func (p *partTallies) name(k partKey) string {
	switch {
	case k.by == "burst":
		return []string{"alone or first", "in a burst"}[k.part]
	case k.part == workload.Unknown:
		return "unknown"
	case k.by == "site":
		return strconv.FormatInt(k.part, 10)
	case !p.clock.Known:
		return fmt.Sprintf("days %d-%d", 30*k.part, 30*k.part+29)
	}
	return monthName(k.part)
}

func (p *partTallies) at(i int, by string, q *workload.Request) *partTally {
	k := partKey{by, p.part(by, q)}
	t := p.by[i][k]
	if t == nil {
		t = new(partTally)
		p.by[i][k] = t
	}
	return t
}

func (p *partTallies) wait(i int, q *workload.Request, predicted, actual float64) {
	p.followed[i].add(p.run, q, predicted, actual)
	for _, by := range p.run.o.by {
		p.at(i, by, q).wait.Add(predicted, actual)
	}
}

func (p *partTallies) bound(i int, q *workload.Request, predicted, actual float64) {
	p.followed[i].add(p.run, q, predicted, actual)
	for _, by := range p.run.o.by {
		t := p.at(i, by, q)
		t.isBound = true
		t.bound.Add(predicted, actual)
	}
}

// of returns the parts of one predictor, by way and part.
func (p *partTallies) of(i int) []predictPart {
	var out []predictPart
	keys := slices.SortedFunc(maps.Keys(p.by[i]), func(a, b partKey) int {
		if x := slices.Index(predictParts, a.by) - slices.Index(predictParts, b.by); x != 0 {
			return x
		}
		if a.part < b.part {
			return -1
		}
		return 1
	})
	for _, k := range keys {
		t := p.by[i][k]
		part := predictPart{by: k.by, part: p.name(k)}
		if t.isBound {
			b := t.bound.Result()
			part.bound = &b
		} else {
			w := t.wait.Result()
			part.wait = &w
		}
		out = append(out, part)
	}
	return out
}

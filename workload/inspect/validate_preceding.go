package inspect

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
)

// maxPending is how many references to jobs that have not been seen yet are
// kept, to tell those that come later from those that never do.
const maxPending = 1 << 16

// precedingJobs holds the references to preceding jobs that did not stand
// above. Mostly there are none.
type precedingJobs struct {
	limit   int
	pending []reference
	later   map[int64]bool // the ids referred to: whether each has come since
	missed  int64          // references beyond the bound
	lost    int64          // references that a full idSet could not tell
}

// reference is a job that names another as its preceding one.
type reference struct {
	row, line, job int64
	to             int64
}

// refer notes a job's reference, unless what it refers to stands above.
func (p *precedingJobs) refer(v *validator, j *workload.Job) {
	if j.Preceding == workload.Unknown {
		return
	}
	in, sure := v.ids.has(j.Preceding)
	switch {
	case in:
		return
	case !sure:
		p.lost++
		return
	case len(p.pending) == p.limit:
		p.missed++
		return
	}
	if p.later == nil {
		p.later = map[int64]bool{}
	}
	if _, ok := p.later[j.Preceding]; !ok {
		p.later[j.Preceding] = false
	}
	p.pending = append(p.pending, reference{j.Row, v.log.Line(j.Row), j.ID, j.Preceding})
}

// seen notes that a job has come.
func (p *precedingJobs) seen(id int64) {
	if p.later == nil {
		return
	}
	if _, ok := p.later[id]; ok {
		p.later[id] = true
	}
}

// endPreceding sorts the references into those to a later job and those to none.
func (v *validator) endPreceding() {
	p := &v.preceding
	for _, r := range p.pending {
		rule, want := rulePrecedingUnknown, "a job of the log"
		if p.later[r.to] {
			rule, want = rulePrecedingLater, "a job above"
		}
		if v.hit(rule) {
			v.note(rule, r.row, r.line, r.job, v.rules[rule].Field, whole(r.to), want)
		}
	}
	if p.missed > 0 {
		v.found[rulePrecedingUnknown].count += p.missed
		v.found[rulePrecedingUnknown].note = fmt.Sprintf("%d of these may belong to %s", p.missed, v.rules[rulePrecedingLater].Name)
	}
	if p.lost > 0 {
		why := fmt.Sprintf("%d preceding jobs not checked: job ids do not ascend, and there are too many to remember", p.lost)
		for _, rule := range []int{rulePrecedingUnknown, rulePrecedingLater} {
			if v.found[rule].count == 0 {
				v.cannot(rule, why)
			} else if v.found[rule].note == "" {
				v.found[rule].note = why
			}
		}
	}
}

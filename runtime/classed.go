package runtime

import (
	"cmp"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// classed applies some rules to every class of one way of classing: a job's class is looked
// up once for all of them.
type classed struct {
	classes   Classes
	fresh     []history // by rule, those of classes of which no job has ended
	numbers   map[Key]int32
	histories [][]history // by class; nil until a job has ended
	job       workload.Job
	err       error // of a custom rule
}

// New returns the predictor that RuleNamed finds among Rules, which learns for each class on
// its own; a Kernel makes its own classes.
func New(text string, c Classes) (Predictor, error) {
	named, err := RuleNamed(text, nil)
	if err != nil {
		return nil, err
	}
	if !HasClasses(named) {
		return named.New()
	}
	return newClassed(named, c)
}

func newClassed(r Rule, c Classes) (*classed, error) {
	p := &classed{classes: c, numbers: map[Key]int32{}}
	p.fresh = []history{historyBy(r, &p.err)}
	return p, cmp.Or(p.err, c.Validate())
}

// historyBy returns what a rule keeps of a class; err is where one from elsewhere leaves an
// error.
func historyBy(r Rule, err *error) history {
	if own, ok := r.(rule); ok {
		return own.fresh()
	}
	return custom{rule: r, name: r.Name(), err: err}.fresh()
}

// class gives the number of a request's class, a new one where it was not met before.
func (p *classed) class(r *workload.Request) int32 {
	key := p.classes.Key(r)
	class, met := p.numbers[key]
	if !met {
		class = int32(len(p.histories))
		p.numbers[key] = class
		p.histories = append(p.histories, nil)
	}
	return class
}

// historiesOf returns the histories of a class, by rule.
func (p *classed) historiesOf(class int32) []history {
	if known := p.histories[class]; known != nil {
		return known
	}
	return p.fresh
}

// observe enters a job of a class that ended.
func (p *classed) observe(class int32, j *workload.Job) {
	known := p.histories[class]
	if known == nil {
		for _, h := range p.fresh {
			known = append(known, h.fresh())
		}
		p.histories[class] = known
	}
	for _, h := range known {
		h.observe(j)
	}
}

// Predict implements Predictor, with the first rule. A class that is only asked about takes
// no memory.
func (p *classed) Predict(r workload.Request) (workload.Prediction, bool) {
	// The rules take a pointer; a copy of its own would be made anew each time.
	p.job.Request = r
	known := p.fresh
	if class, met := p.numbers[p.classes.Key(&r)]; met {
		known = p.historiesOf(class)
	}
	said := known[0].predict(&p.job.Request)
	return said, !math.IsNaN(said.Seconds)
}

// Observe implements Predictor.
func (p *classed) Observe(j workload.Job) {
	p.job = j
	p.observe(p.class(&p.job.Request), &p.job)
}

package runtime

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Row is a job at its submission with what was predicted for it.
type Row struct {
	// Job points into the replay's own memory: it is not to be altered.
	Job *workload.Job
	// Predictions are in the order of the entries. Where there is none,
	// Seconds is NaN.
	Predictions []workload.Prediction
}

// Replay plays a log once and yields, job by job in order of submission, what
// each entry predicted when the job was submitted. The jobs must come in that order
// (workload.InOrder sorts them), else the error is workload.ErrOrder. A row is valid
// until the next one.
//
// Jobs whose submission or run time is unknown, negative or infinite are left
// out, neither predicted nor learnt from, and counted in w under the rules
// "no-submit-time" and "no-run-time". w may be nil.
//
// An entry that is not valid is an error, before any row. A predictor that fails
// (see Fallible) ends the rows with its error.
func Replay(jobs iter.Seq2[workload.Job, error], w *workload.Warnings, entries ...Entry) iter.Seq2[*Row, error] {
	r, err := newReplay(entries, w)
	if err != nil {
		return func(yield func(*Row, error) bool) { yield(nil, err) }
	}
	return workload.Replay(jobs, r)
}

func isTime(t float64) bool { return t >= 0 && !math.IsInf(t, 1) }

// replay is the state of Replay. Entries of this package are grouped by their
// way of classing: a job's class is looked up once for all of a group.
type replay struct {
	groups []*group
	chains []chain
	own    []ownEntry
	fail   []interface{ Err() error } // of custom predictors
	wrong  error                      // a prediction that is none
	slots  []int32                    // class of the job in each slot, one a group
	row    Row

	warnings *workload.Warnings
	all      []workload.Prediction // those of the row, then those that only chains ask for
	none     []workload.Prediction // as long as all
}

type group struct {
	*histories
	out   []int    // where each rule's prediction goes
	names []string // of the rules, with their parameters
}

// chain picks an entry's prediction from those of several classes.
type chain struct {
	from     []int // in all; the finest class first
	out      int
	estimate bool
}

type ownEntry struct {
	Predictor
	name string // for messages
	out  int
	ours bool // no need to check it
}

func newReplay(entries []Entry, w *workload.Warnings) (*replay, error) {
	if w == nil {
		w = new(workload.Warnings)
	}
	r := &replay{warnings: w, all: make([]workload.Prediction, len(entries))}
	for out, e := range entries {
		if e.Own != nil {
			_, ours := e.Own.(*Kernel)
			r.own = append(r.own, ownEntry{e.Own, e.Predictor, out, ours || e.Unchecked})
			if f, ok := e.Own.(Fallible); ok {
				r.fail = append(r.fail, f)
			}
			continue
		}
		rule, err := RuleNamed(e.Predictor, e.Rules)
		if err != nil {
			return nil, err
		}
		if !HasClasses(rule) {
			p, err := rule.New()
			if err != nil {
				return nil, err
			}
			r.own = append(r.own, ownEntry{p, e.Predictor, out, true})
			continue
		}
		if len(e.Fallback) == 0 && !e.Estimate {
			if err := r.add(e.Predictor, rule, e.Classes, out); err != nil {
				return nil, err
			}
			continue
		}
		c := chain{out: out, estimate: e.Estimate}
		for _, classes := range append([]Classes{e.Classes}, e.Fallback...) {
			from := r.find(e.Predictor, classes)
			if from < 0 {
				from = len(r.all)
				r.all = append(r.all, workload.Prediction{})
				if err := r.add(e.Predictor, rule, classes, from); err != nil {
					return nil, err
				}
			}
			c.from = append(c.from, from)
		}
		r.chains = append(r.chains, c)
	}
	r.row.Predictions = r.all[:len(entries):len(entries)]
	for range r.all {
		r.none = append(r.none, nothing())
	}
	return r, nil
}

// add has a rule predict under some classes, into all[out].
func (r *replay) add(name string, named Rule, c Classes, out int) error {
	if err := c.Validate(); err != nil {
		return err
	}
	rule, err := startRule(named)
	if err != nil {
		return err
	}
	if f, ok := rule.(*foreign); ok {
		r.fail = append(r.fail, f)
	}
	g := r.group(c)
	g.add(rule)
	g.out, g.names = append(g.out, out), append(g.names, name)
	return nil
}

// find says where a rule predicts under some classes already, -1 where it does not.
func (r *replay) find(name string, c Classes) int {
	for _, g := range r.groups {
		if g.classes.By.Same(c.By) {
			if i := slices.Index(g.names, name); i >= 0 {
				return g.out[i]
			}
		}
	}
	return -1
}

// group finds the group with the fields of c, or opens one.
func (r *replay) group(c Classes) *group {
	for _, g := range r.groups {
		if g.classes.By.Same(c.By) {
			return g
		}
	}
	g := &group{histories: newHistories(c)}
	r.groups = append(r.groups, g)
	return g
}

// Keeps implements workload.Learner.
func (r *replay) Keeps(j *workload.Job) bool {
	switch {
	case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		r.warnings.Add("no-submit-time", "jobs left out: their submission time is unknown", 0, j.Label())
		return false
	case !isTime(j.Run):
		r.warnings.Add("no-run-time", "jobs left out: their run time is unknown or negative", 0, j.Label())
		return false
	}
	return true
}

// Learn implements workload.Learner. It returns a row at a submission.
func (r *replay) Learn(e workload.Event) (row *Row, err error) {
	switch e.Kind {
	case workload.Submit:
		r.submit(e.Slot, e.Job)
		row = &r.row
	case workload.Finish:
		r.finish(e.Slot, e.Job)
	}
	return row, r.fault()
}

// submit fills the row with the predictions for a job.
func (r *replay) submit(slot int, j *workload.Job) {
	r.row.Job = j
	copy(r.all, r.none)
	for len(r.slots) < (slot+1)*len(r.groups) {
		r.slots = append(r.slots, 0)
	}
	slots := r.slots[slot*len(r.groups):][:len(r.groups)]
	// In two loops, so that the look-ups' waits for memory overlap.
	for i, g := range r.groups {
		k := g.classes.Key(&j.Request)
		slots[i] = g.class(k)
	}
	for i, g := range r.groups {
		g.predict(slots[i], &j.Request, r.all, g.out)
	}
	for i := range r.chains {
		r.all[r.chains[i].out] = r.chains[i].pick(r.all, &j.Request)
	}
	for _, o := range r.own {
		if p, ok := o.Predict(j.Request); ok {
			r.row.Predictions[o.out] = p
			if !o.ours {
				r.wrong = cmp.Or(r.wrong, checkPrediction(o.name, p, &j.Request))
			}
		}
	}
}

// pick takes the prediction of the finest class that has a history; where none
// has, the first that says anything; and then the user's estimate.
func (c *chain) pick(all []workload.Prediction, r *workload.Request) workload.Prediction {
	best := nothing()
	for _, from := range c.from {
		switch p := all[from]; {
		case math.IsNaN(p.Seconds):
		case p.Observations > 0:
			return p
		case math.IsNaN(best.Seconds):
			best = p
		}
	}
	if math.IsNaN(best.Seconds) && c.estimate {
		return estimate{}.predict(nil, 0, r)
	}
	return best
}

// finish lets every predictor learn from a job.
func (r *replay) finish(slot int, j *workload.Job) {
	for i, g := range r.groups {
		g.observe(r.slots[slot*len(r.groups)+i], j)
	}
	for _, o := range r.own {
		o.Observe(*j)
	}
}

// fault returns why a predictor cannot go on, nil where all can.
func (r *replay) fault() error {
	for _, f := range r.fail {
		if err := f.Err(); err != nil {
			return err
		}
	}
	return r.wrong
}

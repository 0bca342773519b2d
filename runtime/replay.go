package runtime

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"reflect"
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

// replay is the state of Replay.
type replay struct {
	groups      []*classed            // by way of classing
	predictions []workload.Prediction // of the job that was submitted, by all that predict
	entries     []chain
	fallible    []Fallible
	slots       []int32 // class of the job in each slot, one a group
	row         Row
	warnings    *workload.Warnings
}

// chain is the places in replay.predictions of the predictions among which an entry's is picked, those by
// the finest class first.
type chain []int

func newReplay(entries []Entry, w *workload.Warnings) (*replay, error) {
	r := &replay{warnings: w, row: Row{Predictions: make([]workload.Prediction, len(entries))}}
	for _, e := range entries {
		c, err := r.chain(&e)
		if err != nil {
			return nil, err
		}
		r.entries = append(r.entries, c)
	}
	return r, nil
}

// chain finds the predictors of an entry, or has them predict from now on.
func (r *replay) chain(e *Entry) (c chain, err error) {
	own := e.Own
	if own == nil {
		rule, err := RuleNamed(e.Predictor, e.Rules)
		if err != nil {
			return nil, err
		}
		if HasClasses(rule) {
			for _, classes := range slices.Concat([]Classes{e.Classes}, e.Fallback) {
				if err := classes.Validate(); err != nil {
					return nil, err
				}
				g := r.group(classes)
				i := slices.IndexFunc(g.rules, func(other Rule) bool { return reflect.DeepEqual(rule, other) })
				if i < 0 {
					c = append(c, r.add(g, rule))
				} else {
					c = append(c, g.places[i])
				}
			}
			return c, nil
		}
		own = rule.New()
	}
	if f, ok := own.(Fallible); ok {
		r.fallible = append(r.fallible, f)
	}
	return chain{r.add(r.group(Classes{}), single{own, e.Predictor, e.Unchecked})}, nil
}

// group returns what predicts under some classes.
func (r *replay) group(c Classes) *classed {
	i := slices.IndexFunc(r.groups, func(g *classed) bool { return g.classes.By.Same(c.By) })
	if i < 0 {
		i = len(r.groups)
		r.groups = append(r.groups, newClassed(c))
	}
	return r.groups[i]
}

// add has one more rule predict in a group from now on, and returns the place of its
// predictions.
func (r *replay) add(g *classed, rule Rule) int {
	g.add(rule)
	place := len(r.predictions)
	g.places = append(g.places, place)
	r.predictions = append(r.predictions, workload.Prediction{})
	return place
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
		row, err = &r.row, r.submit(e.Slot, e.Job)
	case workload.Finish:
		r.finish(e.Slot, e.Job)
	}
	for _, f := range r.fallible {
		err = cmp.Or(err, f.Err())
	}
	return row, err
}

// submit fills the row with the predictions for a job.
func (r *replay) submit(slot int, j *workload.Job) error {
	r.row.Job = j
	for len(r.slots) < (slot+1)*len(r.groups) {
		r.slots = append(r.slots, 0)
	}
	slots := r.slots[slot*len(r.groups):][:len(r.groups)]
	// In two loops, so that the look-ups' waits for memory overlap.
	for i, g := range r.groups {
		slots[i] = g.class(&j.Request)
	}
	for i, g := range r.groups {
		for k, p := range g.predictorsOf(slots[i]) {
			said, ok := p.Predict(&j.Request)
			switch {
			case !ok:
				said = workload.Prediction{Seconds: math.NaN()}
			case !isTime(said.Seconds):
				if own, _ := g.rules[k].(single); own.free {
					break
				}
				return fmt.Errorf("job runtime: %s predicts %g s for %s, want a finite number of 0 or more, or no prediction", g.rules[k].Name(), said.Seconds, j.Label())
			}
			r.predictions[g.places[k]] = said
		}
	}
	for i := range r.entries {
		r.row.Predictions[i] = r.entries[i].pick(r.predictions)
	}
	return nil
}

// pick takes the prediction of the finest class that has a history; where none
// has, the first that says anything.
func (c chain) pick(said []workload.Prediction) workload.Prediction {
	best := workload.Prediction{Seconds: math.NaN()}
	for _, from := range c {
		switch p := said[from]; {
		case math.IsNaN(p.Seconds):
		case p.Observations > 0:
			return p
		case math.IsNaN(best.Seconds):
			best = p
		}
	}
	return best
}

// finish lets every predictor learn from a job.
func (r *replay) finish(slot int, j *workload.Job) {
	for i, g := range r.groups {
		g.observe(r.slots[slot*len(r.groups)+i], j)
	}
}

// classed applies some rules to every class of one way of classing: a job's class is looked
// up once for all of them.
type classed struct {
	classes    Classes
	rules      []Rule
	unmet      []Predictor // by rule, those of classes of which no job has ended
	numbers    map[Key]int32
	predictors [][]Predictor // by class; nil until a job has ended
	places     []int         // by rule, of its prediction in replay.predictions
}

// New returns the predictor that RuleNamed finds among Rules, which learns for each class on
// its own; a Kernel makes its own classes.
func New(text string, c Classes) (Predictor, error) {
	named, err := RuleNamed(text, nil)
	if err != nil {
		return nil, err
	}
	if !HasClasses(named) {
		return named.New(), nil
	}
	p := newClassed(c)
	p.add(named)
	return p, c.Validate()
}

func newClassed(c Classes) *classed { return &classed{classes: c, numbers: map[Key]int32{}} }

// add has one more rule predict.
func (p *classed) add(r Rule) {
	p.rules, p.unmet = append(p.rules, r), append(p.unmet, r.New())
}

// class gives the number of a request's class, a new one where it was not met before.
func (p *classed) class(r *workload.Request) int32 {
	key := p.classes.Key(r)
	class, met := p.numbers[key]
	if !met {
		class = int32(len(p.predictors))
		p.numbers[key] = class
		p.predictors = append(p.predictors, nil)
	}
	return class
}

// predictorsOf returns the predictors of a class, by rule.
func (p *classed) predictorsOf(class int32) []Predictor {
	if known := p.predictors[class]; known != nil {
		return known
	}
	return p.unmet
}

// observe enters a job of a class that ended.
func (p *classed) observe(class int32, j *workload.Job) {
	known := p.predictors[class]
	if known == nil {
		for _, r := range p.rules {
			known = append(known, r.New())
		}
		p.predictors[class] = known
	}
	for _, one := range known {
		one.Observe(j)
	}
}

// Predict implements Predictor, with the first rule. A class that is only asked about takes
// no memory.
func (p *classed) Predict(r *workload.Request) (workload.Prediction, bool) {
	known := p.unmet
	if class, met := p.numbers[p.classes.Key(r)]; met {
		known = p.predictorsOf(class)
	}
	return known[0].Predict(r)
}

// Observe implements Predictor.
func (p *classed) Observe(j *workload.Job) { p.observe(p.class(&j.Request), j) }

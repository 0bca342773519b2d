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

// Row is a job at its submission with the predictions for it.
type Row struct {
	// Job points into the replay's own memory and must not be modified.
	Job *workload.Job
	// Predictions are in the order of the entries. If an entry has no prediction, Seconds
	// is NaN.
	Predictions []workload.Prediction
}

// Replay replays a log once and yields, for each job in order of submission, the
// predictions that the entries make at its submission. The jobs must come in that order
// (workload.InOrder sorts them), else the error is workload.ErrOrder. A row is valid
// only until the next one.
//
// Jobs whose submission is unknown or infinite, or whose run time is unknown, negative or
// infinite, are neither predicted nor learned from, and are counted in w under the rules
// "no-submit-time" and "no-run-time". w may be nil.
//
// If an entry is invalid, Replay yields only an error. A predictor that fails
// (see Fallible) ends the replay with its error.
func Replay(jobs iter.Seq2[workload.Job, error], w *workload.Warnings, entries ...Entry) iter.Seq2[*Row, error] {
	r, err := newReplay(entries, w)
	if err != nil {
		return func(yield func(*Row, error) bool) { yield(nil, err) }
	}
	return workload.Replay(jobs, r)
}

// replay is the state of Replay.
type replay struct {
	groups      []*classed            // one for each classification
	predictions []workload.Prediction // for the job being submitted, by each rule of each group
	entries     []chain
	fallible    []Fallible
	slots       []int32 // for each slot, the class of its job in each group
	row         Row
	warnings    *workload.Warnings
}

// chain contains the indices in replay.predictions of the predictions from which an entry's is
// picked, the finest class first.
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

// chain returns the chain of an entry, and adds the predictors that it lacks.
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

// group returns the group of a classification, which it adds if it is new.
func (r *replay) group(c Classes) *classed {
	i := slices.IndexFunc(r.groups, func(g *classed) bool { return g.classes.By.Same(c.By) })
	if i < 0 {
		i = len(r.groups)
		r.groups = append(r.groups, newClassed(c))
	}
	return r.groups[i]
}

// add adds a rule to a group, and returns the index of its predictions in r.predictions.
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

// submit fills in the row with the predictions for a job.
func (r *replay) submit(slot int, j *workload.Job) error {
	r.row.Job = j
	for len(r.slots) < (slot+1)*len(r.groups) {
		r.slots = append(r.slots, 0)
	}
	slots := r.slots[slot*len(r.groups):][:len(r.groups)]
	// Two loops, so that the cache misses of the look-ups overlap.
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

// pick returns the prediction of the finest class that has a history or, if none has, the
// first prediction; Seconds is NaN if there is none.
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

// finish lets every predictor observe a job that has ended.
func (r *replay) finish(slot int, j *workload.Job) {
	for i, g := range r.groups {
		g.observe(r.slots[slot*len(r.groups)+i], j)
	}
}

// classed applies several rules to every class of one classification: a job's class is looked
// up once for all of them.
type classed struct {
	classes    Classes
	rules      []Rule
	unmet      []Predictor // by rule, for all classes of which no job has ended
	numbers    map[Key]int32
	predictors [][]Predictor // by class and rule; nil until a job of the class has ended
	places     []int         // by rule, index of its prediction in replay.predictions
}

// New returns the predictor named by text, as by RuleNamed among Rules(), which learns for each
// of the classes separately. A Kernel ignores c, since it makes its own classes. An error is a
// *workload.OptionError.
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

// add adds a rule.
func (p *classed) add(r Rule) {
	p.rules, p.unmet = append(p.rules, r), append(p.unmet, r.New())
}

// class returns the number of a request's class, and numbers the class if it is new.
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

// observe lets the predictors of a class observe a job that has ended.
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

// Predict implements Predictor, with the first rule. It does not allocate memory for a new
// class.
func (p *classed) Predict(r *workload.Request) (workload.Prediction, bool) {
	known := p.unmet
	if class, met := p.numbers[p.classes.Key(r)]; met {
		known = p.predictorsOf(class)
	}
	return known[0].Predict(r)
}

// Observe implements Predictor.
func (p *classed) Observe(j *workload.Job) { p.observe(p.class(&j.Request), j) }

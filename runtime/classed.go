package runtime

import "github.com/loadstone-hpc/loadstone/workload"

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

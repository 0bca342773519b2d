package allocate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Foresight is a job's knowledge of its wait for processors.
type Foresight string

const (
	// None means no knowledge: the job takes the free processors, as under AVG.
	None Foresight = "none"
	// Perfect means that the ends of the running jobs are known, as under OPT.
	Perfect Foresight = "perfect"
	// Predicted means a prediction from the sizes and ages of the running jobs, as
	// under PRED.
	Predicted Foresight = "predicted"
	// Unbiased means the prediction corrected by a line fitted to the logarithms of
	// the outcomes known so far, as under BIAS.
	Unbiased Foresight = "unbiased"
	// Tuned means no knowledge: the job waits for all of A for a limited time, as
	// under HEUR.
	Tuned Foresight = "tuned"
)

// Strategy determines how the job at the head of the queue chooses its processors:
// as many as are free, at most A, at once, or more, for which it waits ("rebels").
// Downey (1997), sections 5 and 6.
type Strategy struct {
	Name      string    `json:"strategy"`
	Foresight Foresight `json:"foresight"`

	// MinShare is the share of A for which a job always waits, in [0, 1]: AVG
	// with a minimum cluster (section 5.1). For Foresight None only.
	MinShare float64 `json:"min_share"`

	// LockIn gives a rebel no more processors than it declared, even if more
	// are free by then (section 6.1).
	LockIn bool `json:"lock_in"`
	// RiskAversion is the share of its run time on the free processors that a
	// job must expect to save to rebel, in [0, 1]; 0.2 in section 6.1. For
	// Foresight Predicted and Unbiased only.
	RiskAversion float64 `json:"risk_aversion"`
	// Internalised makes a job minimise q Q(n) + R(n) instead of Q(n) + R(n),
	// where q is the number of queued jobs including itself (section 6.1). For
	// Foresight Predicted and Unbiased only.
	Internalised bool `json:"internalised"`

	// Patience limits the wait for all of A to this share of the time that the job
	// would save if it had them now (section 5.5). For Foresight Tuned only. The paper's
	// heuristic has three more parameters; the values that its search found have no effect.
	Patience float64 `json:"patience,omitzero"`
}

// Strategies returns the strategies of the paper: avg, opt, pred, bias and heur, in the
// order of its tables, then those of its text: bias with lock-in, bias with lock-in and
// risk aversion, bias with the internalised cost, and avg with a minimum cluster of 40 %.
func Strategies() []Strategy {
	return []Strategy{
		{Name: "avg", Foresight: None},
		{Name: "opt", Foresight: Perfect},
		{Name: "pred", Foresight: Predicted},
		{Name: "bias", Foresight: Unbiased},
		{Name: "heur", Foresight: Tuned, Patience: 0.2},
		{Name: "bias-lock", Foresight: Unbiased, LockIn: true},
		{Name: "bias-lock-risk", Foresight: Unbiased, LockIn: true, RiskAversion: 0.2},
		{Name: "bias-internal", Foresight: Unbiased, Internalised: true},
		{Name: "avg-min", Foresight: None, MinShare: 0.4},
	}
}

// StrategyNames returns the names of Strategies.
func StrategyNames() []string {
	var names []string
	for _, s := range Strategies() {
		names = append(names, s.Name)
	}
	return names
}

// predicts reports whether a strategy needs a law of lifetimes.
func (f Foresight) predicts() bool { return f == Predicted || f == Unbiased }

// chooser returns the chooser of the strategy for one simulation. law is the law of lifetimes.
func (s Strategy) chooser(law dist.UniformLog) chooser {
	switch s.Foresight {
	case Perfect:
		return oracle{}
	case Tuned:
		return tuned{s.Patience}
	case Predicted, Unbiased:
		return newForecaster(s, law)
	}
	return thrift{s.MinShare}
}

// choice is the decision of a job to run on size processors or, if fewer are free, to
// wait for them until a time.
type choice struct {
	size  int
	until float64
	final bool // at until it runs on the free processors, and it does not reconsider before
}

// unhurried returns the choice of a job that has held out since a time, adjusted so that the job
// does not reconsider before a millionth of the time held out has passed, a second in eleven
// days. This limits the number of decisions.
func unhurried(c choice, now, since float64) choice {
	if !c.final {
		c.until = max(c.until, now+1e-6*(now-since), math.Nextafter(now, math.Inf(1)))
	}
	return c
}

// chooser decides for the jobs of one simulation, in the order of time.
type chooser interface {
	// choose returns the choice of a task that may use up to limit processors. Some are free,
	// but fewer than limit.
	choose(t *task, v *view, limit int) choice
}

// holdOut returns the choice to wait for size processors for as long as necessary.
func holdOut(size int) choice { return choice{size, math.Inf(1), true} }

// thrift is the chooser of avg.
type thrift struct{ share float64 }

func (c thrift) choose(t *task, v *view, limit int) choice {
	least := int(math.Ceil(c.share * float64(t.most)))
	if least > v.free {
		return holdOut(least)
	}
	return choice{size: v.free}
}

// tuned is the chooser of heur.
type tuned struct{ patience float64 }

func (c tuned) choose(t *task, v *view, limit int) choice {
	saved := t.run(v.free) - t.run(t.most)
	return choice{t.most, v.now + c.patience*saved, true}
}

// oracle is the chooser of opt.
type oracle struct{}

func (oracle) choose(t *task, v *view, limit int) choice {
	best, size := t.run(v.free), v.free
	least := t.run(limit)
	free := v.free
	for i := 0; i < len(v.running) && free < limit; i++ {
		free += v.running[i].size
		if i+1 < len(v.running) && v.running[i+1].end == v.running[i].end {
			continue
		}
		wait := v.running[i].end - v.now
		if wait+least >= best {
			break
		}
		n := min(free, limit)
		if cost := wait + t.run(n); cost < best {
			best, size = cost, n
		}
	}
	return choice{size, math.Inf(1), true}
}

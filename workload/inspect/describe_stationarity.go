package inspect

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimeSeries is the augmented Dickey-Fuller test of the run times of a class
// of jobs in the order of their submission: Sonmez and others (2009), section
// 3.3, ask it whether a class can be predicted by its past.
type RunTimeSeries struct {
	Classes     string           `json:"classes"` // "log", "user" or "user-app"
	User        workload.Integer `json:"user_id"` // of the class; Unknown where it does not make it
	Application workload.Integer `json:"application_id"`
	// Jobs of the class, with a run time of 0 or more. In a log of more than
	// mostClasses classes, those from a time when it was rare may be missing.
	Jobs int64 `json:"jobs"`
	// First is the number among these, from 1, of the first job in the test,
	// which is over Length jobs in a row. A class of more than mostInSeries
	// jobs is tested by its first ones; 1 is not the first where memory for
	// all classes did not reach.
	First     int64        `json:"first_job"`
	Length    int          `json:"tested_jobs"`
	Lags      int          `json:"lags"`
	Statistic stats.Number `json:"statistic"`
	PValue    stats.Number `json:"p_value"`
	Why       string       `json:"error,omitempty"` // there is no test; "" where there is one
	Err       error        `json:"-"`               // the same, as an error
}

const (
	mostInSeries = 1 << 16 // run times of one class
	mostSeries   = 1 << 22 // run times of all classes together: 32 MiB
	mostClasses  = 1 << 17 // classes that are counted at a time
	busiest      = 3       // classes of a kind that are tested
)

const (
	wholeLog = iota
	ofUser
	ofUserApp
)

var seriesKinds = []string{wholeLog: "log", ofUser: "user", ofUserApp: "user-app"}

type seriesKey struct {
	kind              int
	user, application int64
}

type runTimes struct {
	jobs   int64
	first  int64
	values []float64
}

// stationarity keeps the run times of each class.
type stationarity struct {
	classes        map[seriesKey]*runTimes
	kept           int // run times in all classes
	most, inSeries int
	mostClasses    int
}

func newStationarity() *stationarity {
	return &stationarity{classes: map[seriesKey]*runTimes{}, most: mostSeries, inSeries: mostInSeries, mostClasses: mostClasses}
}

func (p *stationarity) submitted(s submission) {
	if !(s.run >= 0) {
		return
	}
	p.keep(seriesKey{wholeLog, workload.Unknown, workload.Unknown}, s.run)
	if s.user == workload.Unknown {
		return
	}
	p.keep(seriesKey{ofUser, s.user, workload.Unknown}, s.run)
	if s.application != workload.Unknown {
		p.keep(seriesKey{ofUserApp, s.user, s.application}, s.run)
	}
}

func (p *stationarity) keep(key seriesKey, run float64) {
	c := p.classes[key]
	if c == nil {
		if len(p.classes) == p.mostClasses {
			p.forgetClasses()
		}
		c = &runTimes{}
		p.classes[key] = c
	}
	c.jobs++
	if len(c.values) == p.inSeries {
		return
	}
	if len(c.values) == 0 {
		c.first = c.jobs
	}
	c.values = append(c.values, run)
	if p.kept++; p.kept > p.most {
		p.forget()
	}
}

// forget drops the run times of the classes with the fewest jobs until half of
// what may be kept is left. They begin anew with their next job.
func (p *stationarity) forget() {
	for _, c := range slices.Backward(p.ranked()) {
		if p.kept <= p.most/2 || c.kind == wholeLog {
			break
		}
		p.kept -= len(c.values)
		c.values = nil
	}
}

// forgetClasses drops the rarer half of the classes, jobs and all.
func (p *stationarity) forgetClasses() {
	for _, c := range p.ranked()[len(p.classes)/2:] {
		if c.kind != wholeLog {
			p.kept -= len(c.values)
			delete(p.classes, c.seriesKey)
		}
	}
}

// ranked are the classes by their number of jobs, the most first.
func (p *stationarity) ranked() []rankedClass {
	all := make([]rankedClass, 0, len(p.classes))
	for key, c := range p.classes {
		all = append(all, rankedClass{key, c})
	}
	slices.SortFunc(all, func(a, b rankedClass) int {
		if a.jobs != b.jobs {
			return cmp.Compare(b.jobs, a.jobs)
		}
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.user, b.user), cmp.Compare(a.application, b.application))
	})
	return all
}

type rankedClass struct {
	seriesKey
	*runTimes
}

func (p *stationarity) found() []RunTimeSeries {
	var out []RunTimeSeries
	taken := make([]int, len(seriesKinds))
	for _, c := range p.ranked() {
		if taken[c.kind] == busiest {
			continue
		}
		taken[c.kind]++
		r := RunTimeSeries{Classes: seriesKinds[c.kind], User: workload.Integer(c.user), Application: workload.Integer(c.application), Jobs: c.jobs, First: c.first}
		var test stats.DickeyFuller
		test, r.Err = stats.AugmentedDickeyFuller(c.values, -1)
		r.Length, r.Lags, r.Statistic, r.PValue = test.Length, test.Lags, stats.Number(test.Statistic), stats.Number(test.PValue)
		if r.Err != nil {
			r.Why, r.Statistic, r.PValue = r.Err.Error(), stats.Number(math.NaN()), stats.Number(math.NaN())
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b RunTimeSeries) int {
		return cmp.Compare(slices.Index(seriesKinds, a.Classes), slices.Index(seriesKinds, b.Classes))
	})
	return out
}

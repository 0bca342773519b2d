package report

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Report is what was found in some logs, and between them.
type Report struct {
	o       Options
	logs    []*logReport
	between *compared // of two logs
}

// Compute describes, validates, fits and scores the logs. That one cannot be read
// is an error; that there is nothing to find in it is not, and the page says why.
func Compute(ctx context.Context, o Options) (*Report, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Open == nil {
		o.Open = func(name string) (*workload.Log, error) { return logfile.Open(name, workload.Options{}) }
	}
	r := &Report{o: o}
	for i := range o.Logs {
		l, err := o.described(ctx, i)
		if err != nil {
			return nil, err
		}
		r.logs = append(r.logs, l)
	}
	for i, l := range r.logs {
		for k, other := range r.logs {
			if k != i {
				l.beside = append(l.beside, other.describe)
			}
		}
		if err := l.compute(ctx); err != nil {
			return nil, err
		}
	}
	if len(r.logs) == 2 {
		return r, r.compare(ctx)
	}
	return r, nil
}

// Remarks is how many remarks the page has.
func (r *Report) Remarks() int {
	n := 0
	for _, l := range r.logs {
		n += len(l.said())
	}
	return n
}

// logReport is what was found in one log.
type logReport struct {
	o     *Options
	input string
	name  string
	id    string // before the identifiers of its figures

	mu    sync.Mutex
	steps map[string]*step  // by their parts
	why   map[string]string // why a part has no result

	describe  *inspect.Description
	beside    []*inspect.Description // of the other logs
	use       *inspect.Usage
	validate  inspect.Validation
	fitted    *survey.Result
	saved     []byte         // the file of the site's model
	others    *survey.Result // of sizes and interarrival times
	bounded   *survey.Result // of run times, with intervals
	remaining *lifetimes.ClassLifetimes
	scores    *evaluate.RunTimesResult
	waited    *evaluate.WaitsResult
	twins     *evaluate.CompareResult
	pictures  []figure.Picture // of scores, waited and twins
}

// described begins with a log.
func (o *Options) described(ctx context.Context, i int) (*logReport, error) {
	l := &logReport{o: o, input: o.Logs[i], name: o.name(i), steps: map[string]*step{}, why: map[string]string{}}
	if len(o.Logs) > 1 {
		l.id = fmt.Sprintf("log%d-", i+1)
	}
	if err := l.describeAll(ctx); err != nil {
		return nil, workload.About(l.input, err)
	}
	return l, nil
}

// compute computes what is on the page of a log that is described.
func (l *logReport) compute(ctx context.Context) error {
	o := l.o
	steps := []struct {
		part string
		run  func(context.Context) error
		err  error
	}{
		// The longest first: they run side by side.
		{Waits, l.scoreWaits, nil}, {Twins, l.judgeTwins, nil}, {fitPart, l.fit, nil}, {modelPart, l.fitModel, nil}, {RunTimes, l.scoreRunTimes, nil}, {Lifetimes, l.fitLifetimes, nil}, {intervalsPart, l.fitIntervals, nil}, {othersPart, l.fitOthers, nil}, {validatePart, l.check, nil}, {usagePart, l.measureUse, nil},
	}
	par.Each(0, len(steps), func(i int) {
		if s := &steps[i]; !o.leavesOut(s.part) {
			s.err = s.run(ctx)
		}
	})
	for _, s := range steps {
		var input *workload.InputError
		switch {
		case o.leavesOut(s.part):
			l.why[s.part] = "It was left out by --without " + s.part + "."
		case ctx.Err() != nil:
			return ctx.Err()
		case s.err == nil:
		case errors.As(s.err, &input) && !errors.Is(s.err, workload.ErrNoJobs):
			return s.err
		default:
			l.why[s.part] = l.plain(s.err.Error())
		}
	}
	l.ownIntervals()
	if l.scores != nil {
		l.pictures = figure.OfRunTimes(l.scores)
	}
	if l.waited != nil {
		l.pictures = append(l.pictures, figure.OfWaits(l.waited)...)
	}
	if l.twins != nil {
		l.pictures = append(l.pictures, figure.OfCompared(l.twins)...)
	}
	return nil
}

// plain is a text without the log's name before it, as a sentence.
func (l *logReport) plain(text string) string {
	for _, prefix := range []string{l.input + ": ", l.name + ": "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return sentence(text)
}

// sentence begins with a capital, if it begins with a word, and ends with a full
// stop. Names of files, distributions and workloads stay as they are: those have other
// characters than letters, or a colon behind them.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	first := strings.IndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	if first < 0 || first == len(text)-1 || first > 0 && strings.ContainsRune(" ,", rune(text[first])) {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// compared is how alike the logs are.
type compared struct {
	found *evaluate.CompareResult
	names []string

	pictures *logReport // of no log: what is drawn of all
}

// compare compares the logs. Its remarks stand with those of the first.
func (r *Report) compare(ctx context.Context) error {
	l := r.logs[0]
	s := l.begin(comparePart, "compare", append(l.seed(), "--plots", ".")...)
	c := &compared{pictures: &logReport{id: "compare-"}}
	r.between = c
	var inputs [2]evaluate.CompareInput
	for i, l := range r.logs {
		c.names = append(c.names, l.name)
		inputs[i] = evaluate.CompareInput{Name: l.name, About: l.input, Open: func() (*workload.Log, error) { return r.o.Open(l.input) }}
	}
	found, err := evaluate.Compare(ctx, inputs, evaluate.CompareOptions{Seed: r.o.Seed})
	if err != nil {
		return err
	}
	c.found = found
	s.remarks = present.CompareRemarks(found.Warnings)
	c.pictures.pictures = figure.OfCompared(found)
	return nil
}

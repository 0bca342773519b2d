package report

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Compute describes, validates, fits and scores a log. That it cannot be read is an
// error; that there is nothing to find in it is not, and the page says why.
func Compute(ctx context.Context, o Options) (*Report, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Open == nil {
		o.Open = func(name string) (*workload.Log, error) { return logfile.Open(name, workload.Options{}) }
	}
	l := &Report{o: &o, input: o.Log, name: filepath.Base(o.Log), steps: map[string]*step{}, why: map[string]string{}}
	if err := l.describeAll(ctx); err != nil {
		return nil, workload.About(l.input, err)
	}
	return l, l.compute(ctx)
}

// Remarks is how many remarks the page has.
func (l *Report) Remarks() int { return len(l.said()) }

// Report is what was found in a log.
type Report struct {
	o     *Options
	input string
	name  string

	mu    sync.Mutex
	steps map[string]*step  // by their parts
	why   map[string]string // why a part has no result

	describe *inspect.Description
	use      *inspect.Usage
	validate inspect.Validation
	fitted   *survey.Result
	saved    []byte // the file of the site's model
	scores   *evaluate.RunTimesResult
	waited   *evaluate.WaitsResult
	twins    *evaluate.CompareResult
	pictures []figure.Spec // of scores, waited and twins
}

// compute computes what is on the page of a log that is described.
func (l *Report) compute(ctx context.Context) error {
	o := l.o
	steps := []struct {
		part string
		run  func(context.Context) error
		err  error
	}{
		// The longest first: they run side by side.
		{Waits, l.scoreWaits, nil}, {Twins, l.judgeTwins, nil}, {fitPart, l.fit, nil}, {modelPart, l.fitModel, nil}, {RunTimes, l.scoreRunTimes, nil}, {validatePart, l.check, nil}, {usagePart, l.measureUse, nil},
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
func (l *Report) plain(text string) string {
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

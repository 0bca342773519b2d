package sweep

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

// KeyError reports an invalid value in a study.
type KeyError struct {
	Key  string // of the study file: "policies"
	Item int    // of its list, from 0; -1 where the whole value is meant
	Saw  string
	Want string
	Err  error // in place of Saw and Want: what is wrong with an input's file
}

func (e *KeyError) Error() string {
	key := e.Key
	if e.Item >= 0 {
		key = fmt.Sprintf("%s[%d]", key, e.Item)
	}
	if e.Err != nil {
		return key + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s: saw %s, want %s", key, e.Saw, e.Want)
}

func (e *KeyError) Unwrap() error { return e.Err }

// quoted is a text of the study file, which a message has in quotes.
type quoted string

func faultOf(key string, item int, saw any, want string, args ...any) error {
	if text, ok := saw.(quoted); ok {
		saw = strconv.Quote(string(text))
	}
	return &KeyError{Key: key, Item: item, Saw: fmt.Sprint(saw), Want: fmt.Sprintf(want, args...)}
}

// Bounds of a study's workloads.
const (
	MaxLoad = extent.MaxLoad // offered
	MaxJobs = 100_000_000    // of a workload, which is held in memory

	minDays = 1. / 86400
)

// Validate sets the names of inputs that have none, and returns a *KeyError for the first
// invalid value. A study of more than MaxRuns runs is invalid.
func (s *Study) Validate() error {
	for _, check := range []func() error{s.checkKind, s.checkInputs, s.checkWorkloads, s.checkAxes, s.checkPolicies, s.checkPredictors} {
		if err := check(); err != nil {
			return err
		}
	}
	if n := s.count(); n > MaxRuns {
		return faultOf("seeds", -1, fmt.Sprintf("%.0f runs: %s", n, s.product()), "at most %d; at one second each these take %.0f hours on one core", MaxRuns, n/3600)
	}
	return nil
}

func (s *Study) checkKind() error {
	predictors := len(s.RunTimes)+len(s.Waits) > 0
	switch {
	case s.Name == "":
		return faultOf("name", -1, quoted(""), "a name of the study")
	case !s.Schedules() && !predictors:
		return faultOf("policies", -1, "neither policies nor predictors", "policies to schedule by, or predictors in runtime or wait")
	case s.Schedules() && predictors:
		return faultOf("policies", -1, "policies and predictors", "one of them: two studies")
	case len(s.Logs)+len(s.Models) == 0:
		return faultOf("logs", -1, "no workload", "logs or, in a study of schedules, models")
	case s.Schedules() && len(s.Classes) > 0:
		return faultOf("classes", -1, "classes in a study of schedules", "classes with runtime alone; estimates learn by user")
	}
	if s.Schedules() {
		return nil
	}
	for _, x := range []struct {
		key   string
		given bool
	}{
		{"models", len(s.Models) > 0}, {"workloads", s.Workloads != ""}, {"method", s.Method != ""}, {"days", s.Days != 0}, {"jobs", s.Jobs != 0},
		{"loads", len(s.Loads) > 0}, {"seeds", s.Seeds.Len() > 0}, {"processors", len(s.Processors) > 0}, {"estimates", len(s.Estimates) > 0}, {"feedback", len(s.Feedback) > 0},
	} {
		if x.given {
			return faultOf(x.key, -1, x.key+" in a study of predictors", "logs, runtime, classes and wait: predictors are scored on logs as they are")
		}
	}
	return nil
}

func (s *Study) checkInputs() error {
	names := map[string]bool{}
	for _, l := range []struct {
		key string
		all []Input
	}{{"logs", s.Logs}, {"models", s.Models}} {
		for i := range l.all {
			in := &l.all[i]
			switch {
			case in.File == "":
				return faultOf(l.key, i, quoted(""), "a file")
			case in.File == "-":
				return faultOf(l.key, i, quoted("-"), "a file, which several tasks can read")
			case in.Processors < 0:
				return faultOf(l.key, i, in.Processors, "processors of 1 or more")
			}
			if err := in.checkReading(l.key, i); err != nil {
				return err
			}
			if in.Name == "" {
				in.Name, _, _ = strings.Cut(strings.TrimLeft(filepath.Base(in.File), "."), ".swf")
				if in.Name == filepath.Base(in.File) {
					in.Name = strings.TrimSuffix(in.Name, filepath.Ext(in.Name))
				}
			}
			if names[in.Name] {
				return faultOf(l.key, i, quoted(in.Name), "a name that no other log or model has")
			}
			names[in.Name] = true
		}
	}
	return nil
}

// checkReading finds what no log can be read with.
func (in *Input) checkReading(key string, item int) error {
	o := workload.Options{TimeZone: in.TimeZone, As: in.As}
	_, err := o.Zone()
	if err == nil {
		err = mapping.Check(o)
	}
	if fault := (*workload.OptionError)(nil); errors.As(err, &fault) {
		return faultOf(key, item, fault.Option+" "+fault.Saw, "%s", fault.Want)
	}
	return err
}

func (s *Study) checkWorkloads() error {
	if !s.Schedules() {
		return nil
	}
	if s.Workloads != "" && !slices.Contains(workloadsChoices(), string(s.Workloads)) {
		return faultOf("workloads", -1, quoted(s.Workloads), "%s", oneOf(workloadsChoices()))
	}
	switch {
	case s.Workloads != "" && len(s.Logs) == 0:
		return faultOf("workloads", -1, quoted(s.Workloads), "logs with it: models are always drawn")
	case s.Method != "" && s.workloads() != Scaled:
		return faultOf("method", -1, quoted(s.Method), "workloads: scaled with it")
	case s.Method != "" && !slices.Contains(reshape.Methods(), s.Method):
		return faultOf("method", -1, quoted(s.Method), "%s", oneOf(reshape.Methods()))
	case !(s.Days >= 0) || s.Days > extent.MaxDays:
		return faultOf("days", -1, s.Days, "a number above 0, at most %d", extent.MaxDays)
	case s.Days > 0 && s.Days < minDays:
		return faultOf("days", -1, s.Days, "a second or more, %.2g", minDays)
	case s.Jobs < 0 || s.Jobs > MaxJobs:
		return faultOf("jobs", -1, s.Jobs, "1 to %d, which are held in memory", MaxJobs)
	case s.Days > 0 && s.Jobs > 0:
		return faultOf("jobs", -1, s.Jobs, "days or jobs, not both")
	case len(s.Models) > 0 && s.Days == 0 && s.Jobs == 0:
		return faultOf("models", -1, "models without days or jobs", "one of them: how much to draw")
	case len(s.Logs) == 0:
	case s.workloads() == Scaled && len(s.Loads) == 0:
		return faultOf("workloads", -1, "scaled without loads", "loads with it")
	case s.workloads() != Twins && len(s.Models) == 0 && s.Days+float64(s.Jobs) > 0:
		return faultOf("workloads", -1, quoted(s.workloads()), "twins with days or jobs: other workloads are as long as the log")
	case s.workloads() == AsIs && len(s.Loads) > 0:
		return faultOf("loads", -1, "loads with workloads: log", "workloads: twins or scaled with loads")
	case s.workloads() == AsIs && len(s.Models) == 0 && s.Seeds.Len() > 0:
		return faultOf("seeds", -1, "seeds with workloads: log", "no seeds: the log is the same for each")
	case s.workloads() == AsIs && len(s.Models) > 0:
		return faultOf("workloads", -1, "log, and models", "two studies: models have seeds, and logs as they are have none")
	}
	return nil
}

func (s *Study) checkAxes() error {
	for i, load := range s.Loads {
		if !(load > 0 && load <= MaxLoad) {
			return faultOf("loads", i, load, "an offered load above 0, at most %d", MaxLoad)
		}
	}
	for i, n := range s.Processors {
		if n < 1 {
			return faultOf("processors", i, n, "processors of 1 or more")
		}
	}
	if s.Seeds.Count < 0 {
		return faultOf("seeds", -1, s.Seeds.Count, "1 or more, or a list")
	}
	for _, err := range []error{
		once("loads", s.Loads), once("processors", s.Processors), once("seeds", s.Seeds.List), once("policies", s.Policies), once("estimates", s.Estimates),
		once("feedback", s.Feedback), once("runtime", s.RunTimes), once("classes", s.Classes), once("wait", s.Waits),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Study) checkPolicies() error {
	uses := false
	for i, p := range s.Policies {
		o := evaluate.ScheduleOptions{Policy: p}
		if err := o.Validate(); err != nil {
			return faultNamed("policies", i, p, err)
		}
		uses = uses || o.UsesEstimates()
	}
	for i, e := range s.Estimates {
		if _, err := evaluate.EstimatesNamed(e); err != nil {
			return faultNamed("estimates", i, e, err)
		}
	}
	if len(s.Estimates) > 0 && !uses {
		return faultOf("estimates", -1, "no policy that uses them", "easy, conservative or sjf among the policies")
	}
	return nil
}

// faultNamed is the fault of an item that names something; err says what is expected.
func faultNamed(key string, item int, text string, err error) error {
	want := err.Error()
	if option := (*workload.OptionError)(nil); errors.As(err, &option) {
		want = option.Want
	}
	return faultOf(key, item, quoted(text), "%s", strings.ReplaceAll(want, "`", ""))
}

func (s *Study) checkPredictors() error {
	for i, p := range s.RunTimes {
		if _, err := runtime.RuleNamed(p, nil); err != nil {
			return faultNamed("runtime", i, p, err)
		}
	}
	for i, c := range s.Classes {
		if _, err := runtime.ClassesByName(c); err != nil {
			return faultOf("classes", i, quoted(c), "classes of jobs: %s, or columns joined by +", strings.Join(append(runtime.ClassesNames(), "all"), ", "))
		}
	}
	if len(s.Classes) > 0 && len(s.RunTimes) == 0 {
		return faultOf("classes", -1, "no predictor that learns by them", "predictors in runtime")
	}
	for i, p := range s.Waits {
		if !slices.Contains(evaluate.AllWaitPredictors(), p) {
			return faultOf("wait", i, quoted(p), "%s", oneOf(evaluate.AllWaitPredictors()))
		}
	}
	return nil
}

func once[T comparable](key string, all []T) error {
	seen := make(map[T]bool, len(all))
	for i, x := range all {
		if seen[x] {
			return faultOf(key, i, quoted(fmt.Sprint(x)), "each value once")
		}
		seen[x] = true
	}
	return nil
}

func oneOf(names []string) string { return "one of " + strings.Join(names, ", ") }

// count is the number of runs; a float, since it may be beyond an int64.
func (s *Study) count() float64 {
	return math.Max(1, float64(s.seeds())) * float64(s.cells()) * float64(len(s.points()))
}

// product shows the number of runs as a product, for a message.
func (s *Study) product() string {
	return fmt.Sprintf("%d seeds x %d workloads x %d combinations", s.seeds(), s.cells(), len(s.points()))
}

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
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/strict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// Schema is the name and version of the study file and of the files of results. It changes
// when results of different versions are not comparable.
const Schema = "loadstone.sweep/1"

// Limits of a study.
const (
	MaxRuns = 1_000_000
	MaxFile = 1 << 20     // bytes of a study file
	MaxJobs = 100_000_000 // jobs of a workload, which are held in memory
)

// Study is the content of a study file. The tags name its keys.
type Study struct {
	Name   string  `opt:"name"` // default: the name of the file
	Logs   []Input `opt:"logs"`
	Models []Input `opt:"models"`

	Workloads string    `opt:"workloads" default:"twins"` // how workloads are made from logs: Twins, Scaled or AsIs
	Days      float64   `opt:"days" in:"(0,3652425]" not:"jobs"`
	Jobs      int64     `opt:"jobs" in:"[1,100000000]"`
	Loads     []float64 `opt:"loads" in:"(0,100]" default:"NaN"` // offered loads; NaN means the workload's own
	Seeds     Seeds

	// Processors are the sizes of the machine on which the same jobs run; 0 means the size of
	// each workload's own machine. Loads refer to the workload's own machine.
	Processors []int64 `opt:"processors" in:"[1,)" default:"0"`

	Policies  []string `opt:"policies" open:"true" required:"true"`
	Estimates []string `opt:"estimates" open:"true" default:"user"` // see evaluate.ScheduleOptions
	Feedback  []bool   `opt:"feedback" default:"false"`

	folder string // base of relative file names
	file   *strict.File
}

// Input is a log or a model of a study.
type Input struct {
	File       string `opt:"file" required:"true"` // path, or the name of a published model
	Name       string `opt:"name"`                 // unique; default: the file's name without extensions
	Processors int64  `opt:"processors" in:"[1,)"` // of the machine; 0 means those of the header or the model
	TimeZone   string `opt:"timezone"`             // of a log, see workload.Options
	As         string `opt:"as"`                   // format of a log, see workload.Options
}

// Values of Study.Workloads: the ways of making a workload from a log.
const (
	Twins  = "twins"  // resampled users, a twin for each seed; see package resample
	Scaled = "scaled" // the log, scaled to each load; see reshape.Scale
	AsIs   = "log"    // the log, without loads and seeds
)

// Seeds are the seeds 1 to Count or, if List is not nil, the elements of List.
type Seeds struct {
	Count int64    `opt:"seeds" in:"[1,)" default:"1"`
	List  []uint64 `opt:"seeds" in:"[0,9223372036854775807]"`
}

// Len returns the number of seeds.
func (s Seeds) Len() int64 {
	if s.List != nil {
		return int64(len(s.List))
	}
	return s.Count
}

// At returns the i-th seed, counted from 0.
func (s Seeds) At(i int64) uint64 {
	if s.List != nil {
		return s.List[i]
	}
	return uint64(i + 1)
}

// Choices returns the values that a key accepts; nil if they are not listed.
func (s *Study) Choices(key string) []string {
	switch key {
	case "workloads":
		return []string{Twins, Scaled, AsIs}
	case "policies":
		return opt.Names(sched.Policies())
	case "estimates":
		return evaluate.EstimatesNames()
	}
	return nil
}

// decode reads a study in YAML or JSON.
func decode(path string, text []byte) (*Study, error) {
	if len(text) > MaxFile {
		return nil, &workload.InputError{File: path, Saw: fmt.Sprintf("more than %d bytes", MaxFile), Want: "a study file"}
	}
	s := &Study{folder: filepath.Dir(path), Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))}
	var err error
	s.file, err = strict.Decode(path, text, s)
	return s, err
}

// Check returns an error for an invalid input, and fills in its name.
func (in *Input) Check() error {
	if in.File == "-" {
		return workload.OptionFault("file", in.File, "a file, which several tasks can read")
	}
	if in.Name == "" {
		in.Name, _, _ = strings.Cut(strings.TrimLeft(filepath.Base(in.File), "."), ".swf")
		if in.Name == filepath.Base(in.File) {
			in.Name = strings.TrimSuffix(in.Name, filepath.Ext(in.Name))
		}
	}
	o := workload.Options{TimeZone: in.TimeZone, As: in.As}
	if _, err := o.Zone(); err != nil {
		return err
	}
	return mapping.Check(o)
}

// Check returns an error for keys that are valid by themselves but not in combination.
func (s *Study) Check() error {
	fault := workload.OptionFault
	hasLoads, hasLength := !math.IsNaN(s.Loads[0]), s.Days > 0 || s.Jobs > 0
	usesEstimates := slices.ContainsFunc(s.Policies, usesEstimates)
	switch {
	case len(s.Logs)+len(s.Models) == 0:
		return fault("logs", "no workload", "logs or models")
	case len(s.Models) > 0 && !hasLength:
		return fault("models", "models without days or jobs", "one of them: how much to draw")
	case s.Workloads != Twins && len(s.Logs) == 0:
		return fault("workloads", s.Workloads, "logs with it: models are always drawn")
	case s.Workloads == Scaled && !hasLoads:
		return fault("workloads", "scaled without loads", "loads with it")
	case s.Workloads != Twins && len(s.Models) == 0 && hasLength:
		return fault("workloads", s.Workloads, "twins with days or jobs: other workloads are as long as the log")
	case s.Workloads == AsIs && (hasLoads || s.Seeds.Len() > 1 || len(s.Models) > 0):
		return fault("workloads", "log, with loads, seeds or models", "a study without them: the log is the same for each")
	case !usesEstimates && !slices.Equal(s.Estimates, []string{"user"}):
		return fault("estimates", "no policy that uses them", "a policy that plans with them, such as easy")
	}
	if n := float64(s.Seeds.Len()) * float64(len(s.inputs())*len(s.Loads)*len(s.points())); n > MaxRuns {
		return fault("seeds", fmt.Sprintf("%.0f runs", n), "at most %d; at one second each these take %.0f hours on one core", MaxRuns, n/3600)
	}
	for i, p := range s.Policies {
		o := evaluate.ScheduleOptions{Policy: p}
		if err := o.Validate(); err != nil {
			return named(fmt.Sprintf("policies[%d]", i), p, err)
		}
	}
	for i, e := range s.Estimates {
		if _, err := evaluate.EstimatesNamed(e); err != nil {
			return named(fmt.Sprintf("estimates[%d]", i), e, err)
		}
	}
	names := map[string]bool{}
	for i, in := range s.inputs() {
		switch {
		case names[in.Name]:
			return fault(s.pathOf(i), strconv.Quote(in.Name), "a name that no other log or model has")
		case i >= len(s.Logs) && in.TimeZone+in.As != "":
			return fault(s.pathOf(i), "timezone or as", "them with logs alone")
		}
		names[in.Name] = true
	}
	return nil
}

// named returns the error for an invalid name at a path of the file. err states the expected names.
func named(path, name string, err error) error {
	want := err.Error()
	if option := (*workload.OptionError)(nil); errors.As(err, &option) {
		want = option.Want
	}
	return workload.OptionFault(path, strconv.Quote(name), "%s", want)
}

// drawn reports whether workloads depend on a seed.
func (s *Study) drawn() bool { return s.Workloads != AsIs || len(s.Models) > 0 }

// inputs returns the logs, then the models.
func (s *Study) inputs() []Input { return slices.Concat(s.Logs, s.Models) }

// pathOf returns the path of the i-th input in the file.
func (s *Study) pathOf(i int) string {
	if i < len(s.Logs) {
		return fmt.Sprintf("logs[%d]", i)
	}
	return fmt.Sprintf("models[%d]", i-len(s.Logs))
}

// usesEstimates reports whether a policy uses estimates of run times.
func usesEstimates(policy string) bool {
	o := evaluate.ScheduleOptions{Policy: policy}
	return o.Validate() == nil && o.UsesEstimates()
}

// nameOf returns the file name of an input.
func (s *Study) nameOf(in Input) string {
	if filepath.IsAbs(in.File) {
		return in.File
	}
	return filepath.Join(s.folder, in.File)
}

// points returns the parameters of the runs on each workload, in order. A policy that uses no
// estimates has one run for all kinds of estimates.
func (s *Study) points() (all []Parameters) {
	for _, n := range s.Processors {
		for _, p := range s.Policies {
			estimates := s.Estimates
			if !usesEstimates(p) {
				estimates = []string{""}
			}
			for _, e := range estimates {
				for _, f := range s.Feedback {
					all = append(all, Parameters{Processors: n, Policy: p, Estimates: e, Feedback: f})
				}
			}
		}
	}
	return all
}

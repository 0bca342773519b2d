package sweep

import (
	"path/filepath"
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
)

// Schema is the name and version of the study file and of the files of results. It changes
// when results of different versions are not comparable.
const Schema = "loadstone.sweep/1"

// Bounds of a study.
const (
	MaxRuns = 1_000_000
	MaxFile = 1 << 20 // bytes of a study file
)

// Study is a decoded study file: the tags name the keys. See Validate for the ranges.
type Study struct {
	Name   string `key:"name"`
	Folder string // that relative file names start from; "" is the working folder

	Logs   []Input `key:"logs" of:"log" example:"kth.swf.gz"`
	Models []Input `key:"models" of:"model" example:"lublin1999"`

	Workloads Workloads `key:"workloads"`                // of logs, in a study of schedules
	Method    string    `key:"method"`                   // of Scaled, see reshape.Methods; "" is the default
	Days      float64   `key:"days"`                     // of a twin or a model's workload; 0 for a twin as long as its log
	Jobs      int64     `key:"jobs"`                     // in place of Days; 0 for Days
	Loads     []float64 `key:"loads" example:"0.5, 0.7"` // offered loads; none stands for each workload's own
	Seeds     Seeds     `key:"seeds" example:"1, 2"`     // none stands for seed 1

	// Processors are the sizes of the machine on which the same jobs run; none means each
	// workload's own. Loads refer to the workload's own machine.
	Processors []int64 `key:"processors" example:"100, 120"`

	Policies  []string `key:"policies" example:"fcfs, easy"`
	Estimates []string `key:"estimates" example:"user, perfect"` // see evaluate.ScheduleOptions; none stands for user
	Feedback  []bool   `key:"feedback" example:"false, true"`    // none stands for false

	RunTimes []string `key:"runtime" example:"last2, kernel"` // predictors of run times
	Classes  []string `key:"classes" example:"user"`          // that they learn from; none stands for user
	Waits    []string `key:"wait" example:"bmbp"`             // predictors of waits
}

// names are the values of a key that takes one of some names, else nil.
func (s *Study) names(key string) []string {
	switch key {
	case "policies":
		return opt.Names(sched.Policies())
	case "estimates":
		return evaluate.EstimatesNames()
	case "runtime":
		return runtime.PredictorNames()
	case "wait":
		return evaluate.AllWaitPredictors()
	}
	return nil
}

// Input is a log or a model of a study.
type Input struct {
	File       string `log:"file" model:"model"`            // path, or the name of a published model
	Name       string `log:"name" model:"name"`             // unique; "" stands for the file's name without extensions
	Processors int64  `log:"processors" model:"processors"` // of the machine; 0 stands for the header's, or the model's
	TimeZone   string `log:"timezone"`                      // see workload.Options
	As         string `log:"as"`
}

// Workloads says what is simulated for a log.
type Workloads string

const (
	Twins  Workloads = "twins"  // resampled users, a twin for each seed; see package resample
	Scaled Workloads = "scaled" // the log, scaled to each load; see reshape.Scale
	AsIs   Workloads = "log"    // the log, without loads and seeds
)

func workloadsChoices() []string { return []string{string(Twins), string(Scaled), string(AsIs)} }

// Seeds are 1 to Count, or the elements of List. If both are empty there are none.
type Seeds struct {
	Count int64
	List  []uint64
}

// Len returns the number of seeds.
func (s Seeds) Len() int64 {
	if s.List != nil {
		return int64(len(s.List))
	}
	return s.Count
}

// At returns the i-th seed, from 0.
func (s Seeds) At(i int64) uint64 {
	if s.List != nil {
		return s.List[i]
	}
	return uint64(i + 1)
}

// Schedules reports whether the study is of schedules, not of predictors.
func (s *Study) Schedules() bool { return len(s.Policies) > 0 }

func (s *Study) workloads() Workloads {
	if s.Workloads == "" {
		return Twins
	}
	return s.Workloads
}

// processors has 0 for the workload's own machine.
func (s *Study) processors() []int64 {
	if len(s.Processors) == 0 {
		return []int64{0}
	}
	return s.Processors
}

func (s *Study) estimates() []string {
	if len(s.Estimates) == 0 {
		return []string{"user"}
	}
	return s.Estimates
}

func (s *Study) feedback() []bool {
	if len(s.Feedback) == 0 {
		return []bool{false}
	}
	return s.Feedback
}

func (s *Study) classes() []string {
	if len(s.Classes) == 0 {
		return []string{"user"}
	}
	return s.Classes
}

// drawn reports whether workloads depend on a seed.
func (s *Study) drawn() bool {
	return s.Schedules() && (s.workloads() != AsIs || len(s.Models) > 0)
}

// seeds is at least 1: that of workloads that are not drawn, or seed 1.
func (s *Study) seeds() int64 { return max(1, s.Seeds.Len()) }

// loads has NaN for the workload's own.
func (s *Study) loads() []float64 {
	if len(s.Loads) == 0 {
		return []float64{own}
	}
	return s.Loads
}

func (s *Study) inputs() []Input { return slices.Concat(s.Logs, s.Models) }

// usesEstimates reports whether a valid policy does.
func usesEstimates(policy string) bool {
	o := evaluate.ScheduleOptions{Policy: policy}
	return o.UsesEstimates()
}

// path is where an input is.
func (s *Study) path(in Input) string {
	if filepath.IsAbs(in.File) || s.Folder == "" {
		return in.File
	}
	return filepath.Join(s.Folder, in.File)
}

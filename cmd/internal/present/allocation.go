package present

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// Allocation says what was studied.
func Allocation(r *allocate.Result) string {
	if r.Log != nil {
		return fmt.Sprintf("%s, %d %s on %d processors", filepath.Base(r.Log.Name), r.Log.Jobs, words.Noun(r.Log.Jobs, "job"), r.Machine.Processors)
	}
	return drawnAs(r, r.Settings, fmt.Sprintf("%d %s from %d", r.Workload.Seeds, words.Noun(r.Workload.Seeds, "seed"), r.Workload.FirstSeed))
}

// AllocationSample says whose jobs pictures of a study show: those of the first
// workload.
func AllocationSample(r *allocate.Result) string {
	if r.Log != nil {
		return fmt.Sprintf("%s on %d processors", filepath.Base(r.Log.Name), r.Machine.Processors)
	}
	return drawnAs(r, r.Settings[:1], fmt.Sprintf("seed %d", r.Workload.FirstSeed))
}

// drawnAs says what was drawn, at some of the settings.
func drawnAs(r *allocate.Result, settings []allocate.Setting, seeds string) string {
	var values []float64
	for _, s := range settings {
		if s.Value != nil {
			values = append(values, float64(*s.Value))
		}
	}
	of := func(parameter, otherwise string) string {
		if r.Parameter != parameter {
			return otherwise
		}
		return strings.Join(inFull(values), ", ")
	}
	w := r.Workload
	text := fmt.Sprintf("downey1997, %d %s at load %s on %s processors, %s", w.Days, words.Noun(w.Days, "day"),
		of("load", inFull([]float64{w.Load})[0]), of("procs", strconv.Itoa(w.Processors)), seeds)
	if p := r.Parameter; p != "" && p != "load" && p != "procs" {
		text += fmt.Sprintf(", %s %s", p, strings.Join(inFull(values), ", "))
	}
	return text
}

// inFull are numbers with all their digits.
func inFull(values []float64) []string {
	var texts []string
	for _, v := range values {
		texts = append(texts, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return texts
}

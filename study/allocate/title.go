package allocate

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/words"
)

// Title says what was studied.
func (r *Result) Title() string {
	if r.Log != nil {
		return fmt.Sprintf("%s, %s on %d processors", filepath.Base(r.Log.Name), words.Counted(r.Log.Jobs, "job"), r.Machine.Processors)
	}
	return r.drawn(r.Settings, fmt.Sprintf("%s from %d", words.Counted(r.Workload.Seeds, "seed"), r.Workload.FirstSeed))
}

// Sample says whose jobs pictures of the study show: those of the first workload.
func (r *Result) Sample() string {
	if r.Log != nil {
		return fmt.Sprintf("%s on %d processors", filepath.Base(r.Log.Name), r.Machine.Processors)
	}
	return r.drawn(r.Settings[:1], fmt.Sprintf("seed %d", r.Workload.FirstSeed))
}

// drawn says what was drawn, at some of the settings.
func (r *Result) drawn(settings []Setting, seeds string) string {
	w := r.Workload
	load, processors, more := fmt.Sprintf("%g", w.Load), fmt.Sprint(w.Processors), ""
	if r.Parameter != "" {
		var values []string
		for _, s := range settings {
			values = append(values, fmt.Sprintf("%g", *s.Value))
		}
		swept := strings.Join(values, ", ")
		switch r.Parameter {
		case "load":
			load = swept
		case "procs":
			processors = swept
		default:
			more = fmt.Sprintf(", %s %s", r.Parameter, swept)
		}
	}
	return fmt.Sprintf("downey1997, %s at load %s on %s processors, %s%s", words.Counted(w.Days, "day"), load, processors, seeds, more)
}

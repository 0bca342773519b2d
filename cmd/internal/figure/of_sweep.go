package figure

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/study/sweep"
)

// OfSweep returns, for each log and main measure of a study of schedules, the measure against the
// offered load: for each kind of estimates by policy and, where there are several
// kinds, for each policy by estimates.
func OfSweep(r *sweep.Summary) []Picture {
	var all []Picture
	var logs []string
	var estimates, policies []string // that use them
	var measures []sweep.Measure
	for i := range r.Groups {
		g := &r.Groups[i]
		if g.Policy == "" || !present.Known(g.Load) {
			continue
		}
		logs = once(logs, g.Log)
		if g.Estimates != "" {
			estimates, policies = once(estimates, g.Estimates), once(policies, g.Policy)
		}
		if g.Measure.Main {
			measures = once(measures, g.Measure)
		}
	}
	if len(estimates) == 0 {
		estimates = []string{""}
	}
	if len(logs) == 0 {
		return []Picture{absent("measures", "the study has no policies at several loads")}
	}
	for _, log := range logs {
		for _, m := range measures {
			for _, e := range estimates {
				all = append(all, sweepPicture(r, log, m, e, e+" estimates", func(g *sweep.Group) (string, bool) {
					return g.Policy, g.Estimates == "" || g.Estimates == e
				}))
			}
			if len(estimates) < 2 {
				continue
			}
			for _, p := range policies {
				all = append(all, sweepPicture(r, log, m, p, p, func(g *sweep.Group) (string, bool) {
					return g.Estimates, g.Policy == p
				}))
			}
		}
	}
	return all
}

func once[T comparable](all []T, x T) []T {
	if slices.Contains(all, x) {
		return all
	}
	return append(all, x)
}

// sweepPicture draws the curves that curve names. of is a word of the picture's name, empty
// for none, and words say it in the line below the title.
func sweepPicture(r *sweep.Summary, log string, m sweep.Measure, of, words string, curve func(*sweep.Group) (string, bool)) Picture {
	name := fileName("sweep", log, m.Name, of)
	return Picture{Name: name, Draw: func(w io.Writer, format string) error {
		var all []Trend
		var names []string
		seeds := 0
		for i := range r.Groups {
			g := &r.Groups[i]
			label, shown := curve(g)
			if !shown || g.Log != log || g.Measure != m || !present.Known(g.Load) {
				continue
			}
			if g.Processors > 0 {
				label += fmt.Sprintf(", %d processors", g.Processors)
			}
			if g.Feedback {
				label += ", closed"
			}
			k := slices.Index(names, label)
			if k < 0 {
				k = len(names)
				names, all = append(names, label), append(all, Trend{Path: Path{Name: label}})
			}
			t := &all[k]
			t.X, t.Y = append(t.X, float64(g.Load)), append(t.Y, float64(g.Mean))
			t.Low, t.High = append(t.Low, float64(g.Low)), append(t.High, float64(g.High))
			seeds = max(seeds, g.Seeds)
		}
		source := fmt.Sprintf("%s, %s", log, present.Counted(int64(seeds), "seed"))
		if of != "" {
			source += ", " + words
		}
		if seeds > 1 {
			source += "; bands are 95 % intervals of the mean"
		}
		return Bands(w, format, strings.ToUpper(m.Meaning[:1])+m.Meaning[1:]+" at different loads", source, "offered load", m.Meaning, sweepTicks(m), all)
	}}
}

// sweepTicks are the ticks of a measure's axis.
func sweepTicks(m sweep.Measure) plot.Ticker {
	switch {
	case strings.HasSuffix(m.Name, "_s"):
		return durations{}
	case m.Name == "utilisation":
		return percents{}
	}
	return tens{}
}

// fileName joins words to a file's name.
func fileName(words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, strings.Join(words, "-"))
}

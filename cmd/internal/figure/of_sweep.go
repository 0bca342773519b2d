package figure

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/study/sweep"
)

// OfSweep returns, for each log and drawn measure of a study of schedules, the measure against the
// offered load or, where only the machine's size varies, against its processors: for each kind of
// estimates by policy and, where there are several kinds, for each policy by estimates.
func OfSweep(r *sweep.Summary) []Picture {
	var all []Picture
	var logs []string
	var estimates, policies []string // that use them
	var measures []sweep.Measure
	axis, ok := sweepAxisOf(r)
	if !ok {
		return []Picture{absent("measures", "the study has no policies at several loads or on machines of several sizes")}
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		if _, on := axis.of(g); !on {
			continue
		}
		logs = once(logs, g.Log)
		if g.Estimates != "" {
			estimates, policies = once(estimates, g.Estimates), once(policies, g.Policy)
		}
		if g.Measure.Drawn {
			measures = once(measures, g.Measure)
		}
	}
	if len(estimates) == 0 {
		estimates = []string{""}
	}
	for _, log := range logs {
		for _, m := range measures {
			for _, e := range estimates {
				all = append(all, axis.picture(r, log, m, e, e+" estimates", func(g *sweep.Group) (string, bool) {
					return g.Policy, g.Estimates == "" || g.Estimates == e
				}))
			}
			if len(estimates) < 2 {
				continue
			}
			for _, p := range policies {
				all = append(all, axis.picture(r, log, m, p, p, func(g *sweep.Group) (string, bool) {
					return g.Estimates, g.Policy == p
				}))
			}
		}
	}
	nameApart(all)
	return all
}

// nameApart numbers pictures whose names differ by no letter that a file's name has, or by
// case alone: those of the logs "a b" and "a-b".
func nameApart(all []Picture) {
	taken := map[string]bool{}
	for i := range all {
		name := all[i].Name
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%d", all[i].Name, n)
		}
		taken[strings.ToLower(name)] = true
		all[i].Name = name
	}
}

// sweepAxis is the parameter that measures are drawn against.
type sweepAxis struct {
	name, title string
	sizes       bool // of the machine, not loads
}

// sweepAxisOf is the axis of a study; ok is false if its schedules have none.
func sweepAxisOf(r *sweep.Summary) (axis sweepAxis, ok bool) {
	for _, axis := range []sweepAxis{{"offered load", "different loads", false}, {"processors", "different sizes of the machine", true}} {
		var all []float64
		for i := range r.Groups {
			if x, on := axis.of(&r.Groups[i]); on {
				all = once(all, x)
			}
		}
		if len(all) > 1 {
			return axis, true
		}
	}
	return sweepAxis{}, false
}

// of is the place of a group on the axis; ok is false if it has none.
func (a sweepAxis) of(g *sweep.Group) (x float64, ok bool) {
	switch {
	case g.Policy == "":
		return 0, false
	case a.sizes:
		return float64(g.Processors), g.Processors > 0
	}
	return float64(g.Load), present.Known(g.Load)
}

func once[T comparable](all []T, x T) []T {
	if slices.Contains(all, x) {
		return all
	}
	return append(all, x)
}

// picture draws the curves that curve names. of is a word of the picture's name, empty
// for none, and compared says it in the line below the title.
func (a sweepAxis) picture(r *sweep.Summary, log string, m sweep.Measure, of, compared string, curve func(*sweep.Group) (string, bool)) Picture {
	name := fileName("sweep", log, m.Name, of)
	return Picture{Name: name, Draw: func(w io.Writer, format string) error {
		var all []Trend
		var names []string
		seeds, load := 0, ""
		for i := range r.Groups {
			g := &r.Groups[i]
			label, shown := curve(g)
			x, on := a.of(g)
			if !shown || g.Log != log || g.Measure != m || !on {
				continue
			}
			if a.sizes && present.Known(g.Load) {
				load = fmt.Sprintf(", load %g", g.Load)
			}
			if g.Processors > 0 && !a.sizes {
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
			at, _ := slices.BinarySearch(t.X, x) // a study may list its loads and sizes in any order
			t.X, t.Y = slices.Insert(t.X, at, x), slices.Insert(t.Y, at, float64(g.Mean))
			t.Low, t.High = slices.Insert(t.Low, at, float64(g.Low)), slices.Insert(t.High, at, float64(g.High))
			seeds = max(seeds, g.Seeds)
		}
		source := fmt.Sprintf("%s%s, %s", log, load, words.Counted(int64(seeds), "seed"))
		if of != "" {
			source += ", " + compared
		}
		if seeds > 1 {
			source += "; bands are 95 % intervals of the mean"
		}
		return Bands(w, format, strings.ToUpper(m.Meaning[:1])+m.Meaning[1:]+" at "+a.title, source, a.name, m.Meaning, sweepTicks(m), all)
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

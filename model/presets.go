package model

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
)

// The names of the presets of the program of Lublin and Feitelson. The
// constants are those of the authors' program of 1999 (m_lublin99.c), which
// writes queue 0 for interactive and queue 1 for batch jobs and allows ln run
// times up to 12 and ln interarrival times up to 13. All are for a machine of
// 128 processors, 2 to the power of the upper end of the batch jobs' sizes.
const (
	Lublin1999            = "lublin1999"             // interactive and batch jobs, merged by time
	Lublin1999Batch       = "lublin1999-batch"       // the batch jobs alone
	Lublin1999Interactive = "lublin1999-interactive" // the interactive jobs alone
	Lublin1999Untyped     = "lublin1999-untyped"     // one law for all jobs
)

// Presets returns the names of the published models that are complete.
func Presets() []string {
	return []string{Lublin1999, Lublin1999Batch, Lublin1999Interactive, Lublin1999Untyped, Lublin2003, Lublin2003Work, Downey1997, Downey1997Rigid}
}

// Preset returns a published model. An unknown name is an error that lists
// the known ones, and the name of a template a *TemplateError.
func Preset(name string) (Site, error) {
	switch name {
	case Lublin1999:
		// The order matters: of two jobs of one instant the interactive one
		// is first, as in the authors' program.
		return lublin1999(name, lublinInteractive(), lublinBatch()), nil
	case Lublin1999Batch:
		return lublin1999(name, lublinBatch()), nil
	case Lublin1999Interactive:
		return lublin1999(name, lublinInteractive()), nil
	case Lublin1999Untyped:
		return lublin1999(name, lublinUntyped()), nil
	case Lublin2003:
		return lublin2003(), nil
	case Lublin2003Work:
		return lublin2003Work(), nil
	case Downey1997:
		return downey1997(), nil
	case Downey1997Rigid:
		return downey1997Rigid(), nil
	}
	if _, missing, ok := Template(name); ok {
		return Site{}, &TemplateError{name, missing}
	}
	return Site{}, fmt.Errorf("model: no preset %q, want one of %s", name, strings.Join(append(Presets(), Templates()...), ", "))
}

func lublin1999(name string, classes ...Class) Site {
	s := Site{
		Schema:     Schema,
		Name:       name,
		Source:     "Lublin and Feitelson (2003), constants of the authors' program of 1999",
		Processors: 128,
		Classes:    classes,
	}
	for i := range s.Classes {
		c := &s.Classes[i]
		l := c.Lublin()
		l.RunTimes.MaxLn = 12
		l.Gaps.MaxLn = 13
		l.RunTimes.Law.P = c.Sizes.Mean(s.Processors, l.RunTimes.P)
		c.Put(l)
		c.Arrivals.Method = SlotWeights
	}
	return s
}

// powersOfTwo turns the program's share of all jobs into the model's share of
// the parallel ones.
func powersOfTwo(ofAll, serial float64) float64 { return ofAll / (1 - serial) }

func lublinBatch() Class {
	return Class{
		Name: "batch", Column: "queue_id", Value: 1,
		Sizes: RoundedSizes{
			SerialShare:     0.2927,
			PowerOfTwoShare: powersOfTwo(0.6686, 0.2927),
			Log2:            dist.TwoStageUniform{Low: 1.2, Mid: 5, High: 7, P: 0.875},
		},
		RunTimes: LnRunTimes{
			Law:  dist.HyperGamma{First: dist.Gamma{Shape: 6.57, Scale: 0.823}, Second: dist.Gamma{Shape: 639.1, Scale: 0.0156}},
			Line: Line{PIntercept: 0.6986, PSlope: -0.003},
		},
		Arrivals: Arrivals{
			Gaps:  LnGaps{Peak: dist.Gamma{Shape: 6.0415, Scale: 0.8531}, ARAR: 1.0519},
			Cycle: GammaCycle{Shape: 6.1271, Scale: 5.2740},
		},
	}
}

func lublinInteractive() Class {
	return Class{
		Name: "interactive", Column: "queue_id", Value: 0,
		Sizes: RoundedSizes{
			SerialShare:     0.1541,
			PowerOfTwoShare: powersOfTwo(0.625, 0.1541),
			Log2:            dist.TwoStageUniform{Low: 1, Mid: 3, High: 5.5, P: 0.705},
		},
		RunTimes: LnRunTimes{
			Law:  dist.HyperGamma{First: dist.Gamma{Shape: 3.8351, Scale: 0.6605}, Second: dist.Gamma{Shape: 7.073, Scale: 0.6856}},
			Line: Line{PIntercept: 0.9156, PSlope: -0.0118},
		},
		Arrivals: Arrivals{
			Gaps:  LnGaps{Peak: dist.Gamma{Shape: 6.5510, Scale: 0.6621}, ARAR: 0.9797},
			Cycle: GammaCycle{Shape: 8.9186, Scale: 3.6680},
		},
	}
}

func lublinUntyped() Class {
	return Class{
		Name: "all",
		Sizes: RoundedSizes{
			SerialShare:     0.244,
			PowerOfTwoShare: powersOfTwo(0.576, 0.244),
			Log2:            dist.TwoStageUniform{Low: 0.8, Mid: 4.5, High: 7, P: 0.86},
		},
		RunTimes: LnRunTimes{
			Law:  dist.HyperGamma{First: dist.Gamma{Shape: 4.2, Scale: 0.94}, Second: dist.Gamma{Shape: 312, Scale: 0.03}},
			Line: Line{PIntercept: 0.78, PSlope: -0.0054},
		},
		Arrivals: Arrivals{
			Gaps:  LnGaps{Peak: dist.Gamma{Shape: 10.2303, Scale: 0.4871}, ARAR: 1.0225},
			Cycle: GammaCycle{Shape: 8.1737, Scale: 3.9631},
		},
	}
}

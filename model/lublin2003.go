package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// The names of the presets of Lublin and Feitelson (2003): the rows MODEL of
// tables 1, 5, 6 and 7 and the rows AVERAGE of tables 2 and 3, in the paper's
// rounding, for a machine of 128 processors.
const (
	Lublin2003     = "lublin2003"      // run times by tables 2 and 5
	Lublin2003Work = "lublin2003-work" // run times by the total work of table 3, with a speedup
)

// lublin2003 is the paper's representative model. Of what the paper leaves
// open it takes what the authors' program does: the limits e^12 s of run times
// and e^13 s of interarrival times; ARAR, which the paper calls rather close
// to 1, is 1. Table 1's lower end is log2 of the smallest parallel size, 2,
// less 0.2. Table 2's first shape is the printed 4.20, which the program has
// too; its row's geometric mean is 4.28.
func lublin2003() Site {
	p := 128.0
	c := Class{
		Name: "all",
		Sizes: RoundedSizes{
			SerialShare:     0.24,
			PowerOfTwoShare: 0.75,
			Log2:            dist.TwoStageUniform{Low: 0.8, Mid: math.Log2(p) - 2.5, High: math.Log2(p), P: 0.86},
		},
		RunTimes: LnRunTimes{
			Law:   dist.HyperGamma{First: dist.Gamma{Shape: 4.20, Scale: 0.94}, Second: dist.Gamma{Shape: 312.0, Scale: 0.03}, P: 0.685},
			Line:  Line{PIntercept: 0.780, PSlope: -0.0054},
			MaxLn: 12,
		},
		Arrivals: Arrivals{
			Method: SlotWeights,
			Gaps:   LnGaps{Peak: dist.Gamma{Shape: 10.23, Scale: 0.49}, MaxLn: 13, ARAR: 1},
			Cycle:  GammaCycle{Shape: 8.17, Scale: 3.96},
		},
	}
	return Site{
		Schema:     Schema,
		Name:       Lublin2003,
		Source:     "Lublin and Feitelson (2003), tables 1, 2, 5, 6 and 7 as printed (table 2's first shape 4.20; its row's geometric mean is 4.28); ARAR 1; limits of the authors' program",
		Processors: int64(p),
		Classes:    []Class{c},
	}
}

// lublin2003Work draws the total work by table 3's average model and divides
// it by the speedup, here linear: size times run time is how the paper defines
// the work, which it calls akin to an assumption of ideal speedup. Two cells
// of the printed row do not follow from the rows above it and are taken from
// those: the first shape, printed 10.74, has the geometric mean 10.34, and the
// second scale, printed 0.37, has 0.302 (the printed one puts the upper mode
// at e^14 processor seconds, above all four logs').
func lublin2003Work() Site {
	s := lublin2003()
	s.Name = Lublin2003Work
	s.Source = "Lublin and Feitelson (2003), as lublin2003 but total work by table 3: first shape 10.34 (printed 10.74) and second scale 0.302 (printed 0.37), the rows' geometric means; speedup linear"
	c := &s.Classes[0]
	c.RunTimes = WorkRunTimes{Speedup: LinearSpeedup{}, MaxLn: 12}
	c.Work = &Work{
		Law:   dist.HyperGamma{First: dist.Gamma{Shape: 10.34, Scale: 0.55}, Second: dist.Gamma{Shape: 37.96, Scale: 0.302}, P: 0.577},
		MaxLn: 12 + 7*math.Ln2,
	}
	return s
}

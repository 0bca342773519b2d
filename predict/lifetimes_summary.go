package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

// LawSummary is a law of lifetimes as shown in results. Intercept and Slope are
// those of the uniform-log law's line, TMin and TMax its ends in seconds; all
// four are NaN for other families.
type LawSummary struct {
	Family    string       `json:"family"`
	Intercept stats.Number `json:"intercept"`
	Slope     stats.Number `json:"slope"`
	TMin      stats.Number `json:"t_min_s"`
	TMax      stats.Number `json:"t_max_s"`
}

// Summarize returns the summary of a fitted law.
func Summarize(r *fit.Report) *LawSummary {
	if law, ok := r.Law.(dist.UniformLog); ok {
		return &LawSummary{r.Family, stats.Number(law.Intercept()), stats.Number(law.Slope()), stats.Number(law.TMin), stats.Number(law.TMax)}
	}
	nan := stats.Number(math.NaN())
	return &LawSummary{r.Family, nan, nan, nan, nan}
}

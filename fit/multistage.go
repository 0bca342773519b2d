package fit

import (
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/stages"
)

// fitMultiStageUniformLog fits a uniform-log law of several stages to the attribute itself. The
// breaks are those of the broken line with the least sum of squares through the jobs, without the
// shortest and the longest (see stages.Best for its accuracy). A job is a point at its plotting
// position, as for uniform-log, which is the case of one stage. Downey (1997), "Predicting queue
// times on space-sharing parallel computers", section 5.4, chose two stages by eye.
//
// The law is that line, with its first and last segment extended to 0 and 1.
//
// If the number of stages is not given, it is the k from 1 to dist.MaxStages with the least BIC,
// 2k ln n - 2 ln L. L is the maximum likelihood for the breaks of the line, because the line
// itself often has no density at jobs beyond its ends. A warning lists all BICs.
func fitMultiStageUniformLog(t task) (outcome, error) {
	c := stages.Trimmed(t.x, t.sample.Counts, t.options.Trim)
	fewest, most := t.options.Stages, t.options.Stages
	if most == 0 {
		// A line of k stages has k+1 heights and k-1 breaks.
		fewest, most = 1, max(1, min(dist.MaxStages, len(c.X)-1, int(c.Jobs)/2))
	}
	if len(c.X) < most+1 || c.Jobs < float64(2*most) {
		return outcome{}, t.degenerate(fmt.Sprintf("want at least %d jobs and %d distinct values from %g to %g of the ranks for a line of %d stages",
			2*most, most+1, t.options.Trim, 1-t.options.Trim, most))
	}
	var (
		best    staged
		choice  []string
		why     = "no line rises"
		lines   = stages.Best(&c, most, t.options.Workers)
		minimum = math.Inf(1)
	)
	for k := fewest; k <= most; k++ {
		s, err := t.stagesOf(&c, lines[k])
		if err != nil {
			why = err.Error()
			continue
		}
		choice = append(choice, fmt.Sprintf("%d: %.1f", k, s.bic))
		if s.bic < minimum {
			best, minimum = s, s.bic
		}
	}
	if math.IsInf(minimum, 1) {
		return outcome{}, t.degenerate(why)
	}
	return t.multiStageOutcome(&c, best, choice), nil
}

// staged is a broken line as a law.
type staged struct {
	law      dist.MultiStageUniformLog
	asked    int     // number of segments of the line
	bic      float64 // BIC of the maximum likelihood for its breaks
	rSquared float64 // R² of the line for the jobs kept
}

// stagesOf converts a line to a law.
func (t task) stagesOf(c *stages.Curve, b stages.Broken) (staged, error) {
	s := staged{asked: len(b.Knots) - 1}
	if math.IsInf(b.Sum, 1) {
		return s, fmt.Errorf("no line of the stages rises from 0 to 1")
	}
	at := make([]float64, len(b.Knots))
	for l, i := range b.Knots {
		at[l] = c.X[i]
	}
	height := c.Heights(b.Knots, b.Flat)
	breaks := t.breaksOf(c, b.Knots)
	s.bic = t.stagesBIC(breaks)
	s.rSquared = 1 - c.MeanSquare(at, height)/c.Total()
	// Extend the first and the last segment to 0 and 1.
	breaks[0] = math.Exp(at[1] - height[1]*(at[1]-at[0])/(height[1]-height[0]))
	k := s.asked
	breaks[k] = math.Exp(at[k-1] + (1-height[k-1])*(at[k]-at[k-1])/(height[k]-height[k-1]))
	height[0], height[k] = 0, 1
	var parts []dist.WeightedUniformLog
	for l := 1; l <= s.asked; l++ {
		if share := height[l] - height[l-1]; share != 0 { // not level
			parts = append(parts, dist.WeightedUniformLog{Weight: share, Law: dist.UniformLog{TMin: breaks[l-1], TMax: breaks[l]}})
		}
	}
	var err error
	s.law, err = dist.NewMultiStageUniformLog(parts...)
	return s, err
}

// breaksOf returns the breaks of the attribute, from its least to its largest value.
func (t task) breaksOf(c *stages.Curve, knots []int) []float64 {
	k := len(knots) - 1
	breaks := make([]float64, k+1)
	breaks[0], breaks[k] = t.x[0], t.x[len(t.x)-1]
	for l := 1; l < k; l++ {
		breaks[l] = t.x[c.First+knots[l]]
	}
	return breaks
}

// stagesBIC returns the BIC of the likeliest law with the given breaks, where a job at a break
// belongs to the stage below it. The maximum log-likelihood of a stage that has n of N jobs and a
// width w in ln t is n ln(n/(N w)), less the sum of ln t for the attribute itself.
func (t task) stagesBIC(breaks []float64) float64 {
	n, likelihood, i := float64(t.sample.Jobs()), 0.0, 0
	for l := 1; l < len(breaks); l++ {
		jobs := 0.0
		for ; i < len(t.x) && t.x[i] <= breaks[l]; i++ {
			jobs += t.sample.Counts[i]
			likelihood -= t.sample.Counts[i] * math.Log(t.x[i])
		}
		likelihood += jobs * math.Log(jobs/n/math.Log(breaks[l]/breaks[l-1]))
	}
	return 2*float64(len(breaks)-1)*math.Log(n) - 2*likelihood
}

// farEnd is the largest factor by which an end of the line may lie beyond the sample without a
// warning.
const farEnd = 10

func (t task) multiStageOutcome(c *stages.Curve, s staged, choice []string) outcome {
	out := outcome{law: s.law, free: 2 * s.asked, status: Converged}
	parts := s.law.Parts()
	out.parameters = append(out.parameters,
		dist.Parameter{Name: "stages", Value: float64(len(parts))},
		dist.Parameter{Name: rSquaredName, Value: s.rSquared})
	for _, p := range dist.Parameters(s.law) {
		p.Name = t.unitless(p.Name)
		out.parameters = append(out.parameters, p)
	}
	if t.options.Stages == 0 {
		out.warn("the number of stages is chosen by BIC, of the likelihood within the breaks: %s", strings.Join(choice, ", "))
	}
	if level := s.asked - len(parts); level > 0 {
		out.warn("%d of the line's %d segments are level: they are gaps and not stages", level, s.asked)
	}
	least, largest := t.x[0], t.x[len(t.x)-1]
	if low := parts[0].Law.TMin; low < least/farEnd {
		out.warn("the first stage begins at %.3g, far below the least value, %g: trim fewer jobs", low, least)
	}
	if high := parts[len(parts)-1].Law.TMax; high > largest*farEnd {
		out.warn("the last stage ends at %.3g, far above the largest value, %g: trim fewer jobs", high, largest)
	}
	t.warnTrimmed(&out, c.Jobs)
	return out
}

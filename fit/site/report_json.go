package site

import (
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// ReportSchema is the version of a site report's JSON.
const ReportSchema = "loadstone.site-report/1"

// The shapes of a site report's JSON. Times are in seconds, shares from 0 to
// 1, and what is not finite, or not there, is null. Laws of single fits are as
// in "loadstone.fit/1".
type (
	reportJSON struct {
		Schema  string      `json:"schema"`
		Column  *string     `json:"column"`
		Jobs    int64       `json:"jobs"`
		Classes []classJSON `json:"classes"`
		// Fallbacks are there where a class could not be fitted.
		Fallbacks []fallbackJSON `json:"fallbacks,omitempty"`
		Skipped   []skippedJSON  `json:"skipped"`
		Warnings  []string       `json:"warnings"`
		// Intervals is there where they were drawn.
		Intervals *intervalsJSON `json:"intervals,omitempty"`
	}
	fallbackJSON struct {
		Name     string `json:"name"`
		Label    string `json:"label"`
		Jobs     int64  `json:"jobs"`
		Sizes    Source `json:"sizes"`
		RunTimes Source `json:"run_times"`
		Arrivals Source `json:"arrivals"`
		Why      string `json:"why"`
	}
	skippedJSON struct {
		Label string `json:"label"`
		Jobs  int64  `json:"jobs"`
		Why   string `json:"why"`
	}
	classJSON struct {
		Name      string         `json:"name"`
		Label     string         `json:"label"`
		Jobs      int64          `json:"jobs"`
		Sizes     sizesJSON      `json:"sizes"`
		RunTimes  runTimesJSON   `json:"run_times"`
		Work      *workJSON      `json:"work"`
		Estimates *estimatesJSON `json:"estimates"`
		BySize    []bySizeJSON   `json:"by_size"`
		Arrivals  arrivalsJSON   `json:"arrivals"`
		Warnings  []string       `json:"warnings"`
	}
	sizesJSON struct {
		N           int64           `json:"n"`
		LeftOut     []fit.LeftOut   `json:"left_out"`
		Serial      int64           `json:"serial"`
		Parallel    int64           `json:"parallel"`
		PowersOfTwo int64           `json:"powers_of_two"`
		Largest     int64           `json:"largest"`
		Law         *dist.JSON      `json:"law"`
		D           stats.Number    `json:"d"`
		DRounded    stats.Number    `json:"d_rounded"`
		DGenerated  stats.Number    `json:"d_generated"`
		Gamma       *sizesGammaJSON `json:"gamma"`
		FromJobs    bool            `json:"from_jobs,omitempty"`
		Status      fit.Status      `json:"status"`
		Iterations  int             `json:"iterations"`
		Warnings    []string        `json:"warnings"`
	}
	sizesGammaJSON struct {
		Fit      fit.Report   `json:"fit"`
		DRounded stats.Number `json:"d_rounded"`
	}
	runTimesJSON struct {
		Fit         fit.Report      `json:"fit"`
		Groups      []sizeGroupJSON `json:"groups"`
		Slope       stats.Number    `json:"p_slope"`
		Intercept   stats.Number    `json:"p_intercept"`
		RSquared    stats.Number    `json:"r_squared"`
		Form        string          `json:"p_form"`
		Estimator   string          `json:"p_estimator"`
		Shares      []shareJSON     `json:"p_forms"`
		Correlation stats.Number    `json:"size_run_time_correlation"`
		MaxLn       float64         `json:"max_ln"`
		MaxLnSource string          `json:"max_ln_source"`
		Warnings    []string        `json:"warnings"`
	}
	sizeGroupJSON struct {
		Smallest int64        `json:"smallest"`
		Largest  int64        `json:"largest"`
		Median   float64      `json:"median"`
		Jobs     int64        `json:"jobs"`
		P        float64      `json:"p"`
		D        stats.Number `json:"d"`
		PLeastD  float64      `json:"p_least_d"`
		LeastD   stats.Number `json:"least_d"`
	}
	shareJSON struct {
		Form          string       `json:"form"`
		Estimator     string       `json:"estimator"`
		Slope         stats.Number `json:"slope"`
		Intercept     stats.Number `json:"intercept"`
		RSquared      stats.Number `json:"r_squared"`
		LogLikelihood stats.Number `json:"log_likelihood_of_ln"`
		D             stats.Number `json:"d"`
		DGroups       stats.Number `json:"d_groups_mean"`
		DWorst        stats.Number `json:"d_groups_worst"`
	}
	workJSON struct {
		Fit         fit.Report `json:"fit"`
		MaxLn       float64    `json:"max_ln"`
		MaxLnSource string     `json:"max_ln_source"`
	}
	estimatesJSON struct {
		Jobs     int64   `json:"jobs"`
		LeftOut  int64   `json:"left_out"`
		Distinct int     `json:"distinct"`
		Largest  float64 `json:"largest_s"`
		Overrun  int64   `json:"overrun"`
		RoundTo  float64 `json:"round_s"`
	}
	bySizeJSON struct {
		From         int64       `json:"smallest"`
		To           int64       `json:"largest"`
		Jobs         int64       `json:"jobs"`
		RunTime      *fit.Report `json:"run_time"`
		WhyNoRunTime string      `json:"why_no_run_time,omitempty"`
		Work         *fit.Report `json:"work"`
		WhyNoWork    string      `json:"why_no_work,omitempty"`
	}
	arrivalsJSON struct {
		Peak        fit.Report   `json:"peak"`
		AllHours    bool         `json:"all_hours"`
		MinGap      float64      `json:"min_gap_s"`
		MaxGap      *float64     `json:"max_gap_s"`
		ShortGap    *float64     `json:"short_gap_s"`
		ARAR        stats.Number `json:"arar"`
		Gaps        int64        `json:"gaps"`
		Cycle       *cycleJSON   `json:"cycle"`
		FullCycle   *cycleJSON   `json:"cycle_with_automatic_peaks"`
		Week        *weekJSON    `json:"week"`
		Methods     *methodsJSON `json:"methods"`
		MaxLn       float64      `json:"max_ln"`
		MaxLnSource string       `json:"max_ln_source"`
		Warnings    []string     `json:"warnings"`
	}
	cycleJSON struct {
		Law      dist.JSON     `json:"law"`
		N        int64         `json:"n"`
		D        stats.Number  `json:"d"`
		Distance stats.Number  `json:"chi_square_distance"`
		Peaks    []peakOffJSON `json:"automatic_peaks"`
	}
	peakOffJSON struct {
		Name string  `json:"name"`
		From float64 `json:"from_h"`
		To   float64 `json:"to_h"`
		Jobs float64 `json:"jobs_left_out"`
	}
	weekJSON struct {
		Jobs    [model.Weekdays]int64   `json:"jobs"`
		Seconds [model.Weekdays]float64 `json:"span_s"`
		Weights [model.Weekdays]float64 `json:"weights"`
	}
	methodsJSON struct {
		ExpectedInterarrival *[model.Slots]float64 `json:"expected_interarrival_shapes"`
		ExpectedSlots        *expectedSlotsJSON    `json:"expected_slots"`
		SlotWeights          [model.Slots]float64  `json:"slot_weights"`
		Why                  string                `json:"why_not,omitempty"`
	}
	expectedSlotsJSON struct {
		Shapes     [model.Slots]float64 `json:"shapes"`
		Converged  bool                 `json:"converged"`
		Iterations int                  `json:"iterations"`
		Residual   stats.Number         `json:"residual"`
	}
)

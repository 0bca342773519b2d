package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
)

// methodFit is what a fit's JSON says of how it was found.
type methodFit struct {
	Family, Method string
	LogLikelihood  float64 `json:"log_likelihood"`
	KS             struct{ D float64 }
	Warnings       []string
}

func methodFits(t *testing.T, args ...string) []methodFit {
	t.Helper()
	got := loadstone(t, "", append([]string{"-q", "fit", "--format", "json"}, args...)...)
	var js struct{ Fits []methodFit }
	if err := json.Unmarshal([]byte(got.out), &js); got.code != exitDone || err != nil {
		t.Fatalf("%q: exit code %d, %v, %s", args, got.code, err, got.err)
	}
	return js.Fits
}

// Without --family, only the families are fitted that know the method.
func TestFitMethodChoosesFamilies(t *testing.T) {
	log := generated(t)
	var families []string
	for _, f := range methodFits(t, log, "--method", "least-squares", "--stages", "2") {
		families = append(families, f.Family)
		if f.Method != fit.MethodLeastSquares {
			t.Errorf("%s by %q", f.Family, f.Method)
		}
	}
	if want := []string{"uniform-log", "multi-stage-uniform-log", "two-stage-uniform"}; !slices.Equal(families, want) {
		t.Errorf("families %q, want %q", families, want)
	}
}

func TestFitMethodRefuses(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--method", "by-eye"}, "least-squares, maximum-likelihood, moments"},
		{[]string{"--method", "moments", "--family", "gamma,weibull"}, "--method moments: want maximum-likelihood, for weibull"},
		{[]string{"--method", "moments", "--rounding", "nearest"}, "no --rounding"},
		{[]string{"--method", "moments", "--max", "1000"}, "--censored or --max"},
	} {
		got := loadstone(t, "", append([]string{"fit", "none.swf"}, tt.args...)...)
		if got.code != exitUsage || !strings.Contains(got.err, tt.want) {
			t.Errorf("%q: exit code %d, %q; want %d with %q", tt.args, got.code, got.err, exitUsage, tt.want)
		}
	}
}

// With a rounding, a limit or censoring only the families are fitted that know
// of them; one that is named and does not is refused.
func TestFitCellsChooseFamilies(t *testing.T) {
	log := generated(t)
	for _, flags := range [][]string{{"--rounding", "down"}, {"--max", "162754.79"}, {"--censored"}} {
		var families []string
		for _, f := range methodFits(t, append([]string{log, "--site", "none"}, flags...)...) {
			families = append(families, f.Family)
		}
		want := fit.CellFamilies()
		slices.Sort(want) // they stand by BIC
		slices.Sort(families)
		if !slices.Equal(families, want) {
			t.Errorf("%q: families %q, want %q", flags, families, want)
		}
		got := loadstone(t, "", append([]string{"fit", log, "--family", "uniform-log"}, flags...)...)
		if got.code != exitUsage || !strings.Contains(got.err, "want one or more of gamma") {
			t.Errorf("%q: exit code %d: %s", flags, got.code, got.err)
		}
	}
}

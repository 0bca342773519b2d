package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
)

// With censoring only the families are fitted that know of it; one that is named and
// does not is refused, with the reason.
func TestFitCensoredChoosesFamilies(t *testing.T) {
	log := generated(t)
	got := loadstone(t, "", "-q", "fit", log, "--format", "json", "--site", "none", "--censored")
	var js struct{ Fits []struct{ Family string } }
	if err := json.Unmarshal([]byte(got.out), &js); got.code != exitDone || err != nil {
		t.Fatalf("exit code %d, %v, %s", got.code, err, got.err)
	}
	var families []string
	for _, f := range js.Fits {
		families = append(families, f.Family)
	}
	want := fit.CensoredFamilies()
	slices.Sort(want) // they stand by BIC
	slices.Sort(families)
	if !slices.Equal(families, want) {
		t.Errorf("families %q, want %q", families, want)
	}
	got = loadstone(t, "", "fit", log, "--family", "hyper-gamma", "--censored")
	if got.code != exitUsage || !strings.Contains(got.err, "--censored true: want one or more of gamma, log-normal, weibull, exponential; hyper-gamma is not fitted to jobs that were killed at their limit, since EM") {
		t.Errorf("exit code %d: %s", got.code, got.err)
	}
}

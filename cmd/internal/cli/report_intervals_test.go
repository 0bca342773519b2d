package cli

import (
	"fmt"
	"math"
	goruntime "runtime"
	"strings"
	"testing"
)

// TestReportReplicatesOnAnyCores: the intervals of --replicates are those of the
// fits, whichever of the steps that run side by side ends first.
func TestReportReplicatesOnAnyCores(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("; MaxProcs: 16\n")
	for i := range 20 {
		fmt.Fprintf(&rows, "%d %d 0 %.0f 1 -1 -1 1 -1 -1 1 1 1 1 1 -1 -1 -1\n", i+1, 60*i, 10*math.Exp(math.Mod(0.37*float64(i*i), 5)))
	}
	args := []string{writeLog(t, rows.String()), "--without", "lifetimes,runtime,predict", "--replicates", "39"}
	before := goruntime.GOMAXPROCS(1)
	defer goruntime.GOMAXPROCS(before)
	one := reportOf(t, args...)
	goruntime.GOMAXPROCS(4)
	parameters := func(text string) string {
		_, text, _ = strings.Cut(text, "Parameters of the fits")
		text, _, _ = strings.Cut(text, "</table>")
		return text
	}
	if four := parameters(reportOf(t, args...)); four != parameters(one) {
		t.Errorf("on four cores\n%s\non one\n%s", four, parameters(one))
	}
	if drawn := strings.Count(parameters(one), "<data"); drawn < 30 {
		t.Errorf("%d numbers, want a value and an interval for each parameter\n%s", drawn, parameters(one))
	}
}

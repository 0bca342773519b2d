//go:build long

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fieldTable is the table of docs/findings/sweeps.md: differences in per cent, with a star where the
// interval does not have 0 in it.
func fieldTable(all map[fieldRow][]float64, logs, loads []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-42s %-13s %-8s", "difference in % (* 0 is not in the interval)", "of", "log")
	for _, load := range loads {
		fmt.Fprintf(&b, " %6s", load)
	}
	b.WriteString("\n")
	for _, c := range fieldClaims {
		name := strings.TrimSpace(c.policy+" "+c.estimates) + " - " + strings.TrimSpace(c.against+" "+c.ofEstimates)
		for _, log := range logs {
			fmt.Fprintf(&b, "%-44s %-13s %-8s", name, c.measureWords, log)
			for _, load := range loads {
				mean, low, high := c.compare(all, log, load)
				mark := " "
				if low > 0 || high < 0 {
					mark = "*"
				}
				fmt.Fprintf(&b, " %+5.0f%s", mean, mark)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// The table of docs/findings/sweeps.md is that of the whole study, and its pictures are the study's.
func TestSweepFieldStudy(t *testing.T) {
	study := fieldStudy(t)
	dir := filepath.Dir(study)
	began := time.Now()
	if got := loadstone(t, "", "-q", "sweep", study, "--results", filepath.Join(dir, "r"), "--plots", filepath.Join(dir, "p")); got.code != exitDone {
		t.Fatalf("exit code %d, error %q", got.code, got.err)
	}
	t.Logf("3900 runs took %s", time.Since(began))
	docs := filepath.Join("..", "..", "..", "docs")
	table := fieldTable(fieldValues(t, filepath.Join(dir, "r")), []string{"KTH-SP2", "SDSC-SP2", "CTC-SP2"}, []string{"0.5", "0.6", "0.7", "0.8", "0.9", "0.95"})
	if !strings.Contains(string(mustRead(t, filepath.Join(docs, "findings", "sweeps.md"))), table) {
		t.Errorf("docs/findings/sweeps.md has not this table:\n%s", table)
	}
	for _, name := range []string{"KTH-SP2-wait_mean_s-user", "CTC-SP2-wait_mean_s-easy", "CTC-SP2-wait_max_s-sjf"} {
		from, to := filepath.Join(dir, "p", "sweep-"+name+".svg"), filepath.Join(docs, "pictures", "sweep-"+name+".svg")
		if *update {
			if err := os.WriteFile(to, []byte(mustRead(t, from)), 0o666); err != nil {
				t.Fatal(err)
			}
		} else if string(mustRead(t, from)) != string(mustRead(t, to)) {
			t.Errorf("%s is another picture: go test -tags long ./cmd/internal/cli -run SweepFieldStudy -update", to)
		}
	}
}

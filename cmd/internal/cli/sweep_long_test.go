//go:build long

package cli

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/stats"
)

// fieldStudy writes the study of docs/findings/sweeps.md to a temporary directory with links to the
// real logs.
func fieldStudy(t *testing.T) string {
	t.Helper()
	text := string(mustRead(filepath.Join("..", "..", "..", "examples", "sweep", "backfilling.yaml")))
	dir := t.TempDir()
	for _, log := range []string{"KTH-SP2-1996-2.1-cln.swf.gz", "SDSC-SP2-1998.simulated-waits.swf.gz", "CTC-SP2-1996.simulated-waits.swf.gz"} {
		jobtest.NoError(t, os.Symlink(reallogs.Path(t, "swf/"+log), filepath.Join(dir, log)))
	}
	study := filepath.Join(dir, "backfilling.yaml")
	jobtest.NoError(t, os.WriteFile(study, []byte(text), 0o666))
	return study
}

// fieldRow identifies the runs of a study that differ only in their seeds.
type fieldRow struct {
	log, load, policy, estimates, measure string
}

// fieldValues returns the values in table.csv by seed.
func fieldValues(t *testing.T, results string) map[fieldRow][]float64 {
	t.Helper()
	rows := jobtest.Must(csv.NewReader(strings.NewReader(string(mustRead(filepath.Join(results, "table.csv"))))).ReadAll())
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	all := map[fieldRow][]float64{}
	for _, r := range rows[1:] {
		key := fieldRow{r[at["log"]], r[at["load"]], r[at["policy"]], r[at["estimates"]], r[at["measure"]]}
		value, err := strconv.ParseFloat(r[at["value"]], 64)
		if err != nil {
			value = math.NaN()
		}
		all[key] = append(all[key], value)
	}
	return all
}

// fieldClaim compares runs of the study with others on the same jobs.
type fieldClaim struct {
	policy, estimates     string
	against, ofEstimates  string
	measure, measureWords string
}

// fieldClaims has the fields of one fieldClaim per line.
const fieldClaims = `
easy | user | fcfs |  | wait_mean_s | mean wait
conservative | user | easy | user | wait_mean_s | mean wait
conservative | perfect | easy | perfect | bounded_slowdown_mean | mean slowdown
conservative | user | easy | user | wait_max_s | longest wait
easy | perfect | easy | user | wait_mean_s | mean wait
easy | perfect | easy | user | bounded_slowdown_mean | mean slowdown
conservative | perfect | conservative | user | wait_mean_s | mean wait
easy | last2 | easy | user | wait_mean_s | mean wait
easy | last2 | easy | user | bounded_slowdown_mean | mean slowdown
easy | last2 | easy | user | wait_max_s | longest wait
conservative | last2 | conservative | user | wait_mean_s | mean wait
easy | kernel | easy | user | wait_mean_s | mean wait
easy | kernel | easy | last2 | wait_mean_s | mean wait
sjf | user | easy | user | wait_mean_s | mean wait
sjf | perfect | easy | perfect | bounded_slowdown_mean | mean slowdown
sjf | perfect | fcfs |  | wait_max_s | longest wait
sjf | last2 | sjf | user | wait_mean_s | mean wait
`

// compare returns the mean of the paired differences as a percentage of the mean of the base, and
// the ends of its 95 % interval by Student's t.
func (c fieldClaim) compare(all map[fieldRow][]float64, log, load string) (mean, low, high float64) {
	a, b := all[fieldRow{log, load, c.policy, c.estimates, c.measure}], all[fieldRow{log, load, c.against, c.ofEstimates, c.measure}]
	var differences, base stats.Moments
	for i := range a {
		differences.Add(a[i] - b[i])
		base.Add(b[i])
	}
	n := float64(differences.N())
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(.975) * differences.StdDev() / math.Sqrt(n)
	of := 100 / base.Mean()
	return differences.Mean() * of, (differences.Mean() - half) * of, (differences.Mean() + half) * of
}

// fieldTable returns the table of docs/findings/sweeps.md: differences in per cent, with a star if
// the interval excludes 0.
func fieldTable(all map[fieldRow][]float64, logs, loads []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-42s %-13s %-8s", "difference in % (* 0 is not in the interval)", "of", "log")
	for _, load := range loads {
		fmt.Fprintf(&b, " %6s", load)
	}
	b.WriteString("\n")
	for _, row := range longtest.Rows(fieldClaims) {
		c := fieldClaim{row[0], row[1], row[2], row[3], row[4], row[5]}
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

// The table of docs/findings/sweeps.md agrees with the whole study, and its pictures are the
// study's.
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
	if !strings.Contains(string(mustRead(filepath.Join(docs, "findings", "sweeps.md"))), table) {
		t.Errorf("docs/findings/sweeps.md has not this table:\n%s", table)
	}
	for _, name := range []string{"KTH-SP2-wait_mean_s-user", "CTC-SP2-wait_mean_s-easy", "CTC-SP2-wait_max_s-sjf"} {
		from, to := filepath.Join(dir, "p", "sweep-"+name+".svg"), filepath.Join(docs, "pictures", "sweep-"+name+".svg")
		if *update {
			jobtest.NoError(t, os.WriteFile(to, []byte(mustRead(from)), 0o666))
		} else if string(mustRead(from)) != string(mustRead(to)) {
			t.Errorf("%s is another picture: go test -tags long ./cmd/internal/cli -run SweepFieldStudy -update", to)
		}
	}
}

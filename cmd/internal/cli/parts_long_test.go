//go:build long

package cli

import (
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// TestPartsOfRealLogs holds that RICC and LCG in 2, 7 and 64 parts, in shuffled order, as
// text, as compressed text and as Parquet, give the bytes of one run.
func TestPartsOfRealLogs(t *testing.T) {
	for _, name := range []string{"swf/RICC-2010-2.swf.gz", "swf/LCG-2005-1.swf.gz"} {
		packed := reallogs.Path(t, name)
		dir := t.TempDir()
		for _, log := range []string{filepath.Join(dir, "log.swf"), filepath.Join(dir, "log.parquet"), packed} {
			if log != packed {
				if got := loadstone(t, "", "convert", packed, "-o", log); got.code != 0 {
					t.Fatal(got.err)
				}
			}
			for _, command := range [][]string{
				{"describe", "--section", "all", "--by", "user_id"}, {"fit", "--form", "lublin2003", "--no-check"},
				{"lifetimes", "--by", "size"}, {"validate", "--first", "9"}, {"runtime", "--replicates", "39"},
				{"predict", "--first-jobs", "5000", "--predictors", "simulated,bmbp,qbets,chebyshev", "--replicates", "39"},
				{"predict", "--first-jobs", "5000", "--calibration", "--replicates", "39", "--by", "month"},
			} {
				predictors := command[0] == "runtime" || command[0] == "predict" // which read the whole log, whatever its form
				if predictors && filepath.Ext(log) != ".parquet" {
					continue
				}
				args := append([]string{command[0], log}, command[1:]...)
				want := loadstone(t, "", append(args[:len(args):len(args)], "--format", "json")...)
				for _, n := range []int{2, 7, 64} {
					if log == packed && n > 2 && command[0] != "validate" { // each part unpacks what stands before it
						continue
					}
					if got := inParts(t, n, args, []string{"--format", "json"}); got != want {
						t.Errorf("%q in %d parts: exit code %d, not the bytes of one run: %s; %s", args, n, got.code, firstDifference(got.out, want.out), firstDifference(got.err, want.err))
					}
				}
			}
		}
	}
}

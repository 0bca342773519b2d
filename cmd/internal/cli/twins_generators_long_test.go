//go:build long

package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/score"
)

// generatorSites are the sites for which learned generators made twins. The machine of each has the
// smallest size that the log allows, or that at which its jobs request 0.7 of it.
var generatorSites = []struct {
	name       string
	processors int
	mapping    []string // Philly counts only GPUs, which serve as its processors
}{
	{"helios", 2938, nil},
	{"philly", 792, []string{"--map", "requested_processors=gpu_num,interarrival_time=interval,run_time=run_time,user=user,requested_nodes=node_num,requested_gpus=gpu_num"}},
	{"theta", 281088, nil},
}

// Twins by --like and by the model of users are closer to the log, in most rows of the verdict,
// than those of each of five learned generators: a Gaussian copula (gc), CTGAN, a copula GAN (cg),
// a GAN and a TVAE. This test produces the tables of docs/findings/twins.md.
func TestTwinsBesideLearnedGenerators(t *testing.T) {
	for _, site := range generatorSites {
		t.Run(site.name, func(t *testing.T) {
			dir := t.TempDir()
			run := func(args ...string) outcome {
				got := loadstone(t, "", append([]string{"-q"}, args...)...)
				if got.code != exitDone {
					t.Fatal(args, got.err)
				}
				return got
			}
			// read converts the table of a generator to our format.
			read := func(generator string) string {
				path := filepath.Join(dir, generator+".parquet")
				from := reallogs.Path(t, "rivals/"+site.name+"/"+generator+".csv.gz")
				run(append([]string{"convert", from, "-o", path}, site.mapping...)...)
				return path
			}
			log := read("real")
			// verdict returns the distance of a twin from the log in each row, or nil if none of
			// its jobs can be scheduled.
			verdict := func(twin string) map[string]float64 {
				got := loadstone(t, "", "-q", "compare", log, twin, "--schedule", "easy", "--procs", strconv.Itoa(site.processors), "--format", "json")
				if got.code != exitDone {
					t.Log(filepath.Base(twin), got.err)
					return nil
				}
				var r struct{ Verdict score.Verdict }
				jobtest.NoError(t, json.Unmarshal([]byte(got.out), &r))
				far := map[string]float64{}
				for _, row := range r.Verdict.Rows {
					x := math.Abs(float64(row.Compared))
					if row.As == score.AsRatio {
						x = math.Abs(math.Log(x))
					}
					if math.IsNaN(x) {
						x = math.Inf(1)
					}
					far[row.Name] = x
				}
				return far
			}
			model := filepath.Join(dir, "site.json")
			run("fit", log, "--form", "users", "-o", model)
			var ours [2][]map[string]float64
			for seed := 1; seed <= 5; seed++ {
				twin := filepath.Join(dir, "twin.parquet")
				for i, from := range [][]string{{"--like", log}, {"--model", model}} {
					run(append([]string{"generate", "-o", twin, "--seed", strconv.Itoa(seed)}, from...)...)
					ours[i] = append(ours[i], verdict(twin))
				}
			}
			for _, generator := range []string{"gan", "ctgan", "tvae", "gc", "cg"} {
				theirs := verdict(read(generator))
				for i, name := range []string{"--like", "--model"} {
					nearer, farther := 0, 0
					for row := range ours[i][0] {
						var far []float64
						for _, seed := range ours[i] {
							far = append(far, seed[row])
						}
						slices.Sort(far)
						x, y := far[len(far)/2], math.Inf(1)
						if theirs != nil {
							y = theirs[row]
						}
						switch {
						case x < y:
							nearer++
						case x > y:
							farther++
						}
					}
					t.Log(fmt.Sprintf("%-8s beside %-5s nearer in %d rows, farther in %d", name, generator, nearer, farther))
					if nearer <= farther {
						t.Errorf("%s is nearer to the log than %s in %d rows, farther in %d", name, generator, nearer, farther)
					}
				}
			}
		})
	}
}

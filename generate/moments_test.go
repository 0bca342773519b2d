package generate

import (
	"fmt"
	"testing"

	"github.com/loadstone-hpc/loadstone/model"
)

const manyJobs = 300_000

// The generated jobs have the exact moments of the published program's laws, within sampling
// error at a false-alarm rate of 1e-7 per check.
func TestExactMoments(t *testing.T) {
	ref := readReference(t)
	for _, name := range []string{model.Lublin1999, model.Lublin1999Batch, "lublin1999-interactive", model.Lublin1999Untyped} {
		for at, processors := range []int64{128, 100, 300} {
			t.Run(fmt.Sprintf("%s/%d", name, processors), func(t *testing.T) {
				w := prepare(t, name, Options{Jobs: manyJobs, Processors: processors, Seed: 20031101})
				all := collect(t, w)
				if len(all.ids) != manyJobs {
					t.Fatalf("%d jobs", len(all.ids))
				}
				for _, c := range w.Site.Classes {
					part := all
					if len(w.Site.Classes) > 1 {
						part = all.of(c.Value)
					}
					checkExact(t, c.Name, part, ref[c.Name].At[at])
				}
			})
		}
	}
}

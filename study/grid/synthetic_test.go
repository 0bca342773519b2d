package grid

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// synthetic generates jobs of a model under testdata.
func synthetic(t testing.TB, name string, jobs int64, load float64, seed uint64) []workload.Job {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	site, err := model.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	w, err := generate.New(site, generate.Options{Jobs: jobs, Load: load, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	all := jobtest.Collect(t, w.Jobs())
	return all
}

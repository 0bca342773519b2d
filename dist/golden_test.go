package dist

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGoldenSamples pins the first draws of every distribution for a seed, bit for bit on one
// type of processor: generated workloads must not change unnoticed.
func TestGoldenSamples(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the golden values are those of amd64; another processor may differ in the last digits")
	}
	var b strings.Builder
	for _, c := range battery {
		rng := rand.New(rand.NewPCG(20260101, 7))
		law, err := Marshal(c.law)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", law)
		for range 8 {
			fmt.Fprintf(&b, "\t%x\n", c.law.Rand(rng))
		}
	}
	const file = "testdata/samples.golden"
	if *update {
		jobtest.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	want := jobtest.Must(os.ReadFile(file))
	if b.String() != string(want) {
		t.Errorf("draws differ from %s; if that is meant, run go test -update and say so in the commit", file)
	}
}

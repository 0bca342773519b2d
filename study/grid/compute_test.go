package grid

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	b := jobtest.Must(os.ReadFile("testdata/" + name))
	return b
}

// compute studies the log of TestPoliciesByHand, with sites and as alter alters it.
func compute(t *testing.T, alter *strings.Replacer, o Options) (*Result, error) {
	t.Helper()
	g := jobtest.Must(Decode("two-clusters.json", read(t, "two-clusters.json")))
	o.Grid = g
	return Compute(context.Background(), func() (*workload.Log, error) {
		return logfile.OpenReader("sites.swf", strings.NewReader(alter.Replace(string(read(t, "two-sites.swf")))), workload.Options{})
	}, o)
}

var (
	asItIs   = strings.NewReplacer()
	siteless = strings.NewReplacer(" 0 1 -1 -1", " 0 -1 -1 -1", " 0 2 -1 -1", " 0 -1 -1 -1")
)

// The waits by hand are ECT-Perfect 0, 0, 0, 80, 20 and FPF 0, 0, 0, 80, 0.
func TestCompute(t *testing.T) {
	o := DefaultOptions()
	r := jobtest.Must(compute(t, asItIs, o))
	if len(r.Scores) != 4 || r.Scores[0].Wait.Mean != 20 || r.Scores[3].Wait.Mean != 16 || r.Log.Jobs != 5 || len(r.Jobs) != 5 || r.Window.Sites != 2 || r.Tau != 60 || r.Learning == nil {
		t.Errorf("got %+v", r)
	}
	for option, change := range map[string]func(*Options){
		"policies": func(o *Options) { o.Policies = []string{"lottery"} },
		"classes":  func(o *Options) { o.Classes = []string{"user-site"} },
	} {
		o := DefaultOptions()
		change(&o)
		var fault *workload.OptionError
		if _, err := compute(t, asItIs, o); !errors.As(err, &fault) || fault.Option != option {
			t.Errorf("%s: %v", option, err)
		}
	}
	for _, policy := range []string{"home", "ect-oracle", "ect-sm(window=0)"} {
		o.Policies = []string{policy}
		var fault *workload.OptionError
		if _, err := compute(t, asItIs, o); !errors.As(err, &fault) || fault.Option != "policies" {
			t.Errorf("%s: %v", policy, err)
		}
	}
	if _, err := compute(t, siteless, DefaultOptions()); !errors.Is(err, ErrNoSites) {
		t.Errorf("a log of one machine: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o = DefaultOptions()
	o.Grid = r.Grid
	if _, err := Compute(ctx, func() (*workload.Log, error) { return logfile.Open("testdata/two-sites.swf", workload.Options{}) }, o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each command with --plots draws everything that its result can show.
func TestPlots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	jobs, log, scored := in("jobs.parquet"), in("log.parquet"), in("predictions.csv")
	for _, args := range [][]string{
		{"generate", "--model", "demo", "--jobs", "4000", "--seed", "2", "--load", "0.9", "-o", jobs},
		{"simulate", jobs, "--policy", "fcfs", "-o", log},
		{"runtime", log, "--predictions", scored},
	} {
		if got := loadstone(t, "", args...); got.code != exitDone {
			t.Fatal(got.err)
		}
	}
	fitted := []string{"remaining-lifetimes", "daily-cycle", "weekly-cycle", "run-times-by-size", "run-times-by-size-model"}
	byQueue := []string{"run-times-by-queue_id"}
	for _, queue := range []string{"-queue_id-0", "-queue_id-1"} {
		for _, name := range append([]string{"run-times", "run-times-density", "run-times-qq"}, fitted...) {
			byQueue = append(byQueue, name+queue)
		}
	}
	compared := []string{"daily-cycles"}
	for _, attribute := range []string{"run-times", "sizes", "work", "interarrivals"} {
		fitted = append(fitted, attribute, attribute+"-density", attribute+"-qq")
		compared = append(compared, attribute)
	}
	for _, c := range []struct {
		args string
		want []string
	}{
		{"describe LOG", []string{"submissions"}},
		{"fit LOG --family gamma --attribute run_time,size,work,interarrival", fitted},
		{"fit LOG --family gamma --by queue_id", byQueue},
		{"lifetimes LOG --by queue_id --periods 3", []string{"lifetimes", "lifetimes-drift"}},
		{"runtime LOG", []string{"run-time-accuracy", "run-time-accuracy-distribution", "run-time-error-distribution", "run-time-best"}},
		{"score LOG " + scored, []string{"run-time-accuracy", "run-time-accuracy-distribution", "run-time-error-distribution", "run-time-best"}},
		{"predict LOG --predictors bmbp,simulated", []string{"wait-scatter-bmbp", "wait-scatter-simulated", "wait-accuracy-distribution", "wait-error-distribution", "wait-coverage", "wait-burst", "wait-burst-simulated"}},
		{"compare LOG lublin2003 --jobs 2000", compared},
		{"compare LOG --like --schedule fcfs,easy --replicas 2", append([]string{"twin-load", "twin-queue", "twin-waits", "twin-queue-easy-open", "twin-waits-easy-open", "twin-users"}, compared...)},
		{"allocate --seeds 1 --days 1 --strategies avg,pred", []string{"parallelism-profiles", "speedup", "work", "sizes", "waits-pred"}},
		{"allocate --seeds 1 --days 1 --strategies avg,opt --sweep load=0.5,1", []string{"parallelism-profiles", "speedup", "work", "sizes", "sweep-turnaround", "sweep-savings"}},
		{"grid LOG --grid das3 --no-sites", []string{"grid-wait", "grid-response", "grid-slowdown", "grid-clusters"}},
	} {
		folder := filepath.Join(t.TempDir(), "pictures")
		got := loadstone(t, "", append(strings.Fields(strings.ReplaceAll(c.args, "LOG", log)), "--plots", folder)...)
		if got.code != exitDone {
			t.Errorf("%s: %d %s", c.args, got.code, got.err)
			continue
		}
		drawn := files(t, folder)
		for i := range c.want {
			c.want[i] += ".svg"
		}
		slices.Sort(c.want)
		if !slices.Equal(drawn, c.want) {
			t.Errorf("%s: drawn %v, want %v\n%s", c.args, drawn, c.want, got.err)
		}
		for _, name := range drawn {
			if b, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.Contains(b, []byte("</svg>")) {
				t.Errorf("%s: %s is no picture: %v", c.args, name, err)
			}
		}
	}
}

func TestPlotFormats(t *testing.T) {
	log := generated(t)
	for format, starts := range map[string]string{"png": "\x89PNG", "pdf": "%PDF-", "svg": "<?xml"} {
		dir := t.TempDir()
		got := loadstone(t, "", "-q", "describe", log, "--plots", dir, "--plot-format", format)
		b, err := os.ReadFile(filepath.Join(dir, "submissions."+format))
		if got.code != exitDone || got.err != "" || err != nil || !strings.HasPrefix(string(b), starts) {
			t.Errorf("%s: %d %s, %v, %.10q", format, got.code, got.err, err, b)
		}
		if format == "pdf" && !bytes.Contains(b, []byte("/FontFile2")) {
			t.Error("the PDF does not embed its font")
		}
	}
}

// A picture does not replace the log it is drawn of.
func TestPlotsOverTheLog(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "submissions.svg")
	if err := os.WriteFile(log, []byte(mustRead(t, generated(t))), 0o666); err != nil {
		t.Fatal(err)
	}
	got := loadstone(t, "", "describe", log, "--plots", dir)
	if got.code != exitUsage || !strings.Contains(got.err, "submissions.svg: is also the input") {
		t.Errorf("%d %s", got.code, got.err)
	}
}

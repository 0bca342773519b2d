package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/study/grid"
)

// twoSites returns the log of package study/grid's TestPoliciesByHand, five jobs of
// one user from sites 1 and 2, and its grid.
func twoSites(t *testing.T) (sites, slowAndFast string) {
	t.Helper()
	const testdata = "../../../study/grid/testdata/"
	return mustRead(t, testdata+"two-sites.swf"), mustRead(t, testdata+"two-clusters.json")
}

func writeGrid(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "two.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// The waits of the schedules by hand: ECT-Perfect 0, 0, 0, 80, 20; LB the same
// times; FPF 0, 0, 0, 80, 0, job 5 on slow. Package study/grid has the numbers of the table.
func TestGridByHand(t *testing.T) {
	sites, slowAndFast := twoSites(t)
	dir := t.TempDir()
	placements, plots := filepath.Join(dir, "jobs.csv"), filepath.Join(dir, "pictures")
	var s grid.Result
	decode(t, &s, "-q", "grid", writeLog(t, sites), "--grid", writeGrid(t, slowAndFast), "--policies", "ect-perfect,lb,fpf", "--placements", placements, "--plots", plots)
	if s.Schema != "loadstone.grid-scores/1" || s.Log.Jobs != 5 || s.Window.Jobs != 5 || s.Window.Sites != 2 || s.Window.Days != 1 || s.Window.Asked != 91 || s.Tau != 60 || len(s.Scores) != 3 || s.Learning != nil {
		t.Fatalf("got %+v", s)
	}
	table, err := os.ReadFile(placements)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		"policy,job_id,partition_id,size,log_submit_time_s,submit_time_s,cluster,wait_time_s,run_time_s,predicted_wait_s,predicted_run_s\n",
		"\nect-perfect,5,2,1,30,30,fast,20,5,20,5\n", "\nlb,4,1,4,20,20,slow,80,20,,\n", "\nfpf,5,2,1,30,30,slow,0,10,,\n",
	} {
		if !strings.Contains(string(table), row) {
			t.Errorf("no row %q in\n%s", row, table)
		}
	}
	if got := strings.Join(files(t, plots), " "); got != "grid-clusters.svg grid-response.svg grid-slowdown.svg grid-wait.svg" {
		t.Errorf("pictures %s", got)
	}
}

func TestGridOptions(t *testing.T) {
	sites, slowAndFast := twoSites(t)
	log, clusters := writeLog(t, sites), writeGrid(t, slowAndFast)
	got := loadstone(t, "", "grid", log, "--grid", clusters, "--policies", "ect-last2,ect-rm", "--history", "cluster", "--correct=false", "--classes", "user,all")
	for _, want := range []string{
		"5 jobs of the whole log, 1 day, 2 sites, offered load 0.1% (work over what the grid can do in these days)\n",
		"predictions learn by user, then all, from the cluster's own jobs first, not corrected", "\nect-rm ", "\nfast              2      2 ",
	} {
		if got.code != exitDone || !strings.Contains(got.out, want) {
			t.Errorf("exit code %d, no %q in\n%s%s", got.code, want, got.out, got.err)
		}
	}
	got = loadstone(t, "", "grid", log, "--grid", writeGrid(t, strings.Replace(slowAndFast, `, "speed": 2`, "", 1)), "--policies", "lb")
	if got.code != exitDone || !strings.Contains(got.out, "speeds: all 1, an assumption: the grid file has none\n") {
		t.Errorf("a file without speeds: exit code %d, %s%s", got.code, got.out, got.err)
	}
	// From a pipe, the preset says what it assumes; job 4 is as large as the
	// second cluster here, and too large for the others.
	got = loadstone(t, sites, "grid", "-", "--grid", "das3")
	if got.code != exitDone || !strings.Contains(got.out, "speeds: assumed (none are published)") {
		t.Errorf("exit code %d, %s%s", got.code, got.out, got.err)
	}
	small := writeGrid(t, strings.Replace(slowAndFast, `"processors": 4`, `"processors": 3`, 1))
	got = loadstone(t, "", "grid", log, "--grid", small)
	if got.code != exitDone || strings.Count(got.err, "larger than every cluster") != 1 || !strings.Contains(got.err, "job 4 of 4 processors, the largest cluster has 3") {
		t.Errorf("a job larger than every cluster: exit code %d, error %q", got.code, got.err)
	}
	// The same bytes each time, and the preset's file is a grid.
	args := []string{"grid", log, "--grid", clusters, "--format", "json"}
	if a, b := loadstone(t, "", args...), loadstone(t, "", args...); a.out != b.out || a.code != exitDone {
		t.Error("two runs differ")
	}
	shown := loadstone(t, "", "grid", "--show", "auvergrid")
	got = loadstone(t, "", "grid", log, "--grid", writeGrid(t, shown.out), "--policies", "lb")
	if got.code != exitDone || !strings.Contains(got.out, "grid auvergrid: 5 clusters, 475 processors") {
		t.Errorf("the preset's own file: exit code %d, %s%s", got.code, got.out, got.err)
	}
}

func TestGridFaults(t *testing.T) {
	sites, slowAndFast := twoSites(t)
	log, clusters := writeLog(t, sites), writeGrid(t, slowAndFast)
	ofSites := func(slow, fast int) string {
		return writeGrid(t, strings.NewReplacer(`"processors": 4`, fmt.Sprintf(`"processors": 4, "partition": %d`, slow), `"speed": 2`, fmt.Sprintf(`"speed": 2, "partition": %d`, fast)).Replace(slowAndFast))
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{log}, exitUsage, "--grid is missing: want das3, auvergrid, or a JSON file"},
		{[]string{"--grid", "das3"}, exitUsage, "a log is missing"},
		{[]string{log, "--show", "das3"}, exitUsage, "--show prints a preset"},
		{[]string{"--show", "das3", "-o", "x.json"}, exitUsage, "--show only prints a preset: remove --output"},
		{[]string{log, "--grid", "das3", "--days", "-1"}, exitUsage, "--days -1"},
		{[]string{log, "--grid", "das3", "--classes", "shoe-size"}, exitUsage, `"shoe-size": want one or more of all`},
		{[]string{log, "--grid", "das3", "--classes", "user-site"}, exitUsage, "a job's site is the cluster"},
		{[]string{log, "--grid", "das3", "--classes", "user+size,size+user"}, exitUsage, `"size+user", the same as "user+size": want one of them`},
		{[]string{log, "--grid", "das3", "--classes", "user,all,size,queue,group,application,user+size,user+queue"}, exitUsage, "--classes user,all,size,queue,group,application,user+size,user+queue: want at most 7 ways of sorting jobs"},
		{[]string{log, "--grid", "das3", "--policies", "lb", "--correct"}, exitUsage, "--correct is for ect- with a predictor, and --policies are lb"},
		{[]string{log, "--grid", "das3", "--policies", "lb,ect-perfect", "--history", "cluster"}, exitUsage, "--history is for ect-"},
		{[]string{log, "--grid", "das3", "--placements", "x.swf"}, exitUsage, "--placements x.swf: want a name that ends in .csv, .parquet or .arrow"},
		{[]string{log, "--grid", "das3", "--placements", "-"}, exitUsage, "--placements -: want a file"},
		{[]string{log, "--grid", "das3", "-o", "x.yaml"}, exitUsage, "ends in .json, .csv or .txt"},
		// Of results before the log is read.
		{[]string{"nowhere.swf", "--grid", "das3", "--placements", "x.swf"}, exitUsage, "--placements x.swf"},
		{[]string{"nowhere.swf", "--grid", "das3", "-o", "x.yaml"}, exitUsage, "ends in .json, .csv or .txt"},
		{[]string{log, "--grid", clusters, "-o", clusters}, exitUsage, "is also the input"},
		{[]string{log, "--grid", "nowhere.json"}, exitFailed, "nowhere.json: neither a file nor a preset: the presets are das3, auvergrid"},
		{[]string{log, "--grid", writeGrid(t, `{"schema": "loadstone.grid/1", "name": "g", "clusters": [{"name": "a", "procs": 4}]}`)}, exitFailed, "two.json: clusters[0].procs: saw an unknown key"},
		{[]string{log, "--grid", writeGrid(t, strings.Replace(slowAndFast, `"processors": 2`, `"processors": 0`, 1))}, exitFailed, "two.json: clusters[1].processors: saw 0, want 1 to"},
		{[]string{log, "--grid", clusters, "--policies", "home"}, exitUsage, `.swf: --policies home: want a site of the log for each cluster, since it sends jobs to their own sites: cluster slow of grid two has no "partition"`},
		{[]string{log, "--grid", "das3", "--policies", "lb,home"}, exitUsage, "cluster FS0 of grid das3 has no"},
		{[]string{log, "--grid", ofSites(3, -1)}, exitFailed, "two.json: clusters[1].partition: saw -1, want the number of a site in the log, from 0"},
		{[]string{log, "--grid", ofSites(3, 7)}, exitFailed, "no job is of a site that a cluster of grid two stands for: these are slow (partition 3), fast (partition 7); the jobs' sites are 1, 2"},
		{[]string{writeLog(t, strings.NewReplacer(" 2 -1 -1 2 ", " 9 -1 -1 9 ", " 1 -1 -1 1 ", " 9 -1 -1 9 ", " 4 -1 -1 4 ", " 9 -1 -1 9 ").Replace(sites)), "--grid", clusters}, exitFailed, "5 jobs, all larger than every cluster: the largest of grid two is slow of 4 processors"},
		{[]string{writeLog(t, strings.NewReplacer(" 0 1 -1 -1", " 0 -1 -1 -1", " 0 2 -1 -1", " 0 -1 -1 -1").Replace(sites)), "--grid", clusters}, exitFailed, "no job has a site (partition_id), so this is the log of one machine; --no-sites"},
	} {
		got := loadstone(t, "", append([]string{"grid"}, c.args...)...)
		if got.code != c.code || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, c.code, c.want)
		}
	}
	bare := writeLog(t, strings.NewReplacer(" 0 1 -1 -1", " 0 -1 -1 -1", " 0 2 -1 -1", " 0 -1 -1 -1").Replace(sites))
	if got := loadstone(t, "", "grid", bare, "--grid", clusters, "--no-sites"); got.code != exitDone || !strings.Contains(got.out, "0 sites") {
		t.Errorf("--no-sites: exit code %d, %s%s", got.code, got.out, got.err)
	}
	// Two jobs of 2 processors and 500,000 s are 23 processor days, on 8 a day.
	if got := loadstone(t, "", "grid", writeLog(t, strings.ReplaceAll(sites, " 100 2 ", " 500000 2 ")), "--grid", clusters); got.code != exitDone || !strings.Contains(got.err, "of the capacity of grid two: queues grow without bound") {
		t.Errorf("too much work: exit code %d, error %q", got.code, got.err)
	}
	if got := loadstone(t, "", "grid", writeLog(t, strings.ReplaceAll(sites, " 100 2 ", " 500000 2 ")), "--grid", clusters, "--policies", "lb"); got.code != exitDone || !strings.HasSuffix(got.err, "of the capacity of grid two: queues grow without bound (overload)\n") {
		t.Errorf("too much work, and nothing to predict: %+v", got)
	}
	half := ofSites(2, 7)
	if got := loadstone(t, "", "grid", log, "--grid", half); got.code != exitDone || !strings.Contains(got.err, "grid two: no job is of the site of fast (partition 7); the jobs' sites are 1, 2 (sites)\n") {
		t.Errorf("a cluster's site that no job has: exit code %d, error %q", got.code, got.err)
	}
	// Job 1 of site 1, 100 s on a cluster of speed 2: 2 * 100 * 2; 3 the same;
	// 4 is too large for home, 2 and 5 are of speed 1.
	if got := loadstone(t, "", "grid", log, "--grid", ofSites(2, 1), "--policies", "lb,home", "--format", "json"); !strings.Contains(got.err, "policy home schedules 4 of the others' 5 jobs") {
		t.Errorf("policies on unlike jobs: exit code %d, error %q", got.code, got.err)
	}
	if got := loadstone(t, "", "grid", log, "--grid", ofSites(2, 1)); got.code != exitDone || got.err != "" {
		t.Errorf("all sites: exit code %d, error %q", got.code, got.err)
	}
	named := writeGrid(t, strings.Replace(slowAndFast, `"speed": 2`, `"speed": 2, "partition": 1`, 1))
	if got := loadstone(t, "", "grid", bare, "--grid", named, "--no-sites"); got.code != exitFailed || !strings.Contains(got.err, `stand for sites: remove "partition" from it`) {
		t.Errorf("sites in the grid and none in the log: exit code %d, %s%s", got.code, got.out, got.err)
	}
}

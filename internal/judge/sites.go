package judge

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// Site is a log with users and the machine that it is scheduled on.
type Site struct {
	Name       string
	File       string
	Processors int64
	schedules  []schedule
}

// Not scheduled is SDSC-Par-96 with users' estimates, since it has none. FCFS is for
// logs whose queue does not grow for months under it. Conservative backfilling of
// RICC with users' estimates takes minutes, because 96,000 jobs wait.
var sites = []Site{
	{"KTH", "KTH-SP2-1996-2.1-cln.swf.gz", 100, []schedule{easy, easyUser, conservative, conservativeUser}},
	{"SDSC-Par-96", "SDSC-Par-1996-3.1-cln.swf.gz", 400, []schedule{easy, conservative, fcfs}},
	{"CTC", "CTC-SP2-1996.simulated-waits.swf.gz", 338, []schedule{easy, easyUser, conservative, conservativeUser}},
	{"SDSC-SP2", "SDSC-SP2-1998.simulated-waits.swf.gz", 128, []schedule{easy, easyUser, conservative, conservativeUser}},
	{"Gaia", "UniLu-Gaia-2014-1.swf.gz", 2004, []schedule{easy, easyUser, conservative, conservativeUser, fcfs}},
	{"RICC", "RICC-2010-2.swf.gz", 8192, []schedule{easy, easyUser, conservative}},
}

// EachSite runs a test for each site, with as many seeds. The environment's SEEDS
// replaces them; SITES, separated by commas, replaces all sites. Known misses are
// those of the test's own number of seeds.
func EachSite(t *testing.T, seeds int, test func(t *testing.T, s Site, seeds int)) {
	if n, err := strconv.Atoi(os.Getenv("SEEDS")); err == nil && n > 0 {
		seeds = n
	}
	for _, s := range sites {
		if names := os.Getenv("SITES"); names == "" || slices.Contains(strings.Split(names, ","), s.Name) {
			t.Run(s.Name, func(t *testing.T) { test(t, s, seeds) })
		}
	}
}

// Read returns the log's jobs by submission, numbered from 1, with the dependencies
// that package sessions derives.
func (s Site) Read(t testing.TB) ([]workload.Job, workload.Header) {
	t.Helper()
	log := jobtest.Open(t, s.File)
	n := int64(0)
	numbered := workload.Each(workload.InOrder(log.Jobs(), nil), func(j *workload.Job) {
		n++
		j.ID = n
	})
	jobs := jobtest.Collect(t, sessions.Dependencies(numbered, nil))
	return jobs, log.Header
}

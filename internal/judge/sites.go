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

// Site is a log with users, and the machine on which its jobs are scheduled.
type Site struct {
	Name       string
	File       string
	Processors int64
	schedules  []schedule
}

// SDSC-Par-96 is not scheduled with users' estimates, because it has none. FCFS is used for
// logs whose queue does not grow for months under it. RICC is not scheduled by conservative
// backfilling with users' estimates, which takes minutes because 96,000 jobs wait.
var sites = []Site{
	{"KTH", "KTH-SP2-1996-2.1-cln.swf.gz", 100, []schedule{easy, easyUser, conservative, conservativeUser}},
	{"SDSC-Par-96", "SDSC-Par-1996-3.1-cln.swf.gz", 400, []schedule{easy, conservative, fcfs}},
	{"CTC", "CTC-SP2-1996.simulated-waits.swf.gz", 338, []schedule{easy, easyUser, conservative, conservativeUser}},
	{"SDSC-SP2", "SDSC-SP2-1998.simulated-waits.swf.gz", 128, []schedule{easy, easyUser, conservative, conservativeUser}},
	{"Gaia", "UniLu-Gaia-2014-1.swf.gz", 2004, []schedule{easy, easyUser, conservative, conservativeUser, fcfs}},
	{"RICC", "RICC-2010-2.swf.gz", 8192, []schedule{easy, easyUser, conservative}},
}

// EachSite runs a test for each site, with the given number of seeds. The environment
// variable SEEDS overrides that number, and SITES, a list separated by commas, selects
// sites. Known misses apply to the test's own number of seeds.
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

// Read returns the log's jobs in order of submission, numbered from 1, with the dependencies
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

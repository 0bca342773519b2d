package cli

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/study/grid"
)

// mostStudied is how many jobs are studied at most: they are held in memory, and
// so is what each policy did with them.
const mostStudied = 4_000_000

func holdable(w grid.Window) error {
	if w.Jobs > mostStudied {
		return fmt.Errorf("%d jobs in the days to study, want at most %d: fewer --days", w.Jobs, mostStudied)
	}
	return nil
}

// What a job takes of memory, in bytes, as measured on a million jobs of one instant.
const (
	memoryRead    = 250 // once
	memoryPlaced  = 100 // for each policy
	memoryWaiting = 450 // for each policy that is simulated at the time
	// muchMemory is the number of bytes from which on one is warned of it.
	muchMemory = 2e9
)

// studyMemory is what a study takes at most, in bytes: if nearly all jobs wait at
// once. Each core simulates a policy.
func studyMemory(jobs, policies, cores int) float64 {
	return float64(jobs) * float64(memoryRead+memoryPlaced*policies+memoryWaiting*min(policies, cores))
}

// warnOfMemory warns of a study that may take much memory, before it begins.
func (r *gridRun) warnOfMemory(jobs int) {
	if m := studyMemory(jobs, len(r.policies), par.Workers(0)); m >= muchMemory {
		r.a.forewarn("%s: if most of the %d jobs wait at once, the study takes up to %.1f GB of memory; fewer --days or --policies take less", r.o.input, jobs, m/1e9)
	}
}

package grid

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
)

// MaxJobs is the largest number of jobs of a study, which are held in memory
// with their placements by each policy.
const MaxJobs = 4_000_000

func holdable(w Window) error {
	if w.Jobs > MaxJobs {
		return fmt.Errorf("%d jobs in the days to study, want at most %d: study fewer days", w.Jobs, MaxJobs)
	}
	return nil
}

// What a job takes of memory, in bytes, as measured on a million jobs of one instant.
const (
	memoryRead    = 250 // once
	memoryPlaced  = 100 // for each policy
	memoryWaiting = 550 // for each policy that is simulated at the time
	// muchMemory is the number of bytes that are worth a warning.
	muchMemory = 2e9
)

// studyMemory is what a study takes at most, in bytes: if nearly all jobs wait at
// once. Each worker simulates a policy.
func studyMemory(jobs, policies, workers int) float64 {
	return float64(jobs) * float64(memoryRead+memoryPlaced*policies+memoryWaiting*min(policies, workers))
}

// memoryWarning is that of a study that may take much memory.
func memoryWarning(jobs, policies, workers int) (w workload.Warning, much bool) {
	m := studyMemory(jobs, policies, workers)
	text := fmt.Sprintf("if most of the %d jobs wait at once, the study takes up to %.1f GB of memory", jobs, m/1e9)
	return workload.Warning{Rule: EarlyMemory, Text: text, Count: 1}, m >= muchMemory
}

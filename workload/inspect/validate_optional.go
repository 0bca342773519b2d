package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// mostWatts is above what any node of today draws: a cabinet's node of
	// eight GPUs takes some 10 kW.
	mostWatts = 20_000
	// leastWatts is below what any node draws, and leastMeasured the seconds
	// in which a meter that is read now and then counts at all.
	leastWatts    = 1
	leastMeasured = 60
)

// readOptional takes the limits of what optional columns say. Rules of columns
// that the log does not have are not missed.
func (v *validator) readOptional(nodes float64) {
	has := v.log.Optional()
	limit := func(key string, column, rule int) float64 {
		if !has.Has(column) {
			return math.Inf(1)
		}
		return v.limit(key, rule)
	}
	v.limits.nodes = nodes
	if has.Has(workload.ColAllocatedNodes) && math.IsInf(nodes, 1) {
		v.missing(ruleNodesOverMachine, "MaxNodes")
	}
	v.limits.gpus = min(limit(workload.MaxGPUs, workload.ColAllocatedGPUs, ruleGPUsOverMachine),
		limit(workload.MaxGPUs, workload.ColRequestedGPUs, ruleRequestedGPUsOverMachine))
	v.limits.nodeMemory = min(limit(workload.MaxNodeMemory, workload.ColUsedMemoryTotal, ruleMemoryOverNode),
		limit(workload.MaxNodeMemory, workload.ColRequestedMemoryTotal, ruleRequestedMemoryOverNode))
}

// optional checks what a job has in optional columns.
func (v *validator) optional(j *workload.Job) {
	for col := workload.FirstOptional; col < workload.NumColumns; col++ {
		c := workload.ColumnAt(col)
		v.int(j, col, c.Int(j))
		v.float(j, col, c.Number(j))
	}
	over := func(rule int, saw, most float64) {
		if saw > most && v.hit(rule) {
			v.at(rule, j, plain(saw), atMost(most))
		}
	}
	over(ruleNodesOverMachine, float64(j.AllocatedNodes), v.limits.nodes)
	if j.Allocated > 0 {
		over(ruleNodesOverProcessors, float64(j.AllocatedNodes), float64(j.Allocated))
	}
	over(ruleGPUsOverMachine, float64(j.AllocatedGPUs), v.limits.gpus)
	over(ruleRequestedGPUsOverMachine, float64(j.GPUs), v.limits.gpus)
	if n := j.GPUShare; (n > 1000 || n < 0) && n != workload.Unknown && v.hit(ruleGPUShareRange) {
		v.at(ruleGPUShareRange, j, whole(n), "0 to 1000")
	}
	if nodes := float64(j.TakesNodes); nodes > 0 {
		over(ruleMemoryOverNode, j.UsedMemoryTotal/nodes, v.limits.nodeMemory)
	}
	if nodes := float64(j.Nodes); nodes > 0 {
		over(ruleRequestedMemoryOverNode, j.MemoryTotal/nodes, v.limits.nodeMemory)
	}
	if j.MemoryTotal > 0 {
		over(ruleTotalMemoryOverRequested, j.UsedMemoryTotal, j.MemoryTotal)
	}
	v.power(j, j.Energy, float64(j.TakesNodes))
	v.eligible(j, j.Eligible)
}

// power holds the energy of a job against its run time.
func (v *validator) power(j *workload.Job, energy, nodes float64) {
	if !(j.Run > 0) {
		return
	}
	watts := energy / j.Run
	places := nodes
	if !(places > 0) {
		places = float64(j.Size) // each on a node of its own, at the most
	}
	if places > 0 && watts/places > mostWatts && v.hit(rulePowerHigh) {
		v.at(rulePowerHigh, j, plain(watts)+" W", plain(mostWatts*places)+" W at most")
	}
	if j.Run >= leastMeasured && watts >= 0 && watts < leastWatts && v.hit(rulePowerLow) {
		v.at(rulePowerLow, j, plain(watts)+" W", plain(leastWatts)+" W or more")
	}
}

func (v *validator) eligible(j *workload.Job, eligible float64) {
	if eligible < j.Submit-rounding && v.hit(ruleEligibleBeforeSubmit) {
		v.at(ruleEligibleBeforeSubmit, j, plain(eligible), atLeast(j.Submit))
	}
	if start := j.Start(); eligible > start+rounding && v.hit(ruleEligibleAfterStart) {
		v.at(ruleEligibleAfterStart, j, plain(eligible), atMost(start))
	}
}

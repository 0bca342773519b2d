package sched

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// partition returns the pools of a partition of the log; none where the cluster
// does not have it.
func (p *pools) partition(number int64) []int32 {
	known, ok := p.of[number]
	if ok {
		return known
	}
	if p.cluster.Partitions == nil {
		for i := range p.all {
			known = append(known, int32(i))
		}
	} else if x := p.find(number); x >= 0 {
		for _, i := range p.cluster.Partitions[x].Pools {
			known = append(known, int32(i))
		}
	}
	p.of[number] = known
	return known
}

// find returns which of the cluster's partitions one of the log is, -1 for none.
func (p *pools) find(number int64) int {
	if number == workload.Unknown {
		return -1
	}
	text := p.name(workload.ColPartition, number)
	return slices.IndexFunc(p.cluster.Partitions, func(x Partition) bool { return x.Name == text })
}

// otherPartition is what a warning says of a partition that the cluster does not have.
func (p *pools) otherPartition(number int64) string {
	if number == workload.Unknown {
		return " without a partition"
	}
	const most = 4
	var has []string
	for _, x := range p.cluster.Partitions[:min(len(p.cluster.Partitions), most)] {
		has = append(has, workload.Shorten([]byte(x.Name)))
	}
	if more := len(p.cluster.Partitions) - most; more > 0 {
		has = append(has, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf(" of %s, and the machine has %s", workload.Shorten([]byte(p.name(workload.ColPartition, number))), strings.Join(has, ", "))
}

// name returns what the log calls a number, else the number.
func (p *pools) name(col int, number int64) string {
	if p.named != nil {
		if text, ok := p.named(col, number); ok {
			return text
		}
	}
	return strconv.FormatInt(number, 10)
}

// kind returns which pools have the kind of GPU that a job asks for; nil where it
// asks for none. A log may name several to choose from, with bars between them.
func (p *pools) kind(j *workload.Job, need *amounts) []bool {
	if need[GPUs] == 0 || j.Asked.GPUType == workload.Unknown {
		return nil
	}
	known, ok := p.kinds[j.Asked.GPUType]
	if !ok {
		names := strings.Split(p.name(workload.ColGPUType, j.Asked.GPUType), "|")
		for i := range p.cluster.Pools {
			kind := p.cluster.Pools[i].GPUType
			known = append(known, kind == "" || slices.Contains(names, kind))
		}
		p.kinds[j.Asked.GPUType] = known
	}
	return known
}

// choose sets options for a job. Where there is none, short is what no pool of its
// partition has enough of; numResources where each has too little of another, or
// the cluster lacks the partition.
func (p *pools) choose(j *workload.Job) (short Resource, ok bool) {
	need := needs(j)
	p.options = p.options[:0]
	among := p.partition(j.Partition)
	var shorts [numResources]int
	kind := p.kind(j, &need)
	for _, i := range among {
		if kind != nil && !kind[i] {
			shorts[GPUs]++
			continue
		}
		take, short, ok := p.cluster.take(int(i), &need, &p.simulated)
		if ok {
			p.options = append(p.options, option{i, take})
		} else {
			shorts[short]++
		}
	}
	if len(p.options) > 0 {
		return 0, true
	}
	for r, n := range shorts {
		if n > 0 && n == len(among) {
			return Resource(r), false
		}
	}
	return numResources, false
}

// ask takes in a job that waits, under its slot, and returns the least number of
// processors that it takes.
func (p *pools) ask(slot int32, j *workload.Job) int64 {
	p.choose(j)
	for int(slot) >= len(p.jobs) {
		p.jobs = append(p.jobs, claim{})
	}
	a := &p.jobs[slot]
	a.options = append(a.options[:0], p.options...)
	a.lane = p.lane(a.options)
	least := a.options[0].take[Processors]
	for i := range a.options {
		least = min(least, a.options[i].take[Processors])
	}
	return least
}

// lane returns the lane of jobs with such options.
func (p *pools) lane(options []option) int32 {
	p.key = p.key[:0]
	for i := range options {
		p.key = binary.LittleEndian.AppendUint32(p.key, uint32(options[i].pool))
	}
	n, ok := p.laneOf[string(p.key)]
	if !ok {
		n = int32(len(p.lanes))
		var pools []int32
		for i := range options {
			pools = append(pools, options[i].pool)
		}
		p.laneOf[string(p.key)] = n
		p.lanes = append(p.lanes, pools)
	}
	return n
}

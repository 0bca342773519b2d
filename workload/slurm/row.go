package slurm

import (
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// jobKey identifies a job of a log. Records with the same key are runs of one job, which
// was requeued, or its steps.
type jobKey struct {
	job  uint64 // number and kind
	part uint64 // of an array or a heterogeneous job, and cluster
}

// newJobKey packs what parse.Digits bounds to 50 bits. The cluster is a
// chunk's number of its name until the log's own is known.
func newJobKey(id jobID) jobKey {
	return jobKey{uint64(id.job) | uint64(id.kind)<<50, uint64(id.part)}
}

func (k jobKey) kind() idKind { return idKind(k.job >> 50) }

// label returns the number as Slurm prints it, "" for several tasks.
func (k jobKey) label() string {
	const low = 1<<50 - 1
	switch job, part := int64(k.job&low), int64(k.part&low); k.kind() {
	case idTask:
		return fmt.Sprintf("%d_%d", job, part)
	case idHet:
		return fmt.Sprintf("%d+%d", job, part)
	case idTasks:
		return ""
	default:
		return strconv.FormatInt(job, 10)
	}
}

// at returns the key on a cluster, of which there are fewer than 16,384.
func (k jobKey) at(cluster int32) jobKey {
	k.part |= uint64(cluster+1) << 50
	return k
}

// row is what a record means. Times are seconds since 1970. The job's names are not set yet,
// nor is its status, which depends on the other records of the job.
type row struct {
	workload.Job

	key     jobKey
	line    int64 // in the chunk, from 1
	cluster int32 // as names
	// names are the texts of nameColumns as the chunk's own numbers, 0 for none.
	names [len(nameColumns)]int32
	state jobState
	alone bool // stands for several tasks of an array: no other is its like
	lists resourceLists
	later int32 // place in batch.later, from 1; 0 is none

	cpu       float64 // s over all processors: the record's own TotalCPU
	withdrawn float64 // when a job ended that never started
}

// stepRow is what the record of a step means.
type stepRow struct {
	key     jobKey // of its job
	cluster int32
	line    int64
	after   int     // rows of the chunk before it
	cpu     float64 // s over all processors
	used    float64 // KB over all tasks, if each used as much as the one that used most
	energy  float64 // J
}

// laterTimes are the other reading of submission and start, in the hour that the clock went
// over twice, where the record itself fits both.
type laterTimes struct{ submit, start float64 }

// queuedJob is what a listing of the queue says of a job beyond its row.
type queuedJob struct {
	label    string // number, as it stands in the listing
	waiting  string // tasks of an array that wait, as they are listed
	place    string // of the number, for messages
	reason   string
	expected float64 // start, as Slurm expects it
	priority int64
}

// resourceLists says which lists of resources without GPUs a job has: of what was asked for,
// and given. Where Slurm counts GPUs the job has none.
type resourceLists uint8

const (
	askedList resourceLists = 1 << iota
	givenList
)

// noGPUs completes the row where Slurm counts GPUs in some lists.
func (r *row) noGPUs(counted resourceLists) {
	if counted&r.lists&askedList != 0 && r.GPUs == workload.Unknown {
		r.GPUs = 0
	}
	if counted&r.lists&givenList != 0 && r.AllocatedGPUs == workload.Unknown {
		r.AllocatedGPUs = 0
	}
}

// counted returns the lists in which a job has GPUs; what can be asked for can be given.
func (r *row) counted() (lists resourceLists) {
	if r.GPUs > 0 {
		return askedList | givenList
	}
	if r.AllocatedGPUs > 0 {
		return givenList
	}
	return 0
}

// nameColumns are the columns of the job table that have texts.
var nameColumns = [...]int{workload.ColUser, workload.ColGroup, workload.ColApplication, workload.ColQueue,
	workload.ColPartition, workload.ColAccount, workload.ColQOS, workload.ColGPUType}

// clusterColumn is where names keep the clusters, which are no column of the job table: that
// of the job's number has no texts.
const clusterColumn = workload.ColJobID

var emptyRow = row{Job: workload.UnknownJob(),
	cpu: math.NaN(), withdrawn: math.NaN()}

// batch is what became of one chunk of text.
type batch struct {
	rows     []row // without pointers, which are expensive to copy
	later    []laterTimes
	steps    []stepRow
	queued   []queuedJob // of each row of a queue
	names    [workload.NumColumns]texts
	states   [jobStates]int64 // jobs by state
	lines    int64
	local    bool                   // there were local times
	taken    float64                // the latest moment that a job shows, since 1970; 0 is none
	faults   []*workload.InputError // of a queue's records that cannot be read
	warnings workload.Warnings
}

// reset makes the batch an empty one that keeps its memory.
func (b *batch) reset() {
	for col := range b.names {
		b.names[col].Reset()
	}
	*b = batch{rows: b.rows[:0], steps: b.steps[:0], queued: b.queued[:0], names: b.names}
}

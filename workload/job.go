package workload

import (
	"fmt"
	"math"
)

// Unknown is the value of an integer field that the log does not give.
// Unknown float64 fields are NaN.
const Unknown int64 = math.MinInt64

// The status codes of the standard workload format.
const (
	StatusFailed        int64 = 0
	StatusCompleted     int64 = 1
	StatusPartial       int64 = 2 // a part of a job that goes on
	StatusLastCompleted int64 = 3 // the last part, and the job completed
	StatusLastFailed    int64 = 4 // the last part, and the job failed
	StatusCancelled     int64 = 5
)

// Request is what is known of a job when it is submitted. One that is made by hand starts
// from that of UnknownJob, because a field that is left at 0 is known to be 0, and has Size
// set (RigidSize), by which simulations and studies place it.
type Request struct {
	ID  int64 // the log's number of the job
	Row int64 // position in the log from 0; ties in time go by it

	Submit     float64 // s, from the log's start
	Processors int64   // processors asked for
	// Size is the processors of a rigid job: those allocated where that is
	// known and positive, else those asked for, else Unknown. A rigid job gets
	// what it asks for, and many logs hold only one of the two.
	Size   int64
	Time   float64 // s, the user's estimate or limit of the run time
	Memory float64 // KB per processor, asked for

	User        int64
	Group       int64
	Application int64
	Queue       int64
	Partition   int64   // partition, or site of a grid
	Preceding   int64   // ID of the job that had to end first
	Think       float64 // s, from the end of the preceding job to submission

	SequentialTime     float64 // s, malleable jobs: run time on one processor
	AverageParallelism float64 // malleable jobs: average parallelism A
	Sigma              float64 // malleable jobs: variance of parallelism

	Asked *Asked // nil where nothing of it is known
}

// Job is a request and what came of it. Jobs are immutable input: a simulator
// keeps its state in its own types. One that is made by hand starts from UnknownJob:
//
//	j := workload.UnknownJob()
//	j.ID, j.Submit, j.Run, j.Processors = 1, 10, 60, 4
//	j.Size = workload.RigidSize(j.Allocated, j.Processors)
type Job struct {
	Request
	Wait       float64 // s, from submission to start
	Run        float64 // s, wall clock, from start to end
	Allocated  int64   // processors
	CPUTime    float64 // s, mean over the processors
	UsedMemory float64 // KB, mean per processor
	Status     int64

	Given *Given // nil where nothing of it is known
}

// Start is the time at which the job started, NaN where the wait is unknown.
func (j *Job) Start() float64 { return j.Submit + j.Wait }

// End is the time at which the job ended, NaN where wait or run time are
// unknown.
func (j *Job) End() float64 { return j.Submit + j.Wait + j.Run }

// Prediction is a predicted time and the number of past observations that it
// rests on.
type Prediction struct {
	Seconds      float64
	Observations int
}

// Label names the job in messages: by its number in the log, or by its
// position where it has none.
func (r *Request) Label() string {
	if r.ID == Unknown {
		return fmt.Sprintf("the job in row %d", r.Row+1)
	}
	return fmt.Sprintf("job %d", r.ID)
}

// Units is how much a request takes of the first resource that is known of it: the
// processors asked for, else Size, else GPUs, else nodes. It is Unknown where none is
// above 0.
func (r *Request) Units() int64 {
	switch {
	case r.Processors > 0:
		return r.Processors
	case r.Size > 0:
		return r.Size
	case r.Asked == nil:
	case r.Asked.TakesGPUs > 0:
		return r.Asked.TakesGPUs
	case r.Asked.TakesNodes > 0:
		return r.Asked.TakesNodes
	}
	return Unknown
}

// RigidSize returns the size of a job (Request.Size) from its processors: those
// allocated if they are above 0, else those requested, else Unknown.
func RigidSize(allocated, requested int64) int64 {
	switch {
	case allocated > 0:
		return allocated
	case requested > 0:
		return requested
	}
	return Unknown
}

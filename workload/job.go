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

// Request is what is known of a job when it is submitted. Where the log gives no value, a
// float64 field is NaN and an int64 field is Unknown. To make a Request, begin with
// UnknownJob().Request, because a 0 is a known 0, and set Size (RigidSize): simulations
// and studies place jobs by it.
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

	// Numbers that the log gives to users, groups and so on, often from 1; Header.Names
	// has their names where they are known.
	User        int64
	Group       int64
	Application int64 // executable
	Queue       int64
	Partition   int64   // partition, or site of a grid
	Preceding   int64   // ID of the job that had to end first
	Think       float64 // s, from the end of the preceding job to submission

	SequentialTime     float64 // s, malleable jobs: run time on one processor
	AverageParallelism float64 // malleable jobs: average parallelism A
	Sigma              float64 // malleable jobs: variance of parallelism

	Asked *Asked // nil where nothing of it is known
}

// Job is a request and what came of it. Unknown values are as in a Request. Jobs are
// immutable input: a simulator keeps its state in other types. To make a Job, begin with
// UnknownJob:
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
	Status     int64   // StatusFailed, StatusCompleted, ...

	Given *Given // nil where nothing of it is known
}

// Start returns the time at which the job started, NaN where the wait is unknown.
func (j *Job) Start() float64 { return j.Submit + j.Wait }

// End returns the time at which the job ended, NaN where wait or run time are
// unknown.
func (j *Job) End() float64 { return j.Submit + j.Wait + j.Run }

// Prediction is a predicted time.
type Prediction struct {
	Seconds      float64 // s, 0 or more
	Observations int     // the past jobs that it rests on; 0 where it rests on none
}

// Label names the job for messages: by its number in the log or, without one, by its
// position.
func (r *Request) Label() string {
	if r.ID == Unknown {
		return fmt.Sprintf("the job in row %d", r.Row+1)
	}
	return fmt.Sprintf("job %d", r.ID)
}

// Units returns how much a request takes of the first resource that is known of it: the
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

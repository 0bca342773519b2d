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

// Request holds what is known about a job when it is submitted. Where the log gives no value, a
// float64 field is NaN and an int64 field is Unknown. To make a Request, begin with
// UnknownJob().Request, because 0 is a known value, and set Size (RigidSize), which simulations
// and studies use to place jobs.
//
// The tags of Request and Job declare the columns of the job table (see Column):
//   - col: the column's number, from 1, and its name
//   - unit: its unit
//   - use: the kind of its values (Use), a measured number by default
//   - words: its short names, the one to display first
//   - names: the header keyword for names of its numbers
//   - is: its meaning
type Request struct {
	ID  int64 `col:"1,job_id" unit:"1" use:"job" words:"job" is:"the log's number of the job"`
	Row int64 // position in the log from 0; breaks ties in time

	Submit     float64 `col:"2,submit_time_s" unit:"s" words:"submit" is:"submission, from the log's start"`
	Processors int64   `col:"8,requested_processors" unit:"processors" use:"amount" words:"processors requested" is:"processors requested"`
	// Size is the number of processors of a rigid job: those allocated if that is known and
	// positive, else those requested, else Unknown. A rigid job gets what it requests, and many
	// logs hold only one of the two.
	Size   int64   `col:"35,size" unit:"processors" use:"amount" words:"size" is:"processors allocated, else requested"`
	Time   float64 `col:"9,requested_time_s" unit:"s" use:"amount" words:"estimate time" is:"the user's estimate or limit: wall clock, or CPU time per processor where the header says so"`
	Memory float64 `col:"10,requested_memory_kb" unit:"KB" use:"amount" words:"memory" is:"memory requested, per processor"`

	// Numbers that the log assigns to users, groups and so on, often from 1. Header.Names
	// returns the names behind them, if known.
	User        int64 `col:"12,user_id" unit:"1" use:"identifier" words:"user" names:"User" is:"number of the user"`
	Group       int64 `col:"13,group_id" unit:"1" use:"identifier" words:"group" names:"Group" is:"number of the user's group"`
	Application int64 `col:"14,application_id" unit:"1" use:"identifier" words:"application app executable executable_id" names:"Application" is:"number of the executable"`
	Queue       int64 `col:"15,queue_id" unit:"1" use:"identifier" words:"queue" names:"Queue" is:"number of the queue; names are in the header"`
	Partition   int64 `col:"16,partition_id" unit:"1" use:"identifier" words:"partition site" names:"Partition" is:"number of the partition, or site of a grid; names are in the header"`

	Preceding int64   `col:"17,preceding_job_id" unit:"1" use:"job" words:"preceding" is:"job that had to end before this one was submitted"`
	Think     float64 `col:"18,think_time_s" unit:"s" words:"think" is:"from the end of the preceding job to submission"`

	SequentialTime     float64 `col:"19,sequential_time_s" unit:"s" words:"sequential" is:"malleable jobs: run time on one processor"`
	AverageParallelism float64 `col:"20,average_parallelism" unit:"processors" words:"parallelism" is:"malleable jobs: average parallelism A of Downey's speedup model"`
	Sigma              float64 `col:"21,sigma" unit:"1" words:"sigma" is:"malleable jobs: variance of parallelism in Downey's speedup model"`

	// Columns that few logs have (see ColumnSet).
	Nodes       int64   `col:"22,requested_nodes" unit:"nodes" use:"amount" words:"requested_nodes" is:"nodes requested"`
	GPUs        int64   `col:"24,requested_gpus" unit:"GPUs" use:"amount" words:"requested_gpus" is:"GPUs requested; 0 is none"`
	GPUType     int64   `col:"26,gpu_type_id" unit:"1" use:"identifier" words:"gpu_type" names:"GPUType" is:"number of the kind of GPU requested, else allocated; names are in the header"`
	GPUShare    int64   `col:"27,gpu_share_milli" unit:"1/1000" use:"amount" words:"gpu_share" is:"thousandths of each GPU requested, where GPUs are shared"`
	MemoryTotal float64 `col:"28,requested_memory_total_kb" unit:"KB" use:"amount" words:"memory_total" is:"memory requested, for the whole job"`
	Account     int64   `col:"31,account_id" unit:"1" use:"identifier" words:"account" names:"Account" is:"number of the account or project; names are in the header"`
	QOS         int64   `col:"32,qos_id" unit:"1" use:"identifier" words:"qos" names:"QOS" is:"number of the quality of service; names are in the header"`
	Array       int64   `col:"33,array_id" unit:"1" use:"job" words:"array" is:"number of the job's array"`

	// TakesNodes and TakesGPUs correspond to Size for nodes and GPUs: the number allocated, else
	// the number requested. Like Size and Row, they are derived (see Batch.Job) and not stored.
	TakesNodes int64 `col:"36,nodes" unit:"nodes" use:"amount" words:"nodes node" is:"nodes allocated, else requested"`
	TakesGPUs  int64 `col:"37,gpus" unit:"GPUs" use:"amount" words:"gpus gpu" is:"GPUs allocated, else requested"`
}

// Job is a request and its outcome. Unknown values are as in a Request. Jobs are immutable
// input: a simulator keeps its state in other types. To make a Job, begin with UnknownJob:
//
//	j := workload.UnknownJob()
//	j.ID, j.Submit, j.Run, j.Processors = 1, 10, 60, 4
//	j.Size = workload.RigidSize(j.Allocated, j.Processors)
type Job struct {
	Request
	Wait       float64 `col:"3,wait_time_s" unit:"s" words:"wait" is:"from submission to start"`
	Run        float64 `col:"4,run_time_s" unit:"s" words:"run runtime" is:"wall clock time from start to end; 0 is less than half a second"`
	Allocated  int64   `col:"5,allocated_processors" unit:"processors" use:"amount" words:"proc procs allocated" is:"processors given to the job"`
	CPUTime    float64 `col:"6,cpu_time_s" unit:"s" words:"cpu" is:"user and system time used, mean over the processors"`
	UsedMemory float64 `col:"7,used_memory_kb" unit:"KB" use:"amount" words:"used_memory" is:"memory used, mean per processor"`
	Status     int64   `col:"11,status" unit:"1" use:"code" words:"status" is:"0 failed, 1 completed, 2 partial, 3 last part of a completed job, 4 last part of a failed job, 5 cancelled"`

	AllocatedNodes  int64   `col:"23,allocated_nodes" unit:"nodes" use:"amount" words:"allocated_nodes" is:"nodes given to the job"`
	AllocatedGPUs   int64   `col:"25,allocated_gpus" unit:"GPUs" use:"amount" words:"allocated_gpus" is:"GPUs given to the job; 0 is none"`
	UsedMemoryTotal float64 `col:"29,used_memory_total_kb" unit:"KB" use:"amount" words:"used_memory_total" is:"memory used by the whole job"`
	Energy          float64 `col:"30,energy_j" unit:"J" words:"energy" is:"energy used by the whole job"`
	Eligible        float64 `col:"34,eligible_time_s" unit:"s" words:"eligible" is:"when the job could start, from the log's start; a held job could when it was released"`
}

// Start returns the time at which the job started, NaN where the wait is unknown.
func (j *Job) Start() float64 { return j.Submit + j.Wait }

// End returns the time at which the job ended, NaN where wait or run time are
// unknown.
func (j *Job) End() float64 { return j.Submit + j.Wait + j.Run }

// IsPart reports whether the record is one part of a job's execution, which may have several.
func (j *Job) IsPart() bool { return j.Status >= StatusPartial && j.Status <= StatusLastFailed }

// Prediction is a predicted time.
type Prediction struct {
	Seconds      float64 // s, 0 or more
	Observations int     // number of past jobs on which it is based; may be 0
}

// Label returns the job's name for messages: its number in the log or, without one, its row.
func (r *Request) Label() string {
	if r.ID == Unknown {
		return fmt.Sprintf("the job in row %d", r.Row+1)
	}
	return fmt.Sprintf("job %d", r.ID)
}

// Units returns how much a request takes of one resource, the first of these that is above 0:
// processors requested, Size, GPUs, nodes. It returns Unknown if none is.
func (r *Request) Units() int64 {
	switch {
	case r.Processors > 0:
		return r.Processors
	case r.Size > 0:
		return r.Size
	case r.TakesGPUs > 0:
		return r.TakesGPUs
	case r.TakesNodes > 0:
		return r.TakesNodes
	}
	return Unknown
}

// RigidSize returns the size of a job (Request.Size): the processors allocated if they are above
// 0, else those requested if they are above 0, else Unknown.
func RigidSize(allocated, requested int64) int64 {
	switch {
	case allocated > 0:
		return allocated
	case requested > 0:
		return requested
	}
	return Unknown
}

// RigidGPUs returns the GPUs of a job (Request.TakesGPUs): those allocated if they are above 0,
// else those requested if that is known, else Unknown. An allocation of 0 counts only if the
// request is unknown, because the job may not have started.
func RigidGPUs(allocated, requested int64) int64 {
	switch {
	case allocated > 0:
		return allocated
	case requested >= 0:
		return requested
	case allocated == 0:
		return 0
	}
	return Unknown
}

// Derive sets Size, TakesNodes and TakesGPUs from the amounts allocated and requested.
func (j *Job) Derive() {
	j.Size = RigidSize(j.Allocated, j.Processors)
	j.TakesNodes = RigidSize(j.AllocatedNodes, j.Nodes)
	j.TakesGPUs = RigidGPUs(j.AllocatedGPUs, j.GPUs)
}

// EligibleFrom returns when the job could start, in seconds from the log's start: its
// submission, unless the log shows that it was held until later.
func (j *Job) EligibleFrom() float64 {
	if j.Eligible > j.Submit {
		return j.Eligible
	}
	return j.Submit
}

// MoveTo sets the job's time of submission, in seconds from the log's start, and moves Eligible
// by the same amount.
func (j *Job) MoveTo(submit float64) {
	j.Eligible += submit - j.Submit
	j.Submit = submit
}

package workload

import "math"

// Asked is what a request says beyond the fields of the standard workload
// format. Begin one with NoAsked; unknown values are as in a Request. Requests share it:
// never alter it, but replace it by another (as Column.SetInt does).
type Asked struct {
	Nodes    int64   // nodes asked for
	GPUs     int64   // 0 is none
	GPUType  int64   // kind of GPU
	GPUShare int64   // thousandths of each GPU, from 0 to 1000
	Memory   float64 // KB, of the whole job
	Account  int64   // number of the account or project
	QOS      int64   // number of the quality of service
	Array    int64   // number of the job array

	// TakesNodes and TakesGPUs are to nodes and GPUs what Request.Size is to
	// processors: what was allocated, else what was asked for. They are derived
	// (see View.Job) and not stored.
	TakesNodes int64
	TakesGPUs  int64
}

// Given is what came of a job beyond the fields of the standard workload
// format. Begin one with NoGiven; unknown values are as in a Request. Jobs share it: never
// alter it, but replace it by another.
type Given struct {
	Nodes    int64   // nodes allocated
	GPUs     int64   // 0 is none
	Memory   float64 // KB, used by the whole job
	Energy   float64 // J
	Eligible float64 // s, from the log's start: from when the job could start
}

// NoAsked is an Asked with nothing known.
var NoAsked = Asked{
	Nodes: Unknown, GPUs: Unknown, GPUType: Unknown, GPUShare: Unknown, Memory: math.NaN(), Account: Unknown, QOS: Unknown,
	Array: Unknown, TakesNodes: Unknown, TakesGPUs: Unknown,
}

// NoGiven is a Given with nothing known.
var NoGiven = Given{
	Nodes: Unknown, GPUs: Unknown, Memory: math.NaN(), Energy: math.NaN(), Eligible: math.NaN(),
}

// Value returns a copy, which the caller may alter; NoAsked of nil.
func (a *Asked) Value() Asked {
	if a == nil {
		return NoAsked
	}
	return *a
}

// Value returns a copy, which the caller may alter; NoGiven of nil.
func (g *Given) Value() Given {
	if g == nil {
		return NoGiven
	}
	return *g
}

// EligibleFrom returns when the job could start, in seconds from the log's start:
// its submission where the log does not say that it was held until later.
func (j *Job) EligibleFrom() float64 {
	if j.Given != nil && j.Given.Eligible > j.Submit {
		return j.Given.Eligible
	}
	return j.Submit
}

// MoveTo gives the job another time of submission, in seconds from the log's
// start. It becomes eligible as long after it as before.
func (j *Job) MoveTo(submit float64) {
	if j.Given != nil && !math.IsNaN(j.Given.Eligible) {
		given := *j.Given
		given.Eligible += submit - j.Submit
		j.Given = &given
	}
	j.Submit = submit
}

// RigidGPUs returns the GPUs of a job (Asked.TakesGPUs): those allocated if they are
// above 0, else those requested, else Unknown. 0 allocated counts only if the request is
// unknown, because the job may not have started.
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

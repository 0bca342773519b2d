package workload

import (
	"math"

	"github.com/apache/arrow/go/v15/arrow"
)

// Kind returns arrow.FLOAT64 or arrow.INT64.
func (c *Column) Kind() arrow.Type {
	if c.Float() {
		return arrow.FLOAT64
	}
	return arrow.INT64
}

// Float reports whether the column holds float64 values; otherwise it holds
// int64 values.
func (c *Column) Float() bool {
	return c.requestFloat != nil || c.jobFloat != nil || c.askedFloat != nil || c.givenFloat != nil
}

// ranged says whether ranges of the column's values can be classes.
func (c *Column) ranged() bool { return c.Use == Amount || c.Use == Measured }

// Submitted reports whether the column is known when a job is submitted.
func (c *Column) Submitted() bool {
	return c.requestInt != nil || c.requestFloat != nil || c.askedInt != nil || c.askedFloat != nil
}

// KnownIn reports whether a request has a value of the column.
func (c *Column) KnownIn(r *Request) bool { return !math.IsNaN(c.NumberIn(r)) }

// NumberIn returns the value of a column in a request, NaN where it is unknown
// or not known at submission.
func (c *Column) NumberIn(r *Request) float64 {
	x, n := math.NaN(), Unknown
	switch {
	case c.requestFloat != nil:
		x = *c.requestFloat(r)
	case c.requestInt != nil:
		n = *c.requestInt(r)
	case r.Asked == nil:
	case c.askedFloat != nil:
		x = *c.askedFloat(r.Asked)
	case c.askedInt != nil:
		n = *c.askedInt(r.Asked)
	}
	if n != Unknown {
		return float64(n)
	}
	return x
}

// IntIn returns the value of a column of int64 values in a request, Unknown
// where the request does not have it, or it is of another kind or not known at
// submission.
func (c *Column) IntIn(r *Request) int64 {
	switch {
	case c.requestInt != nil:
		return *c.requestInt(r)
	case c.askedInt != nil && r.Asked != nil:
		return *c.askedInt(r.Asked)
	}
	return Unknown
}

// Int returns a job's value of a column of int64 values, Unknown where the job
// does not have it, or the column is of float64 values.
func (c *Column) Int(j *Job) int64 {
	switch {
	case c.jobInt != nil:
		return *c.jobInt(j)
	case c.givenInt == nil:
		return c.IntIn(&j.Request)
	case j.Given != nil:
		return *c.givenInt(j.Given)
	}
	return Unknown
}

// Number returns a job's value of a column of float64 values, NaN where the
// job does not have it, or the column is of int64 values.
func (c *Column) Number(j *Job) float64 {
	switch {
	case c.requestFloat != nil:
		return *c.requestFloat(&j.Request)
	case c.jobFloat != nil:
		return *c.jobFloat(j)
	case c.askedFloat != nil && j.Asked != nil:
		return *c.askedFloat(j.Asked)
	case c.givenFloat != nil && j.Given != nil:
		return *c.givenFloat(j.Given)
	}
	return math.NaN()
}

// SetInt sets a job's value in a column of int64 values. It panics for other columns. Other
// jobs that share the Asked or Given of this job are not changed.
func (c *Column) SetInt(j *Job, n int64) {
	switch {
	case c.requestInt != nil:
		*c.requestInt(&j.Request) = n
	case c.jobInt != nil:
		*c.jobInt(j) = n
	case c.askedInt != nil:
		asked := j.Asked.Value()
		*c.askedInt(&asked) = n
		j.Asked = &asked
	default:
		given := j.Given.Value()
		*c.givenInt(&given) = n
		j.Given = &given
	}
}

// SetNumber is like SetInt for a column of float64 values.
func (c *Column) SetNumber(j *Job, x float64) {
	switch {
	case c.requestFloat != nil:
		*c.requestFloat(&j.Request) = x
	case c.jobFloat != nil:
		*c.jobFloat(j) = x
	case c.askedFloat != nil:
		asked := j.Asked.Value()
		*c.askedFloat(&asked) = x
		j.Asked = &asked
	default:
		given := j.Given.Value()
		*c.givenFloat(&given) = x
		j.Given = &given
	}
}

// UnknownJob returns a job with all values unknown.
func UnknownJob() Job { return unknownJob }

var unknownJob = func() (j Job) {
	for i := range attributes {
		switch c := &attributes[i]; {
		case c.requestInt != nil || c.jobInt != nil:
			c.SetInt(&j, Unknown)
		case c.requestFloat != nil || c.jobFloat != nil:
			c.SetNumber(&j, math.NaN())
		}
	}
	return j
}()

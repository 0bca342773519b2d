package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// askedColumns are the columns of a request beyond the standard workload format by which
// jobs are compared.
var askedColumns = workload.AskedColumns()

// mostAsked bounds the number of askedColumns.
const mostAsked = 8

// askedValues are a request's values of askedColumns: identifiers, and log2(1 + amount), so
// that 0 GPUs are as far from 1 as 1 is from 3. An unknown value is -1. It is a key of maps.
type askedValues [mostAsked]float64

// askedOf returns the values of a request; some is false if all are unknown.
func askedOf(r *workload.Request) (v askedValues, some bool) {
	if r.Asked == nil {
		return v, false
	}
	for i, c := range askedColumns {
		x := c.NumberIn(r)
		switch {
		case math.IsNaN(x) || x < 0:
			v[i] = -1
			continue
		case c.Use == workload.Amount:
			x = math.Log2(1 + x)
		}
		v[i], some = x, true
	}
	return v, some
}

// askedPool numbers the combinations of values from 1, in the order of their first request.
// 0 stands for requests whose values are all unknown.
type askedPool struct {
	numbers map[askedValues]int32
	values  []askedValues // by number
}

// number returns the number of a request's values.
func (p *askedPool) number(r *workload.Request) int32 {
	v, some := askedOf(r)
	if !some {
		return 0
	}
	if p.numbers == nil {
		var none askedValues
		for i := range none {
			none[i] = -1
		}
		p.numbers, p.values = map[askedValues]int32{}, []askedValues{none}
	}
	n, met := p.numbers[v]
	if !met {
		n = int32(len(p.values))
		p.numbers[v], p.values = n, append(p.values, v)
	}
	return n
}

// far returns the distance of the values of two numbers: octave times the differences of
// amounts in log2, 1 for each identifier that differs, and 1 for each value that only one of
// the two has.
func (p *askedPool) far(m, n int32, octave float64) float64 {
	if m == n {
		return 0
	}
	v, w := &p.values[m], &p.values[n]
	d := 0.0
	for i, c := range askedColumns {
		switch x, y := v[i], w[i]; {
		case x == y:
		case x < 0 || y < 0 || c.Use == workload.Identifier:
			d++
		default:
			d += octave * math.Abs(x-y)
		}
	}
	return d
}

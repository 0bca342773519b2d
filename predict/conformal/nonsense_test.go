package conformal

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// constant is a fallback that always has the same bounds.
type constant struct{ n int }

func (c constant) Bounds(_ *workload.Request, bounds []float64) []float64 {
	for range c.n {
		bounds = append(bounds, 100)
	}
	return bounds
}

func (constant) Learn(*workload.Request, float64, []float64) {}

// plain are options with such a fallback.
func plain(quantiles ...float64) Options {
	return Options{Quantiles: quantiles, Confidence: 0.95, Fallback: func(quantiles []float64, _ float64) (Fallback, error) {
		return constant{len(quantiles)}, nil
	}}
}

// feed submits, starts and ends n jobs, one of which is always under way.
func feed(p *Predictor, from, n int, begin float64) (jobs []workload.Job) {
	r := rand.New(rand.NewPCG(1, 1))
	var last workload.Job
	for i := range n {
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit = int64(from+i), int64(from+i), begin+100*float64(i)
		j.User, j.Queue, j.Processors, j.Size, j.Time = int64(r.IntN(5)), int64(r.IntN(2)), 4, 4, 1000
		j.Wait, j.Run = float64(r.IntN(90)), 50
		p.Bounds(j.Request)
		p.Submit(j.Request)
		if i > 0 {
			p.Start(&last)
			p.End(last.Row, last.End())
		}
		last = j
		jobs = append(jobs, j)
	}
	return jobs
}

// encode is a file with the right checksum.
func encode(s *saved) ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		return nil, err
	}
	head := binary.LittleEndian.AppendUint32([]byte(words), crc32.ChecksumIEEE(b.Bytes()))
	return append(head, b.Bytes()...), nil
}

// decode is what Save wrote.
func decode(t *testing.T, data []byte) *saved {
	t.Helper()
	var s saved
	if err := gob.NewDecoder(bytes.NewReader(data[len(words)+4:])).Decode(&s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// spoil changes one thing somewhere below a value; it returns what.
func spoil(v reflect.Value, r *rand.Rand) string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return spoil(v.Elem(), r)
	case reflect.Struct:
		i := r.IntN(v.NumField())
		if !v.Field(i).CanSet() {
			return "unexported"
		}
		return v.Type().Field(i).Name + "." + spoil(v.Field(i), r)
	case reflect.Slice:
		switch n := v.Len(); {
		case n == 0 || r.IntN(4) == 0:
			m := r.IntN(n + 3)
			longer := reflect.MakeSlice(v.Type(), m, m)
			reflect.Copy(longer, v)
			v.Set(longer)
			return fmt.Sprintf("length %d for %d", m, n)
		default:
			i := r.IntN(n)
			return fmt.Sprintf("%d.", i) + spoil(v.Index(i), r)
		}
	case reflect.Map:
		keys := v.MapKeys()
		if len(keys) == 0 {
			return "empty"
		}
		key := keys[r.IntN(len(keys))]
		switch r.IntN(4) {
		case 0:
			v.SetMapIndex(key, reflect.Value{})
			return fmt.Sprintf("%v deleted", key)
		case 1:
			v.SetMapIndex(reflect.ValueOf(int64(math.MaxInt64)), v.MapIndex(key))
			return "a key more"
		}
		x := reflect.New(v.Type().Elem()).Elem()
		x.Set(v.MapIndex(key))
		what := spoil(x, r)
		v.SetMapIndex(key, x)
		return fmt.Sprintf("%v.", key) + what
	case reflect.Float64:
		all := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 1e308, -1e308, 1e9}
		v.SetFloat(all[r.IntN(len(all))])
	case reflect.Int, reflect.Int64:
		all := []int64{-1, 0, 1, math.MinInt64, math.MaxInt64, 1 << 40, 20_000, 100_000}
		v.SetInt(all[r.IntN(len(all))])
	case reflect.Uint64:
		v.SetUint(math.MaxUint64)
	case reflect.Uint8:
		v.SetUint(uint64(r.IntN(256)))
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString("nonsense")
	}
	return fmt.Sprint(v)
}

// A state with a right checksum and nonsense in it is an error, or a predictor that
// goes on: it does not panic, and a bound is no NaN and not below 0.
func TestNonsense(t *testing.T) {
	for _, n := range []int{100, 450} { // before and after it has learned
		p, err := New(plain(0.5, 0.95))
		if err != nil {
			t.Fatal(err)
		}
		jobs := feed(p, 0, n, 0)
		var b bytes.Buffer
		if err := p.Save(&b, jobs); err != nil {
			t.Fatal(err)
		}
		refused, went := 0, 0
		for seed := range uint64(120) {
			s, r, what := decode(t, b.Bytes()), rand.New(rand.NewPCG(seed, 1)), ""
			for range 1 + r.IntN(2) {
				what += spoil(reflect.ValueOf(s).Elem(), r) + "; "
			}
			data, err := encode(s)
			if err != nil {
				continue
			}
			func() {
				defer func() {
					if x := recover(); x != nil {
						t.Errorf("%d jobs, seed %d: %s: panic: %v", n, seed, what, x)
					}
				}()
				p, under, err := Load(bytes.NewReader(data), plain())
				if err != nil {
					refused++
					return
				}
				went++
				for _, j := range under {
					p.Submit(j.Request)
					p.Start(&j)
					p.End(j.Row, j.End())
				}
				begin := 0.0
				if p.Moment() > 0 && p.Moment() < 1e12 {
					begin = p.Moment()
				}
				feed(p, 0, 150, begin)
				for i, x := range p.Bounds(workload.UnknownJob().Request) {
					if !(x >= 0) {
						t.Errorf("%d jobs, seed %d: %s: bound %d is %g", n, seed, what, i, x)
					}
				}
			}()
		}
		t.Logf("%d jobs: %d refused, %d went on", n, refused, went)
	}
}

package model

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/dist"
)

// maxFile is the largest model file that Decode reads, in bytes: a class
// takes about a thousand.
const maxFile = 64 << 20

// Decode reads a model file. It is strict: a field that it does not know, one
// that is missing or given twice, one out of range, another schema version,
// and text after the model are each a *FieldError that names the field by its
// path and says what is allowed.
func Decode(r io.Reader) (Site, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return Site{}, err
	}
	if len(data) > maxFile {
		return Site{}, &FieldError{Saw: "a file of more than 64 MB", Want: "a model file"}
	}
	if err := wellFormed(data); err != nil {
		return Site{}, err
	}
	p := &parser{}
	s := p.site(data)
	if p.err != nil {
		return Site{}, p.err
	}
	if err := s.Validate(); err != nil {
		return Site{}, err
	}
	return s, nil
}

func (p *parser) site(data []byte) (s Site) {
	o := p.object("", data)
	// The version first: in a file of another version all else may differ.
	s.Schema = o.text("schema", required)
	if p.err == nil && s.Schema != Schema {
		p.fail(&FieldError{Path: "schema", Saw: shorten(s.Schema), Want: strconv.Quote(Schema)})
		return s
	}
	s.Name = o.text("name", required)
	s.Source = o.text("source", optional)
	s.Processors = o.integer("processors", required)
	for i, raw := range o.array("classes", required) {
		s.Classes = append(s.Classes, p.class(fmt.Sprintf("classes[%d]", i), raw))
	}
	if u := o.part("users"); u != nil {
		s.Users = u.users()
	}
	o.done()
	return s
}

func (p *parser) class(path string, raw []byte) (c Class) {
	o := p.object(path, raw)
	c.Name = o.text("name", required)
	c.Column = o.text("column", optional)
	if c.Column != "" {
		c.Value = o.integer("value", required)
	} else {
		c.Value = o.integer("value", optional)
	}
	c.Jobs = o.integer("jobs", optional)

	if m := o.part("malleable"); m != nil {
		c.Malleable.SequentialTime = m.law("sequential_time", required)
		c.Malleable.AverageParallelism = m.law("average_parallelism", required)
		c.Malleable.Sigma = m.law("sigma", required)
		c.Malleable.Allocation = Allocation(m.text("allocation", optional))
		m.done()
		o.names = append(o.names, "sizes", "run_times")
		for _, name := range []string{"sizes", "run_times"} {
			if o.has(name) {
				p.fail(&FieldError{Path: o.join(name), Saw: "given for malleable jobs", Want: "none"})
			}
		}
	} else {
		c.Sizes = o.object("sizes").sizes()
		c.RunTimes = o.object("run_times").runTimes()
	}
	c.Arrivals = o.object("arrivals").arrivals()
	if work := o.part("work"); work != nil {
		c.Work.Law, c.Work.MaxLn = lawOf[dist.HyperGamma](work, "law", true)
		work.done()
	}
	if e := o.part("estimates"); e != nil {
		c.Estimates = e.estimates()
	}
	o.done()
	return c
}

// part is an object that may be missing: nil then.
func (o *object) part(name string) *object {
	if !o.has(name) {
		o.names = append(o.names, name)
		return nil
	}
	return o.object(name)
}

func (o *object) sizes() (s Sizes) {
	if o.has("shares") {
		s.Shares = []SizeShare{}
		for i, raw := range o.array("shares", required) {
			row := o.p.object(fmt.Sprintf("%s[%d]", o.join("shares"), i), raw)
			s.Shares = append(s.Shares, SizeShare{row.integer("size", required), row.number("share")})
			row.done()
			if o.p.err != nil || i > MaxShares {
				break
			}
		}
		o.done()
		return s
	}
	s.SerialShare = o.number("serial_share")
	s.PowerOfTwoShare = o.number("power_of_two_share")
	if o.family("log2") == "gamma" {
		s.Log2Gamma, _ = lawOf[dist.Gamma](o, "log2", false)
	} else {
		s.Log2, _ = lawOf[dist.TwoStageUniform](o, "log2", false)
	}
	s.Smallest, s.Largest = o.integer("smallest", optional), o.integer("largest", optional)
	o.done()
	return s
}

func (o *object) runTimes() (r RunTimes) {
	line := true
	switch {
	case o.has("speedup"):
		s := o.object("speedup")
		r.Speedup.Form = SpeedupForm(s.text("form", required))
		switch r.Speedup.Form {
		case DowneySpeedup:
			r.Speedup.AverageParallelism, r.Speedup.Sigma = s.number("average_parallelism"), s.number("sigma")
		case AmdahlSpeedup:
			r.Speedup.SerialFraction = s.number("serial_fraction")
		}
		s.done()
		r.MaxLn, line = o.number("max_ln"), false
	case o.has("first") || o.has("second") || o.has("max_s"):
		r.First, r.Second = o.law("first", required), o.law("second", optional)
		r.MaxSeconds = o.above("max_s")
		line = r.Second != nil
	default:
		r.Law, r.MaxLn = lawOf[dist.HyperGamma](o, "law", true)
	}
	if line {
		r.PIntercept = o.number("p_intercept")
		r.PSlope = o.number("p_slope")
		if r.PForm = PForm(o.text("p_form", optional)); r.PForm == "linear" {
			r.PForm = Linear
		}
	}
	o.done()
	return r
}

func (o *object) arrivals() (a Arrivals) {
	a.Method = Method(o.text("method", required))
	if o.has("interarrival") {
		a.Seconds, a.MaxSeconds = o.law("interarrival", required), o.above("max_s")
	} else {
		a.Peak, a.MaxLn = lawOf[dist.Gamma](o, "peak", true)
		a.ARAR = o.number("arar")
	}
	switch {
	case o.has("day"):
		o.names = append(o.names, "cycle")
		o.weights("day", a.Day[:], "from midnight on")
	case a.Method != Stationary || o.has("cycle"):
		a.Cycle, _ = lawOf[dist.Gamma](o, "cycle", false)
	}
	a.MeanSeconds = o.above("mean_s")
	o.weights("week", a.Week[:], "from Sunday to Saturday")
	if b := o.part("bursts"); b != nil {
		a.Bursts = Bursts{Kind: BurstKind(b.text("kind", required)), Index: b.number("index"), Switching: b.above("switching")}
		b.done()
	}
	if b := o.part("bags"); b != nil {
		a.Bags = Bags{Size: b.law("size", required), Max: b.integer("max", required)}
		b.done()
	}
	o.done()
	return a
}

func (o *object) users() (u Users) {
	u = Users{Count: o.integer("count", required), Exponent: o.number("exponent"), Applications: o.integer("applications", required)}
	if s := o.part("sessions"); s != nil {
		u.Sessions = Sessions{Again: s.number("again"), Think: s.law("think", required), Max: s.above("max_s")}
		s.done()
	}
	o.done()
	if o.p.err == nil && u.Count == 0 {
		o.p.fail(&FieldError{Path: o.join("count"), Saw: "0", Want: fmt.Sprintf("a whole number from 1 to %d", MaxUsers)})
	}
	return u
}

// above reads a number that, where it is given, is above 0.
func (o *object) above(name string) (x float64) {
	given := o.has(name)
	o.read(name, optional, &x, "a number")
	if given && !(x > 0) {
		o.p.fail(&FieldError{Path: o.join(name), Saw: number(x), Want: "a number above 0, or none"})
	}
	return x
}

// weights reads a list of weights, if there is one.
func (o *object) weights(name string, into []float64, order string) {
	list := o.array(name, optional)
	if list == nil || o.p.err != nil {
		return
	}
	path := o.join(name)
	if len(list) != len(into) {
		o.p.fail(&FieldError{Path: path, Saw: fmt.Sprintf("%d numbers", len(list)), Want: fmt.Sprintf("%d, %s", len(into), order)})
		return
	}
	some := false
	for i, raw := range list {
		if string(raw) == "null" || json.Unmarshal(raw, &into[i]) != nil {
			o.p.fail(&FieldError{Path: fmt.Sprintf("%s[%d]", path, i), Saw: sample(raw), Want: "a number"})
		}
		some = some || into[i] != 0
	}
	if !some { // which stands for none
		o.p.fail(&FieldError{Path: path, Saw: "nothing but zeros", Want: "weights with mean 1"})
	}
}

// family looks at the family of a law before it is read.
func (o *object) family(name string) string {
	var peek struct{ Family string }
	if json.Unmarshal(o.fields[name], &peek) != nil {
		return ""
	}
	return peek.Family
}

// law reads a law of any family.
func (o *object) law(name string, n need) dist.Law {
	raw, ok := o.take(name, n)
	if !ok {
		return nil
	}
	path := o.join(name)
	if err := peekShapes(path, raw); err != nil {
		o.p.fail(err)
		return nil
	}
	l, err := dist.Unmarshal(raw)
	if err != nil {
		o.p.fail(lawError(path, err))
		return nil
	}
	return l
}

// peekShapes refuses huge shapes before the law is looked at, which alone
// would take minutes.
func peekShapes(path string, raw []byte) error {
	var peek struct{ Parameters map[string]float64 }
	if json.Unmarshal(raw, &peek) != nil {
		return nil
	}
	for _, p := range slices.Sorted(maps.Keys(peek.Parameters)) {
		if err := shape(path, p, peek.Parameters[p]); err != nil {
			return err
		}
	}
	return nil
}

// lawOf reads a law that must be of type L; of ln t, with a limit, where ln
// is set.
func lawOf[L dist.Law](o *object, name string, ln bool) (l L, maxLn float64) {
	raw, ok := o.take(name, required)
	if !ok {
		return l, 0
	}
	path := o.join(name)
	if err := peekShapes(path, raw); err != nil {
		o.p.fail(err)
		return l, 0
	}
	read, err := dist.Unmarshal(raw)
	if err != nil {
		o.p.fail(lawError(path, err))
		return l, 0
	}
	if ln {
		outer, ok := read.(dist.Ln)
		if !ok {
			o.p.fail(&FieldError{Path: path + ".transform", Saw: "missing", Want: `"ln"`})
			return l, 0
		}
		if outer.MaxLn == 0 {
			o.p.fail(&FieldError{Path: path + ".max_ln", Saw: "missing", Want: fmt.Sprintf("a number above 0, at most %d", MaxLnLimit)})
			return l, 0
		}
		read, maxLn = outer.Inner, outer.MaxLn
	} else if _, ok := read.(dist.Ln); ok {
		o.p.fail(&FieldError{Path: path + ".transform", Saw: `"ln"`, Want: "no transform at all"})
		return l, 0
	}
	l, ok = read.(L)
	if !ok {
		o.p.fail(&FieldError{Path: path + ".family", Saw: strconv.Quote(dist.Family(read)), Want: strconv.Quote(dist.Family(l))})
	}
	return l, maxLn
}

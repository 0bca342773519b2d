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

	sizes := o.object("sizes")
	c.Sizes.SerialShare = sizes.number("serial_share")
	c.Sizes.PowerOfTwoShare = sizes.number("power_of_two_share")
	c.Sizes.Log2, _ = lawOf[dist.TwoStageUniform](sizes, "log2", false)
	sizes.done()

	runTimes := o.object("run_times")
	c.RunTimes.Law, c.RunTimes.MaxLn = lawOf[dist.HyperGamma](runTimes, "law", true)
	c.RunTimes.PIntercept = runTimes.number("p_intercept")
	c.RunTimes.PSlope = runTimes.number("p_slope")
	if c.RunTimes.PForm = PForm(runTimes.text("p_form", optional)); c.RunTimes.PForm == "linear" {
		c.RunTimes.PForm = Linear
	}
	runTimes.done()

	arrivals := o.object("arrivals")
	c.Arrivals.Method = Method(arrivals.text("method", required))
	c.Arrivals.Peak, c.Arrivals.MaxLn = lawOf[dist.Gamma](arrivals, "peak", true)
	c.Arrivals.ARAR = arrivals.number("arar")
	if c.Arrivals.Method != Stationary || arrivals.has("cycle") {
		c.Arrivals.Cycle, _ = lawOf[dist.Gamma](arrivals, "cycle", false)
	}
	if week := arrivals.array("week", optional); week != nil {
		c.Arrivals.Week = p.week(arrivals.join("week"), week)
	}
	arrivals.done()

	if o.has("work") {
		work := o.object("work")
		c.Work.Law, c.Work.MaxLn = lawOf[dist.HyperGamma](work, "law", true)
		work.done()
	} else {
		o.names = append(o.names, "work")
	}
	o.done()
	return c
}

// week reads the weights of the days of a week.
func (p *parser) week(path string, list []json.RawMessage) (week [Weekdays]float64) {
	if len(list) != Weekdays {
		p.fail(&FieldError{Path: path, Saw: fmt.Sprintf("%d numbers", len(list)), Want: "7, from Sunday to Saturday"})
		return week
	}
	for i, raw := range list {
		if string(raw) == "null" || json.Unmarshal(raw, &week[i]) != nil {
			p.fail(&FieldError{Path: fmt.Sprintf("%s[%d]", path, i), Saw: sample(raw), Want: "a number"})
		}
	}
	if week == [Weekdays]float64{} { // which stands for none
		p.fail(&FieldError{Path: path, Saw: "nothing but zeros", Want: "weights with mean 1"})
	}
	return week
}

// lawOf reads a law that must be of type L; of ln t, with a limit, where ln
// is set.
func lawOf[L dist.Law](o *object, name string, ln bool) (l L, maxLn float64) {
	raw, ok := o.take(name, required)
	if !ok {
		return l, 0
	}
	path := o.join(name)
	// Before the law is looked at: with a huge shape that alone takes minutes.
	var peek struct{ Parameters map[string]float64 }
	if json.Unmarshal(raw, &peek) == nil {
		for _, p := range slices.Sorted(maps.Keys(peek.Parameters)) {
			if err := shape(path, p, peek.Parameters[p]); err != nil {
				o.p.fail(err)
				return l, 0
			}
		}
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

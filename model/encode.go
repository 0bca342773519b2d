package model

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/loadstone-hpc/loadstone/dist"
)

// The shapes of a model file, in the order in which its fields are written.
type (
	siteFile struct {
		Schema     string      `json:"schema"`
		Name       string      `json:"name"`
		Source     string      `json:"source,omitempty"`
		Processors int64       `json:"processors"`
		Classes    []classFile `json:"classes"`
		Users      *usersFile  `json:"users,omitempty"`
	}
	classFile struct {
		Name      string         `json:"name"`
		Column    string         `json:"column,omitempty"`
		Value     *int64         `json:"value,omitempty"`
		Jobs      int64          `json:"jobs,omitempty"`
		Malleable *malleableFile `json:"malleable,omitempty"`
		Sizes     *sizesFile     `json:"sizes,omitempty"`
		RunTimes  *runTimesFile  `json:"run_times,omitempty"`
		Arrivals  arrivalsFile   `json:"arrivals"`
		Work      *workFile      `json:"work,omitempty"`
		Estimates *estimatesFile `json:"estimates,omitempty"`
	}
	sizesFile struct {
		SerialShare     *float64    `json:"serial_share,omitempty"`
		PowerOfTwoShare *float64    `json:"power_of_two_share,omitempty"`
		Log2            *dist.JSON  `json:"log2,omitempty"`
		Smallest        int64       `json:"smallest,omitempty"`
		Largest         int64       `json:"largest,omitempty"`
		Shares          []SizeShare `json:"shares,omitempty"`
	}
	runTimesFile struct {
		Law        *dist.JSON   `json:"law,omitempty"`
		First      *dist.JSON   `json:"first,omitempty"`
		Second     *dist.JSON   `json:"second,omitempty"`
		MaxSeconds float64      `json:"max_s,omitempty"`
		Speedup    *speedupFile `json:"speedup,omitempty"`
		MaxLn      float64      `json:"max_ln,omitempty"` // with a speedup only: else the law has it
		PIntercept *float64     `json:"p_intercept,omitempty"`
		PSlope     *float64     `json:"p_slope,omitempty"`
		PForm      PForm        `json:"p_form,omitempty"`
	}
	speedupFile struct {
		Form               SpeedupForm `json:"form"`
		AverageParallelism *float64    `json:"average_parallelism,omitempty"`
		Sigma              *float64    `json:"sigma,omitempty"`
		SerialFraction     *float64    `json:"serial_fraction,omitempty"`
	}
	malleableFile struct {
		SequentialTime     dist.JSON  `json:"sequential_time"`
		AverageParallelism dist.JSON  `json:"average_parallelism"`
		Sigma              dist.JSON  `json:"sigma"`
		Allocation         Allocation `json:"allocation,omitempty"`
	}
	workFile struct {
		Law dist.JSON `json:"law"`
	}
	arrivalsFile struct {
		Method       Method      `json:"method"`
		Peak         *dist.JSON  `json:"peak,omitempty"`
		ARAR         *float64    `json:"arar,omitempty"`
		Interarrival *dist.JSON  `json:"interarrival,omitempty"`
		MaxSeconds   float64     `json:"max_s,omitempty"`
		MeanSeconds  float64     `json:"mean_s,omitempty"`
		Cycle        *dist.JSON  `json:"cycle,omitempty"`
		Day          []float64   `json:"day,omitempty"`
		Week         []float64   `json:"week,omitempty"`
		Bursts       *burstsFile `json:"bursts,omitempty"`
		Bags         *bagsFile   `json:"bags,omitempty"`
	}
	burstsFile struct {
		Kind      BurstKind `json:"kind"`
		Index     float64   `json:"index"`
		Switching float64   `json:"switching,omitempty"`
	}
	bagsFile struct {
		Size dist.JSON `json:"size"`
		Max  int64     `json:"max"`
	}
	usersFile struct {
		Count        int64         `json:"count"`
		Exponent     float64       `json:"exponent"`
		Applications int64         `json:"applications"`
		Sessions     *sessionsFile `json:"sessions,omitempty"`
	}
	sessionsFile struct {
		Again float64   `json:"again"`
		Think dist.JSON `json:"think"`
		Max   float64   `json:"max_s,omitempty"`
	}
)

// Encode writes the model as JSON: two blanks a level, fields in a fixed
// order, numbers with the digits they need to be read back exactly, and a
// newline at the end. A model that Validate rejects is not written.
func Encode(w io.Writer, s Site) error {
	if err := s.Validate(); err != nil {
		return err
	}
	file := siteFile{Schema: s.Schema, Name: s.Name, Source: s.Source, Processors: s.Processors}
	for _, c := range s.Classes {
		file.Classes = append(file.Classes, c.file())
	}
	if s.Users.Known() {
		file.Users = s.Users.file()
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(file); err != nil {
		return &FieldError{Err: err}
	}
	_, err := w.Write(inOneLine(b.Bytes(), "accuracy"))
	return err
}

// lawFile is a law as a field that may be missing.
func lawFile(l dist.Law) *dist.JSON {
	if l == nil {
		return nil
	}
	return &dist.JSON{Law: l}
}

func (c Class) file() classFile {
	f := classFile{Name: c.Name, Column: c.Column, Jobs: c.Jobs, Arrivals: c.Arrivals.file()}
	if c.Column != "" {
		f.Value = &c.Value
	}
	if m := c.Malleable; m.Known() {
		f.Malleable = &malleableFile{dist.JSON{Law: m.SequentialTime}, dist.JSON{Law: m.AverageParallelism}, dist.JSON{Law: m.Sigma}, m.Allocation}
	} else {
		f.Sizes, f.RunTimes = c.Sizes.file(), c.RunTimes.file()
	}
	if c.Work.Known() {
		f.Work = &workFile{dist.JSON{Law: dist.Ln{Inner: c.Work.Law, MaxLn: c.Work.MaxLn}}}
	}
	if c.Estimates.Known() {
		f.Estimates = c.Estimates.file()
	}
	return f
}

func (s Sizes) file() *sizesFile {
	if s.Shares != nil {
		return &sizesFile{Shares: s.Shares}
	}
	f := &sizesFile{SerialShare: &s.SerialShare, PowerOfTwoShare: &s.PowerOfTwoShare, Log2: &dist.JSON{Law: s.Log2}, Smallest: s.Smallest, Largest: s.Largest}
	if s.Log2Gamma != (dist.Gamma{}) {
		f.Log2.Law = s.Log2Gamma
	}
	return f
}

func (r RunTimes) file() *runTimesFile {
	f := &runTimesFile{PForm: r.PForm}
	switch {
	case r.Speedup.Known():
		f.MaxLn = r.MaxLn
		f.Speedup = &speedupFile{Form: r.Speedup.Form}
		switch r.Speedup.Form {
		case DowneySpeedup:
			f.Speedup.AverageParallelism, f.Speedup.Sigma = &r.Speedup.AverageParallelism, &r.Speedup.Sigma
		case AmdahlSpeedup:
			f.Speedup.SerialFraction = &r.Speedup.SerialFraction
		}
		return f
	case r.First != nil:
		f.First, f.Second, f.MaxSeconds = lawFile(r.First), lawFile(r.Second), r.MaxSeconds
		if r.Second == nil {
			return f
		}
	default:
		f.Law = &dist.JSON{Law: dist.Ln{Inner: r.Law, MaxLn: r.MaxLn}}
	}
	f.PIntercept, f.PSlope = &r.PIntercept, &r.PSlope
	return f
}

func (a Arrivals) file() arrivalsFile {
	f := arrivalsFile{Method: a.Method, Interarrival: lawFile(a.Seconds), MaxSeconds: a.MaxSeconds, MeanSeconds: a.MeanSeconds}
	if a.Seconds == nil {
		f.Peak, f.ARAR = &dist.JSON{Law: dist.Ln{Inner: a.Peak, MaxLn: a.MaxLn}}, &a.ARAR
	}
	if a.Cycle != (dist.Gamma{}) {
		f.Cycle = &dist.JSON{Law: a.Cycle}
	}
	if a.HasDay() {
		f.Day = a.Day[:]
	}
	if a.HasWeek() {
		f.Week = a.Week[:]
	}
	if b := a.Bursts; b.Known() {
		f.Bursts = &burstsFile{b.Kind, b.Index, b.Switching}
	}
	if a.Bags.Known() {
		f.Bags = &bagsFile{dist.JSON{Law: a.Bags.Size}, a.Bags.Max}
	}
	return f
}

func (u Users) file() *usersFile {
	f := &usersFile{Count: u.Count, Exponent: u.Exponent, Applications: u.Applications}
	if s := u.Sessions; s.Known() {
		f.Sessions = &sessionsFile{s.Again, dist.JSON{Law: s.Think}, s.Max}
	}
	return f
}

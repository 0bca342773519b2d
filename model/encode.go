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
	}
	classFile struct {
		Name     string       `json:"name"`
		Column   string       `json:"column,omitempty"`
		Value    *int64       `json:"value,omitempty"`
		Jobs     int64        `json:"jobs,omitempty"`
		Sizes    sizesFile    `json:"sizes"`
		RunTimes runTimesFile `json:"run_times"`
		Arrivals arrivalsFile `json:"arrivals"`
		Work     *workFile    `json:"work,omitempty"`
	}
	sizesFile struct {
		SerialShare     float64   `json:"serial_share"`
		PowerOfTwoShare float64   `json:"power_of_two_share"`
		Log2            dist.JSON `json:"log2"`
	}
	runTimesFile struct {
		Law        dist.JSON `json:"law"`
		PIntercept float64   `json:"p_intercept"`
		PSlope     float64   `json:"p_slope"`
		PForm      PForm     `json:"p_form,omitempty"`
	}
	workFile struct {
		Law dist.JSON `json:"law"`
	}
	arrivalsFile struct {
		Method Method     `json:"method"`
		Peak   dist.JSON  `json:"peak"`
		ARAR   float64    `json:"arar"`
		Cycle  *dist.JSON `json:"cycle,omitempty"`
		Week   []float64  `json:"week,omitempty"`
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
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(file); err != nil {
		return &FieldError{Err: err}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (c Class) file() classFile {
	f := classFile{
		Name:   c.Name,
		Column: c.Column,
		Jobs:   c.Jobs,
		Sizes:  sizesFile{c.Sizes.SerialShare, c.Sizes.PowerOfTwoShare, dist.JSON{Law: c.Sizes.Log2}},
		RunTimes: runTimesFile{
			Law:        dist.JSON{Law: dist.Ln{Inner: c.RunTimes.Law, MaxLn: c.RunTimes.MaxLn}},
			PIntercept: c.RunTimes.PIntercept,
			PSlope:     c.RunTimes.PSlope,
			PForm:      c.RunTimes.PForm,
		},
		Arrivals: arrivalsFile{
			Method: c.Arrivals.Method,
			Peak:   dist.JSON{Law: dist.Ln{Inner: c.Arrivals.Peak, MaxLn: c.Arrivals.MaxLn}},
			ARAR:   c.Arrivals.ARAR,
		},
	}
	if c.Column != "" {
		f.Value = &c.Value
	}
	if c.Arrivals.Method != Stationary {
		f.Arrivals.Cycle = &dist.JSON{Law: c.Arrivals.Cycle}
	}
	if c.Arrivals.HasWeek() {
		f.Arrivals.Week = c.Arrivals.Week[:]
	}
	if c.Work.Known() {
		f.Work = &workFile{dist.JSON{Law: dist.Ln{Inner: c.Work.Law, MaxLn: c.Work.MaxLn}}}
	}
	return f
}

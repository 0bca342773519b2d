package conformal

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/loadstone-hpc/loadstone/predict/forest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A saved Predictor is these words, the checksum of the rest, and the rest in the form of
// encoding/gob. Another form has another number.
const words = "loadstone conformal state 1\n"

// saved is what is saved.
type saved struct {
	Quantiles  []float64
	Confidence float64
	Features   []string
	State      state
	Forest     []byte // none before it has learned
	UnderWay   []workload.Job
}

// Save writes what p knows, for Load. jobs are those that were replayed, of which
// those under way are saved too: a replay that goes on needs to know what comes of them.
// p does not read it. A live service has none.
func (p *Predictor) Save(w io.Writer, jobs []workload.Job) error {
	s := saved{Quantiles: p.options.Quantiles, Confidence: p.options.Confidence, State: p.state}
	for _, f := range p.options.Features {
		s.Features = append(s.Features, f.Name)
	}
	for _, j := range jobs {
		j.Row += p.shift
		if p.underWay(j.Row) {
			s.UnderWay = append(s.UnderWay, j)
		}
	}
	var err error
	if p.forest != nil {
		if s.Forest, err = p.forest.MarshalBinary(); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		return err
	}
	head := binary.LittleEndian.AppendUint32([]byte(words), crc32.ChecksumIEEE(b.Bytes()))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// underWay says whether the job of a row, shifted, waits or runs.
func (p *Predictor) underWay(row int64) bool {
	return p.Waiting[row] != nil || p.Queue.Jobs[row] != nil
}

// Load reads what Save wrote. The Predictor goes on with a log that goes on where the
// last one ended: in the same time, and with rows from 0. jobs are those under way, with
// rows below 0; a replay begins with them. Of the options Fallback is used, and the others
// are those saved. Anything but a whole file of Save is an error.
func Load(r io.Reader, o Options) (p *Predictor, jobs []workload.Job, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	rest, ok := bytes.CutPrefix(data, []byte(words))
	if !ok {
		return nil, nil, fmt.Errorf("saw no state of conformal, want a file that begins with %q", words)
	}
	if len(rest) < 4 || binary.LittleEndian.Uint32(rest) != crc32.ChecksumIEEE(rest[4:]) {
		return nil, nil, errors.New("a damaged state of conformal: its checksum is wrong")
	}
	var s saved
	if err := gob.NewDecoder(bytes.NewReader(rest[4:])).Decode(&s); err != nil {
		return nil, nil, fmt.Errorf("a damaged state of conformal: %w", err)
	}
	if p, err = s.resume(o); err != nil {
		return nil, nil, fmt.Errorf("a damaged state of conformal: %w", err)
	}
	for i := range s.UnderWay {
		s.UnderWay[i].Row -= p.shift
	}
	return p, s.UnderWay, nil
}

// resume makes a Predictor of what was saved.
func (s *saved) resume(o Options) (*Predictor, error) {
	o.Quantiles, o.Confidence, o.Features = s.Quantiles, s.Confidence, nil
	for _, name := range s.Features {
		f := workload.FindColumn(name)
		if f == nil {
			return nil, fmt.Errorf("the column %q, want one of the table", name)
		}
		o.Features = append(o.Features, f)
	}
	p, err := New(o)
	if err != nil {
		return nil, err
	}
	fresh := p.state
	p.state = s.State
	if err := p.check(&fresh); err != nil {
		return nil, err
	}
	if err := p.Queue.Resume(o.Features); err != nil {
		return nil, err
	}
	p.shift = p.Last + 1
	if s.Forest == nil {
		for i := range p.Past {
			past := &p.Past[i]
			p.fallback.Learn(&past.Request, past.Wait, past.Bounds)
		}
		return p, nil
	}
	p.fallback, p.forest = nil, new(forest.Forest)
	if err := p.forest.UnmarshalBinary(s.Forest); err != nil {
		return nil, err
	}
	if p.forest.Columns() != len(fresh.Window.Columns) || len(p.Window.Marginal) != marginalSteps+1 {
		return nil, errors.New("a forest of other columns")
	}
	return p, nil
}

// check returns an error where the parts of a state that was read do not fit together.
func (p *Predictor) check(fresh *state) error {
	w, n := &p.Window, len(p.options.Quantiles)
	rows := w.rows()
	whole := rows <= windowJobs && rows == min(w.Seen, windowJobs) && len(w.Weights) == rows && len(w.Submits) == rows &&
		len(w.Answers) == rows && len(w.Columns) == len(fresh.Window.Columns)
	for _, column := range w.Columns {
		whole = whole && len(column) == rows
	}
	if !whole || p.Queue == nil || len(p.Controls) != n {
		return errors.New("its parts have different lengths")
	}
	for row, g := range p.Waiting {
		if g == nil || g.Place < 0 || g.Place >= rows || len(g.Bounds) != n || len(g.Missed) != n {
			return fmt.Errorf("the waiting job of row %d has no place", row)
		}
	}
	for _, past := range p.Past {
		if len(past.Bounds) != n {
			return errors.New("a past wait without its bounds")
		}
	}
	for _, d := range p.Due {
		if d.Value < 0 || d.Value >= n {
			return errors.New("a bound of no quantile")
		}
	}
	for i := range p.Controls {
		if p.Controls[i].Users == nil {
			p.Controls[i].Users = fresh.Controls[i].Users
		}
	}
	for _, m := range []*int{&p.Known, &p.Trained} {
		if *m < 0 {
			return errors.New("a number below 0")
		}
	}
	return nil
}

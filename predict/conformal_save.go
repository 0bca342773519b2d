package predict

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

// A saved Conformal is these words, the checksum of the rest, and the rest in the form of
// encoding/gob. Another form has another number.
const conformalWords = "loadstone conformal state 1\n"

// savedConformal is what is saved.
type savedConformal struct {
	Quantiles  []float64
	Confidence float64
	Features   []string
	State      conformalState
	Forest     []byte // none before it has learned
	UnderWay   []workload.Job
}

// Save writes what c knows, for LoadConformal. jobs are those that were replayed, of which
// those under way are saved too: a replay that goes on needs to know what comes of them.
// c does not read it. A live service has none.
func (c *Conformal) Save(w io.Writer, jobs []workload.Job) error {
	s := savedConformal{Quantiles: c.quantiles, Confidence: c.confidence, State: c.conformalState}
	for _, f := range c.options.Features {
		s.Features = append(s.Features, f.Name)
	}
	for _, j := range jobs {
		j.Row += c.shift
		if c.underWay(j.Row) {
			s.UnderWay = append(s.UnderWay, j)
		}
	}
	var err error
	if c.forest != nil {
		if s.Forest, err = c.forest.MarshalBinary(); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		return err
	}
	head := binary.LittleEndian.AppendUint32([]byte(conformalWords), crc32.ChecksumIEEE(b.Bytes()))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// underWay says whether the job of a row, shifted, waits or runs.
func (c *Conformal) underWay(row int64) bool {
	return c.Waiting[row] != nil || c.Queue.Jobs[row] != nil
}

// LoadConformal reads what Save wrote. The Conformal goes on with a log that goes on where
// the last one ended: in the same time, and with rows from 0. jobs are those under way,
// with rows below 0; a replay begins with them. Groups and Changes of the options are as
// of NewConformal, Features those saved. Anything but a whole file of Save is an error.
func LoadConformal(r io.Reader, o BoundOptions) (c *Conformal, jobs []workload.Job, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	rest, ok := bytes.CutPrefix(data, []byte(conformalWords))
	if !ok {
		return nil, nil, fmt.Errorf("saw no state of conformal, want a file that begins with %q", conformalWords)
	}
	if len(rest) < 4 || binary.LittleEndian.Uint32(rest) != crc32.ChecksumIEEE(rest[4:]) {
		return nil, nil, errors.New("a damaged state of conformal: its checksum is wrong")
	}
	var s savedConformal
	if err := gob.NewDecoder(bytes.NewReader(rest[4:])).Decode(&s); err != nil {
		return nil, nil, fmt.Errorf("a damaged state of conformal: %w", err)
	}
	if c, err = s.resume(o); err != nil {
		return nil, nil, fmt.Errorf("a damaged state of conformal: %w", err)
	}
	for i := range s.UnderWay {
		s.UnderWay[i].Row -= c.shift
	}
	return c, s.UnderWay, nil
}

// resume makes a Conformal of what was saved.
func (s *savedConformal) resume(o BoundOptions) (*Conformal, error) {
	o.Features = nil
	for _, name := range s.Features {
		f := workload.FindColumn(name)
		if f == nil {
			return nil, fmt.Errorf("the column %q, want one of the table", name)
		}
		o.Features = append(o.Features, f)
	}
	c, err := NewConformal(s.Quantiles, s.Confidence, o)
	if err != nil {
		return nil, err
	}
	fresh := c.conformalState
	c.conformalState = s.State
	if err := c.check(&fresh); err != nil {
		return nil, err
	}
	if err := c.Queue.Resume(o.Features); err != nil {
		return nil, err
	}
	c.shift = c.Last + 1
	if s.Forest == nil {
		for i := range c.Past {
			c.Past[i].teach(c.fallback)
		}
		return c, nil
	}
	c.fallback, c.forest = nil, new(forest.Forest)
	if err := c.forest.UnmarshalBinary(s.Forest); err != nil {
		return nil, err
	}
	if c.forest.Columns() != len(fresh.Window.Columns) || len(c.Window.Marginal) != marginalSteps+1 {
		return nil, errors.New("a forest of other columns")
	}
	return c, nil
}

// check returns an error where the parts of a state that was read do not fit together.
func (c *Conformal) check(fresh *conformalState) error {
	w, n := &c.Window, len(c.quantiles)
	rows := w.rows()
	whole := rows <= windowJobs && rows == min(w.Seen, windowJobs) && len(w.Weights) == rows && len(w.Submits) == rows &&
		len(w.Answers) == rows && len(w.Columns) == len(fresh.Window.Columns)
	for _, column := range w.Columns {
		whole = whole && len(column) == rows
	}
	if !whole || c.Queue == nil || len(c.Controls) != n {
		return errors.New("its parts have different lengths")
	}
	for row, g := range c.Waiting {
		if g == nil || g.Place < 0 || g.Place >= rows || len(g.Bounds) != n || len(g.Missed) != n {
			return fmt.Errorf("the waiting job of row %d has no place", row)
		}
	}
	for _, p := range c.Past {
		if len(p.Bounds) != n {
			return errors.New("a past wait without its bounds")
		}
	}
	for _, d := range c.Due {
		if d.Value < 0 || d.Value >= n {
			return errors.New("a bound of no quantile")
		}
	}
	for i := range c.Controls {
		if c.Controls[i].Users == nil {
			c.Controls[i].Users = fresh.Controls[i].Users
		}
	}
	for _, m := range []*int{&c.Known, &c.Trained} {
		if *m < 0 {
			return errors.New("a number below 0")
		}
	}
	return nil
}

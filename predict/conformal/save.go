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
const words = "loadstone conformal state 2\n"

// saved is what is saved.
type saved struct {
	Quantiles  []float64
	Confidence float64
	Features   []string
	State      state
	Forest     []byte // none before it has learned
	UnderWay   []workload.Job
}

// Save writes the state of p, for Load. jobs are the jobs that were replayed;
// those waiting or running are saved too, because a replay that continues needs
// their starts and ends. A live service passes none.
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

// Load reads what Save wrote. The Predictor continues with a log that starts
// where the last one ended, with the same time zero and with rows counted from
// 0. jobs are those that were waiting or running, with rows below 0; a replay
// begins with them. Only the option Fallback is used; the others are those
// saved. A file that Save did not write, or an incomplete one, is a
// *workload.InputError without a file name.
func Load(r io.Reader, o Options) (p *Predictor, jobs []workload.Job, err error) {
	head := make([]byte, len(words))
	if n, err := io.ReadFull(r, head); string(head) != words {
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return nil, nil, &workload.InputError{Err: err}
		}
		return nil, nil, &workload.InputError{Saw: workload.Shorten(head[:n]), Want: fmt.Sprintf("a state of conformal, which begins with %q", words)}
	}
	rest, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, &workload.InputError{Err: err}
	}
	if len(rest) < 4 || binary.LittleEndian.Uint32(rest) != crc32.ChecksumIEEE(rest[4:]) {
		return nil, nil, damaged(errors.New("its checksum is wrong"))
	}
	var s saved
	if err := gob.NewDecoder(bytes.NewReader(rest[4:])).Decode(&s); err != nil {
		return nil, nil, damaged(err)
	}
	if p, err = s.resume(o); err != nil {
		return nil, nil, damaged(err)
	}
	for i := range s.UnderWay {
		s.UnderWay[i].Row -= p.shift
	}
	return p, s.UnderWay, nil
}

func damaged(err error) error {
	return &workload.InputError{Saw: "a damaged state of conformal", Err: err}
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
	if err := p.check(&fresh, s.UnderWay); err != nil {
		return nil, err
	}
	if err := p.Queue.Resume(o.Features); err != nil {
		return nil, err
	}
	p.Window.count()
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
	if p.forest.Columns() != len(fresh.Window.Columns) {
		return nil, errors.New("a forest of other columns")
	}
	return p, p.Window.Marginal.check()
}

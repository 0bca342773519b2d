package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// own is the load of a workload that keeps its own.
var own = math.NaN()

// Plan is a valid study with the checksums of its inputs. It is immutable and safe for
// concurrent use.
type Plan struct {
	Study    *Study
	Identity string     // hash of all that determines the results, and their numbers
	Inputs   []Checksum // in the order of Study's logs, then its models

	cells  []cell
	points []Parameters // what is run on each workload
}

// Checksum identifies the content of an input.
type Checksum struct {
	Name   string `json:"name"`
	File   string `json:"file"`
	SHA256 string `json:"sha256"` // of the file, or of the text of a published model
}

// Run is one of a plan's runs.
type Run struct {
	Number   int    `json:"run" show:"run"` // from 1
	Identity string `json:"identity"`
	Parameters
}

// Parameters are what distinguishes a run from the other runs of its study.
type Parameters struct {
	Log  string           `json:"log" show:"log"`        // name of the log or model
	Load stats.Number     `json:"load" show:"load,full"` // offered; null for the workload's own
	Seed workload.Integer `json:"seed" show:"seed"`      // null where nothing is drawn
	// Processors is the size of the simulated machine; 0 means the workload's own.
	Processors int64  `json:"processors,omitempty" show:"processors"`
	Policy     string `json:"policy,omitempty" show:"policy"` // of schedules
	Estimates  string `json:"estimates,omitempty" show:"estimates"`
	Feedback   bool   `json:"feedback,omitempty" show:"feedback"`
	Kind       string `json:"predicts,omitempty" show:"predicts"` // of predictors: run-time or wait
	Predictor  string `json:"predictor,omitempty" show:"predictor"`
	Classes    string `json:"classes,omitempty" show:"classes"`
}

// What predictors predict.
const (
	KindRunTime = "run-time"
	KindWait    = "wait"
)

// cell is a workload without its seed: an input at a load.
type cell struct {
	input int
	load  float64
}

// Prepare validates a study and reads its inputs to their ends, for their checksums. An error
// about an input is a *KeyError.
func Prepare(ctx context.Context, s *Study) (*Plan, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	p := &Plan{Study: s, points: s.points()}
	for i, in := range s.inputs() {
		sum, err := s.checksum(ctx, i)
		if err == nil && i >= len(s.Logs) {
			_, _, err = s.model(in)
		}
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return nil, err
		case i < len(s.Logs):
			return nil, &KeyError{Key: "logs", Item: i, Err: err}
		default:
			return nil, &KeyError{Key: "models", Item: i - len(s.Logs), Err: err}
		}
		p.Inputs = append(p.Inputs, Checksum{in.Name, in.File, sum})
		for _, load := range s.loads() {
			p.cells = append(p.cells, cell{i, load})
		}
	}
	p.Identity = p.identity()
	return p, nil
}

// checksum is the hash of the i-th input.
func (s *Study) checksum(ctx context.Context, i int) (string, error) {
	in := s.inputs()[i]
	sum := sha256.New()
	if i >= len(s.Logs) && slices.Contains(model.Presets(), in.File) {
		site, err := model.Preset(in.File)
		if err == nil {
			err = model.Encode(sum, site)
		}
		return hex.EncodeToString(sum.Sum(nil)), err
	}
	path := s.path(in)
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && i >= len(s.Logs):
		return "", fmt.Errorf("%s: no such model file, and none of the published models %s", path, strings.Join(model.Presets(), ", "))
	case err != nil:
		return "", fileFault(path, "read", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a regular file, want one that several tasks can read", path)
	}
	if _, err := io.Copy(sum, readerUntil{ctx, f}); err != nil {
		return "", workload.About(path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// readerUntil ends with its context.
type readerUntil struct {
	ctx context.Context
	io.Reader
}

func (r readerUntil) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}

// cells is how many workloads there are for each seed.
func (s *Study) cells() int { return (len(s.Logs) + len(s.Models)) * max(1, len(s.Loads)) }

// points are the runs on each workload, in their order.
func (s *Study) points() (all []Parameters) {
	for _, n := range s.processors() {
		for _, p := range s.Policies {
			estimates := s.estimates()
			if !usesEstimates(p) {
				estimates = []string{""}
			}
			for _, e := range estimates {
				for _, f := range s.feedback() {
					all = append(all, Parameters{Processors: n, Policy: p, Estimates: e, Feedback: f})
				}
			}
		}
	}
	for _, p := range s.RunTimes {
		for _, c := range s.classes() {
			all = append(all, Parameters{Kind: KindRunTime, Predictor: p, Classes: c})
		}
	}
	for _, p := range s.Waits {
		all = append(all, Parameters{Kind: KindWait, Predictor: p})
	}
	return all
}

// Runs returns the number of runs.
func (p *Plan) Runs() int { return int(p.Study.seeds()) * p.Group() }

// Group returns the number of runs per seed.
func (p *Plan) Group() int { return len(p.cells) * len(p.points) }

// Run numbers count from 1; at takes one from 0.
func (p *Plan) at(k int) Run {
	s := p.Study
	c := p.cells[p.workload(k)%len(p.cells)]
	r := Run{Number: k + 1, Parameters: p.points[k%len(p.points)]}
	r.Log, r.Load, r.Seed = p.Inputs[c.input].Name, stats.Number(c.load), workload.Integer(workload.Unknown)
	if s.drawn() {
		r.Seed = workload.Integer(p.seed(k))
	}
	r.Identity = p.identify(&r, c.input)
	return r
}

// At returns the run of a number from 1 to Runs.
func (p *Plan) At(number int) (Run, error) {
	if number < 1 || number > p.Runs() {
		return Run{}, fmt.Errorf("study %s has no run %d, want 1 to %d", p.Study.Name, number, p.Runs())
	}
	return p.at(number - 1), nil
}

// workload is the number of the workload of the k-th run, in all seeds.
func (p *Plan) workload(k int) int { return k / len(p.points) }

func (p *Plan) seed(k int) uint64 {
	if p.Study.Seeds.Len() == 0 {
		return 1
	}
	return p.Study.Seeds.At(int64(k / p.Group()))
}

// identity hashes the axes of the study and what its runs share.
func (p *Plan) identity() string {
	var axes []string
	for c := range p.cells {
		axes = append(axes, p.at(c*len(p.points)).Identity)
	}
	for x := range p.points {
		axes = append(axes, p.at(x).Identity)
	}
	return hash(struct {
		Axes  []string
		Seeds Seeds
	}{axes, p.Study.Seeds})
}

// identify hashes all that determines the result of a run.
func (p *Plan) identify(r *Run, input int) string {
	s := p.Study
	in := s.inputs()[input]
	return hash(struct {
		Schema, Version, Input string
		Model                  bool
		Processors             int64
		TimeZone, As           string
		Workloads              Workloads
		Method                 string
		Days                   float64
		Jobs                   int64
		Parameters             Parameters
	}{Schema, version.Number, p.Inputs[input].SHA256, input >= len(s.Logs), in.Processors, in.TimeZone, in.As,
		s.workloads(), s.Method, s.Days, s.Jobs, r.Parameters})
}

func hash(of any) string {
	text, err := json.Marshal(of)
	if err != nil {
		panic("sweep: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

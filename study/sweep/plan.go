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
	"os"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Plan is a valid study with the checksums of its inputs. It is immutable and safe for
// concurrent use.
type Plan struct {
	Study    *Study
	Identity string     // hash of everything that determines the results and their numbers
	Inputs   []Checksum // in the order of Study's logs, then its models

	cells  []cell
	points []Parameters // parameters of the runs on each workload
}

// Checksum identifies the content of an input.
type Checksum struct {
	Name   string `json:"name"`
	File   string `json:"file"`
	SHA256 string `json:"sha256"` // of the file, or of the text of a published model
}

// Run is one of a plan's runs.
type Run struct {
	Number   int    `json:"run" help:"number of the run, from 1"`
	Identity string `json:"identity" help:"hash of all that determines its result"`
	Parameters
}

// Parameters distinguish a run from the other runs of its study.
type Parameters struct {
	Log        string           `json:"log" show:"log" help:"log or model"`
	Load       stats.Number     `json:"load" show:"load,full" help:"offered load asked for; null for the workload's own"`
	Seed       workload.Integer `json:"seed" show:"seed" help:"seed of the workload; null where nothing is drawn"`
	Processors int64            `json:"processors,omitempty" show:"processors" help:"processors of the machine simulated; 0 for the workload's own"`
	Policy     string           `json:"policy,omitempty" show:"policy" help:"policy of the schedule"`
	Estimates  string           `json:"estimates,omitempty" show:"estimates" help:"run times that the policy plans with; empty where it uses none"`
	Feedback   bool             `json:"feedback,omitempty" show:"feedback" help:"true of closed simulations"`
}

// cell is a workload without its seed: an input at a load.
type cell struct {
	input int
	load  float64
}

// ReadPlan reads a study file and prepares the study.
func ReadPlan(ctx context.Context, path string) (*Plan, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileFault(path, "read", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, fileFault(path, "read", err)
	}
	return Prepare(ctx, path, text)
}

// Prepare decodes a study in YAML or JSON, and reads its inputs to compute their checksums.
// Names of files in it are relative to the folder of path. A study without a name is named
// after the file. An error of the study or an input is a *workload.InputError with the line.
func Prepare(ctx context.Context, path string, text []byte) (*Plan, error) {
	s, err := decode(path, text)
	if err != nil {
		return nil, err
	}
	p := newPlan(s)
	for i, in := range s.inputs() {
		p.Inputs[i].SHA256, err = s.checksum(ctx, i)
		if err == nil && i >= len(s.Logs) {
			_, err = s.model(in)
		}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, s.file.Fault(s.pathOf(i), err)
		}
	}
	p.Identity = p.identity()
	return p, nil
}

// newPlan returns the plan of a study, without checksums.
func newPlan(s *Study) *Plan {
	p := &Plan{Study: s, points: s.points()}
	for i, in := range s.inputs() {
		p.Inputs = append(p.Inputs, Checksum{Name: in.Name, File: in.File})
		for _, load := range s.Loads {
			p.cells = append(p.cells, cell{i, load})
		}
	}
	return p
}

// checksum returns the hash of the i-th input.
func (s *Study) checksum(ctx context.Context, i int) (string, error) {
	in := s.inputs()[i]
	sum := sha256.New()
	if i >= len(s.Logs) && slices.Contains(model.Presets(), in.File) {
		sum.Write(model.PresetFile(in.File))
		return hex.EncodeToString(sum.Sum(nil)), nil
	}
	path := s.nameOf(in)
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

// readerUntil is a Reader that fails with the error of its context when that has ended.
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

// Runs returns the number of runs.
func (p *Plan) Runs() int { return int(p.Study.Seeds.Len()) * p.Group() }

// Group returns the number of runs per seed.
func (p *Plan) Group() int { return len(p.cells) * len(p.points) }

// at returns the k-th run, counted from 0; its Number counts from 1.
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

// At returns the run with a number from 1 to Runs.
func (p *Plan) At(number int) (Run, error) {
	if number < 1 || number > p.Runs() {
		return Run{}, fmt.Errorf("study %s has no run %d, want 1 to %d", p.Study.Name, number, p.Runs())
	}
	return p.at(number - 1), nil
}

// Each calls f with the runs, in order, until f returns an error, and returns that error.
func (p *Plan) Each(f func(Run) error) error {
	for k := range p.Runs() {
		if err := f(p.at(k)); err != nil {
			return err
		}
	}
	return nil
}

// workload returns the number of the workload of the k-th run, counted over all seeds.
func (p *Plan) workload(k int) int { return k / len(p.points) }

// seed returns the seed of the k-th run.
func (p *Plan) seed(k int) uint64 { return p.Study.Seeds.At(int64(k / p.Group())) }

// identity returns the hash of the axes of the study and of the settings that its runs share.
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

// identify returns the hash of everything that determines the result of a run.
func (p *Plan) identify(r *Run, input int) string {
	s := p.Study
	in := s.inputs()[input]
	return hash(struct {
		Schema, Version, Input string
		Model                  bool
		Processors             int64
		TimeZone, As           string
		Workloads              string
		Days                   float64
		Jobs                   int64
		Parameters             Parameters
	}{Schema, version.Number, p.Inputs[input].SHA256, input >= len(s.Logs), in.Processors, in.TimeZone, in.As,
		s.Workloads, s.Days, s.Jobs, r.Parameters})
}

func hash(of any) string {
	text, err := json.Marshal(of)
	if err != nil {
		panic("sweep: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

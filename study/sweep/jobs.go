package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/resample"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

// jobs contains the jobs of a workload, in memory. Runs share them and must not change them.
type jobs struct {
	name       string
	header     workload.Header
	processors int64
	load       float64 // actual offered load
	all        []workload.Job
	warnings   []workload.Warning
}

// log returns a log of the jobs, to be read once.
func (j *jobs) log() *workload.Log { return workload.LogOf(j.name, j.header, j.all) }

// drawn is a workload to be read into memory.
type drawn struct {
	header   workload.Header
	jobs     workload.JobSeq
	close    func() error // may be nil
	warnings func() []workload.Warning
}

// read returns the jobs of the workload of the k-th run. It checks the input against its
// checksum after reading it.
func (p *Plan) read(ctx context.Context, k int) (*jobs, error) {
	c := p.cells[p.workload(k)%len(p.cells)]
	in := p.Study.inputs()[c.input]
	j, err := p.make(ctx, in, c, p.seed(k))
	if err != nil {
		return nil, workload.About(p.describe(k), plain(ctx, err))
	}
	sum, err := p.Study.checksum(ctx, c.input)
	if err != nil {
		return nil, err
	}
	if want := p.Inputs[c.input].SHA256; sum != want {
		return nil, changed(p.Study.nameOf(in), sum, want)
	}
	return j, nil
}

func changed(file, sum, want string) error {
	return fmt.Errorf("%s: changed since the study began: its SHA-256 is %s, want %s: restore it, or use another folder of results", file, sum, want)
}

// plain returns an error without the backquotes by which a command recognises names of options to
// show as its flags: the options of a study are keys of its file.
func plain(ctx context.Context, err error) error {
	var option *workload.OptionError
	if ctx.Err() == nil && errors.As(err, &option) {
		return errors.New(strings.ReplaceAll(err.Error(), "`", ""))
	}
	return err
}

// describe names the workload of the k-th run.
func (p *Plan) describe(k int) string {
	r := p.at(k)
	text := r.Log
	if load := float64(r.Load); !math.IsNaN(load) {
		text += fmt.Sprintf(" at load %g", load)
	}
	if r.Seed.Known() {
		text += fmt.Sprintf(", seed %d", r.Seed)
	}
	return text
}

func (p *Plan) make(ctx context.Context, in Input, c cell, seed uint64) (*jobs, error) {
	d, err := p.draw(ctx, in, c, seed)
	if err != nil {
		return nil, err
	}
	if d.close != nil {
		defer d.close()
	}
	j := &jobs{name: in.Name, header: d.header, processors: in.Processors}
	if j.processors == 0 {
		j.processors, _ = d.header.Processors()
	}
	var odd workload.Warnings
	load := reshape.NewLoad()
	for job, err := range workload.InOrder(workload.Until(ctx, d.jobs), &odd) {
		if err != nil {
			return nil, err
		}
		if len(j.all) == MaxJobs {
			return nil, fmt.Errorf("more than %d jobs, which are held in memory: want fewer days, or a lower load", MaxJobs)
		}
		load.Add(&job)
		job.Row = int64(len(j.all))
		j.all = append(j.all, job)
	}
	if len(j.all) == 0 {
		return nil, workload.ErrNoJobs
	}
	j.load = load.Offered(j.processors)
	j.warnings = append(d.warnings(), odd.List()...)
	return j, nil
}

func (p *Plan) draw(ctx context.Context, in Input, c cell, seed uint64) (*drawn, error) {
	s := p.Study
	load := c.load
	if math.IsNaN(load) {
		load = 0
	}
	open := func() (*workload.Log, error) {
		return logfile.Open(s.nameOf(in), workload.Options{TimeZone: in.TimeZone, As: in.As, WaitFrom: workload.WaitFromSubmit})
	}
	switch {
	case c.input >= len(s.Logs):
		m, err := s.model(in)
		if err != nil {
			return nil, err
		}
		d, err := generate.Draw(ctx, m, generate.Options{Days: s.Days, Jobs: s.Jobs, Load: load, Processors: in.Processors, Seed: seed})
		if err != nil {
			return nil, err
		}
		return &drawn{d.Begun, d.Jobs, nil, noWarnings}, nil
	case s.Workloads == Scaled:
		r, err := reshape.Scale(ctx, open, reshape.ScaleOptions{Load: reshape.LoadTarget{Load: load}, Processors: in.Processors, Seed: seed})
		if err != nil {
			return nil, err
		}
		return &drawn{r.Log.Header, r.Jobs, r.Log.Close, r.Warnings}, nil
	}
	log, err := open()
	if err != nil {
		return nil, err
	}
	if s.Workloads == AsIs {
		return &drawn{log.Header, log.Jobs(), log.Close, log.Warnings}, nil
	}
	defer log.Close()
	twin, err := resample.New(ctx, log.Jobs(), log.Header, resample.Options{Days: s.Days, Jobs: s.Jobs, Load: load, Processors: in.Processors, Seed: seed})
	if err != nil {
		return nil, err
	}
	return &drawn{log.Header, twin.Jobs(ctx), func() error { return nil }, func() []workload.Warning { return append(log.Warnings(), twin.Warnings()...) }}, nil
}

func noWarnings() []workload.Warning { return nil }

// model reads a model: a published one, or a file of either form.
func (s *Study) model(in Input) (model.Model, error) {
	if slices.Contains(model.Presets(), in.File) {
		return model.Preset(in.File)
	}
	path := s.nameOf(in)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fileFault(path, "read", err)
	}
	return population.Read(path, text)
}

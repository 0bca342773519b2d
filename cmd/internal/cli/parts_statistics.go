package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/internal/part"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// statistics are what a command gathers of a log: those of its parts, merged in their
// order, are those of the log. S is a pointer.
type statistics[S any] interface {
	Read(context.Context, *workload.Log) error
	Merge(S) error
}

// checkedPart are statistics that may be such that no part can be made of them.
type checkedPart interface {
	// CheckPart returns the error that merging the statistics of this share with any
	// others would return.
	CheckPart(workload.Share) error
}

var _, _ checkedPart = (*inspect.Describer)(nil), (*lifetimes.Gathered)(nil)

// gather returns a log's statistics and the log, closed, with what it said of itself: by
// reading it, or its parts in loadstone merge. With --part it writes those of the share
// and returns errPart. begin makes empty statistics.
func gather[S statistics[S]](ctx context.Context, a *app, input string, begin func(*workload.Log) (S, error)) (S, *workload.Log, error) {
	if a.parts.files != nil {
		return merged(a, begin)
	}
	var none S
	var p part.Part
	if a.parts.share != "" {
		var err error
		if p.Task, err = a.task(input); err != nil {
			return none, nil, about(input, err)
		}
		a.warnCompressed(input, p.Log.Bytes)
	}
	log, err := a.open(input)
	if err != nil {
		return none, nil, err
	}
	defer log.Close()
	opened := slices.Clone(log.Warnings())
	s, err := begin(log)
	if err != nil {
		return none, nil, about(input, err)
	}
	if err := s.Read(ctx, log); err != nil {
		return none, nil, about(input, err)
	}
	if a.parts.share == "" {
		return s, log, nil
	}
	if x, ok := any(s).(checkedPart); ok {
		if err := x.CheckPart(p.Share); err != nil {
			return none, nil, about(input, err)
		}
	}
	return none, nil, a.writePart(&p, log.State(opened), s)
}

// largeCompressed is the size, in bytes, from which decompressing a log once for each
// part takes long: about 1 GB of SWF.
const largeCompressed = 128 << 20

// warnCompressed warns of a large compressed log, which is to be read in parts.
func (a *app) warnCompressed(input string, size int64) {
	if size < largeCompressed {
		return
	}
	if compressed, err := logfile.Compressed(input); err == nil && compressed {
		a.warn("%s: every part decompresses the log from its start; convert it to Parquet once (loadstone convert), or decompress it, and each part reads only its share", input)
	}
}

// merged puts the parts together.
func merged[S statistics[S]](a *app, begin func(*workload.Log) (S, error)) (all S, log *workload.Log, err error) {
	var readings []workload.LogState
	for i, path := range a.parts.files {
		p, err := part.Read(path)
		if err != nil {
			return all, nil, err
		}
		readings = append(readings, p.Reading)
		if err := sound(func() error { return addStatistics(&all, i == 0, p, begin) }); err != nil {
			return all, nil, about(path, err)
		}
	}
	readings[0].Name = a.parts.task.Log.Name
	return all, workload.JoinLogs(readings), nil
}

// addStatistics adds a part to those before.
func addStatistics[S statistics[S]](all *S, first bool, p *part.Part, begin func(*workload.Log) (S, error)) error {
	s, err := begin(workload.JoinLogs([]workload.LogState{p.Reading}))
	if err != nil {
		return err
	}
	if err := p.Get(s); err != nil {
		return err
	}
	if first {
		*all = s
		return nil
	}
	return (*all).Merge(s)
}

// sound calls f, which merges parts. A file that somebody made, with a checksum, can hold
// statistics that contradict each other: where f panics over them it is damage.
func sound(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("damaged statistics, which contradict each other")
		}
	}()
	return f()
}

package batsim

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/ids"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// delayType returns the type of a profile that only lasts for a time, under its name in a version
// of Batsim (see WriteOptions.Batsim). Each version rejects the other's name (Profile::from_json in
// its src/profiles.cpp, "Profile types overview" in its documentation).
func delayType(version int) (string, error) {
	switch version {
	case 0, 4:
		return "delay", nil
	case 5:
		return "DelayProfile", nil
	}
	return "", workload.OptionFault("batsim-version", version, "4 or 5")
}

// Format is the workload file format of the simulator Batsim. It is write-only.
var Format = workload.Format{
	Name:       "batsim",
	Extensions: []string{".batsim.json", ".batsim"},
	Text:       true,
	Create: func(w io.Writer, h workload.Header, o workload.WriteOptions) (workload.Writer, error) {
		delay, err := delayType(o.Batsim)
		if err != nil {
			return nil, err
		}
		return newWriter(w, h, delay), nil
	},
	Check: func(o workload.WriteOptions) error {
		_, err := delayType(o.Batsim)
		return err
	},
	Losses: Losses,
}

const (
	// maxProfiles is the largest number of run times whose profiles jobs share; jobs with other run
	// times have a profile each. It bounds the memory.
	maxProfiles = 1 << 18
	// maxResources is the largest number of resources: Batsim reads an int.
	maxResources = math.MaxInt32
)

// writer writes the workload file of the simulator Batsim
// (https://batsim.readthedocs.io/en/latest/input-workload.html): an object with jobs (id, subtime,
// res, walltime if it is known, profile), profiles, and nb_res, the size of the machine. The
// profiles are delays, one for each run time: a job lasts as long as in the log, wherever it is
// placed.
//
// The members that depend on all jobs follow the jobs, so that each job can be written at once; the
// order of members has no meaning in JSON. Jobs for which Batsim would reject the whole file are
// left out: see Losses.
type writer struct {
	w      io.Writer
	header workload.Header
	delay  string // the type of the profiles
	buf    []byte
	err    error

	row      int64 // rows seen
	jobs     int64 // jobs written
	largest  int64 // most resources of a job
	ids      ids.Set
	profiles map[float64]struct{} // run times that have a profile
	Most     int                  // largest number of profiles; see maxProfiles
	spool    *workload.TempFile   // holds the profiles until the jobs are written; nil until there are some
	lines    *bufio.Writer        // writes to spool
}

var _ workload.Writer = (*writer)(nil)

func newWriter(w io.Writer, h workload.Header, delay string) *writer {
	return &writer{w: w, header: h, delay: delay, ids: ids.New(), profiles: map[float64]struct{}{}, Most: maxProfiles}
}

// Write writes the jobs of a batch.
func (b *writer) Write(jobs *workload.Batch) error {
	b.buf = b.buf[:0]
	for i := range jobs.Rows {
		if b.err != nil {
			return b.err
		}
		b.row++
		j := jobs.Job(i, b.row-1)
		if refuses(&j) >= 0 {
			continue
		}
		b.job(&j)
	}
	b.flush()
	return b.err
}

func (b *writer) job(j *workload.Job) {
	if b.jobs == 0 {
		b.buf = append(b.buf, "{\n\"jobs\": [\n"...)
	} else {
		b.buf = append(b.buf, ",\n"...)
	}
	b.jobs++
	b.largest = max(b.largest, j.Size)
	b.buf = append(b.buf, `{"id": "`...)
	b.buf = b.appendID(b.buf, j.ID)
	b.buf = append(b.buf, `", "subtime": `...)
	b.buf = parse.AppendNumber(b.buf, j.Submit)
	b.buf = append(b.buf, `, "res": `...)
	b.buf = parse.AppendWhole(b.buf, j.Size)
	if limit := walltime(j); !math.IsNaN(limit) {
		b.buf = append(b.buf, `, "walltime": `...)
		b.buf = parse.AppendNumber(b.buf, limit)
	}
	b.buf = append(b.buf, `, "profile": "`...)
	b.buf = b.appendProfile(b.buf, j.Run)
	b.buf = append(b.buf, `"}`...)
}

// appendID appends a job's number. Batsim rejects a repeated one, so the row is appended to the
// number of a job that has another's, and to "row" for a job without a number.
func (b *writer) appendID(dst []byte, id int64) []byte {
	if id == workload.Unknown {
		dst = append(dst, "row"...)
	} else {
		dst = strconv.AppendInt(dst, id, 10)
		if seen, isSure := b.ids.Add(id); isSure && !seen {
			return dst
		}
	}
	dst = append(dst, '-')
	return strconv.AppendInt(dst, b.row, 10)
}

// appendProfile appends the name of a profile that lasts for run seconds, and creates the profile
// if there is none.
func (b *writer) appendProfile(dst []byte, run float64) []byte {
	from := len(dst)
	dst = append(dst, "delay"...)
	dst = parse.AppendNumber(dst, run)
	if _, ok := b.profiles[run]; ok {
		return dst
	}
	if len(b.profiles) < b.Most {
		b.profiles[run] = struct{}{}
	} else {
		dst = append(dst, '-')
		dst = strconv.AppendInt(dst, b.row, 10)
	}
	b.addProfile(dst[from:], run)
	return dst
}

// addProfile stores the line of a profile until the jobs are written.
func (b *writer) addProfile(name []byte, run float64) {
	before := ",\n\""
	if b.spool == nil {
		before = "\n\""
		if b.spool, b.err = workload.UnlinkedFile(); b.err != nil {
			return
		}
		b.lines = bufio.NewWriterSize(b.spool, 1<<16)
	}
	line := append([]byte(before), name...)
	line = append(line, `": {"type": "`+b.delay+`", "delay": `...)
	line = append(parse.AppendNumber(line, run), '}')
	_, b.err = b.lines.Write(line)
}

func (b *writer) flush() {
	if b.err == nil && len(b.buf) > 0 {
		_, b.err = b.w.Write(b.buf)
	}
	b.buf = b.buf[:0]
}

// Close writes the members that follow the jobs.
func (b *writer) Close() error {
	if b.err == nil {
		b.tail()
	}
	if b.spool != nil {
		b.spool.Close()
		b.spool = nil
	}
	return b.err
}

func (b *writer) tail() {
	b.buf = b.buf[:0]
	if b.jobs == 0 {
		b.buf = append(b.buf, "{\n\"jobs\": ["...)
	}
	b.buf = append(b.buf, "\n],\n\"profiles\": {"...)
	b.flush()
	b.copyProfiles()
	size := max(b.largest, 1)
	if n, ok := b.header.Processors(); ok && n <= maxResources {
		size = max(size, n)
	}
	b.buf = append(b.buf, "\n},\n\"nb_res\": "...)
	b.buf = parse.AppendWhole(b.buf, size)
	if len(b.header.Lines) > 0 {
		// Batsim ignores this member, which its own tools write.
		text, err := json.Marshal(strings.Join(b.header.Lines, "\n"))
		if err != nil && b.err == nil {
			b.err = err
		}
		b.buf = append(append(b.buf, ",\n\"description\": "...), text...)
	}
	b.buf = append(b.buf, "\n}\n"...)
	b.flush()
}

func (b *writer) copyProfiles() {
	if b.spool == nil || b.err != nil {
		return
	}
	if b.err = b.lines.Flush(); b.err == nil {
		_, b.err = b.spool.Seek(0, io.SeekStart)
	}
	if b.err == nil {
		_, b.err = io.Copy(b.w, b.spool)
	}
}

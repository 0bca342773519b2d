package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Store is a folder of results. manifest.json identifies the study, and the folder runs has
// a file for each run. Files are written completely or not at all. Several processes may write
// to one store.
type Store struct {
	Folder string
	plan   *Plan
	begin  func() error // writes the manifest, once
}

// manifest identifies the study to which a folder belongs.
type manifest struct {
	Schema   string     `json:"schema"`
	Version  string     `json:"version"`
	Study    string     `json:"study"`
	Identity string     `json:"identity"`
	Runs     int        `json:"runs"`
	Inputs   []Checksum `json:"inputs"`
}

// resultFile is the content of the file of a result.
type resultFile struct {
	Schema string `json:"schema"`
	Result Result `json:"result"`
}

// OpenStore opens a folder of results. If it does not exist, it is created with the first
// result. It is an error if the folder contains results of another study or version, or of
// inputs with different contents.
func OpenStore(folder string, p *Plan) (*Store, error) {
	s := &Store{Folder: folder, plan: p, begin: func() error { return nil }}
	path := filepath.Join(folder, "manifest.json")
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.begin = sync.OnceValue(func() error {
			text, err := json.MarshalIndent(manifest{Schema, version.Number, p.Study.Name, p.Identity, p.Runs(), p.Inputs}, "", "  ")
			if err != nil {
				return err
			}
			return writeFile(path, text)
		})
		return s, nil
	case err != nil:
		return nil, fileFault(path, "read", err)
	}
	return s, p.check(path, text)
}

// check returns an error if a manifest is not that of the plan.
func (p *Plan) check(path string, text []byte) error {
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return &workload.InputError{File: path, Saw: "no manifest of a study", Want: "that of study " + p.Study.Name + ": use another folder, or remove this one"}
	}
	if m.Identity == p.Identity {
		return nil
	}
	if len(m.Inputs) == len(p.Inputs) && m.Study == p.Study.Name && m.Version == version.Number {
		for i, in := range p.Inputs {
			if was := m.Inputs[i]; was.Name == in.Name && was.SHA256 != in.SHA256 {
				return fmt.Errorf("%w (%s)", changed(p.Study.nameOf(p.Study.inputs()[i]), in.SHA256, was.SHA256), path)
			}
		}
	}
	if m.Study == p.Study.Name && m.Runs == p.Runs() && m.Version == version.Number {
		return fmt.Errorf("%s: saw results of the study %q with other values of its keys: give another folder, or remove this one", path, m.Study)
	}
	return fmt.Errorf("%s: saw results of another study, %q with %d runs by version %s, want those of study %q with %d runs by version %s: give another folder, or remove this one",
		path, m.Study, m.Runs, m.Version, p.Study.Name, p.Runs(), version.Number)
}

// Path returns the path of the file of a run, relative to the store's folder.
func Path(number int) string {
	return filepath.Join("runs", fmt.Sprintf("%04d", number/1000), fmt.Sprintf("%07d.json", number))
}

// Load reads the result of a run; nil if the run is not done. A file that is damaged or
// contains another run is a *workload.InputError.
func (s *Store) Load(number int) (*Result, error) {
	run, err := s.plan.At(number)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(s.Folder, Path(number))
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fileFault(path, "read", err)
	}
	fault := &workload.InputError{File: path, Want: fmt.Sprintf("that of run %d of study %s; remove the file to run it again", number, s.plan.Study.Name)}
	var file resultFile
	if json.Unmarshal(text, &file) != nil {
		fault.Saw = "a damaged result"
		return nil, fault
	}
	if r := &file.Result; file.Schema != Schema || r.Identity != run.Identity || r.Number != number || len(r.Measures) != len(measures) {
		fault.Saw = "the result of another run"
		return nil, fault
	}
	return &file.Result, nil
}

// Missing returns the numbers of the runs from from to to, inclusive, that are not done.
func (s *Store) Missing(ctx context.Context, from, to int) (numbers []int, err error) {
	for k := from; k <= to; k++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, err := s.Load(k)
		if err != nil {
			return nil, err
		}
		if r == nil {
			numbers = append(numbers, k)
		}
	}
	return numbers, nil
}

// Save writes the file of a result.
func (s *Store) Save(r *Result) error {
	if err := s.begin(); err != nil {
		return err
	}
	text, err := json.Marshal(resultFile{Schema, *r})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(s.Folder, Path(r.Number)), text)
}

// staleAfter is the age after which a temporary file is assumed to be abandoned.
const staleAfter = time.Hour

// Tidy removes temporary files that killed processes have left, if they are older than an hour;
// another process may still be writing younger ones.
func (s *Store) Tidy() error {
	return filepath.WalkDir(s.Folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(d.Name(), ".") || !strings.HasSuffix(d.Name(), ".tmp") {
			return err
		}
		if info, err := d.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
			os.Remove(path) // if this fails, a later call tries again
		}
		return nil
	})
}

// writeFile writes a file with a final newline, and creates its folders.
func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fileFault(path, "write", err)
	}
	f, err := logfile.NewFile(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := bytes.NewReader(append(text, '\n')).WriteTo(f); err != nil {
		return err
	}
	return f.Commit()
}

// fileFault returns the error for a file that cannot be read or written; verb is "read" or "write".
func fileFault(path, verb string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: cannot be %s: %w", path, map[string]string{"read": "read", "write": "written"}[verb], err)
}

package sweep

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Store is a folder of results. manifest.json identifies the study, and the folder runs has
// a file for each run. Files appear complete or not at all. Several processes may write to
// one store.
type Store struct {
	Folder string
	plan   *Plan
}

// manifest says which study a folder is of.
type manifest struct {
	Schema  string                     `json:"schema"`
	Version string                     `json:"version"`
	Study   string                     `json:"study"`
	Hash    string                     `json:"identity"`
	Runs    int                        `json:"runs"`
	Inputs  []Checksum                 `json:"inputs"`
	Keys    map[string]json.RawMessage `json:"keys,omitempty"` // of the study, see Study.values
}

// resultFile is the content of a result's file.
type resultFile struct {
	Schema string          `json:"schema"`
	SHA256 string          `json:"sha256"` // of Result, compact
	Result json.RawMessage `json:"result"`
}

const manifestName = "manifest.json"

// OpenStore opens a folder of results, and creates it if it does not exist. It is an error
// if the folder has the results of another study or version, or of inputs with other
// contents.
func OpenStore(folder string, p *Plan) (*Store, error) {
	s := &Store{folder, p}
	found, err := s.find()
	if err == nil && !found {
		err = s.begin()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// ReadStore opens a folder of results that exists, and writes nothing.
func ReadStore(folder string, p *Plan) (*Store, error) {
	s := &Store{folder, p}
	found, err := s.find()
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fmt.Errorf("%s: no such file: want the folder of results of study %s, whose runs are done", filepath.Join(folder, manifestName), p.Study.Name)
	}
	return s, nil
}

// find reports whether the folder has a manifest, which is to be of the plan.
func (s *Store) find() (bool, error) {
	path := filepath.Join(s.Folder, manifestName)
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, fileFault(path, "read", err)
	}
	return true, s.check(path, text)
}

// begin writes the manifest. Of several processes that begin in one folder at once, one
// does; the others find its manifest.
func (s *Store) begin() error {
	if err := os.MkdirAll(filepath.Join(s.Folder, "runs"), 0o777); err != nil {
		return fileFault(s.Folder, "write", err)
	}
	path := filepath.Join(s.Folder, manifestName)
	// Without a manifest the results cannot be assigned to a study.
	left, err := filepath.Glob(filepath.Join(globQuoted(s.Folder), "runs", "*", "*.json"))
	if err != nil {
		return err
	}
	if len(left) > 0 {
		found, err := s.find() // of a process that has begun since
		if err == nil && !found {
			err = fmt.Errorf("%s: missing, although there are results such as %s: use an empty folder", path, left[0])
		}
		return err
	}
	p := s.plan
	text, err := json.MarshalIndent(manifest{Schema, version.Number, p.Study.Name, p.Identity, p.Runs(), p.Inputs, keysOf(p.Study)}, "", "  ")
	if err != nil {
		return err
	}
	switch err := createFile(path, append(text, '\n')); {
	case errors.Is(err, fs.ErrExist):
		_, err := s.find()
		return err
	case err != nil:
		return fileFault(path, "write", err)
	}
	return nil
}

// createFile writes a file that appears complete. The error is fs.ErrExist where there is
// one already.
func createFile(path string, text []byte) error {
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+strconv.FormatUint(rand.Uint64(), 36)+".tmp")
	defer os.Remove(temp)
	if err := createDirectly(temp, text); err != nil {
		return err
	}
	err := os.Link(temp, path)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links
		err = createDirectly(path, text)
	}
	return err
}

func createDirectly(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return cmp.Or(err, f.Close())
}

func (s *Store) check(path string, text []byte) error {
	var m manifest
	p := s.plan
	if err := json.Unmarshal(text, &m); err != nil {
		return &workload.InputError{File: path, Saw: "no manifest of a study", Want: "that of study " + p.Study.Name + ": use another folder, or remove this one"}
	}
	another := func(saw, want string) error {
		return fmt.Errorf("%s: saw %s, want %s: give another folder, or remove this one", path, saw, want)
	}
	switch {
	case m.Schema != Schema:
		return another(fmt.Sprintf("results of schema %q", m.Schema), Schema)
	case m.Version != version.Number:
		return another("results of version "+m.Version, "those of version "+version.Number)
	case m.Hash == p.Identity:
		return nil
	}
	if saw, want := changedKey(m.Keys, p.Study); saw != want {
		return another(fmt.Sprintf("results of another study, with %s", saw), want)
	}
	if len(m.Inputs) == len(p.Inputs) && m.Study == p.Study.Name {
		for i, in := range p.Inputs {
			if was := m.Inputs[i]; was.Name == in.Name && was.SHA256 != in.SHA256 {
				return fmt.Errorf("%w (%s)", changed(p.Study.path(p.Study.inputs()[i]), in.SHA256, was.SHA256), path)
			}
		}
	}
	return another(fmt.Sprintf("results of another study, %q with %d runs", m.Study, m.Runs), fmt.Sprintf("those of study %q with %d runs", p.Study.Name, p.Runs()))
}

// Path returns the file of a run, relative to the store's folder.
func Path(number int) string {
	return filepath.Join("runs", fmt.Sprintf("%04d", number/1000), fmt.Sprintf("%07d.json", number))
}

// Load reads the result of a run; nil where it is not done. A file that is damaged, or of
// another run, is an error.
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
	fault := func(saw, want string) error {
		return &workload.InputError{File: path, Saw: saw, Want: want + "; remove the file to run it again"}
	}
	var file resultFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fault("a damaged file", fmt.Sprintf("the result of run %d", number))
	}
	if file.Schema != Schema {
		return nil, fault(fmt.Sprintf("schema %q", file.Schema), Schema)
	}
	sum := sha256.Sum256(file.Result)
	if hex.EncodeToString(sum[:]) != file.SHA256 {
		return nil, fault("a damaged file, whose checksum does not match", fmt.Sprintf("the result of run %d", number))
	}
	var r Result
	if err := json.Unmarshal(file.Result, &r); err != nil {
		return nil, fault("a damaged file", fmt.Sprintf("the result of run %d", number))
	}
	if r.Identity != run.Identity || r.Number != number || len(r.Measures) != len(s.plan.measures(number-1)) {
		return nil, fault("the result of another study", fmt.Sprintf("that of run %d of study %s", number, s.plan.Study.Name))
	}
	return &r, nil
}

// Save writes a result's file.
func (s *Store) Save(r *Result) error {
	result, err := json.Marshal(r)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(result)
	text, err := json.Marshal(resultFile{Schema, hex.EncodeToString(sum[:]), result})
	if err != nil {
		return err
	}
	path := filepath.Join(s.Folder, Path(r.Number))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fileFault(path, "write", err)
	}
	return writeFile(path, append(text, '\n'))
}

// staleAfter is the age from which a temporary file is no longer one that another process
// is writing.
const staleAfter = time.Hour

// Tidy removes what processes that were killed an hour ago or earlier have left of files:
// younger ones may be those of another process at work.
func (s *Store) Tidy() error {
	for _, pattern := range []string{"runs/*/.*.json.*.tmp", ".manifest.json.*.tmp", ".table.*.tmp"} {
		left, err := filepath.Glob(filepath.Join(globQuoted(s.Folder), filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, path := range left {
			if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > staleAfter {
				os.Remove(path) // of the next call, where it fails
			}
		}
	}
	return nil
}

// globQuoted is a folder as a pattern that fits it alone.
func globQuoted(folder string) string {
	if os.PathSeparator == '\\' { // filepath.Match has no escapes
		return folder
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(folder)
}

func writeFile(path string, text []byte) error {
	f, err := logfile.NewFile(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := bytes.NewReader(text).WriteTo(f); err != nil {
		return err
	}
	return f.Commit()
}

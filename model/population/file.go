package population

import (
	"bytes"
	"regexp"

	"github.com/loadstone-hpc/loadstone/internal/strict"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// maxFile is the size of the largest file that Decode reads, in bytes. The model of a log of
// 448,000 jobs takes about 60,000.
const maxFile = 16 << 20

// Read reads the text of a model file of either form: a *Model or a model.Site.
func Read(name string, text []byte) (model.Model, error) {
	if IsModel(text) {
		m, err := Decode(name, text)
		return &m, err
	}
	return model.Decode(name, text)
}

// Decode reads the text of a model file. It is strict: a field that is unknown, missing, repeated
// or out of range is a *workload.InputError with the name of the file, the line and the path of
// the field.
func Decode(name string, text []byte) (m Model, err error) {
	if len(text) > maxFile {
		return m, &workload.InputError{File: name, Saw: "a file of more than 16 MB", Want: "a model file"}
	}
	_, err = strict.Decode(name, text, &m)
	return m, err
}

// schemaField matches the field schema. It does not match inside JSON strings, where quotes are
// escaped.
var schemaField = regexp.MustCompile(`"schema"\s*:\s*"` + Schema + `"`)

// IsModel reports whether a JSON text names the schema of a model of users. The
// text may be cut off or damaged elsewhere.
func IsModel(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) && schemaField.Match(text)
}

// Encode returns the text of the model file. It is an error if Validate rejects the model.
func (m *Model) Encode() ([]byte, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return strict.Encode(nil, m)
}

// Validate returns nil, or a *workload.OptionError for the first field that is out of range; its
// option is a path such as "users.strata[0].work".
func (m *Model) Validate() error { return strict.Validate(m) }

// Summary implements model.Model.
func (m *Model) Summary() model.Summary {
	return model.Summary{Processors: m.Processors, Unit: m.Unit.String(), Days: m.Log.Days, Load: m.Log.Load, Estimates: len(m.Estimates.Values) > 0, Checked: m.Checked}
}

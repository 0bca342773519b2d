package columnar

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Keys of the metadata of Arrow and Parquet files.
const (
	keySchema = "loadstone.schema" // SchemaVersion
	keyHeader = "loadstone.header" // the header's lines, joined by newlines
	// keyHeaderBase64 replaces the key above if a header line is not UTF-8, as in old logs: other
	// readers reject a file with such a string.
	keyHeaderBase64 = "loadstone.header_base64"
)

// fileMetadata returns the key-value pairs of a file with the given header.
func fileMetadata(h workload.Header) (keys, values []string) {
	keys, values = []string{keySchema}, []string{workload.SchemaVersion}
	if len(h.Lines) == 0 {
		return keys, values
	}
	text := strings.Join(h.Lines, "\n")
	if utf8.ValidString(text) {
		return append(keys, keyHeader), append(values, text)
	}
	return append(keys, keyHeaderBase64), append(values, base64.StdEncoding.EncodeToString([]byte(text)))
}

// jobFields returns the columns of a file with the optional columns in set, as Arrow fields with
// unit, meaning and SWF field number as metadata.
func jobFields(set workload.ColumnSet) (fields []arrow.Field) {
	for _, at := range set.Written() {
		c := workload.ColumnAt(at)
		keys, values := []string{"unit", "meaning"}, []string{c.Unit, c.Meaning}
		if c.SWF > 0 {
			keys, values = append(keys, "swf_field"), append(values, strconv.Itoa(c.SWF))
		}
		var kind arrow.DataType = arrow.PrimitiveTypes.Int64
		if c.Float() {
			kind = arrow.PrimitiveTypes.Float64
		}
		fields = append(fields, arrow.Field{Name: c.Name, Type: kind, Nullable: true, Metadata: arrow.NewMetadata(keys, values)})
	}
	return fields
}

// storedSchemaKey is the key of a Parquet file's metadata under which readers of Arrow look for the
// result of storedSchema.
const storedSchemaKey = "ARROW:schema"

// storedSchema returns a schema in Arrow's form, in base64. It includes data that Parquet has no
// place for: the unit and the meaning of each column.
func storedSchema(s *arrow.Schema) (string, error) {
	var b bytes.Buffer
	if err := ipc.NewWriter(&b, ipc.WithSchema(s)).Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// readMetadata returns the header in a file's key-value pairs; it is empty for a table of another
// program. A file of another schema version is an error, because its columns may have other
// meanings.
func readMetadata(name string, get func(key string) (string, bool)) (workload.Header, error) {
	if version, ok := get(keySchema); ok && version != workload.SchemaVersion {
		return workload.Header{}, &workload.InputError{File: name, Field: keySchema, Saw: workload.Shorten([]byte(version)), Want: workload.SchemaVersion}
	}
	if text, ok := get(keyHeader); ok {
		return workload.Header{Lines: strings.Split(text, "\n")}, nil
	}
	if text, ok := get(keyHeaderBase64); ok {
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return workload.Header{}, &workload.InputError{File: name, Field: keyHeaderBase64, Want: "base64", Err: err}
		}
		return workload.Header{Lines: strings.Split(string(b), "\n")}, nil
	}
	return workload.Header{}, nil
}

package jsontext_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
)

// document is JSON of the shape that Slurm prints, indented, of about size bytes.
func document(size int) []byte {
	var b bytes.Buffer
	b.WriteString("{\n  \"meta\": {},\n  \"jobs\": [")
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    {\n      \"job_id\": %d,\n      \"account\": \"physics\",\n      \"time\": {\n        \"elapsed\": 360,\n        \"limit\": {\n          \"set\": true,\n          \"infinite\": false,\n          \"number\": %d\n        }\n      },\n      \"tres\": {\n        \"allocated\": [\n          {\n            \"type\": \"cpu\",\n            \"count\": 64\n          }\n        ]\n      }\n    }", i, i%97)
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes()
}

func BenchmarkSkip(b *testing.B) {
	text := document(20 << 20)
	run := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("by=array", func() error {
		a := jsontext.NewArray(bytes.NewReader(text), "jobs", 1<<20, 2)
		for {
			c, err := a.Next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			a.Recycle(c)
		}
	})
	run("by=scanner", func() error {
		var s jsontext.Scanner
		s.Reset(text, 0, true)
		s.Skip()
		if f := s.Fault(); f != nil {
			return f
		}
		return nil
	})
	run("by=unmarshal", func() error {
		var d struct{ Jobs []struct{ Job_id int64 } }
		return json.Unmarshal(text, &d)
	})
	run("by=decoder", func() error {
		for d := json.NewDecoder(bytes.NewReader(text)); ; {
			if _, err := d.Token(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
}

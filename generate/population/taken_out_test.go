package population

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	fit "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Of a model with any one field taken out that Decode accepts, jobs are drawn.
func TestTakenOut(t *testing.T) {
	m, _, err := fit.Fit(context.Background(), workload.JobsOf(asking()), &workload.Header{}, "asking", 64)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := population.Encode(&file, m); err != nil {
		t.Fatal(err)
	}
	var whole any
	if err := json.Unmarshal(file.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	tried := 0
	var take func(path string, x any)
	take = func(path string, x any) {
		switch x := x.(type) {
		case map[string]any:
			for name, v := range x {
				delete(x, name)
				text, _ := json.Marshal(whole)
				if m, err := population.Decode(bytes.NewReader(text)); err == nil && name != "about" {
					tried++
					if jobs, _ := made(t, m, Options{Jobs: 300}); len(jobs) != 300 {
						t.Errorf("%s%s taken out: %d jobs", path, name, len(jobs))
					}
				}
				x[name] = v
				take(path+name+".", v)
			}
		case []any:
			if len(x) > 0 {
				take(strings.TrimSuffix(path, ".")+"[0].", x[0])
			}
		}
	}
	take("", whole)
	if tried < 20 {
		t.Errorf("%d models tried", tried)
	}
}

package population_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	fit "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ofGPUs is the model of 40 jobs of two users: of size 2, half of them with a GPU of
// kind 7, half without, and of size 4 with one. Where a log has no processors, its sizes
// are GPUs.
func ofGPUs(t testing.TB, processors bool) population.Model {
	t.Helper()
	var jobs []workload.Job
	for i := range 40 {
		j := workload.UnknownJob()
		j.User, j.Submit, j.Run, j.Wait = int64(i%2), 5000*float64(i), 60, 0
		gpus := int64(i % 2)
		if j.Size = 2; i < 20 {
			j.Size, gpus = 4, 1
		}
		if !processors {
			gpus, j.Size = j.Size, workload.Unknown
		}
		workload.FindColumn("requested_gpus").SetInt(&j, gpus)
		if gpus > 0 {
			workload.FindColumn("gpu_type").SetInt(&j, 7)
		}
		jobs = append(jobs, j)
	}
	var h workload.Header
	h.AddNamed("GPUType", 7, "A100")
	m, _, err := fit.Fit(context.Background(), workload.JobsOf(jobs), &h, "made up", 16)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func encoded(t testing.TB, m population.Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := population.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Faults of the resources in a file are errors that name the field, and say what is
// wanted in its place.
func TestResourcesEdited(t *testing.T) {
	for _, x := range []struct {
		processors           bool
		from, to, path, want string
	}{
		{true, `"sizes": [2, 2, 4]`, `"sizes": [2, 2, 3]`, "resources.sizes[2]", "one of sizes.sizes"},
		{true, `"sizes": [2, 2, 4]`, `"sizes": [4, 2, 2]`, "resources.sizes[1]", "not less than the one before"},
		{true, `"sizes": [2, 2, 4]`, `"sizes": [2, 2, 2]`, "resources.shares", "1"},
		{true, `"shares": [0.5, 0.5, 1]`, `"shares": [0.5, 0.4, 1]`, "resources.shares", "1"},
		{true, `"shares": [0.5, 0.5, 1]`, `"shares": [-0.5, 1.5, 1]`, "resources.shares[0]", "0 to 1"},
		{true, `"shares": [0.5, 0.5, 1]`, `"shares": [0.5, 0.5]`, "resources", "as many of both"},
		{true, `"sizes": [2, 4]`, `"sizes": [2, 3, 4]`, "sizes", "as many of both, one or more"},
		{true, `"name": "gpu_type_id"`, `"name": "gpus"`, "resources.columns[0].name", "one of gpu_type_id, requested_gpus"},
		{true, `"name": "gpu_type_id"`, `"name": "requested_gpus"`, "resources.columns[1].name", "each column once"},
		{true, `"7": "A100"`, `"8": "A100"`, "resources.columns[0].values[1]", "a kind of GPU with a name in resources.columns[0].names"},
		{true, `"7": "A100"`, `"7": " "`, "resources.columns[0].names", "names of one line"},
		{true, `"values": [0, 1, 1]`, `"values": [-2, 1, 1]`, "resources.columns[1].values[0]", "0 to 1e+15, or -1 for unknown"},
		{true, `"values": [0, 1, 1]`, `"values": [0, 1.5, 1]`, "resources.columns[1].values[1]", "a whole number"},
		{true, `"values": [0, 1, 1]`, `"values": [0, 1]`, "resources.columns[1].values", "3, one for each of resources.sizes"},
		{true, `"values": [0, 1, 1]`, `"values": [0, 1, 1], "unit": 1`, "resources.columns[1].unit", "none of that name"},
		{true, `"classes": [`, `"without_gpus": [], "classes": [`, "run_times.without_gpus", "1 to 64"},
		{true, `"classes": [`, `"without_gpus": [{"from": 2, "jobs": 1, "quantiles": {"p": [0], "x": [1]}}], "classes": [`, "run_times.without_gpus[0].from", "1"},
		{true, `"log": {`, `"unit": "cores", "log": {`, "unit", `"gpus" or "nodes", or none for processors`},
		{true, `"log": {`, `"unit": "gpus", "log": {`, "resources.sizes[0]", "0, the GPUs of the row"},
		{false, `"unit": "gpus"`, `"unit": "nodes"`, "resources.sizes[0]", "0, the nodes of the row"},
		{false, `"resources": {`, `"resources": {}, "resources2": {`, "resources2", "none of that name"},
	} {
		text := encoded(t, ofGPUs(t, x.processors))
		if !strings.Contains(text, x.from) {
			t.Fatalf("the file has no %s", x.from)
		}
		_, err := population.Decode(strings.NewReader(strings.Replace(text, x.from, x.to, 1)))
		var field *model.FieldError
		if !errors.As(err, &field) || field.Path != x.path || !strings.HasPrefix(field.Want, x.want) {
			t.Errorf("%s: %v, want an error at %q: %s", x.to, err, x.path, x.want)
		}
	}
}

// Without the part, jobs have sizes alone; a model whose sizes are GPUs needs it.
func TestResourcesTakenOut(t *testing.T) {
	for _, processors := range []bool{true, false} {
		jobtest.Without(t, []byte(encoded(t, ofGPUs(t, processors))), func(path, name string, text []byte) {
			if !strings.HasPrefix(path, "resources") && path != "unit" {
				return
			}
			_, err := population.Decode(bytes.NewReader(text))
			var field *model.FieldError
			switch errors.As(err, &field); {
			case name == "about" || name == "jobs" || path == "resources" && processors || path == "unit" || name == "columns" && processors:
				if err != nil {
					t.Errorf("%s taken out: %v", path, err)
				}
			case field == nil || !strings.HasPrefix(field.Path, "resources"):
				t.Errorf("%s taken out: %v, want an error of resources", path, err)
			}
		})
	}
}

// A model with resources that is written is read back the same.
func TestResourcesRoundTrip(t *testing.T) {
	for _, processors := range []bool{true, false} {
		m := ofGPUs(t, processors)
		back, err := population.Decode(strings.NewReader(encoded(t, m)))
		if err != nil || !reflect.DeepEqual(back, m) {
			t.Errorf("the model read differs from the one written: %v", err)
		}
	}
}

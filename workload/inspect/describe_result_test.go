package inspect

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// same compares descriptions: NaN equals NaN, and a share may differ in the last place as a
// percentage.
var same = cmp.Options{
	cmpopts.EquateErrors(),
	cmp.Comparer(func(a, b workload.Clock) bool { return a.Known == b.Known && a.Start.Equal(b.Start) }),
	cmp.Comparer(func(a, b stats.Number) bool { return a == b || !isNumber(a) && !isNumber(b) }),
	cmp.Comparer(func(a, b stats.Share) bool { return math.Abs(float64(a-b)) < 1e-15 || !isNumber(a) && !isNumber(b) }),
}

// Information from the header about the log and the values of a column.
func TestDescribeHeader(t *testing.T) {
	log := logOf(madeUp(300)...)
	log.Header.Lines = []string{" MaxProcs: 100", " UnixStartTime: 0", " TimeZoneString: Europe/Zurich", " Queue: 3 night"}
	o := everything
	o.Processors = 0
	d, err := Describe(t.Context(), log, o)
	if err != nil {
		t.Fatal(err)
	}
	if d.Log.Processors != 100 || d.Also[0].Values[0].Name != "01:00" || len(d.Warnings) > 0 {
		t.Errorf("of the header: %+v, %+v, %v", d.Log, d.Also[0], d.Warnings)
	}
	for _, v := range d.By.Values {
		if name := map[Value]string{"3": "night"}[v.Value]; v.Name != name {
			t.Errorf("queue %s is named %q, want %q", v.Value, v.Name, name)
		}
	}
	text, err := json.Marshal(d.By.Values[0].Value)
	if err != nil || string(text) != string(d.By.Values[0].Value) {
		t.Errorf("%s, %v", text, err)
	}
}

// Assumptions and omissions in a description are reported as warnings.
func TestDescribeWarns(t *testing.T) {
	for _, c := range []struct {
		name   string
		header []string
		o      DescribeOptions
		want   string // rules
	}{
		{"all is known", []string{" UnixStartTime: 0", " TimeZoneString: UTC"}, DescribeOptions{By: "hour"}, ""},
		{"no zone", []string{" UnixStartTime: 0"}, DescribeOptions{}, "header-clock"},
		{"no start, and no hours", nil, DescribeOptions{}, ""},
		{"no start", nil, DescribeOptions{By: "hour"}, "header-clock"},
	} {
		log := logOf()
		log.Header.Lines = c.header
		d, err := Describe(t.Context(), log, c.o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range d.Warnings {
			got = append(got, w.Rule)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: warnings %q, want %q", c.name, got, c.want)
		}
	}
}

// Conditions that option tags cannot express.
func TestDescribeOptionsAreChecked(t *testing.T) {
	var fault *workload.OptionError
	if _, err := Describe(t.Context(), logOf(), DescribeOptions{By: "job_id"}); !errors.As(err, &fault) || fault.Option != "by" {
		t.Errorf("by job_id: error %v", err)
	}
	if _, err := Describe(t.Context(), logOf(job(0, 0, 1, 1)), DescribeOptions{By: "think_time_s"}); err == nil || !strings.Contains(err.Error(), "no job has a think_time_s") {
		t.Errorf("by a column without a value: %v", err)
	}
}

// A log whose header gives GPUs and no processors has the load of its GPUs: 300 GPU seconds of 4
// GPUs in 100 s. With processors the load is that of the processors.
func TestOfferedLoadOfGPUs(t *testing.T) {
	gpus := workload.FindColumn("requested_gpus")
	jobs := []workload.Job{workload.UnknownJob(), workload.UnknownJob()}
	for i, n := range []int64{1, 2} {
		jobs[i].Submit, jobs[i].Run = float64(100*i), 100
		gpus.SetInt(&jobs[i], n)
	}
	for _, c := range []struct {
		lines []string
		load  stats.Number
		of    string
	}{
		{[]string{" MaxGPUs: 4"}, .75, "gpus"},
		{[]string{" MaxGPUs: 4", " MaxProcs: 8"}, stats.Number(math.NaN()), ""},
		{nil, stats.Number(math.NaN()), ""},
	} {
		log := logOf(jobs...)
		log.Header.Lines = c.lines
		d, err := Describe(t.Context(), log, DescribeOptions{})
		if err != nil || d.OfferedLoad != c.load && isNumber(c.load) || isNumber(d.OfferedLoad) != isNumber(c.load) || d.OfferedLoadOf != c.of {
			t.Errorf("%q: load %g of %q, %v, want %g of %q", c.lines, d.OfferedLoad, d.OfferedLoadOf, err, c.load, c.of)
		}
	}
}

package mapping_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// FuzzCSV holds the reader to its promise: jobs, the same with any number of
// workers, or one input error.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{
		"submit_time_s,run_time_s,user_id\n1,2,3\n,,\n4,5,bob\n",
		"s,e,r,u\n2024-01-01 10:00:00,2024-01-01T10:00:05Z,1-02:03:04,\"a\nb\"\n2024-01-02,,,\n",
		"job_id,status,requested_processors\n1_2,CANCELLED by 5,2.5\nx,9,1e3\n",
		"submit_time_s\n1e400\n", "s\n1\n2024-01-01\n", "s,e\n", ",\n,\n", "s\n\xff\n",
	} {
		f.Add(text, uint16(0))
		f.Add(text, uint16(30))
	}
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		o := workload.Options{TimeZone: "Europe/Zurich"}
		if strings.HasPrefix(text, "s") {
			o.Map = map[string]string{"submit_time": "s"}
			if strings.HasPrefix(text, "s,e") {
				o.Map["end_time"] = "e"
			}
			if strings.HasPrefix(text, "s,e,r,u") {
				o.Map["wait_time"], o.Map["user"] = "r", "u"
			}
		}
		read := func(workers int) (string, error) {
			o.Workers = workers
			l, err := mapping.OpenChunks("x", strings.NewReader(text), o, int(size)+1)
			if err != nil {
				return "", err
			}
			jobs, err := logtest.ReadAll(l)
			return fmt.Sprint(jobs, l.Header.Lines, l.Warnings()), err
		}
		one, err := read(1)
		two, err2 := read(2)
		if one != two || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Errorf("with one worker %s, %v; with two %s, %v", one, err, two, err2)
		}
		var e *workload.InputError
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%T %v", err, err)
		}
	})
}

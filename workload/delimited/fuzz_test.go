package delimited_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// FuzzCSVRecords compares records with encoding/csv, at any size of chunks:
// the same fields, and a fault where it finds one.
func FuzzCSVRecords(f *testing.F) {
	for _, text := range []string{
		"", "a", "a,b\n1,2\n", "a,b\r\n1,2\r\n", "\"a\",\"b\nc\"\n,\n", "\"a\"\"b\"\n\n\r\n \n", "a\"b\n", "\"a\"b\n", "\"a\n", "\"\"\n\"\"\"\"\n", "\"a\r\nb\",c\r\n", "\xef\xbb\xbfa,\"b\"", "\r", "a\r\rb\n", "\"a\"\r", "\"\r\"",
	} {
		f.Add(text, uint16(0))
		f.Add(text, uint16(5))
	}
	for size := range uint16(12) {
		f.Add("x,\"a\nb\",\"c\nd\"\n", size)
	}
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		if strings.Contains(text, "\x00") {
			return // which no text has
		}
		want, wantErr := delimited.SimpleRecords(text)
		got, err := delimited.CutRecords(text, int(size)+1)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("error %v, want %v", err, wantErr)
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Fatalf("records %q, want %q", got, want)
		}
	})
}

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
			l, err := delimited.OpenChunks("x", strings.NewReader(text), o, int(size)+1)
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

package runtime

import (
	"errors"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

func TestClasses(t *testing.T) {
	const none = workload.Unknown
	job := workload.Request{User: 1, Group: 2, Application: 3, Size: 4, Queue: 5, Partition: 6, Processors: 7}
	bare := workload.UnknownJob().Request
	tests := []struct {
		name string
		r    workload.Request
		want Key
	}{
		{"site", job, Key{6}},
		{"user-site", job, Key{1, 6}},
		{"user-app-size-site", bare, Key{none, none, none, none}},
		{"all", job, Key{}},
		{"user+queue", job, Key{1, 5}},
		{"site+group+processors", job, Key{6, 2, 7}},
		{"estimate", workload.Request{Time: 1}, Key{0x3ff0000000000000}},
	}
	for _, tt := range tests {
		c, err := ClassesByName(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Key(&tt.r); got != tt.want {
			t.Errorf("%s: key %v, want %v", tt.name, got, tt.want)
		}
	}
	by := jobtest.Must(workload.NewClassifier([]workload.ClassColumn{{Column: "group_id"}, {Column: "queue_id"}}))
	own := Classes{"group-queue", by}
	if got, want := own.Key(&job), (Key{2, 5}); got != want || own.Validate() != nil {
		t.Errorf("group-queue: key %v, want %v", got, want)
	}
}

func TestUnknownNames(t *testing.T) {
	status, err := workload.NewClassifier([]workload.ClassColumn{{Column: "status"}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		err  error
		want []string
	}{
		{"classes", second(ClassesByName("planet")), []string{`"planet"`, "site, user, user-site, user-app-size-site"}},
		{"entries predictor", third(Entries(workload.Grouping{}, nil, []string{"Last"}, nil)), []string{`"Last"`, "last2"}},
		{"column", second(ClassesByName("user+shoe")), []string{`"shoe"`, "user, group, application, queue, partition, gpu_type, account, qos, processors, estimate, memory, requested_nodes, requested_gpus, gpu_share, memory_total, size, nodes, gpus"}},
		{"alpha", second(New("es(alpha=-0.1)", Classes{})), []string{`predictors: "es(alpha=-0.1)", want alpha: 0 to 1`}},
		{"parameter", second(New("sm(windows=3)", Classes{})), []string{`want a parameter of sm instead of "windows": window; did you mean window?`}},
		{"bound of too many", second(New("quantile(q=0.9999)", Classes{})), []string{"0.9999", "at most 1000"}},
		{"not submitted", second(New("es", Classes{"odd", status})), []string{"odd", "status", "not known at submission"}},
	}
	for _, tt := range tests {
		if tt.err == nil {
			t.Errorf("%s: no error", tt.name)
			continue
		}
		// The error names the option; other faults are reported with the package's name.
		if option := new(workload.OptionError); !errors.As(tt.err, &option) {
			tt.want = append(tt.want, "job runtime: ")
		}
		for _, want := range tt.want {
			if !strings.Contains(tt.err.Error(), want) {
				t.Errorf("%s: %q does not contain %q", tt.name, tt.err, want)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }

func third[T any](_, _ T, err error) error { return err }

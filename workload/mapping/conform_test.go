package mapping_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

var csvCases = logtest.Cases{
	Texts: []string{
		"submit_time_s,run_time_s,user_id\n1,2,3\n,,\n4,5,bob\n",
		"s,e,r,u\n2024-01-01 10:00:00,2024-01-01T10:00:05Z,1-02:03:04,\"a\nb\"\n2024-01-02,,,\n",
		"job_id,status,requested_processors\n1_2,CANCELLED by 5,2.5\nx,9,1e3\n",
		"submit_time_s\n1e400\n", "s\n1\n2024-01-01\n", "s,e\n", ",\n,\n", "s\n\xff\n",
	},
	Endless: map[string][2]string{"names": {"", "a,"}, "field": {"submit_time_s\n", "1"}, "quote": {"submit_time_s,user\n1,\"", "a\n"}},
	Head:    "submit_time_s,user\n",
	Line:    func(n int) string { return fmt.Sprintf("%d,user%d\n", n, n%100) },
	Bound:   100 << 20,
	Loose:   true,
}

// openMapped reads the columns of csvCases, in chunks of the usual size: the first chunk determines
// whether a column has numbers or names.
func openMapped(name string, r io.Reader, o workload.Options, _ int) (*workload.Log, error) {
	text, err := io.ReadAll(io.LimitReader(r, 8))
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(text), "s,") || strings.HasPrefix(string(text), "s\n") {
		o.Map = map[string]string{"submit_time": "s"}
		if strings.HasPrefix(string(text), "s,e,r,u") {
			o.Map["end_time"], o.Map["wait_time"], o.Map["user"] = "e", "r", "u"
		}
	}
	return mapping.OpenCSV(name, io.MultiReader(strings.NewReader(string(text)), r), o)
}

func TestCSVConforms(t *testing.T) { logtest.Conform(t, openMapped, csvCases) }

func FuzzCSV(f *testing.F) { logtest.Fuzz(f, openMapped, csvCases) }

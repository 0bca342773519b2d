package mapping_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Jobs of the Grid Workload Format have what their fields say, with blanks or tabs between
// them: the oracle is the list of fields that each line was made of.
func TestGWFFields(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	or := func(value string) string {
		if rng.IntN(4) == 0 {
			return "-1"
		}
		return value
	}
	word := func() string { return or([]string{"alice", "bob", "x-1", "7", "a.b"}[rng.IntN(5)]) }
	var made [][]string
	var text strings.Builder
	text.WriteString("# Grid Workload Format\n")
	for row := range 2000 {
		fields := []string{strconv.Itoa(row + 1), strconv.Itoa(10 * row)}
		for i := 2; i < 10; i++ {
			value := strconv.Itoa(1 + rng.IntN(5000))
			if i != 4 && i != 7 && rng.IntN(3) == 0 { // not the processors
				value += ".25"
			}
			fields = append(fields, or(value))
		}
		fields = append(fields, or(strconv.Itoa(rng.IntN(6))))
		for range 7 {
			fields = append(fields, word())
		}
		for len(fields) < 29 {
			fields = append(fields, "-1")
		}
		made = append(made, fields)
		text.WriteString(strings.Join(fields, []string{"\t", " ", "   "}[rng.IntN(3)]) + "\n")
	}
	path := filepath.Join(t.TempDir(), "made.gwf")
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	log, err := logfile.Open(path, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	rows := 0
	for j, err := range log.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		f := made[rows]
		rows++
		for i, got := range map[int]float64{1: j.Submit, 2: j.Wait, 3: j.Run, 5: j.CPUTime, 6: j.UsedMemory, 8: j.Time, 9: j.Memory} {
			want, _ := strconv.ParseFloat(f[i], 64)
			if f[i] == "-1" {
				want = math.NaN()
			}
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("row %d, field %d: %g, want %s", rows, i+1, got, f[i])
			}
		}
		for i, got := range map[int]int64{0: j.ID, 4: j.Allocated, 7: j.Processors, 10: j.Status} {
			if got != workload.Unknown && fmt.Sprint(got) != f[i] || got == workload.Unknown && f[i] != "-1" {
				t.Fatalf("row %d, field %d: %d, want %s", rows, i+1, got, f[i])
			}
		}
		site := f[17]
		for i := 16; i >= 15 && site == "-1"; i-- {
			site = f[i]
		}
		for column, want := range map[int]string{workload.ColUser: f[11], workload.ColGroup: f[12], workload.ColApplication: f[13], workload.ColQueue: f[14], workload.ColPartition: site} {
			got, ok := log.Names().Text(column, workload.ColumnAt(column).Int(&j))
			if ok != (want != "-1") || ok && got != want {
				t.Fatalf("row %d, %s: %q, want %s", rows, workload.ColumnAt(column).Name, got, want)
			}
		}
	}
	if rows != len(made) {
		t.Errorf("%d jobs, want %d", rows, len(made))
	}
}

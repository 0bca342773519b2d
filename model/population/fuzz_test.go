package population_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
)

// Each field of a model, taken out, has a default or is an error that names the field
// or what it is in.
func TestTakenOut(t *testing.T) {
	var file bytes.Buffer
	if err := population.Encode(&file, fitted(t)); err != nil {
		t.Fatal(err)
	}
	optional := map[string]bool{
		"name": true, "source": true, "about": true, "start": true, "zone": true, "cycle": true, "load": true, "waits": true,
		"weights": true, "classes": true, "within": true, "apart": true, "think": true, "bag_gap": true, "bags": true, "sessions": true,
		"cv": true, "lag_1": true, "weeks": true, "correlations": true, "day_work": true, "work": true, "statuses": true, "queues": true, "from": true,
	}
	tried := 0
	jobtest.Without(t, file.Bytes(), func(path, name string, text []byte) {
		tried++
		_, err := population.Decode(bytes.NewReader(text))
		var field *model.FieldError
		switch {
		case err == nil && !optional[name] && !(name == "jobs" && !strings.HasPrefix(path, "log") && !strings.Contains(path, "strata")):
			t.Errorf("%s taken out: no error", path)
		case err != nil && (!errors.As(err, &field) || field.Path == "" || !strings.HasPrefix(path, strings.TrimRight(field.Path, "[]0123456789.")) && !strings.HasPrefix(field.Path, path)):
			t.Errorf("%s taken out: %v", path, err)
		}
	})
	if tried < 100 {
		t.Errorf("%d fields tried", tried)
	}
}

// FuzzDecode: what is read is valid, and written and read again the same.
func FuzzDecode(f *testing.F) {
	var file bytes.Buffer
	if err := population.Encode(&file, fitted(f)); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte(encoded(f, ofGPUs(f, false))))
	f.Add([]byte(`{"schema": "loadstone.population/1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := population.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		var a, b bytes.Buffer
		if err := population.Encode(&a, m); err != nil {
			t.Fatal(err)
		}
		again, err := population.Decode(bytes.NewReader(a.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := population.Encode(&b, again); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Fatalf("written again it differs: %v", err)
		}
	})
}

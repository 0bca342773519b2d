package outside

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
)

// answer is a line of the program.
type answer struct {
	Row       *int64          `json:"row"`
	Predicted json.RawMessage `json:"predicted_s"`
	History   int             `json:"history_n"`
}

// parseAnswer reads the answer to the submission of a row; ok is false for null.
func parseAnswer(line []byte, row int64) (p workload.Prediction, ok bool, err error) {
	var a answer
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	err = d.Decode(&a)
	if err == nil {
		_, err = d.Token()
	}
	switch {
	case err != io.EOF, a.Row == nil, a.Predicted == nil:
		return p, false, fmt.Errorf(`saw %s, expected {"row":%d,"predicted_s":SECONDS}, or null for SECONDS`, shown(line), row)
	case *a.Row != row:
		return p, false, fmt.Errorf("row: saw %d, expected %d, the row of the submission that awaits its answer", *a.Row, row)
	case string(a.Predicted) == "null":
		return p, false, nil
	}
	if err := json.Unmarshal(a.Predicted, &p.Seconds); err != nil || p.Seconds < 0 {
		return p, false, fmt.Errorf("predicted_s: saw %s, expected seconds of 0 or more, or null", a.Predicted)
	}
	if a.History < 0 {
		return p, false, fmt.Errorf("history_n: saw %d, expected 0 or more", a.History)
	}
	p.Observations = a.History
	return p, true, nil
}

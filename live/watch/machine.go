package watch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// What Slurm says of its nodes, partitions and reservations comes as the lines of
// scontrol --oneliner, "NodeName=n1 CPUTot=64 State=IDLE+DRAIN ...".

// maxMachineLine bounds a line of scontrol: a node has some hundred bytes.
const maxMachineLine = 1 << 20

// readLines reads the lines of scontrol.
func readLines(r io.Reader, what, key string, take func(map[string]string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxMachineLine)
	said := false
	for n := 1; s.Scan(); n++ {
		text := strings.TrimSpace(s.Text())
		said = said || text != ""
		if text == "" || strings.HasPrefix(text, "No ") && strings.HasSuffix(text, "in the system") {
			continue
		}
		if !strings.HasPrefix(text, key+"=") {
			return fmt.Errorf("%s: line %d begins with %q, want %s=", what, n, cutName(oneLine([]byte(cutName(text)))), key)
		}
		fields := map[string]string{}
		for _, pair := range strings.Fields(text) {
			if k, v, ok := strings.Cut(pair, "="); ok {
				if _, has := fields[k]; !has {
					fields[k] = v
				}
			}
		}
		if err := take(fields); err != nil {
			return fmt.Errorf("%s: line %d: %w", what, n, err)
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("%s: a line of more than %d bytes", what, maxMachineLine)
	}
	if s.Err() == nil && !said {
		return fmt.Errorf("%s: no output", what)
	}
	return s.Err()
}

// noValue is where Slurm's 32 bit numbers for "not set" and "no limit" begin.
const noValue = 4294967294

// count makes a whole number of one that may be unknown: 0.
func count(x float64) int64 {
	if !(x >= 0 && x < 1e15) {
		return 0
	}
	return int64(x)
}

func wholeNumber(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x < noValue) {
		return math.NaN()
	}
	return x
}

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// TestScripts runs the scripts in testdata/script: commands with their inputs, and the output,
// exit code and files that they must have. In addition to the commands of package testscript, a
// script has
//
//	exits CODE COMMAND...        the command ends with this exit code
//	fails CODE TEXT COMMAND...   as exits; the command also prints only an error that contains the text
//	[!] says FILE TEXT...        the file contains (or does not contain) each of the texts, verbatim
//	value FILE PATH WANT [TOL]   the JSON file has this value at a path such as scores.0.jobs
//	                             or scores.len, the length; a number may differ by TOL, and
//	                             a missing value is "none"
//	asks PATH TEXT...            waits until the answer to a GET request to a service, whose log is in
//	                             serve.log, contains each of the texts, and saves it in the file answer
//	words PAGE FILE              writes the text of an HTML page, a line for each row of a table
//
// FILE may be stdout or stderr. The condition [long] holds in long tests, [logs] if there are real
// logs, in $LOGS, and [jsonlite] if R has this package. The manual is in $DOCS. A long test takes
// $JOBS jobs and $KILLS kills.
func TestScripts(t *testing.T) {
	isLong := longtest.Size(0, 1) == 1
	logs, missing := reallogs.Find("")
	docs := jobtest.Must(filepath.Abs("../../../docs"))
	testscript.Run(t, testscript.Params{
		Dir:             "testdata/script",
		ContinueOnError: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("LOGS", logs)
			env.Setenv("DOCS", docs)
			env.Setenv("GOCOVERDIR", os.Getenv("GOCOVERDIR"))
			env.Setenv("JOBS", strconv.Itoa(longtest.Size(1500, 10_000)))
			env.Setenv("KILLS", strconv.Itoa(longtest.Size(2, 200)))
			env.Setenv("GOGC", os.Getenv("GOGC"))
			return nil
		},
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "long":
				return isLong, nil
			case "logs":
				return isLong && missing == nil, nil
			case "jsonlite":
				return exec.Command("Rscript", "-e", "library(jsonlite)").Run() == nil, nil
			}
			return false, fmt.Errorf("want one of the conditions long, logs, jsonlite")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"fails": fails,
			"says":  says,
			"asks":  asks,
			"value": value,
			"words": pageWords,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := new(exec.ExitError)
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

func fails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: fails CODE TEXT COMMAND...")
	}
	exits(ts, false, append([]string{args[0]}, args[2:]...))
	if printed := ts.ReadFile("stdout"); printed != "" {
		ts.Fatalf("it prints %q", printed)
	}
	says(ts, false, []string{"stderr", args[1]})
}

func says(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: [!] says FILE TEXT...")
	}
	text := ts.ReadFile(args[0])
	for _, want := range args[1:] {
		if strings.Contains(text, want) == neg {
			ts.Fatalf("%s says %q: %v, want %v", args[0], want, neg, !neg)
		}
	}
}

func asks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: asks PATH TEXT...")
	}
	answer := ""
	for range 1500 {
		log, _ := os.ReadFile(ts.MkAbs("serve.log")) // created soon after the start
		if url := listening.FindSubmatch(log); url != nil {
			answer = got(string(url[1]) + args[0])
		}
		if !slices.ContainsFunc(args[1:], func(text string) bool { return !strings.Contains(answer, text) }) {
			ts.Check(os.WriteFile(ts.MkAbs("answer"), []byte(answer), 0o666))
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	ts.Fatalf("within half a minute %s answers %q", args[0], answer)
}

// got returns the body of an answer, or the error if there is none.
func got(url string) string {
	r, err := http.Get(url)
	if err != nil {
		return err.Error()
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err.Error()
	}
	return string(body)
}

func value(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || len(args) > 4 {
		ts.Fatalf("usage: value FILE PATH WANT [TOLERANCE]")
	}
	var found any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &found))
	for _, key := range strings.Split(args[1], ".") {
		switch in := found.(type) {
		case map[string]any:
			found = in[key]
		case []any:
			if key == "len" {
				found = float64(len(in))
				break
			}
			at, err := strconv.Atoi(key)
			if err != nil || at >= len(in) {
				ts.Fatalf("%s: a list of %d has no %q", args[1], len(in), key)
			}
			found = in[at]
		default:
			ts.Fatalf("%s: %v has no %q", args[1], in, key)
		}
	}
	if len(args) == 4 {
		number, isNumber := found.(float64)
		want, err := strconv.ParseFloat(args[2], 64)
		ts.Check(err)
		tolerance, err := strconv.ParseFloat(args[3], 64)
		ts.Check(err)
		if !isNumber || !(math.Abs(number-want) <= tolerance) {
			ts.Fatalf("%s is %v, want %v ± %v", args[1], found, want, tolerance)
		}
		return
	}
	saw := "none"
	if text, isText := found.(string); isText {
		saw = text
	} else if found != nil {
		compact, err := json.Marshal(found)
		ts.Check(err)
		saw = string(compact)
	}
	if saw != args[2] {
		ts.Fatalf("%s is %s, want %s", args[1], saw, args[2])
	}
}

var (
	unseen = regexp.MustCompile(`(?s)<(script|style)[^>]*>.*?</(script|style)>|</?span[^>]*>`)
	tags   = regexp.MustCompile(`( *<[^>]*>)+ *`)
)

// pageText returns the text of a page, with one line for each row of a table.
func pageText(page string) string {
	text := strings.Join(strings.Fields(unseen.ReplaceAllString(page, "")), " ")
	return html.UnescapeString(tags.ReplaceAllString(strings.ReplaceAll(text, "</tr>", "\n"), " "))
}

func pageWords(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: words PAGE FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(pageText(ts.ReadFile(args[0]))), 0o666))
}

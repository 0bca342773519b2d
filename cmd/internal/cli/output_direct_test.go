package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOutputToAPipe: every flag that names an output takes a pipe, which stays one, in the
// format of --format or the command's own. A pipe stands for devices: a fault in a test
// that writes to /dev/null could replace it.
func TestOutputToAPipe(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log.swf")
	if r := loadstone(t, "", "-q", "generate", "--model", "lublin1999", "--jobs", "300", "--procs", "64", "--set", "users.count=5", "-o", log); r.code != exitDone {
		t.Fatal(r.err)
	}
	for _, c := range []struct{ args, begins string }{
		{"convert LOG -o", "; Version: 2.2\n"},
		{"convert LOG --format csv -o", "job_id,"},
		{"convert LOG --format json -o", "{"},
		{"clean LOG --filter size=2 -o", "; Version: 2.2\n"},
		{"clean LOG --filter size=2 --removed", "job_id,row,filter,reason\n"},
		{"generate --model lublin1999 --jobs 3 -o", "; Version: 2.2\n"},
		{"simulate LOG -o", "; Version: 2.2\n"},
		{"simulate LOG --format json -o", "; Version: 2.2\n"}, // its format is that of the metrics
		{"runtime LOG --predictions", "job_id,"},
		{"runtime LOG --format json -o", "{\n"},
		{"describe LOG -o", "log            LOG"},
		{"describe LOG --format csv -o", "column,"},
		{"fit LOG -o", "{\n"},
		{"fit LOG --form lublin2003 -o", "{\n"},
		{"models show lublin1999 -o", "{\n"},
		{"report LOG --without runtime,predict,compare -o", "<!DOCTYPE html>"},
	} {
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip("no pipes here: ", err)
		}
		reader, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		hold, err := os.OpenFile(pipe, os.O_WRONLY, 0) // until the command is done
		if err != nil {
			t.Fatal(err)
		}
		read := make(chan string, 1)
		go func() {
			b, _ := io.ReadAll(reader)
			reader.Close()
			read <- string(b)
		}()
		args := append(strings.Fields(strings.ReplaceAll(c.args, "LOG", log)), pipe)
		r := loadstone(t, "", args...)
		hold.Close()
		if got := <-read; r.code != exitDone || !strings.HasPrefix(got, strings.ReplaceAll(c.begins, "LOG", log)) {
			t.Errorf("%s: %d %q, the pipe has %.60q, want %q", c.args, r.code, r.err, got, c.begins)
		}
		if info, err := os.Lstat(pipe); err != nil || info.Mode().Type() != os.ModeNamedPipe {
			t.Errorf("%s: %v, %v: want the pipe still", c.args, info, err)
		}
	}
}

// TestOutputToADescriptor: an open descriptor gets the output after what it has already.
func TestOutputToADescriptor(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/fd/1"); err != nil {
		t.Skip("no descriptors with names here: ", err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := longLog(50)
	log, out := write("log.swf", text), write("out", "before\n")
	for _, c := range []struct {
		name string
		flag int // of the shell's redirection
	}{{"/dev/stdout", 0}, {"/dev/fd/1", os.O_APPEND}, {"/dev/stdout", os.O_APPEND}} {
		write("out", "before\n")
		f, err := os.OpenFile(out, os.O_WRONLY|c.flag, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Seek(7, 0); err != nil {
			t.Fatal(err)
		}
		p := newProcess(t, dir, "simulate", log, "-o", c.name)
		p.Stdout = f
		err = p.Run()
		f.Close()
		got, _ := os.ReadFile(out)
		if err != nil || !bytes.HasPrefix(got, []byte("before\n")) || bytes.Count(got, []byte("; Version: 2.2\n")) != 1 || bytes.Count(got, []byte("\n50 ")) != 1 || !bytes.Contains(got, []byte("utilisation")) {
			t.Errorf("%s: %v %s, got %.300q, want what it had, the log and the metrics", c.name, err, &p.err, got)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p := newProcess(t, dir, "convert", log, "--format", "csv", "-o", "/dev/fd/3")
	p.ExtraFiles = []*os.File{w}
	err = p.Run()
	w.Close()
	got := new(bytes.Buffer)
	got.ReadFrom(r)
	if err != nil || !strings.HasPrefix(got.String(), "job_id,") || p.out.Len() > 0 {
		t.Errorf("/dev/fd/3: %v %s, got %.80q", err, &p.err, got)
	}
}

package cli

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestAllocateWrongUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"a b", "want one log"},
		{"--seeds 0", "--seeds 0: want 1 to"},
		{"--seeds 100001", "--seeds 100001: want 1 to 100000"},
		{"--seed 18446744073709551615", "--seed 18446744073709551615: want at most"},
		{"--feedback", "--feedback: allocate is always open, because it compares what each job saves with its submission held"},
		{"a --feedback", "'loadstone simulate' and 'loadstone grid' close the loop"},
		// What changes nothing is not taken.
		{"--strategies opt,heur --predictor downey-b", "--predictor is for pred and bias, and --strategies are opt, heur"},
		{"--sweep max-parallelism=1", "largest parallelism: saw 1"},
		{"--sweep max-sigma=-1", "largest sigma: saw -1"},
		{"--sweep max-sequential=1", "longest sequential time: saw 1"},
		{"--sweep classes=65", "classes: saw 65, want a whole number from 1 to 64"},
		{"--sweep night=Inf", "night of +Inf s"},
		{"--sweep load=1,2 --load 5", "--load and --sweep load: want one of them"},
		{"--sweep load=1,2 --search", "want either --search or --sweep"},
		{"--sweep classes=1,2 --strategies opt", "no strategy has it"},
		{"--sweep risk=2", "--sweep risk=2: strategy bias-lock-risk: the risk aversion is 2, want 0 to 1"},
		{"--sweep night=0,-0", `--sweep night: saw "-0"`},
		{"--sweep load", `--sweep: saw "load"`},
		{"--sweep colour=1", `--sweep: saw "colour=1"`},
		{"--sweep load=NaN", `--sweep load: saw "NaN", want numbers`},
		{"--sweep load=1,x", `--sweep load: saw "x"`},
		{"--sweep load=1,1", `--sweep load: saw "1"`},
		{"--sweep risk=0.1 --strategies opt", "no strategy has it"},
		{"--sigma 1", "--sigma is for a log, and none is given"},
		{"--log-days", "--log-days is for a log"},
		{"a --seeds 2", "--seeds is for a workload that is drawn, and a is a log"},
		{"a --sweep load=1", "--sweep is for a workload that is drawn"},
		{"--per-job jobs.swf", "--per-job jobs.swf: want a name that ends in"},
		{"--per-job -", "--per-job -: want a file"},
		{"a -o result.xml", "want a name that ends in .json, .csv or .txt"},
		{"-o result.xml", "want a name that ends in .json, .csv or .txt"},
		{"--per-job x.csv -o x.csv", "x.csv"},
	} {
		got := loadstone(t, "", append([]string{"allocate"}, strings.Fields(c.args)...)...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
		if strings.Contains(got.err, "allocate: ") {
			t.Errorf("%s: a package's name in %q", c.args, got.err)
		}
	}
}

func TestAllocateHelp(t *testing.T) {
	got := loadstone(t, "", "allocate", "--help-all")
	if got.code != exitDone || !strings.Contains(got.out, "--sigma NUM ") || strings.Contains(got.out, "(default )") {
		t.Errorf("exit code %d, %s", got.code, got.out)
	}
}

// Too few jobs are said in words.
func TestAllocateFewJobs(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--load 0.001 --days 1 --seeds 2", "seed 1 draws no jobs (days 1, load 0.001), want more of either"},
		{"--procs 1 --days 1 --seeds 1", "cannot fit a distribution of lifetimes to the jobs' run times (1, from "},
	} {
		got := loadstone(t, "", append([]string{"allocate"}, strings.Fields(c.args)...)...)
		if got.code != exitFailed || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: exit code %d, %s", c.args, got.code, got.err)
		}
	}
	one := writeCSV(t, "job_id,submit_time_s,sequential_time_s,average_parallelism,sigma\n1,0,30,3,0\n")
	if got := loadstone(t, "", "allocate", one, "--procs", "4", "--strategies", "opt"); !strings.Contains(got.out, ", 1 job on 4 processors") {
		t.Errorf("exit code %d, %s", got.code, got.out)
	}
}

// Studies that take long say so before they start. The estimates are by the
// costs of a job that the command assumes: 120 days are 30,600 jobs at load 0.75.
func TestAllocateWarnsOfTime(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", ""},
		{"--days 400", ""},
		{"--load 50", "4.08e+07 jobs are to be studied: some 11 hours"},
		{"--sweep load=0.5,50 --strategies opt,bias", "some 2.3 hours"},
		{"--load 50 --strategies opt,heur", ""},
		{"--load 50 --days 1 --seeds 2", ""},
		{"--sweep max-sequential=1000", "4.92e+07 jobs are to be studied: some 89 minutes"},
		{"--procs 8192 --seeds 1", "1.96e+06 jobs are to be studied: some 26 minutes"},
		{"--sweep procs=128,8192 --seeds 1", "some 26 minutes"},
		{"--predictor downey-b", "6.12e+05 jobs are to be studied: some 102 minutes"},
		{"a --predictor downey-b --procs 8192", ""}, // of a log the jobs are counted first
		{"--load 50 --seeds 500", "1.02e+09 jobs are to be studied: some 285 hours"},
		{"--seeds 200 --strategies heur --search", "6.12e+06 jobs are to be studied: some 17 minutes"},
	} {
		var errs strings.Builder
		a := &app{Streams: Streams{Err: &errs}}
		var o allocateOptions
		cmd := newAllocateCmd(a, func(_ context.Context, _ *app, got allocateOptions) error { o = got; return nil })
		cmd.SetArgs(strings.Fields(c.args))
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		if o.input == "" {
			jobs, seconds, err := o.Cost()
			if err != nil {
				t.Fatal(err)
			}
			a.warnOfStudy(jobs, seconds, "")
		}
		if got := errs.String(); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", c.args, got, c.want)
		}
	}
}

// A log's jobs are counted when it is read. 800 jobs, five strategies that
// predict at 2 ms times the root of 2^20/128, and four at 2 us, are 724 s. They
// all start at once, so that nothing has to be predicted.
func TestAllocateWarnsOfLongLogs(t *testing.T) {
	log := "job_id,submit_time_s,run_time_s,allocated_processors\n"
	for i := range 800 {
		log += fmt.Sprintf("%d,%d,%d,1\n", i+1, i, i+1)
	}
	path := writeCSV(t, log)
	got := loadstone(t, "", "allocate", path, "--sigma", "0", "--procs", "1048576", "--predictor", "downey-b")
	if want := "800 jobs are to be studied: some 12 minutes of one core; fewer --strategies take less"; got.code != exitDone || !strings.Contains(got.err, want) {
		t.Errorf("exit code %d, %s; want %q", got.code, got.err, want)
	}
	got = loadstone(t, "", "allocate", path, "--sigma", "0", "--procs", "1048576")
	if got.code != exitDone || got.err != "" {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
}

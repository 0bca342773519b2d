package slurm

import (
	"bytes"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// value parses a field with read, and notes what was expected if that fails.
func value[T any](p *parser, f *[]byte, read func([]byte) (T, string)) T {
	x, want := read(*f)
	p.fail(f, want)
	return x
}

// count parses a count, which may have been rounded. In a queue it may be a range, such as that
// of the processors that a job may get; count returns the lower end.
func (p *parser) count(f *[]byte) int64 {
	v := *f
	if p.layout.queue {
		if i := bytes.IndexByte(v, '-'); i > 0 {
			v = v[:i]
		}
	}
	n, want := parseCount(v)
	if p.fail(f, want); n > 0 && v[len(v)-1] > '9' && bytes.IndexByte(v, '.') >= 0 {
		p.warn("rounded-count", "counts with a unit, which are rounded to two decimals: sacct --noconvert has them whole", v)
	}
	return n
}

// amount parses a count or, if that is unknown, the count of a resource in a list.
func (p *parser) amount(f, list *[]byte, key string) int64 {
	n := p.count(f)
	if n == workload.Unknown {
		n = p.listedCount(list, listed(*list, key))
	}
	return n
}

// listedCount parses a count from a list of resources.
func (p *parser) listedCount(list *[]byte, amount []byte) int64 {
	n, want := parseCount(amount)
	if p.failAmount(list, amount, want); want != "" {
		return workload.Unknown
	}
	return n
}

// failAmount notes what was expected of an amount in a field. An amount below 0 or of more than
// 15 digits is not a fault but unknown, with a warning.
func (p *parser) failAmount(f *[]byte, amount []byte, want string) {
	if want != "" && parse.IsDigits(bytes.TrimRight(bytes.TrimPrefix(amount, []byte{'-'}), "KMGTP")) {
		p.badAmount(*f)
	} else {
		p.fail(f, want)
	}
}

// badAmount counts an amount that no job can have.
func (p *parser) badAmount(text []byte) {
	p.warn("bad-amount", "amounts of resources that no job has, such as -1 GPUs: taken as unknown", text)
}

// gpus returns the number of GPUs in a list of resources, and the first kind named:
// "gres/gpu=4,gres/gpu:a100=4". Without a total, the kinds are added up. The
// number is unknown for a list that has only shards or MPS: parts of a GPU, of a size that only
// the site knows.
func (p *parser) gpus(list *[]byte) (gpus int64, kind []byte) {
	gpus, sum, isUnlisted := workload.Unknown, int64(0), !isNoValue(*list)
	for rest := *list; len(rest) > 0; {
		var item []byte
		item, rest, _ = bytes.Cut(rest, []byte{','})
		if !bytes.HasPrefix(item, []byte("gres/")) {
			continue
		}
		name, amount, _ := bytes.Cut(item, []byte{'='})
		name, of, isKind := bytes.Cut(name, []byte{':'})
		switch string(name) {
		case "gres/shard", "gres/mps":
			isUnlisted = false
		case "gres/gpu":
			isUnlisted = false
			switch n := p.listedCount(list, amount); {
			case n == workload.Unknown:
			case !isKind:
				gpus = n
			default:
				sum += n
				if kind == nil {
					kind = of
				}
			}
		}
	}
	switch {
	case isUnlisted:
		gpus = unlisted
	case gpus < 0 && sum > 0:
		gpus = sum
	}
	return gpus, kind
}

// energy parses joules, from the field or from a list of resources. 0 means unknown: clusters
// without meters show it.
func (p *parser) energy(list *[]byte) float64 {
	n := value(p, &p.Energy, parseCount)
	if n <= 0 {
		n = p.listedCount(list, listed(*list, "energy"))
	}
	if n <= 0 {
		return math.NaN()
	}
	return float64(n)
}

// stepMemory returns the memory that a step used, in KB over all its tasks.
func (p *parser) stepMemory(id jobID) float64 {
	tasks := p.count(&p.NTasks)
	if tasks == workload.Unknown && id.one {
		tasks = 1
	}
	f, text := &p.MaxRSS, p.MaxRSS
	if len(text) == 0 {
		f, text = &p.MaxTRES, listed(p.MaxTRES, "mem")
	}
	used, want := parseSize(text, 'B')
	p.fail(f, want)
	if tasks != workload.Unknown {
		return used.kb * float64(tasks)
	}
	if used.kb > 0 {
		p.warn("step-tasks", "steps whose number of tasks is not in the log: their memory is left out", nil)
	}
	return math.NaN()
}

// limit returns the time requested, in s. TimelimitRaw is in minutes.
func (p *parser) limit() (seconds float64) {
	f := &p.TimelimitRaw
	if minutes := Count(string(*f)); minutes != workload.Unknown {
		seconds = 60 * float64(minutes)
	} else {
		if len(*f) == 0 {
			f = &p.Timelimit
		}
		seconds = value(p, f, parseDuration)
	}
	// For a job without a limit, Slurm writes YEAR_SECONDS of slurmctld, or more seconds than
	// fit in 31 bits.
	if seconds == 365*86400 || seconds >= 1<<31-1 {
		p.warn("year-limit", "limits of exactly 365 days, or of 68 years or more, which Slurm writes for no limit: taken as unknown", *f)
		return math.NaN()
	}
	return seconds
}

// memory sets the memory requested, per processor requested and in total. Before version 21,
// Slurm shows whether the amount is per node or per processor; since then it is for the whole
// job.
func (p *parser) memory(r *row) {
	f, text := &p.ReqMem, p.ReqMem
	if bytes.HasPrefix(text, []byte{'?'}) { // not set
		return
	}
	if len(text) == 0 {
		f, text = &p.ReqTRES, listed(p.ReqTRES, "mem")
	}
	asked, want := parseSize(text, 'M')
	p.failAmount(f, text, want)
	if want != "" || !(asked.kb > 0) { // 0 means all memory of a node, or not set
		return
	}
	nodes := r.Nodes
	if nodes <= 0 {
		nodes = Count(string(p.NNodes))
	}
	if asked.per != 0 {
		asked = asked.withoutFlag(1)
	} else {
		asked = asked.withoutFlag(nodes)
	}
	if asked.kb > maxMemory || asked.per != 0 && asked.kb >= memoryFlag || asked.kb == 0 {
		p.badAmount(*f)
		return
	}
	processors, known := math.NaN(), r.Processors
	if known <= 0 {
		known = r.Allocated
	}
	if known > 0 {
		processors = float64(known)
	}
	switch {
	case asked.per == 'c':
		r.Memory, r.MemoryTotal = asked.kb, asked.kb*processors
		return
	case asked.per == 'n' && nodes <= 0:
		p.warn("memory-of-nodes", "jobs with memory per node but no number of nodes: memory unknown", text)
		return
	case asked.per == 'n':
		asked.kb *= float64(nodes)
	}
	r.Memory, r.MemoryTotal = asked.kb/processors, asked.kb
}

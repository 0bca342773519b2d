package layers

// Module is the path that every package's import path begins with.
const Module = "github.com/loadstone-hpc/loadstone"

// everythingBelow stands in the row of a package that may import every package
// of a lower floor.
const everythingBelow = "everything below"

// room is one package: its floor and the packages of this module that it may
// import.
type room struct {
	floor   int
	imports []string
}

// plan is the house. Paths are relative to the module; a row covers the
// packages under its path that have no row of their own.
var plan = map[string]room{
	"internal/heap":        {0, nil},
	"internal/num":         {0, nil},
	"internal/par":         {0, nil},
	"internal/slots":       {0, nil},
	"internal/printable":   {0, nil},
	"internal/layers":      {0, nil},
	"internal/reallogs":    {0, nil}, // for tests; no row names it
	"internal/papers":      {0, nil}, // for tests; no row names it
	"internal/version":     {0, nil}, // files that workload writes name it, as does the command
	"workload":             {0, []string{"internal/par", "internal/slots", "internal/version"}},
	"dist":                 {1, []string{"internal/num"}},
	"stats":                {2, []string{"dist", "internal/num", "internal/par"}},
	"model":                {2, []string{"dist", "internal/num"}},
	"fit/internal/em":      {2, []string{"dist", "internal/num"}},
	"fit/internal/stages":  {2, []string{"dist", "internal/par"}},
	"workload/inspect":     {3, []string{"workload", "stats", "internal/par"}},
	"workload/reshape":     {3, []string{"workload", "stats", "internal/par"}},
	"fit/internal/fittest": {4, []string{"workload", "fit", "internal/reallogs"}}, // for tests
	"fit":                  {3, []string{"workload", "dist", "stats", "model", "fit/internal/em", "fit/internal/stages", "internal/num", "internal/par"}},
	"generate":             {3, []string{"workload", "dist", "stats", "model", "internal/num", "internal/par"}},
	"runtime":              {3, []string{"workload", "stats"}},
	"sched":                {3, []string{"workload", "dist", "model", "internal/heap", "internal/slots"}},
	"fit/lifetimes":        {4, []string{"workload", "dist", "stats", "fit", "fit/internal/stages", "internal/num", "internal/par"}},
	"fit/site":             {4, []string{"workload", "dist", "stats", "model", "fit", "fit/internal/em", "fit/internal/stages", "internal/num", "internal/par"}},
	"predict":              {4, []string{"workload", "dist", "stats", "model", "fit", "fit/lifetimes", "sched", "internal/heap", "internal/num", "internal/par"}},
	"score":                {4, []string{"workload", "dist", "stats", "model"}},
	"evaluate":             {5, []string{"workload", "dist", "stats", "model", "fit", "sched", "runtime", "predict", "score", "internal/par"}},
	"forecast":             {6, []string{"workload", "dist", "stats", "model", "fit", "sched", "runtime", "predict", "score", "evaluate", "internal/par"}},
	"study/allocate":       {5, []string{everythingBelow}},
	"study/grid":           {5, []string{everythingBelow}},
	"cmd/internal/figure":  {5, []string{everythingBelow}},
	"cmd/internal/page":    {5, []string{"internal/printable"}},
	"cmd":                  {7, []string{everythingBelow}},
}

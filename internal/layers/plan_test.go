package layers

// Module is the path that every package's import path begins with.
const Module = "github.com/loadstone-hpc/loadstone"

// everythingBelow stands for every package of a lower layer.
const everythingBelow = "everything below"

// entry is one package: its layer and the packages of this module that it may
// import.
type entry struct {
	layer   int
	imports []string
}

// plan is the table of layers. Paths are relative to the module; an entry covers
// the packages under its path that have no entry of their own.
var plan = map[string]entry{
	"internal/heap":      {0, nil},
	"internal/num":       {0, nil},
	"internal/par":       {0, nil},
	"internal/slots":     {0, nil},
	"internal/field":     {0, nil},
	"internal/feedback":  {1, []string{"workload", "internal/heap", "internal/slots"}},
	"internal/jsonfault": {0, nil},
	"internal/links":     {0, nil},
	"internal/placement": {0, nil},
	"internal/printable": {0, nil},
	"internal/words":     {0, nil},
	"internal/version":   {0, nil}, // files that workload/columnar writes name it, as does the command
	"internal/layers":    {0, nil},
	"internal/reallogs":  {0, nil}, // for tests; only entries of tests name it
	"internal/longtest":  {0, nil}, // for tests; only entries of tests name it
	"internal/browser":   {0, nil}, // for tests; only entries of tests name it
	"internal/papers":    {0, nil}, // for tests; only entries of tests name it
	"workload":           {0, []string{"internal/heap", "internal/slots", "internal/words"}},

	"workload/internal/parse":    {1, []string{"workload", "internal/par"}},
	"workload/internal/jsontext": {1, []string{"workload"}},
	"workload/sessions":          {1, []string{"workload"}},
	"internal/strict":            {2, []string{"workload", "internal/opt", "internal/words"}},
	"internal/extent":            {2, []string{"internal/opt"}},
	"internal/opt":               {1, []string{"workload", "internal/field", "internal/words"}},
	"dist":                       {1, []string{"internal/num", "internal/jsonfault"}},

	"workload/swf":        {2, []string{"workload", "workload/internal/parse", "internal/words"}},
	"workload/gwf":        {2, []string{"workload", "workload/internal/parse", "internal/words"}},
	"workload/slurm":      {2, []string{"workload", "workload/internal/jsontext", "workload/internal/parse", "internal/par", "internal/words"}},
	"workload/delimited":  {2, []string{"workload", "workload/internal/parse", "internal/par", "internal/words"}},
	"workload/batsim":     {2, []string{"workload", "workload/internal/parse"}},
	"workload/columnar":   {2, []string{"workload", "workload/internal/parse", "internal/field", "internal/par", "internal/version", "internal/words"}},
	"live/journal":        {2, []string{"workload"}},
	"stats":               {2, []string{"dist", "internal/num", "internal/par"}},
	"model":               {2, []string{"dist", "internal/num", "internal/jsonfault"}},
	"fit/internal/em":     {2, []string{"dist", "internal/num", "internal/par"}},
	"fit/internal/stages": {2, []string{"dist", "internal/par"}},

	"workload/mapping":  {3, []string{"workload", "workload/internal/jsontext", "workload/internal/parse", "workload/columnar", "workload/delimited", "internal/par", "internal/words"}},
	"workload/logfile":  {3, []string{"workload", "workload/internal/parse", "workload/swf", "workload/gwf", "workload/mapping", "workload/slurm", "workload/delimited", "workload/batsim", "workload/columnar", "live/journal", "internal/links", "internal/par"}},
	"workload/inspect":  {3, []string{"workload", "stats", "internal/heap", "internal/num", "internal/par", "internal/opt"}},
	"workload/reshape":  {3, []string{"workload", "internal/words", "internal/opt"}},
	"workload/resample": {3, []string{"workload", "workload/sessions", "internal/extent", "internal/par", "internal/placement"}},
	"fit":               {3, []string{"workload", "dist", "stats", "model", "fit/internal/em", "fit/internal/stages", "internal/num", "internal/par", "internal/words", "internal/opt"}},
	"model/population":  {3, []string{"model", "internal/jsonfault"}},
	"generate":          {3, []string{"workload", "dist", "model", "internal/extent", "internal/heap", "internal/par", "internal/opt"}},
	"runtime":           {3, []string{"workload", "stats", "internal/opt"}},
	"study":             {3, []string{"stats", "internal/field"}},
	"sched":             {3, []string{"workload", "internal/opt", "internal/feedback", "internal/heap", "internal/slots", "internal/strict"}},

	"workload/internal/logtest":   {5, []string{everythingBelow}},                                     // for tests; only entries of tests name it
	"internal/jobtest":            {4, []string{"workload", "workload/logfile", "internal/reallogs"}}, // for tests; only entries of tests name it
	"fit/internal/fittest":        {5, []string{"workload", "dist", "internal/jobtest"}},              // for tests; only entries of tests name it
	"fit/internal/fitted":         {6, []string{"fit", "fit/internal/fittest"}},                       // for tests; only entries of tests name it
	"fit/lifetimes":               {4, []string{"workload", "dist", "stats", "fit", "fit/internal/stages", "internal/num", "internal/par", "internal/words", "internal/opt"}},
	"fit/population":              {4, []string{"workload", "workload/sessions", "model/population"}},
	"generate/population":         {4, []string{"workload", "workload/sessions", "model", "model/population", "internal/extent", "internal/par", "internal/placement"}},
	"fit/site":                    {4, []string{"workload", "dist", "stats", "model", "fit", "fit/internal/em", "fit/internal/stages", "internal/num", "internal/par", "internal/words", "internal/opt"}},
	"runtime/outside":             {4, []string{"workload", "runtime"}},
	"predict/internal/series":     {1, []string{"internal/heap"}},
	"predict/internal/queuestate": {1, []string{"workload", "internal/heap"}},
	"predict/forest":              {1, []string{"internal/par"}},
	"predict/conformal":           {2, []string{"workload", "predict/forest", "predict/internal/queuestate", "internal/heap"}},
	"predict":                     {4, []string{"workload", "dist", "stats", "fit", "fit/lifetimes", "sched", "predict/conformal", "predict/internal/series", "internal/heap", "internal/par"}},
	"predict/standing":            {4, []string{"workload", "sched", "runtime", "stats", "predict"}},
	"live/watch":                  {4, []string{"workload", "workload/slurm", "workload/logfile", "internal/heap"}},
	"score":                       {4, []string{"workload", "stats", "model", "internal/num"}},

	"fit/survey":           {5, []string{"workload", "model", "fit", "fit/site", "internal/printable", "internal/words", "internal/opt"}},
	"evaluate/board":       {5, []string{"workload", "stats", "score"}},
	"evaluate/predictions": {3, []string{"workload", "stats", "live/journal"}},
	"evaluate":             {5, []string{"evaluate/board", "evaluate/predictions", "workload", "stats", "model", "fit", "sched", "runtime", "runtime/outside", "predict", "predict/standing", "score", "generate", "generate/population", "model/population", "workload/resample", "workload/sessions", "internal/field", "internal/par", "internal/jsonfault", "internal/opt"}},
	"internal/judge":       {5, []string{"workload", "workload/sessions", "stats", "sched", "score", "internal/jobtest"}}, // for tests; only entries of tests name it
	"study/allocate":       {5, []string{everythingBelow}},
	"study/grid":           {5, []string{everythingBelow}},
	"study/sweep":          {6, []string{everythingBelow}},

	"live/forecast": {6, []string{"workload", "stats", "fit", "sched", "predict", "predict/standing", "score", "evaluate", "internal/opt"}},
	"live/plan":     {5, []string{"workload", "stats", "sched", "runtime", "predict", "internal/par", "internal/opt"}},
	"live":          {6, []string{"workload", "stats", "predict", "predict/standing", "score", "workload/logfile", "live/journal", "live/plan", "live/watch", "internal/opt"}},

	"cmd/internal/page":        {7, []string{"internal/printable"}},
	"cmd/internal/descriptors": {7, nil},
	"cmd/internal/view":        {7, []string{everythingBelow}},
	"cmd/internal/progress":    {7, []string{"workload", "internal/printable"}},
	"cmd/internal/flags":       {7, []string{"workload", "workload/mapping", "internal/words", "internal/opt"}},
	"cmd/internal/figure":      {7, []string{everythingBelow, "cmd/internal/view"}},

	"cmd/internal/tables":     {8, []string{everythingBelow}},
	"cmd/internal/output":     {8, []string{"workload/logfile", "workload/columnar", "internal/links", "cmd/internal/progress"}},
	"cmd/internal/thresholds": {8, []string{"workload", "evaluate", "internal/field", "cmd/internal/flags", "cmd/internal/view"}},
	"cmd/internal/report":     {8, []string{everythingBelow, "cmd/internal/tables"}},
	"cmd/internal/serve":      {8, []string{everythingBelow}},

	"cmd": {9, []string{everythingBelow}},
}

// sameLayer are the packages that import one of their own layer from outside their
// folder: mappings are among the formats of logfile,
// predictors of wait fit the lifetimes of classes and are asked by one interface, the words of a picture are those
// of the tables, and the report has some of the tables.
var sameLayer = map[string]string{
	"workload/logfile": "workload/mapping", "predict": "fit/lifetimes", "predict/standing": "predict", "cmd/internal/figure": "cmd/internal/view",
	"cmd/internal/report": "cmd/internal/tables",
}

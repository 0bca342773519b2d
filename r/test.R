# Tests loadstone.R, and runs the examples of the guide for R.
#
#   LOADSTONE=PATH Rscript r/test.R             PATH is that of the command
#   LOADSTONE=PATH Rscript r/test.R --update    writes the outputs into the guide
#
# LOADSTONE_TRACES names the folder of real logs.

here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))))
guide <- file.path(here, "..", "docs", "guides", "r.md")
source(file.path(here, "loadstone.R"))
options(width = 100, warn = 1)

folder <- tempfile("test-")
dir.create(folder)
setwd(folder)
invisible(file.copy(file.path(here, "loadstone.R"), "."))
passed <- failed <- 0
test <- function(name, ...) {
  ok <- isTRUE(all.equal(...))
  if (ok) passed <<- passed + 1 else failed <<- failed + 1
  if (!ok) cat("FAIL", name, "\n ", paste(format(all.equal(...)), collapse = "\n  "), "\n")
}
message_of <- function(code) tryCatch({ code; "none" }, loadstone_error = function(e) paste(e$code, conditionMessage(e)))

# Types, and frames as inputs.
jobs <- loadstone$generate("lublin1999", jobs = 500, seed = 1)
test("types", unname(vapply(jobs[c("job_id", "run_time_s", "submit_time", "status", "queue")], function(x) class(x)[1], "")),
     c("numeric", "numeric", "POSIXct", "factor", "factor"))
test("names", levels(jobs$queue), c("interactive", "batch"))
test("unknown", all(is.na(jobs$wait_time_s)), TRUE)
writeLines(c("; UnixStartTime: 86400", "1 10 5 20 2 -1 -1 2 -1 -1 5 -1 -1 -1 -1 -1 -1 -1"), "one.swf")
one <- loadstone$read("one.swf", quiet = TRUE)
test("moment", one$submit_time, as.POSIXct("1970-01-02 00:00:10", tz = "UTC"))
test("status", as.character(one$status), "cancelled")
scheduled <- loadstone$simulate(jobs)
other <- names(scheduled) != "queue_id" # names are numbered anew
test("read again", loadstone$read(scheduled)[other], scheduled[other])
batch <- scheduled[scheduled$queue == "batch", ]
test("a part keeps the machine", loadstone$json("describe", batch)$log$processors, 128)
frame <- data.frame(when = c(0, 60), long = c(5, 7), cpus = 1:2)
test("map", loadstone$read(frame, map = c(submit_time = "when", run_time = "long", requested_processors = "cpus"))$run_time_s, c(5, 7))

# What is given in the wrong form, and what disagrees.
fault_of <- function(code) tryCatch({ code; "none" }, error = conditionMessage)
test("a vector", grepl("saw a vector of 500 values of class numeric, want a data frame", fault_of(loadstone$read(jobs$job_id))), TRUE)
test("a number", grepl("saw a value of class numeric", fault_of(loadstone$read(5))), TRUE)
test("a list", grepl("want a model", fault_of(loadstone$generate(list(a = 1)))), TRUE)
test("no command", { old <- Sys.getenv("LOADSTONE"); Sys.setenv(LOADSTONE = "none"); said <- fault_of(loadstone$models()); Sys.setenv(LOADSTONE = old); said },
     "cannot run none: set the environment variable LOADSTONE to the path of the loadstone binary")
later <- jobs
later$submit_time <- later$submit_time + 3600
test("moments that disagree", grepl("submit_time and submit_time_s disagree in 500 rows", tryCatch(loadstone$read(later), warning = conditionMessage)), TRUE)
later$submit_time_s <- NULL
test("edited moments", loadstone$read(later)$submit_time_s, jobs$submit_time_s + 3600)
later <- jobs
later$queue_id[1] <- 99
test("names that disagree", grepl("queue and queue_id disagree", tryCatch(loadstone$read(later), warning = conditionMessage)), TRUE)

warning_of <- function(code) tryCatch({ code; "none" }, warning = conditionMessage)

# Submissions that are no POSIXct.
moments <- as.POSIXct("2001-03-02", tz = "UTC") + 3600 * (0:499)
undated <- jobs
undated$submit_time_s <- NULL
for (form in list(list(format(moments, "%Y-%m-%d %H:%M:%S"), moments), list(as.numeric(moments), moments), list(as.POSIXlt(moments), moments),
                  list(as.Date(moments), as.POSIXct(format(moments, "%Y-%m-%d"), tz = "UTC")), list(factor(format(moments, "%Y-%m-%dT%H:%M:%SZ")), moments),
                  list(60 * (0:499), as.POSIXct("2001-01-01", tz = "UTC") + 60 * (0:499)))) {
  undated$submit_time <- form[[1]]
  read <- loadstone$read(undated, quiet = TRUE)
  test("moments of another form", read$submit_time, form[[2]])
  test("and the machine", unname(attr(read, "header")["MaxProcs"]), "128")
  beside <- jobs
  beside$submit_time <- form[[1]]
  test("beside seconds", grepl("submit_time and submit_time_s disagree in .* submit_time_s is read", warning_of(loadstone$read(beside))), TRUE)
}
undated$submit_time <- "soon"
test("no moments", sub(", want.*", "", fault_of(loadstone$read(undated))), 'data.frame-1, row 1: submit_time: saw "soon"')
mine <- data.frame(run_time = c(600, 60), requested_processors = 1:2)
mine$submit_time <- strptime(c("2026-03-02 09:00:00", "2026-03-02 09:05:00"), "%Y-%m-%d %H:%M:%S", tz = "America/Los_Angeles")
hourly <- data.frame(submit_time = as.POSIXct("2026-03-16", tz = "America/Los_Angeles") + 3600 * (0:335), run_time = 60, requested_processors = 1)
hours <- as.POSIXlt(loadstone$clean(hourly, c("keep hour=9", "run<60"))$submit_time, tz = "America/Los_Angeles")$hour
test("the zone of a column", hours, rep(9L, 14))
test("another zone", unname(attr(loadstone$read(hourly, timezone = "UTC"), "header")["TimeZoneString"]), "UTC")
test("the zone beside predictions", { loadstone$score(cbind(job_id = 1:336, hourly), data.frame(job_id = 1:336, predicted_s = 60), quiet = TRUE)$accuracy_mean }, 1)
for (f in list(list(hourly, "lublin1999"), list(hourly, loadstone$model("lublin1999")))) {
  test("the zone beside a model", any(grepl("time-zone", warning_of(loadstone$compare(f[[1]], f[[2]])))), FALSE)
}
writeLines("a key of the test", "key")
test("anonymise", c(nrow(loadstone$anonymise(jobs, key = "key")), ncol(loadstone$anonymise(jobs, key = "key")) > 17), c(500, 1))
test("POSIXlt", loadstone$read(mine)$submit_time, as.POSIXct(c("2026-03-02 17:00", "2026-03-02 17:05"), tz = "UTC"))
without <- jobs
without$submit_time_s <- NULL
attr(without, "header") <- c(MaxProcs = "128")
test("a header without a start", loadstone$read(without)$submit_time, jobs$submit_time)
named <- jobs
named$submitted <- format(jobs$submit_time, "%Y-%m-%d %H:%M:%S", tz = "Europe/Zurich")
named$submit_time <- named$submit_time_s <- NULL
attr(named, "header") <- replace(attr(jobs, "header"), "TimeZoneString", "Europe/Zurich")
test("the header's zone with map", as.numeric(loadstone$read(named, map = c(submit_time = "submitted"))$submit_time), floor(as.numeric(jobs$submit_time)))

# Frames that lose their header keep their dates and names; those of two logs are read by them.
part <- subset(jobs, queue == "batch")
test("subset", is.null(attr(part, "header")), TRUE)
for (f in list(part, transform(part, mine = 1), part[names(part)])) {
  read <- loadstone$read(f, quiet = TRUE)
  test("dates without a header", read$submit_time, part$submit_time)
  test("names without a header", as.character(read$queue), as.character(part$queue))
}
other <- loadstone$generate("lublin1999", jobs = 500, seed = 2, start = "2026-03-02")
both <- rbind(jobs, other)
test("two logs", grepl("do not count from one start, as in a data frame of two logs: submit_time is read", warning_of(loadstone$read(both))), TRUE)
read <- loadstone$read(both, quiet = TRUE)
test("dates of two logs", read$submit_time, c(jobs$submit_time, other$submit_time))
test("names of two logs", as.character(read$queue), c(as.character(jobs$queue), as.character(other$queue)))

# Text ids of preceding jobs.
texts <- data.frame(job_id = c("a", "b", "c"), submit_time = 0:2, run_time = 5, requested_processors = 1, preceding_job_id = c(NA, "a", "zz"))
test("preceding jobs", loadstone$read(texts, quiet = TRUE)$preceding_job_id, c(NA, 1, NA))
test("unknown preceding jobs", warning_of(loadstone$read(texts)),
     'preceding_job_id: 1 preceding job is not known by the ids of the jobs, such as "zz": left unknown')
texts$job_id <- 11:13
test("numbers as ids", is.na(loadstone$read(texts, quiet = TRUE)$preceding_job_id), rep(TRUE, 3))

# Names of some numbers.
mine <- data.frame(submit_time = 1:4, run_time = 5, requested_processors = 1, user_id = c(7, 8, NA, 9), user = c("ann", NA, NA, ""))
again <- loadstone$read(mine, quiet = TRUE)
again$user_id <- mine$user_id
again$user <- mine$user
for (f in list(mine, again)) {
  test("names of some", warning_of(loadstone$read(f)), "user is empty in 2 rows whose user_id is known: the number is read as its name")
  test("numbers for names", as.character(loadstone$read(f, quiet = TRUE)$user), c("ann", "8", NA, "9"))
}
mine$user <- "same"
test("a name of several", warning_of(loadstone$read(mine)),
     'user and user_id disagree: user is read, although "same" stands for 3 numbers. Change user, or drop it to have user_id read')

# Frames that were made from one that was read here, and are job tables no longer.
keeps <- function(name, frame) {
  test(paste(name, "the machine"), unname(attr(frame, "header")["MaxProcs"]), "128")
  test(paste(name, "the clock"), frame$submit_time, jobs$submit_time)
  test(paste(name, "the names"), as.character(frame$queue), as.character(jobs$queue))
}
renamed <- jobs
names(renamed)[names(renamed) == "run_time_s"] <- "runtime"
test("renamed", grepl("other names: runtime as run_time_s", warning_of(loadstone$read(renamed))), TRUE)
test("renamed, run times", loadstone$read(renamed, quiet = TRUE)$run_time_s, jobs$run_time_s)
keeps("renamed keeps", loadstone$read(renamed, quiet = TRUE))
names(renamed)[names(renamed) == "runtime"] <- "took"
test("renamed with map", { mapped <- loadstone$read(renamed, map = c(run_time = "took")); mapped$run_time_s }, jobs$run_time_s)
keeps("renamed with map keeps", mapped)
halves <- transform(jobs, allocated_processors = 1.5)
attr(halves, "header") <- attr(jobs, "header")
test("fractions", grepl("allocated_processors that are not whole numbers: left unknown; 500 times, first in row 1: 1.5", warning_of(loadstone$read(halves))), TRUE)
keeps("fractions keep", loadstone$read(halves, quiet = TRUE))
added <- jobs
added$hour <- 1
test("added columns", warning_of(loadstone$read(added)), "none")
changed <- jobs
attr(changed, "header")["MaxProcs"] <- "many"
test("a wrong header", fault_of(loadstone$read(changed)), 'data.frame-1: attribute header: MaxProcs: saw "many", want a whole number')
twice <- jobs
names(twice)[names(twice) == "wait_time_s"] <- "run_time_s"
test("two columns of one name", fault_of(loadstone$read(twice)), "loadstone: the data frame has two columns run_time_s: rename or drop one")

# Headers and names.
lines <- c("; Version: 2.2", "; Information: http://a/", ";              http://b/", "; UnixStartTime: 86400", "; MaxProcs: 8", "; Note: one", "; Note: two: three")
writeLines(c(lines, "; MaxJobs: 1", "; EndTime: Fri Jan 02 00:00:30 UTC 1970", "1 10 5 20 2 -1 -1 2 -1 -1 5 -1 -1 -1 -1 -1 -1 -1"), "lines.swf")
loadstone$convert(loadstone$read("lines.swf"), "again.swf")
lines[3] <- "; Information: http://b/"
test("header lines", grep("^;", readLines("again.swf"), value = TRUE), lines)
names <- c("ann (staff)", '"bob"', "c \\ d", "- e", "=f")
people <- loadstone$read(data.frame(submit_time = 1:5, run_time = 5, requested_processors = 1, user = names))
test("names", as.character(people$user), names)
test("names again", as.character(loadstone$read(people)$user), names)
test("names like formulas", sort(loadstone$describe(people, by = "user")$name), sort(names))

# Scores, and rows of data frames.
predictions <- data.frame(job_id = jobs$job_id, predicted_s = 100)
test("score", loadstone$score(jobs, predictions)$predicted, 500)
predictions <- jobs["job_id"]
predictions$predicted_s <- 100
attr(predictions, "header") <- attr(jobs, "header")
test("predictions of a frame that was read", loadstone$score(jobs, predictions)$predicted, 500)
predictions$predicted_s[2] <- NA
test("rows", grepl("in row 2: nothing", warning_of(loadstone$score(jobs, predictions))), TRUE)
for (f in loadstone[c("runtime", "predict")]) test("by", grepl("has them under parts", fault_of(f(jobs, by = "month"))), TRUE)
test("by of score", grepl("has them under parts", fault_of(loadstone$score(jobs, predictions, by = "month"))), TRUE)
backwards <- data.frame(job_id = 1:3, submit_time = c(0, 60, 30), run_time = 5, requested_processors = 1)
for (frame in list(backwards, loadstone$read(backwards))) {
  found <- loadstone$validate(frame)
  test("rows of faults", c(found$row[found$rule == "submit-order"], all(is.na(found$line))), c(3, 1))
}
frame <- data.frame(when = c(0, 60), long = c(5, 7), cpus = 1:2)

# Models.
loadstone$convert(jobs, "jobs.swf", quiet = TRUE)
invisible(loadstone$run("fit", "jobs.swf", output = "users.json", quiet = TRUE))
site <- loadstone$fit("jobs.swf", quiet = TRUE)
loadstone$save(site, "saved.json")
test("the model that -o writes", readLines("saved.json"), readLines("users.json"))
test("of users", c(site$model$schema, utils::capture.output(print(site))),
     c("loadstone.population/1", paste0("loadstone fit: loadstone.population/1 of jobs.swf, ", nrow(site$fits), " fitted distributions")))
test("of distributions", loadstone$fit("jobs.swf", family = "gamma", quiet = TRUE)$model$schema, "loadstone.model/1")
test("name of a frame's model", loadstone$fit(jobs, quiet = TRUE)$model$name, "data.frame-1")
writeLines(loadstone$run("models show", "lublin1999"), "a.json")
loadstone$save(loadstone$model("lublin1999"), "b.json")
test("a model's text", readLines("b.json"), readLines("a.json"))
model <- loadstone$model("lublin1999")
model$processors <- 64
test("edited", unname(attr(loadstone$generate(model, jobs = 5), "header")["MaxProcs"]), "64")

# Errors, warnings and temporary files.
test("failed", message_of(loadstone$read("nothing.swf")), "1 nothing.swf: no such file or directory")
test("a name like a flag", message_of(loadstone$read("--help")), "1 ./--help: no such file or directory")
invisible(loadstone$run("plot run-times", jobs, output = "run-times.svg", quiet = TRUE))
test("any command", file.exists("run-times.svg"), TRUE)
test("usage", sub(" is none of.*", "", message_of(loadstone$runtime(jobs, predictors = "last3"))), "2 --predictors: \"last3\"")
test("condition", substr(message_of(loadstone$runtime(jobs, classes = "all", require = "accuracy(last2,all)>=0.99")), 1, 2), "3 ")
jobs$run_time_s <- "soon"
test("a frame's name", sub(":.*", "", message_of(loadstone$describe(jobs))), "1 data.frame-1, row 1")
writeLines(c("; MaxProcs: 8", "1 0 0 0 2 -1 -1 2 -1 -1 1 -1 -1 -1 -1 -1 -1 -1"), "zero.swf")
test("warning", grepl("run time of 0", tryCatch(loadstone$read("zero.swf"), warning = conditionMessage)), TRUE)
test("files left", grep("^loadstone-", list.files(dirname(folder)), value = TRUE), character())

kth <- file.path(Sys.getenv("LOADSTONE_TRACES", file.path(here, "../../shared/traces")), "swf/KTH-SP2-1996-2.1-cln.swf.gz")
if (file.exists(kth)) {
  log <- loadstone$read(kth, quiet = TRUE)
  # The log's page in the archive gives its jobs, users and machine.
  test("KTH", c(nrow(log), length(unique(log$user_id)), as.numeric(attr(log, "header")["MaxProcs"])), c(28476, 214, 100))
  test("KTH again", loadstone$read(log), log)
}

# The guide: the lines after code that begin with #> are what it prints.
lines <- readLines(guide)
inside <- FALSE
code <- new <- character()
world <- new.env()
for (line in c(lines, "")) {
  output <- inside && startsWith(line, "#>")
  if (length(code) && (output || line == "```")) {
    printed <- utils::capture.output(for (e in parse(text = code)) {
      value <- withVisible(eval(e, world))
      if (value$visible) print(value$value)
    })
    new <- c(new, sub(" +$", "", sprintf("#> %s", printed)))
    code <- character()
  }
  if (line == "```r") inside <- TRUE
  else if (line == "```") inside <- FALSE
  else if (inside && !output) code <- c(code, line)
  if (!output) new <- c(new, line)
}
new <- new[-length(new)]
if ("--update" %in% commandArgs(TRUE)) writeLines(new, guide)
test("the guide's outputs", lines, new)

cat(passed, "passed,", failed, "failed\n")
quit(status = as.integer(failed > 0))

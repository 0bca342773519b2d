# mixtools' and fitdistrplus' side of rivals.sh.
#
#   Rscript rivals.R NAME RUN_TIMES SEED LIMIT_S TASK...
#
# Files, tasks and lines are those of rivals.go. A task that needs more than
# LIMIT_S seconds is given up and says so. hyper-gamma is gammamixEM as it is
# called by default; "hyper-gamma random" is with mom.start = FALSE, from its
# random start.

suppressPackageStartupMessages({library(mixtools); library(fitdistrplus)})
arguments <- commandArgs(TRUE)
t <- scan(arguments[2], quiet = TRUE)
y <- log(t)
seed <- as.integer(arguments[3])
limit <- as.numeric(arguments[4])

mixture <- function(...) {
  steps <- capture.output(r <- gammamixEM(y, k = 2, ...))
  end <- if (any(grepl("NOT CONVERGENT", steps))) "not converged" else "converged"
  list(r$loglik, paste0(end, ", ", length(r$all.loglik) - 1, " steps"))
}

one <- function(x, law, jacobian) {
  r <- fitdist(x, law)
  list(r$loglik + jacobian, "")
}

run <- function(task) switch(task,
  "hyper-gamma" = mixture(),
  "hyper-gamma random" = mixture(mom.start = FALSE),
  "gamma" = one(y, "gamma", 0),
  "log-normal" = one(t, "lnorm", sum(y)),
  "weibull" = one(t, "weibull", sum(y)))

for (task in arguments[-(1:4)]) {
  package <- if (grepl("hyper", task)) "mixtools" else "fitdistrplus"
  set.seed(seed)
  before <- proc.time()
  setTimeLimit(elapsed = limit, transient = TRUE)
  r <- tryCatch(run(task), error = function(e) list(NaN, paste("failed:", gsub("[\t\n]", " ", conditionMessage(e)))))
  setTimeLimit()
  d <- proc.time() - before
  cat(arguments[1], task, paste(package, packageVersion(package)),
      sprintf("%.3f", d[[1]] + d[[2]]), sprintf("%.3f", d[[3]]), sprintf("%.4f", r[[1]]), r[[2]], sep = "\t")
  cat("\n")
}

"""The declared types of columns, of the job table and of results."""
from __future__ import annotations

# The job table, loadstone.jobs/1.
JOBS_WHOLE = """
    job_id allocated_processors requested_processors status user_id group_id application_id queue_id partition_id
    preceding_job_id requested_nodes allocated_nodes requested_gpus allocated_gpus gpu_type_id gpu_share_milli account_id
    qos_id array_id""".split()
JOBS_FLOAT = """
    submit_time_s wait_time_s run_time_s cpu_time_s used_memory_kb requested_time_s requested_memory_kb think_time_s
    sequential_time_s average_parallelism sigma requested_memory_total_kb used_memory_total_kb energy_j
    eligible_time_s""".split()
JOBS = {**dict.fromkeys(JOBS_WHOLE, "Int64"), **dict.fromkeys(JOBS_FLOAT, "Float64")}

# Columns that every job table has.
JOBS_ALWAYS = """
    job_id submit_time_s wait_time_s run_time_s allocated_processors cpu_time_s used_memory_kb requested_processors
    requested_time_s requested_memory_kb status user_id group_id application_id queue_id partition_id preceding_job_id
    think_time_s""".split()

# The words of the column status, in the order of its codes.
STATUS = ["failed", "completed", "partial", "last_completed", "last_failed", "cancelled"]

# The columns whose numbers have names in a log's header, under these keys.
NAMED = {"User": "user_id", "Group": "group_id", "Application": "application_id", "Queue": "queue_id",
         "Partition": "partition_id", "GPUType": "gpu_type_id", "Account": "account_id", "QOS": "qos_id"}

# Columns of results that are text, yes or no, and whole numbers; others are Float64.
TEXT = set("""
    attribute by class classes column command compared_as default estimates family field figure file filter group
    identity kind ks_method lacks log logs loop meaning measure method missing month name parameter partition policy predictor
    predicts quantity rule saw severity side site source statistic status strategy swept_parameter transform unit want weekday
    what why worst_class""".split())
BOOLEAN = set("differs feedback in_model inside no_difference pinned ready recommended".split())
WHOLE = set("""
    a_jobs accuracy_common_jobs b_jobs bounded common_jobs count delayed_jobs history_jobs hour job_id jobs jobs_left known
    line n observations predicted processors queued_most rank_of row run seed seeds sites users waits weak_weeks
    weeks""".split()) | {*NAMED.values()}

package logtest

// SqueueBars is the output of squeue with bars between its columns.
const SqueueBars = `JOBID|USER|ACCOUNT|PARTITION|QOS|NAME|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|REASON
101|alice|phys|batch|normal|md run|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:30|2:00:00|1-00:00:00|64|None
102|bob|chem|batch|normal|x|COMPLETING|2024-05-31T09:00:00|2024-05-31T11:00:00|1:00:31|UNLIMITED|1K|None
103_7|alice|phys|long|normal|y|PENDING|2024-05-31T11:30:00|N/A|0:00|30:00|8-16|Resources
103_8|alice|phys|long|normal|y|PD|2024-05-31T11:30:00|2024-06-01T00:00:00|0:00|NOT_SET|8|Priority
104|bob|chem|batch|normal|z|PENDING|2024-05-31T08:00:00|N/A|0:00|1:00|4|JobHeldUser
105|bob|chem|batch|normal|z|CONFIGURING|2024-05-31T11:59:00|2024-05-31T12:00:00|0:05|1:00|4|None
106|bob|chem|batch|normal|z|COMPLETED|2024-05-31T11:00:00|2024-05-31T11:10:00|20:00|1:00:00|4|None
`

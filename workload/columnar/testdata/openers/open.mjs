// Opens files of jobs by programs that share no code with ours and prints, as JSON,
// what they see: of each file the columns with their types, the number of rows and
// nulls, sums, and the first moments of submission.
// npm install --no-package-lock; node open.mjs FILE.parquet FILE.arrow FILE.arrows
import {readFileSync} from 'node:fs';
import {DuckDBInstance} from '@duckdb/node-api';
import {asyncBufferFromFile, parquetReadObjects} from 'hyparquet';
import {compressors} from 'hyparquet-compressors';
import {tableFromIPC} from 'apache-arrow';

const iso = (t) => t === null ? null : new Date(t).toISOString();

async function duckdb(file) {
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  const rows = async (sql) => (await db.runAndReadAll(sql)).getRowsJson();
  const columns = await rows(`DESCRIBE SELECT * FROM '${file}'`);
  const sums = {};
  for (const [name, type] of columns) {
    if (type !== 'DOUBLE' && type !== 'BIGINT') continue;
    const [[known, sum]] = await rows(`SELECT count(${name}), coalesce(sum(${name}), 0)::DOUBLE FROM '${file}'`);
    sums[name] = [Number(known), sum];
  }
  const stamped = columns.some(([name]) => name === 'submit_time');
  return {
    types: Object.fromEntries(columns.map(([name, type]) => [name, type])),
    sums,
    moments: stamped ? (await rows(`SELECT epoch_ms(submit_time) FROM '${file}' LIMIT 3`)).map(([ms]) => ms === null ? null : iso(Number(ms))) : [],
  };
}

// add sums a column of values that may be null, numbers or big integers.
function add(values) {
  let known = 0, sum = 0;
  for (const v of values) {
    if (v === null || v === undefined) continue;
    known++;
    sum += Number(v);
  }
  return [known, sum];
}

async function hyparquet(file) {
  const rows = await parquetReadObjects({file: await asyncBufferFromFile(file), compressors});
  const names = Object.keys(rows[0]);
  return {
    sums: Object.fromEntries(names.filter((name) => name !== 'submit_time').map((name) => [name, add(rows.map((r) => r[name]))])),
    moments: names.includes('submit_time') ? rows.slice(0, 3).map((r) => iso(r.submit_time)) : [],
  };
}

function arrow(file) {
  const table = tableFromIPC(readFileSync(file));
  return {sums: Object.fromEntries(table.schema.fields.map((f) => [f.name, add(table.getChild(f.name))])), moments: []};
}

const seen = [];
for (const file of process.argv.slice(2)) {
  const programs = file.endsWith('.parquet') ? {duckdb, hyparquet} : {arrow};
  for (const [program, open] of Object.entries(programs)) seen.push({program, file, ...await open(file)});
}
console.log(JSON.stringify(seen));

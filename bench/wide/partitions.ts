/** The payments as one table, and as tables in parts: by customer, and by month. */
import { Pool } from 'pg'
import { median, percentile, round } from '../measure.ts'

const ROWS = Number(process.env.BENCH_PARTITIONED ?? 1_000_000)
const PARTS = 24
const TURNS = Number(process.env.BENCH_ROUNDS ?? 200) * 5

/** What the shop finds payments by. Only a key that holds what parts them may be unique in all parts. */
const INDEXES = [
  '(order_id)',
  '(customer_id, created_at desc, id)',
  '(created_at desc, id desc)',
  '(status, created_at desc, id desc)',
  '(next_check_at) where next_check_at is not null',
  "(ended_at) where status = 'Success' and not refund_due and not is_invoiced",
]

type Kind = { table: string; what: string; key: string; by?: string; parts: string[] }

const KINDS: readonly Kind[] = [
  { table: 'one_table', what: 'one table', key: '(id)', parts: [] },
  {
    table: 'by_customer',
    what: `${PARTS} by customer`,
    key: '(id, customer_id)',
    by: 'hash (customer_id)',
    parts: Array.from(
      { length: PARTS },
      (_, part) => `for values with (modulus ${PARTS}, remainder ${part})`,
    ),
  },
  {
    table: 'by_month',
    what: `${PARTS} by month`,
    key: '(id, created_at)',
    by: 'range (created_at)',
    parts: Array.from({ length: PARTS }, (_, part) => {
      const month = (count: number) =>
        new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1 - count)).toISOString()
      return part === PARTS - 1 ? 'default' : `for values from ('${month(part + 1)}') to ('${month(part)}')`
    }),
  },
]

const make = async (pool: Pool, { table, key, by, parts }: Kind): Promise<void> => {
  await pool.query(
    by
      ? `create table ${table} (like payments including defaults) partition by ${by}`
      : `create table ${table} (like payments including defaults)`,
  )
  for (const [part, values] of parts.entries())
    await pool.query(`create table ${table}_${part} partition of ${table} ${values}`)
  await pool.query(`insert into ${table} select * from payments limit ${ROWS}`)
  await pool.query(`alter table ${table} add primary key ${key}`)
  for (const index of INDEXES) await pool.query(`create index on ${table} ${index}`)
  await pool.query(`vacuum analyze ${table}`)
}

type Some = { id: string; order_id: string; customer_id: string }

/** The questions that the shop asks most, and one of each of its jobs. */
const QUESTIONS: readonly {
  what: string
  text: (table: string) => string
  values: (one: Some) => string[]
}[] = [
  { what: 'by id', text: (table) => `select * from ${table} where id = $1`, values: ({ id }) => [id] },
  {
    what: 'by order',
    text: (table) => `select * from ${table} where order_id = $1`,
    values: ({ order_id }) => [order_id],
  },
  {
    what: 'of a customer, newest first',
    text: (table) => `select * from ${table} where customer_id = $1 order by created_at desc, id limit 20`,
    values: ({ customer_id }) => [customer_id],
  },
  {
    what: 'change by id',
    text: (table) => `update ${table} set checks = checks + 1 where id = $1`,
    values: ({ id }) => [id],
  },
  {
    what: 'due checks',
    text: (table) =>
      `select id from ${table} where next_check_at <= now() order by checks, next_check_at limit 1 for update skip locked`,
    values: () => [],
  },
  {
    what: 'due invoices',
    text: (table) =>
      `select id from ${table} where status = 'Success' and not refund_due and not is_invoiced order by ended_at limit 200`,
    values: () => [],
  },
  {
    what: 'the console’s first page',
    text: (table) => `select * from ${table} order by created_at desc, id desc limit 50`,
    values: () => [],
  },
]

export const comparePartitions = async (databaseUrl: string): Promise<void> => {
  // One connection, whose prepared statements are planned once, as the shop's are.
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  await pool.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'")
  for (const kind of KINDS) await make(pool, kind)
  const { rows: some } = await pool.query<Some>(
    'select id, order_id, customer_id from one_table tablesample system (1) where customer_id is not null limit 1000',
  )
  const rows: object[] = []
  for (const { what, text, values } of QUESTIONS) {
    const times = new Map<string, number[]>(KINDS.map(({ table }) => [table, []]))
    for (let turn = 0; turn < TURNS; turn++)
      for (const { table } of KINDS) {
        const one = some[(turn * 7919) % some.length] as Some
        const start = performance.now()
        await pool.query({ name: `${what} of ${table}`, text: text(table), values: values(one) })
        if (turn >= TURNS / 10) times.get(table)?.push(performance.now() - start)
      }
    const [plain, ...parted] = KINDS.map((kind) => ({ kind, of: times.get(kind.table) ?? [] }))
    if (!plain) continue
    rows.push({
      question: what,
      'one table p50 ms': round(median(plain.of), 3),
      ...Object.fromEntries(
        parted.flatMap(({ kind, of }) => [
          [`${kind.what} p50 ms`, round(median(of), 3)],
          [`${kind.what} ratio`, round(median(of) / median(plain.of), 2)],
        ]),
      ),
      'one table p99 ms': round(percentile(plain.of, 0.99), 3),
      ...Object.fromEntries(
        parted.map(({ kind, of }) => [`${kind.what} p99 ms`, round(percentile(of, 0.99), 3)]),
      ),
    })
  }
  console.log(`${ROWS} payments in one table and in parts`)
  console.table(rows)
  await pool.end()
}

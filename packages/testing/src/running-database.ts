import { findRunning } from '@hedgerow/embedded-postgres/start'
import { Client } from 'pg'
import { until } from './until.ts'

/** One statement on the database of a shop that runs on this folder: for what would take days through the front door. */
export const onRunningDatabase = async (dataDir: string, sql: string, values: unknown[]): Promise<void> => {
  const url = new URL(await until(() => findRunning(dataDir)))
  url.pathname = '/hedgerow'
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(sql, values)
  } finally {
    await client.end()
  }
}

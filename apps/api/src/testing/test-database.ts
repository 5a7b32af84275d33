import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { databaseAt, onServer, TEMPLATE } from '#testing/template-database.ts'

export type TestDatabase = { url: string; drop: () => Promise<void> }

const create = async (kind: string): Promise<TestDatabase> => {
  const serverUrl = inject('postgresUrl')
  const name = `t_${randomBytes(8).toString('hex')}`
  // As files: to copy them page by page through the log costs twice as much.
  await onServer(serverUrl, `create database ${name} ${kind} strategy file_copy`)
  return {
    url: databaseAt(serverUrl, name),
    drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  }
}

/** A database of one's own, up to date and with the demonstration node. */
export const cloneDatabase = (): Promise<TestDatabase> => create(`template ${TEMPLATE}`)

/** A database without a table. */
export const emptyDatabase = (): Promise<TestDatabase> => create('')

import { FILE_BYTES, type SentFile } from '@hedgerow/contract/console/partners'
import type * as z from 'zod/mini'
import { CsvFault } from '#csv/read-csv.ts'
import { invalidField } from '#http/problems.ts'

/** The bytes of a file that a browser read. Throws 'invalid'. */
export const bytesOf = ({ base64 }: z.output<typeof SentFile>): Buffer => {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0) throw invalidField('file', 'The file is empty.')
  if (bytes.length > FILE_BYTES) throw invalidField('file', 'The file is larger than 10 MB.')
  return bytes
}

/** What is wrong with a file, told at its field. */
export const fileRefused = (error: unknown): unknown =>
  error instanceof CsvFault ? invalidField('file', error.faults.slice(0, 10).join(' ')) : error

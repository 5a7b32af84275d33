import { FILE_BYTES, type SentFile } from '@hedgerow/contract/console/fields'
import type * as z from 'zod/mini'
import { CsvFault } from '#platform/csv/read-csv.ts'
import { invalidField } from '#platform/http/problems.ts'

/** The bytes of a file that a browser read. `field`: where it stood. Throws 'invalid'. */
export const bytesOf = ({ base64 }: z.output<typeof SentFile>, field = 'file'): Buffer => {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0) throw invalidField(field, 'The file is empty.')
  if (bytes.length > FILE_BYTES) throw invalidField(field, 'The file is larger than 10 MB.')
  return bytes
}

/** What is wrong with a file, told at its field. */
export const fileRefused = (error: unknown, field = 'file'): unknown =>
  error instanceof CsvFault ? invalidField(field, error.faults.slice(0, 10).join(' ')) : error

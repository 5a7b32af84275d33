import { Refusal } from '#desk/tool/refusal.ts'
import { CsvFault } from '#platform/csv/read-csv.ts'

/** What is wrong with a file is told as any other refusal, a line for each, and then what follows from it. */
export const withCsvFaults = async <T>(what: () => Promise<T> | T, then = ''): Promise<T> => {
  try {
    return await what()
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    throw new Refusal([...error.faults, ...(then ? [then] : [])].join('\n'))
  }
}

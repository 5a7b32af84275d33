import type { BankFile } from '#partners/payout-files/bank-words.ts'
import type { CsvOptions } from '#partners/payout-files/read-bank-csv.ts'
import { decodeText } from '#platform/csv/read-csv.ts'

/** XML by how it begins; anything else is a list. Throws CsvFault and BankFileFault. */
export const readBankFile = async (bytes: Buffer, options: CsvOptions): Promise<BankFile> => {
  const text = decodeText(bytes)
  if (/^\s*</.test(text)) {
    const { readBankXml } = await import('#partners/payout-files/read-bank-xml.ts')
    return readBankXml(text)
  }
  const { readBankCsv } = await import('#partners/payout-files/read-bank-csv.ts')
  return readBankCsv(text, options)
}

import { importAnswers } from '#partners/payout-files/bank-answers.ts'
import { columnsOf } from '#partners/payout-files/payment-list.ts'
import { writerFor } from '#partners/payout-files/payout-writers.ts'
import type { PayoutBatch } from '#partners/payout-files/payouts.queries.ts'
import { exportPayouts, listBatchPayouts, newBatchId } from '#partners/payout-files/payouts.service.ts'
import { readBankCsv } from '#partners/payout-files/read-bank-csv.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import type { TestShop } from '#testing/test-shop.ts'

const PAYER = { name: 'Hedgerow Networks Ltd', iban: 'GB33BUKB20201555555555', bic: 'BUKBGB22' }

const aBatch = (currency: 'EUR' | 'GBP'): PayoutBatch => ({
  id: newBatchId(),
  currency,
  kind: currency === 'EUR' ? 'sepa' : 'csv',
  executionDay: new Date().toISOString().slice(0, 10),
  payer: PAYER,
  columns: currency === 'EUR' ? null : columnsOf('generic'),
  createdAt: new Date(),
})

/** Puts all that waits in a file for the bank, and takes in its list: the wanted ones were paid, the others came back. */
export const payByFiles = async (shop: TestShop, wanted: ReadonlySet<string>): Promise<void> => {
  const keyCipher = createKeyCipher(shop.settings.keyEncryptionKey)
  for (const currency of ['EUR', 'GBP'] as const) {
    const batch = aBatch(currency)
    const { file } = await exportPayouts({ db: shop.db, keyCipher }, batch, writerFor(batch), {
      mayOwe: true,
    })
    if (!file) continue
    const lines = (await listBatchPayouts(shop, batch.id)).map(
      ({ reference, amount_minor, withdrawal_id }) =>
        `${reference};${(amount_minor / 100).toFixed(2)};${currency};${wanted.has(withdrawal_id) ? 'Completed' : 'Rejected'}`,
    )
    const words = readBankCsv(['Reference;Amount;Currency;Status', ...lines].join('\n'), {})
    const { answers, done } = await importAnswers(shop, words)
    for (const answer of answers)
      if (!done.has(answer)) throw new Error(`not taken in: ${JSON.stringify(answer)}`)
  }
}

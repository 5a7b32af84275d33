import { formatDateTime } from '@hedgerow/domain/dates'
import { formatMoney } from '@hedgerow/domain/money'
import { say, sayTable } from '#cli/print.ts'
import type { ListedTransfer } from '#partnership/statement.ts'
import { whatOf } from '#presentation/present-transfer.ts'

export const sayStatement = (rows: readonly ListedTransfer[]): void => {
  say('')
  sayTable(
    ['when', 'what', 'amount', 'payment or withdrawal'],
    rows.map((row) => [
      formatDateTime(row.created_at),
      whatOf(row),
      formatMoney(row.amount_minor, row.currency),
      row.withdrawal_id ?? row.payment_id ?? '',
    ]),
  )
}

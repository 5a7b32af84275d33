import { formatDateTime } from '@hedgerow/domain/dates'
import { formatMoney } from '@hedgerow/domain/money'
import { whatOf } from '#desk/presentation/present-transfer.ts'
import { say, sayTable } from '#desk/tool/print.ts'
import type { ListedTransfer } from '#partners/partnership/statement.ts'

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

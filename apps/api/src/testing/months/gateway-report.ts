import type { Month } from '#accounting/month-end/month.ts'
import { fetchSettlement } from '#accounting/settlement/fetch-settlement.ts'
import { bookingSources } from '#money/gateway/adapters.ts'
import { reportCsv } from '#testing/settlement.ts'
import type { TestShop } from '#testing/test-shop.ts'

type Line = { operation: string; payment: string; type: string }

const linesOf = async (shop: TestShop): Promise<Line[]> => {
  const [head = '', ...lines] = (await reportCsv(shop)).trim().split('\r\n')
  const columns = head.split(',')
  const [operation, payment, type] = ['operation_id', 'payment_id', 'operation_type'].map((name) =>
    columns.indexOf(name),
  )
  return lines.map((line) => {
    const cells = line.split(',')
    const cell = (place: number | undefined) => cells[place ?? -1] ?? ''
    return { operation: cell(operation), payment: cell(payment), type: cell(type) }
  })
}

/** When what the gateway booked happened in the month that was lived: for the shop. */
const readTimes = async ({ db }: Pick<TestShop, 'db'>) => {
  const sales = await db.selectFrom('payments').select(['id', 'ended_at']).execute()
  const refunds = await db.selectFrom('refunds').select(['gate_operation_id as id', 'ended_at']).execute()
  const disputes = await db.selectFrom('disputes').select(['payment_id', 'opened_at', 'ended_at']).execute()
  const byId = new Map([...sales, ...refunds].map(({ id, ended_at }) => [id ?? '', ended_at]))
  const byPayment = new Map(disputes.map((dispute) => [dispute.payment_id, dispute]))
  return ({ operation, payment, type }: Line): Date | null | undefined => {
    if (type === 'chargeback') return byPayment.get(payment)?.opened_at
    if (type === 'representment') return byPayment.get(payment)?.ended_at ?? byPayment.get(payment)?.opened_at
    return byId.get(type === 'sale' ? payment : operation)
  }
}

/** Has the gateway's operations happen when the shop's did. Declines moved nothing, and stay where they are. */
const dateReport = async (shop: TestShop): Promise<void> => {
  const timeOf = await readTimes(shop)
  const times = (await linesOf(shop)).flatMap((line): [string, string][] => {
    const time = timeOf(line)
    return time ? [[line.operation, time.toISOString()]] : []
  })
  const response = await fetch(`${shop.sandbox.url}/gate/operations/times`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(times)),
  })
  if (!response.ok) throw new Error(`The report was not dated: ${await response.text()}`)
}

/** Takes in what the gateway booked in each of the months, with its balances, as it tells it by then. */
export const takeReport = async (shop: TestShop, months: readonly Month[]): Promise<void> => {
  await dateReport(shop)
  const { db, settings } = shop
  for (const source of bookingSources(settings))
    for (const { from, to } of months) {
      const { isWhole, unreadable, hasBalances } = await fetchSettlement({ db, source }, { from, to })
      if (!isWhole || hasBalances !== (source.gateway === 'gate') || unreadable.length > 0)
        throw new Error('The report was not taken in')
    }
}

import { importReport } from '#settlement/import-report.ts'
import { reportCsv } from '#testing/settlement.ts'
import type { TestShop } from '#testing/test-shop.ts'

const NO_OPTIONS = { map: new Map(), types: new Map(), isMinor: false }

/** When what the gateway booked happened in the month that was lived: its payments and refunds are dated by now. */
const readTimes = async ({ db }: Pick<TestShop, 'db'>): Promise<Map<string, Date | null>> => {
  const sales = await db.selectFrom('payments').select(['id', 'ended_at']).execute()
  const refunds = await db.selectFrom('refunds').select(['gate_operation_id as id', 'ended_at']).execute()
  return new Map([...sales, ...refunds].map(({ id, ended_at }) => [id ?? '', ended_at]))
}

/** The gateway's own report, with the dates of the month that was lived, as the operator imports it. */
export const takeReport = async (shop: TestShop): Promise<void> => {
  const times = await readTimes(shop)
  const [head = '', ...lines] = (await reportCsv(shop)).trim().split('\r\n')
  const columns = head.split(',')
  const place = (name: string) => columns.indexOf(name)
  const dated = lines.map((line) => {
    const cells = line.split(',')
    const [operation = '', payment = ''] = [cells[place('operation_id')], cells[place('payment_id')]]
    const isSale = cells[place('operation_type')] === 'sale'
    const time = times.get(isSale ? payment : operation)
    // Declines, and what was refused: they moved nothing.
    if (time) cells[place('operation_completed_at')] = time.toISOString()
    return cells.join(',')
  })
  const bytes = Buffer.from([head, ...dated].join('\r\n'))
  const options = { ...NO_OPTIONS, projectId: shop.settings.gate.projectId }
  const { kind } = await importReport(shop, { name: 'report.csv', bytes }, options)
  if (kind !== 'imported') throw new Error(`The report was not taken in: ${kind}`)
}

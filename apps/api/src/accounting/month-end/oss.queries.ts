import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** What the documents of the One Stop Shop say, each in its own currency, in minor units: invoices, less credit notes. */
export type OssSum = {
  country: string
  rate: string
  /** Of the sale: '2026-Q4'. What is credited later corrects it. */
  sale_quarter: string
  currency: string
  net_minor: string
  vat_minor: string
}

const quarterOf = (column: 'at' | 'sold_at') =>
  sql`to_char(${sql.ref(column)} at time zone 'Europe/London', 'YYYY-"Q"Q')`

/** Of a quarter, by country, rate, currency and the quarter of the sale. `years`: those that its documents may be numbered in. */
export const sumOss = async (db: Db, quarter: string): Promise<OssSum[]> => {
  const year = Number(quarter.slice(0, 4))
  const years = sql`between ${year - 1} and ${year + 1}`
  const { rows } = await sql<OssSum>`
    with document as (
      select 1 as sign, snapshot, coalesce(snapshot #>> '{correction,at}', snapshot ->> 'paidAt')::timestamptz as at,
        (snapshot ->> 'paidAt')::timestamptz as sold_at
      from issued_invoices where year ${years}
      union all
      select -1, note.snapshot, (note.snapshot ->> 'refundedAt')::timestamptz,
        coalesce(invoice.snapshot ->> 'paidAt', note.snapshot #>> '{invoice,issuedAt}')::timestamptz
      from issued_credit_notes as note
        left join invoices as invoice on invoice.order_id = (note.snapshot #>> '{invoice,orderId}')::uuid
      where note.year ${years}
    )
    select snapshot #>> '{vat,country}' as country, (snapshot ->> 'vatRate')::numeric::text as rate,
      ${quarterOf('sold_at')} as sale_quarter, snapshot ->> 'currency' as currency,
      sum(sign * (snapshot ->> 'netMinor')::bigint)::text as net_minor,
      sum(sign * (snapshot ->> 'vatMinor')::bigint)::text as vat_minor
    from document
    where snapshot #>> '{vat,treatment}' = 'oss' and ${quarterOf('at')} = ${quarter}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(db)
  return rows
}

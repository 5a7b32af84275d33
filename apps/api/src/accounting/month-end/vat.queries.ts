import { sql } from 'kysely'
import type { Books } from '#accounting/month-end/pages.ts'

/** What the documents of one tax say in pounds, in pence: invoices, less credit notes. */
export type VatSum = {
  treatment: string
  country: string | null
  rate: string
  net_minor: string
  vat_minor: string
}

const inPounds = (sum: 'netMinor' | 'vatMinor') => sql`case when snapshot ->> 'currency' = 'GBP'
  then (snapshot ->> ${sql.lit(sum)})::bigint
  else (snapshot #>> ${sql.lit(`{sterling,${sum}}`)})::bigint end`

/** By treatment, country and rate. A document in another currency without pounds is left out. */
export const sumVat = async ({ db, month: { from, to, year } }: Books): Promise<VatSum[]> => {
  const years = sql`year between ${year - 1} and ${year + 1}`
  const { rows } = await sql<VatSum>`
    with document as (
      select 1 as sign, snapshot, 
        coalesce(snapshot #>> '{correction,at}', snapshot ->> 'paidAt')::timestamptz as at from issued_invoices where ${years}
      union all
      select -1, snapshot, (snapshot ->> 'refundedAt')::timestamptz from issued_credit_notes where ${years}
    )
    select coalesce(snapshot #>> '{vat,treatment}', 'uk') as treatment,
      case when coalesce(snapshot #>> '{vat,treatment}', 'uk') = 'uk' then 'GB' else snapshot #>> '{vat,country}' end as country,
      (snapshot ->> 'vatRate')::numeric::text as rate,
      sum(sign * ${inPounds('netMinor')})::text as net_minor, sum(sign * ${inPounds('vatMinor')})::text as vat_minor
    from document
    where at >= ${from} and at < ${to} and ${inPounds('netMinor')} is not null
    group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows
}

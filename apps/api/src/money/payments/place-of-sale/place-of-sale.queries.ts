import { OSS_INVOICE_YEARS } from '@hedgerow/domain/invoices'
import type { VatNumberStanding } from '@hedgerow/domain/vat'
import type { Company } from '@hedgerow/domain/vat-numbers'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { updateDue, yearsAgo } from '#platform/database/slices.ts'

/** Whom a sale is to, for its tax, and what else says so. Countries are ISO 3166 codes. */
export type PlaceOfSale = {
  country: string
  networkCountry?: string | undefined
  vatNumber?: string
  standing?: VatNumberStanding
  consultation?: string | undefined
  /** The business that gave the number, and what VIES says of its holder. */
  company?: Company
  viesName?: string | undefined
  viesAddress?: string | undefined
}

/** Sets what tells whom a sale was to, where there was none, or no law wants it any more. */
export const NO_PLACE = sql`vat_country = null, vat_number = null, vat_number_standing = null, vat_number_consultation = null,
  vat_name = null, vat_address = null, vies_name = null, vies_address = null, vies_late_answer = null, network_country = null, bank_country = null`

/**
 * What the gateway tells later of where the card or the bank is: evidence of a sale that asked for the country. What is known
 * already stays, and so does the invoice. False where there was nothing to note.
 */
export const setBankCountry = async (db: Db, id: string, country: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ bank_country: country })
    .where('id', '=', id)
    .where('vat_country', 'is not', null)
    .where('bank_country', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Of sales that tax law does not want to be kept any more: as long as the longest-kept invoices, whatever the sale. */
export const forgetOldPlaces = (db: Db) =>
  updateDue(
    db,
    'payments',
    NO_PLACE,
    sql`vat_country is not null and coalesce(ended_at, created_at) < ${yearsAgo(OSS_INVOICE_YEARS)}`,
  )

import { isoDay } from '@hedgerow/domain/dates'
import { type VatTreatment, vatOfSale } from '@hedgerow/domain/vat'
import { judgePlace, type PlaceVerdict } from '@hedgerow/domain/vat-evidence'
import { listPlacedSales, type PlacedSaleRow } from '#accounting/books/vat-evidence.queries.ts'
import type { With } from '#platform/dependencies.ts'

/** How the place of a sale stands: 'business' where a VAT number says it, else how the signs of a consumer's place agree. */
type EvidenceVerdict = PlaceVerdict | 'business'

export type PlacedSale = {
  row: PlacedSaleRow
  /** As the invoice has it; before it is issued, as it will have it. `country` is the one whose tax is owed, or would be. */
  vat: { treatment: VatTreatment; country: string | null; rate: number; vatMinor: number | null }
  verdict: EvidenceVerdict
}

const vatOf = ({
  snapshot,
  ended_at,
  vat_country,
  vat_number_standing,
}: PlacedSaleRow): PlacedSale['vat'] => {
  if (snapshot?.vat)
    return {
      treatment: snapshot.vat.treatment,
      country: snapshot.vat.country,
      rate: snapshot.vatRate,
      vatMinor: snapshot.vatMinor,
    }
  const facts = { country: vat_country, numberStanding: vat_number_standing }
  return { ...vatOfSale(facts, isoDay(ended_at as Date)), vatMinor: null }
}

const judge = (row: PlacedSaleRow): PlacedSale => {
  const vat = vatOf(row)
  const { vat_country, bank_country: bank, network_country: network } = row
  const verdict =
    vat.treatment === 'reverse-charge'
      ? 'business'
      : judgePlace({ chosen: vat_country as string, bank, network })
  return { row, vat, verdict }
}

/** What the place of each sale was determined by, and whether its pieces agree; of those paid between two instants, if these are named. */
export const listVatEvidence = async (
  { db }: With<'db'>,
  between?: Parameters<typeof listPlacedSales>[1],
): Promise<PlacedSale[]> => (await listPlacedSales(db, between)).map(judge)

import type { EvidenceData } from '@hedgerow/documents/evidence-pdf'
import { formatCharged } from '@hedgerow/domain/exchange'
import { earlierSection, eventSection, wordsSection } from '#money/disputes/account-sections.ts'
import { findDispute } from '#money/disputes/disputes.queries.ts'
import { findPurchase } from '#money/disputes/evidence.queries.ts'
import { time } from '#money/disputes/evidence-text.ts'
import { invoiceSection } from '#money/disputes/invoice-section.ts'
import {
  aboutSection,
  authorisationSection,
  deliverySection,
  orderSection,
  termsSection,
} from '#money/disputes/purchase-sections.ts'
import { disputesSection, refundSection } from '#money/disputes/refund-sections.ts'
import type { With } from '#platform/dependencies.ts'
import type { Settings } from '#platform/settings.ts'

/** All that the shop holds of a disputed purchase and may show its bank; undefined when there is no such dispute. */
export const gatherEvidence = async (
  { db, settings }: With<'db'> & { settings: Pick<Settings, 'brand'> },
  disputeId: string,
  made: Date,
): Promise<EvidenceData | undefined> => {
  const dispute = await findDispute(db, disputeId)
  const purchase = dispute && (await findPurchase(db, dispute.payment_id))
  if (!dispute || !purchase) return undefined
  const { customer_id: customerId } = purchase
  return {
    issuer: settings.brand,
    made,
    title: 'Evidence on a disputed payment',
    summary: [
      `${settings.brand.company.legalName} answers the dispute of ${formatCharged(dispute.amount_minor, dispute.currency)}, opened on ${time(dispute.opened_at)}, with what it holds of the purchase. All times are London’s. Made on ${time(made)}.`,
    ],
    sections: [
      aboutSection(dispute, purchase),
      orderSection(purchase),
      termsSection(purchase),
      await authorisationSection(db, purchase),
      await deliverySection(db, purchase),
      await refundSection(db, purchase),
      ...(await disputesSection(db, dispute)),
      ...(customerId === null
        ? []
        : [
            await earlierSection(db, purchase),
            await eventSection(db, customerId),
            await wordsSection(db, customerId),
          ]),
      ...invoiceSection(purchase),
    ],
  }
}

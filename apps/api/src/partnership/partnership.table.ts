import type { Generated } from 'kysely'

/** How often a customer's referral link was followed. Nothing is kept of who followed it. */
export type PartnerCrossingsTable = { customer_id: string; crossings: Generated<number> }

export type PartnershipTables = { partner_crossings: PartnerCrossingsTable }

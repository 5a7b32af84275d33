import { type RawBuilder, sql } from 'kysely'
import { formerSecretOwner, webhookSecretOwner } from '#care/webhooks/secret-owners.ts'
import { ownerOfBankDetails } from '#partners/withdrawals/bank-details.ts'
import { totpOwner } from '#people/operators/ways-in.ts'
import { ownerOfTotp } from '#people/second-step/check-code.ts'

export type SealedKind = 'connection' | 'customer-app' | 'operator-app' | 'withdrawal' | 'webhook'

/** A column that holds sealed values. */
export type SealedPlace = {
  kind: SealedKind
  table: string
  column: string
  /** The column by which a row is called, and which its values are bound to. */
  id: string
  ownerOf: (id: string) => string
  /** Whether it is needed now. */
  isWanted: RawBuilder<boolean>
}

const ofPeer = {
  kind: 'connection',
  table: 'peers',
  id: 'id',
  ownerOf: (id: string) => id,
  isWanted: sql<boolean>`peers.replaced_at is null and peers.removed_at is null`,
} as const

/**
 * Everything that is sealed for longer than some minutes. What is sealed while an app is being set up is not here: where it
 * does not open, the set-up begins anew.
 */
export const SEALED_PLACES: readonly SealedPlace[] = [
  { ...ofPeer, column: 'private_key_encrypted' },
  { ...ofPeer, column: 'preshared_key_encrypted' },
  {
    kind: 'customer-app',
    table: 'totp_secrets',
    column: 'secret_encrypted',
    id: 'customer_id',
    ownerOf: ownerOfTotp,
    isWanted: sql<boolean>`true`,
  },
  {
    kind: 'operator-app',
    table: 'operators',
    column: 'totp_encrypted',
    id: 'id',
    ownerOf: totpOwner,
    isWanted: sql<boolean>`true`,
  },
  {
    kind: 'withdrawal',
    table: 'withdrawals',
    column: 'details_encrypted',
    id: 'id',
    ownerOf: ownerOfBankDetails,
    isWanted: sql<boolean>`true`,
  },
  {
    kind: 'webhook',
    table: 'webhook_endpoints',
    column: 'secret_encrypted',
    id: 'id',
    ownerOf: webhookSecretOwner,
    isWanted: sql<boolean>`true`,
  },
  {
    kind: 'webhook',
    table: 'webhook_endpoints',
    column: 'former_secret_encrypted',
    id: 'id',
    ownerOf: formerSecretOwner,
    isWanted: sql<boolean>`former_secret_until > now()`,
  },
]

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** The kind and the row that a sealed value is bound to; undefined of what is bound to no row of these. */
export const rowOfOwner = (owner: string): { kind: SealedKind; id: string } | undefined => {
  const id = owner.match(UUID)?.[0]
  const place = id && SEALED_PLACES.find(({ ownerOf }) => ownerOf(id) === owner)
  return id && place ? { kind: place.kind, id } : undefined
}

import type { PaymentStatusReply } from '@hedgerow/contract/payments'
import { isFinal } from '@hedgerow/domain/payment-status'
import type { BankList } from '#money/gateway/bank-list.ts'
import type { GatewayDependencies } from '#money/gateway/gateway.ts'
import { presentStatus } from '#money/payments/payments.present.ts'
import { findPaymentState } from '#money/payments/payments.queries.ts'
import type { Vies } from '#money/vies/vies-client.ts'
import type { Db } from '#platform/database/client.ts'
import { createNotifiedCache, type NotifiedCache } from '#platform/database/notified-cache.ts'
import { type SerialisedReply, serialise } from '#platform/http/cached-reply.ts'

/** Statuses of payments, as waiting pages get them; and whether the end of this one is still to be shown. */
export type PaymentStatuses = NotifiedCache<{
  reply: SerialisedReply<PaymentStatusReply>
  isUnnotified: boolean
}>

export type PaymentDependencies = GatewayDependencies &
  Readonly<{ banks: BankList; vies: Vies; statuses: PaymentStatuses }>

export const createPaymentStatuses = (db: Db, publicUrl: string): PaymentStatuses =>
  createNotifiedCache(async (id) => {
    const state = await findPaymentState(db, id)
    if (!state) return undefined
    const isUnnotified = isFinal(state.status) && state.status !== 'Success' && state.notified_at === null
    return { reply: serialise(presentStatus(state, publicUrl)), isUnnotified }
  })

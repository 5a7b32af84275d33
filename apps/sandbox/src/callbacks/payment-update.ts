import type { CallbackFormat } from '#faults/faults.ts'
import type { Operation, Payment } from '#payments/payment.ts'
import type { SandboxSettings } from '#settings.ts'

export type Signer = Pick<SandboxSettings, 'projectId' | 'secret'>

/** What a callback brings: how an operation left its payment, in one of the formats. */
export type PaymentUpdate = { payment: Payment; operation: Operation; format: CallbackFormat; signer: Signer }

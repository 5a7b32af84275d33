import type { Dependencies } from '#dependencies.ts'
import type { InvoiceDependencies } from '#invoices/pdf-maker.ts'
import type { NodeDependencies } from '#nodes/node-signal.ts'
import type { PaymentDependencies } from '#payments/payment-statuses.ts'
import type { PlanDependencies } from '#plans/plans.service.ts'

/** Everything that the running shop is made of. */
export type ShopDependencies = Dependencies &
  PaymentDependencies &
  PlanDependencies &
  InvoiceDependencies &
  NodeDependencies

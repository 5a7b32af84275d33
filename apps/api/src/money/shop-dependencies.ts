import type { PlanDependencies } from '#catalogue/plans/plans.service.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import type { NodeDependencies } from '#network/agents/node-signal.ts'
import type { Dependencies, ProcessDependencies } from '#platform/dependencies.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'

/** Everything that the running shop is made of. */
export type ShopDependencies = Dependencies &
  ProcessDependencies &
  PaymentDependencies &
  PlanDependencies &
  InvoiceDependencies &
  NodeDependencies

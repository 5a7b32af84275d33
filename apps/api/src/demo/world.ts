import type { Chance } from '#demo/chance.ts'
import type { DemoClock } from '#demo/clock.ts'
import type { DemoGateway } from '#demo/gateway.ts'
import type { Person } from '#demo/people.ts'
import type { Staff } from '#demo/staff.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import type { Dependencies } from '#platform/dependencies.ts'

export type DemoDependencies = Dependencies & PaymentDependencies

/** Someone who has an account by now. */
export type Customer = Person & {
  id: string
  promocode: string
  /** Whose link or code they came by. */
  partner: Customer | undefined
}

/** What there is to work with while the past is lived, and what has come of it so far. */
export type World = {
  deps: DemoDependencies
  gateway: DemoGateway
  clock: DemoClock
  seed: number
  days: number
  /** When it ends: now, by the real clock. */
  end: number
  staff: Staff
  /** The ids of the places, by name. */
  nodes: Map<string, string>
  partners: Customer[]
  /** Those who have bought something. */
  buyers: Customer[]
  /** Those who have written to support. */
  talkers: Set<Customer>
  /** How many purchases have succeeded. */
  sales: number
  /** How many accounts there are. */
  customers: number
  /** Has something happen at a time; nothing of what would be after the end. */
  at: (time: number, deed: Deed) => void
}

export type Deed = (world: World) => Promise<void>

/** Draws of a deed of someone. */
export type Draws = (question: string) => Chance

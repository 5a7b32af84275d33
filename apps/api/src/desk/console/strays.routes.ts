import {
  adoptPayment,
  closeStatement as closeStatementEndpoint,
  compareDay,
  listStatements,
  listUnknownPayments,
  openStatement,
} from '@hedgerow/contract/console/strays'
import { maskEmail, maskName } from '@hedgerow/domain/masked'
import { isDay } from '@hedgerow/domain/periods'
import { FEATURES, NO_FEATURES } from '@hedgerow/domain/pricing'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { findAccount } from '#desk/backoffice/customer-report.ts'
import { compareSome } from '#desk/backoffice/reconcile.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { refused } from '#desk/console/refused.ts'
import { closeStatement, getStatement, searchStatements } from '#money/cancellations/statements.service.ts'
import {
  adoptForPurchase,
  adoptForRefund,
  askOfPayment,
  findAdopted,
  type Purchase,
} from '#money/payments/exceptions/adopt-payment.ts'
import { type ListedUnknown, listUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import type { CancellationStatementRow } from '#platform/database/tables/cancellations.table.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'log' | 'settings'> & PaymentDependencies

const LISTED = 200

const unknownView = (row: ListedUnknown) => ({
  id: row.payment_id,
  status: row.status,
  method: row.method,
  sum:
    row.amount_minor === null || row.currency === null
      ? null
      : { minor: Number(row.amount_minor), currency: row.currency },
  card: row.pan_masked,
  customerId: row.email === null ? null : row.gate_customer_id,
  isGivenBack: row.is_given_back,
  firstToldAt: row.first_told_at.toISOString(),
})

type AdoptBody = z.output<typeof adoptPayment.schema.body>

const purchaseOf = (body: AdoptBody): Purchase | undefined => {
  if (body.kind === 'refund') return undefined
  if (body.kind === 'order') return { kind: 'order', orderId: body.orderId }
  if (body.kind === 'plan') return { kind: 'plan', planId: body.planId }
  const { days, connections, features, currency } = body
  const chosen = Object.fromEntries(FEATURES.map(({ key }) => [key, features.includes(key)]))
  return {
    kind: 'choice',
    choice: { days, connections, features: { ...NO_FEATURES, ...chosen } },
    currency,
  }
}

const unknownRoutes = (app: FastifyInstance, deps: Deps): void => {
  implementForOperators(app, deps, listUnknownPayments, async ({ query }) => {
    const found = await listUnknown(deps.db, { isAll: query.all === 'true' }, LISTED + 1)
    return { payments: found.slice(0, LISTED).map(unknownView), hasMore: found.length > LISTED }
  })

  implementForOperators(app, deps, adoptPayment, async ({ params: { paymentId }, body }) => {
    const { customerId } = body
    const customer = customerId === undefined ? undefined : await findAccount(deps, customerId)
    if (customerId !== undefined && !customer) throw new Problem('customer-not-found')
    const purchase = purchaseOf(body)
    const find = () => findAdopted(deps, paymentId, customerId, purchase)
    const adopt = async () => {
      const asked = await askOfPayment(deps, paymentId)
      if (asked.kind === 'silent') throw refused('the gateway does not answer now. Nothing was done')
      if (asked.kind === 'refused') return (await find()) ?? asked
      return purchase && customer
        ? adoptForPurchase(deps, asked.word, customer.id, purchase)
        : adoptForRefund(deps, asked.word, customer)
    }
    const outcome = (await find()) ?? (await adopt())
    if (outcome.kind === 'refused') throw refused(`nothing was done: ${outcome.why}`)
    return { isNew: outcome.kind === 'adopted', orderId: outcome.orderId }
  })
}

const statementView = (row: CancellationStatementRow) => ({
  id: row.id,
  isOpen: row.closed_at === null,
  receivedAt: row.received_at.toISOString(),
  closedAt: row.closed_at?.toISOString() ?? null,
  isAcknowledged: row.is_acknowledged,
  name: maskName(row.name),
  email: maskEmail(row.email),
})

const statementsRoutes = (app: FastifyInstance, deps: Deps): void => {
  const statementOf = async (id: string): Promise<CancellationStatementRow> => {
    const row = await getStatement(deps, id)
    if (!row) throw new Problem('statement-not-found')
    return row
  }

  implementForOperators(app, deps, listStatements, async ({ query }) => {
    const found = await searchStatements(deps, query.all === 'true', LISTED + 1)
    return { statements: found.slice(0, LISTED).map(statementView), hasMore: found.length > LISTED }
  })

  implementForOperators(app, deps, openStatement, async ({ params }) => {
    const row = await statementOf(params.statementId)
    const { contract, message, name, email } = row
    const account = await findAccount(deps, email)
    return { ...statementView(row), name, email, contract, message, customerId: account?.id ?? null }
  })

  implementForOperators(app, deps, closeStatementEndpoint, async ({ params }) => ({
    isChanged: await closeStatement(deps, (await statementOf(params.statementId)).id),
  }))
}

/** What came without belonging to anything here yet, and whether what belongs here is at the gateway the same. */
export const straysRoutes = (app: FastifyInstance, deps: Deps): void => {
  unknownRoutes(app, deps)
  statementsRoutes(app, deps)

  implementForOperators(app, deps, compareDay, async ({ query: { day, skip } }) => {
    if (!isDay(day)) throw invalidField('day', 'There is no such day.')
    const { compared, next } = await compareSome(deps, new Date(`${day}T00:00:00Z`), skip)
    return {
      compared: compared.length,
      silent: compared.filter(({ differences }) => differences === undefined).length,
      different: compared
        .filter(({ differences }) => differences && differences.length > 0)
        .map(({ payment, differences }) => ({
          paymentId: payment.id,
          createdAt: payment.created_at.toISOString(),
          says: (differences ?? []).map(
            ({ what, shop, gateway }) => `${what}: here ${shop}, there ${gateway}`,
          ),
        })),
      next,
    }
  })
}

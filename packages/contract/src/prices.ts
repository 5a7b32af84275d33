import { FEATURES } from '@hedgerow/domain/pricing'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldOfEach } from './fields.ts'
import { routes } from './routes.ts'

/** What the calculator computes with, in minor units of the currency that is chosen. */
const CalculatorPrices = z.object({
  day: z.int(),
  /** For each connection above those that are included. */
  connection: z.int(),
  features: z.object(fieldOfEach(FEATURES, z.int())),
})

export const getPrices = endpoint({
  ...routes.getPrices,
  access: 'anyone',
  summary: 'What the calculator computes with: an order is made at these prices, and keeps its own',
  schema: { response: { 200: CalculatorPrices } },
})

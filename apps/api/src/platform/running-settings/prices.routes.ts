import { getPrices } from '@hedgerow/contract/prices'
import { FEATURES, type WireFeature } from '@hedgerow/domain/pricing'
import type { FastifyInstance } from 'fastify'
import { implement } from '#platform/http/implement.ts'
import type { Settings } from '#platform/settings.ts'

/** What the calculator computes with, as this process does. */
export const pricesRoutes = (app: FastifyInstance, { settings }: { settings: Settings }): void => {
  implement(app, getPrices, async () => {
    const { dayMinor, extraConnectionMinor, featuresMinor } = settings.prices
    const features = Object.fromEntries(FEATURES.map(({ key, wire }) => [wire, featuresMinor[key]]))
    return {
      day: dayMinor,
      connection: extraConnectionMinor,
      features: features as Record<WireFeature, number>,
    }
  })
}

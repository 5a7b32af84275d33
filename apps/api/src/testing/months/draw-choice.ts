import type { CurrencyCode } from '@hedgerow/domain/money'
import type { Chance } from '#testing/torture/chance.ts'

export const drawCurrency = (chance: Chance): CurrencyCode => chance.pick(['EUR', 'GBP'])

export const drawChoice = (chance: Chance) => ({
  days: 1 + chance.below(120),
  connections: 3 + chance.below(4),
  currency: drawCurrency(chance),
  features: { feature1: chance.is(0.5), feature3: chance.is(0.3) },
})

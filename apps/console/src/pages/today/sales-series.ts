import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import type { ReplyOf } from '#lib/api.ts'
import type { Series, Tone } from '#shared/bar-chart.tsx'

type Sales = ReplyOf<'getSales'>
export type Part = 'currency' | 'method' | 'plan'
type Line = Sales['lines'][number]

const METHODS: Readonly<Record<PaymentMethod, Tone>> = { card: 1, open_banking: 2, blik: 3, crypto: 5 }
const CURRENCIES: Readonly<Record<string, Tone>> = { EUR: 1, GBP: 2, PLN: 3 }
/** Of plans; the first colour is the calculator's. */
const PLANS: readonly Tone[] = [2, 3, 4, 5]

const totalOf = ({ sold }: Line) => sold.reduce((all, one) => all + one, 0)

/** A plan's colour goes by its place among all plans; where another one shown has it already, the next that is free. */
const planSeries = (lines: readonly Line[]): Series[] => {
  const best = new Set(
    lines
      .filter(({ place }) => place > 0)
      .toSorted((one, other) => totalOf(other) - totalOf(one))
      .slice(0, PLANS.length),
  )
  const free = new Set(PLANS)
  const series: Series[] = []
  const rest: Line[] = []
  for (const line of lines.toSorted((one, other) => one.place - other.place)) {
    const { key, name, place, sold } = line
    if (key === '') series.push({ name, tone: 1, values: sold })
    else if (!best.has(line)) rest.push(line)
    else {
      const own = PLANS[(place - 1) % PLANS.length] ?? 5
      const tone = free.has(own) ? own : ([...free][0] ?? 'rest')
      free.delete(tone)
      series.push({ name, tone, values: sold })
    }
  }
  if (rest.length === 0) return series
  const values = rest[0]?.sold.map((_, at) => rest.reduce((all, { sold }) => all + (sold[at] ?? 0), 0)) ?? []
  return [...series, { name: 'Other plans', tone: 'rest', values }]
}

/** What was sold as the chart shows it: a part has one colour, whatever else is shown and in whichever order it comes. */
export const seriesOf = (lines: readonly Line[], by: Part): Series[] => {
  if (by === 'plan') return planSeries(lines)
  const tones: Readonly<Record<string, Tone>> = by === 'method' ? METHODS : CURRENCIES
  const order = Object.keys(tones)
  return lines
    .toSorted((one, other) => order.indexOf(one.key) - order.indexOf(other.key))
    .map(({ key, name, sold }) => ({ name, tone: tones[key] ?? 'rest', values: sold }))
}

/** The optional features: what they are called, what the wire calls them, and what each costs (spec §3, §9). */
export const FEATURES = [
  { key: 'priorityBandwidth', wire: 'feature1', label: 'Priority bandwidth', priceMinor: 5 },
  { key: 'adFilter', wire: 'feature2', label: 'Advertisement filter', priceMinor: 3 },
  { key: 'malwareFilter', wire: 'feature3', label: 'Malicious content filter', priceMinor: 2 },
  { key: 'familyFilter', wire: 'feature4', label: 'Family content filter', priceMinor: 1 },
] as const

export type FeatureKey = (typeof FEATURES)[number]['key']
export type WireFeature = (typeof FEATURES)[number]['wire']
export type Features = Readonly<Record<FeatureKey, boolean>>
export type WireFeatures = Readonly<Record<WireFeature, boolean>>

/** What is bought by the calculator. */
export type Choice = { days: number; connections: number; features: Features }

/** The slider reaches 500 as the specification's template says; whatever sets the value, 365 is the most. */
export const DAYS = { min: 1, max: 365, sliderMin: 3, sliderMax: 500, default: 30 } as const
export const CONNECTIONS = { min: 3, max: 13, default: 3 } as const

const DAY_MINOR = 100
const EXTRA_CONNECTION_MINOR = 10

const clamp = (value: number, min: number, max: number) => {
  const whole = Math.round(value)
  return Number.isNaN(whole) ? min : Math.min(max, Math.max(min, whole))
}

export const clampDays = (days: number): number => clamp(days, DAYS.min, DAYS.max)
export const clampConnections = (connections: number): number =>
  clamp(connections, CONNECTIONS.min, CONNECTIONS.max)

export const NO_FEATURES: Features = {
  priorityBandwidth: false,
  adFilter: false,
  malwareFilter: false,
  familyFilter: false,
}

export const DEFAULT_CHOICE: Choice = {
  days: DAYS.default,
  connections: CONNECTIONS.default,
  features: NO_FEATURES,
}

/** Price in minor units: days × 1 + (connections − 3) × 0.1 + the features chosen (spec §9). */
export const totalMinor = ({ days, connections, features }: Choice): number =>
  receiptLines({ days, connections, features }).reduce((sum, line) => sum + line.amountMinor, 0)

/** One line of the receipt: `quantity` × `unitMinor` = `amountMinor`. */
export type ReceiptLine = {
  key: 'days' | 'connections' | FeatureKey
  label: string
  quantity: number
  unitMinor: number
  amountMinor: number
}

/** The price, explained line by line; the lines add up to the total. */
export const receiptLines = ({ days, connections, features }: Choice): ReceiptLine[] => {
  const line = (key: ReceiptLine['key'], label: string, quantity: number, unitMinor: number) => ({
    key,
    label,
    quantity,
    unitMinor,
    amountMinor: quantity * unitMinor,
  })
  const extra = connections - CONNECTIONS.min
  return [
    line('days', days === 1 ? 'day' : 'days', days, DAY_MINOR),
    ...(extra > 0
      ? [
          line(
            'connections',
            extra === 1 ? 'extra connection' : 'extra connections',
            extra,
            EXTRA_CONNECTION_MINOR,
          ),
        ]
      : []),
    ...FEATURES.filter((feature) => features[feature.key]).map((feature) =>
      line(feature.key, feature.label, 1, feature.priceMinor),
    ),
  ]
}

export const toWireFeatures = (features: Features): WireFeatures => ({
  feature1: features.priorityBandwidth,
  feature2: features.adFilter,
  feature3: features.malwareFilter,
  feature4: features.familyFilter,
})

export const fromWireFeatures = (wire: WireFeatures): Features => ({
  priorityBandwidth: wire.feature1,
  adFilter: wire.feature2,
  malwareFilter: wire.feature3,
  familyFilter: wire.feature4,
})

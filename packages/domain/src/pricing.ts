type Definition = {
  /** Its name in the code. */
  key: string
  /** Its name on the wire, and in the address of a calculator (spec §3). */
  wire: string
  /** What stands for it in the database: a power of two, written here for good, and never given to another option. */
  bit: number
  label: string
  /** What it does, in a sentence. */
  text: string
  /** What it adds to an order (spec §9), unless an operator has set another price. */
  priceMinor: number
  /**
   * The list that the node's resolver blocks by, with the power of two by which the node knows it; the customer can switch
   * it on and off. Null: it filters nothing, and is on for as long as it is bought.
   */
  filter: { list: string; bit: number } | null
}

/**
 * The optional features of an order. All else that knows them is made from this table: prices, the calculator, the wire,
 * the database, the switches, the operator's tool, and the lists that a node blocks by.
 */
export const FEATURES = [
  {
    key: 'priorityBandwidth',
    wire: 'feature1',
    bit: 1,
    label: 'Priority bandwidth',
    text: 'Your traffic goes first when the line is busy.',
    priceMinor: 5,
    filter: null,
  },
  {
    key: 'adFilter',
    wire: 'feature2',
    bit: 2,
    label: 'Advertisement filter',
    text: 'Blocks advertising domains, in every app on the device.',
    priceMinor: 3,
    filter: { list: 'ads', bit: 1 },
  },
  {
    key: 'malwareFilter',
    wire: 'feature3',
    bit: 4,
    label: 'Malicious content filter',
    text: 'Blocks sites known for fraud and malicious software.',
    priceMinor: 2,
    filter: { list: 'malicious', bit: 2 },
  },
  {
    key: 'familyFilter',
    wire: 'feature4',
    bit: 8,
    label: 'Family content filter',
    text: 'Blocks adult sites. For a child’s tablet, or the one in the kitchen.',
    priceMinor: 1,
    filter: { list: 'family', bit: 4 },
  },
] as const satisfies readonly Definition[]

export type Feature = (typeof FEATURES)[number]
export type FeatureKey = Feature['key']
export type WireFeature = Feature['wire']
export type Features = Readonly<Record<FeatureKey, boolean>>
export type WireFeatures = Readonly<Record<WireFeature, boolean>>

const byKey = (isChosen: (feature: Feature) => boolean): Features =>
  Object.fromEntries(FEATURES.map((feature) => [feature.key, isChosen(feature)])) as Features

export const NO_FEATURES: Features = byKey(() => false)

export const toWireFeatures = (features: Features): WireFeatures =>
  Object.fromEntries(FEATURES.map(({ key, wire }) => [wire, features[key]])) as WireFeatures

export const fromWireFeatures = (wire: WireFeatures): Features => byKey((feature) => wire[feature.wire])

/** As the database holds them: the sum of their bits. */
export const toMask = (features: Features): number =>
  FEATURES.reduce((mask, { key, bit }) => (features[key] ? mask | bit : mask), 0)

export const hasBit = (mask: number, { bit }: { readonly bit: number }): boolean => (mask & bit) !== 0

export const fromMask = (mask: number): Features => byKey((feature) => hasBit(mask, feature))

/** What those of a mask are called. */
export const labelsOf = (mask: number): string[] =>
  FEATURES.filter((feature) => hasBit(mask, feature)).map(({ label }) => label)

/** What is bought by the calculator. */
export type Choice = { days: number; connections: number; features: Features }

/** The slider reaches 500 as the specification's template says; whatever sets the value, 365 is the most. */
export const DAYS = { min: 1, max: 365, sliderMin: 3, sliderMax: 500, default: 30 } as const
export const CONNECTIONS = { min: 3, max: 13, default: 3 } as const

/** What the calculator computes with, in minor units of whatever currency. */
export type Prices = Readonly<{
  dayMinor: number
  extraConnectionMinor: number
  featuresMinor: Readonly<Record<FeatureKey, number>>
}>

/** Those of spec §9, which count where an operator has set no others. */
export const DEFAULT_PRICES: Prices = {
  dayMinor: 100,
  extraConnectionMinor: 10,
  featuresMinor: Object.fromEntries(FEATURES.map(({ key, priceMinor }) => [key, priceMinor])) as Record<
    FeatureKey,
    number
  >,
}

const clamp = (value: number, min: number, max: number) => {
  const whole = Math.round(value)
  return Number.isNaN(whole) ? min : Math.min(max, Math.max(min, whole))
}

export const clampDays = (days: number): number => clamp(days, DAYS.min, DAYS.max)
export const clampConnections = (connections: number): number =>
  clamp(connections, CONNECTIONS.min, CONNECTIONS.max)

export const DEFAULT_CHOICE: Choice = {
  days: DAYS.default,
  connections: CONNECTIONS.default,
  features: NO_FEATURES,
}

/** Price in minor units: days × 1 + (connections − 3) × 0.1 + the features chosen (spec §9). */
export const totalMinor = (choice: Choice, prices: Prices = DEFAULT_PRICES): number =>
  receiptLines(choice, prices).reduce((sum, line) => sum + line.amountMinor, 0)

/** One line of the receipt: `quantity` × `unitMinor` = `amountMinor`. */
export type ReceiptLine = {
  key: 'days' | 'connections' | FeatureKey
  label: string
  quantity: number
  unitMinor: number
  amountMinor: number
}

/** The price, explained line by line; the lines add up to the total. */
export const receiptLines = (
  { days, connections, features }: Choice,
  { dayMinor, extraConnectionMinor, featuresMinor }: Prices = DEFAULT_PRICES,
): ReceiptLine[] => {
  const line = (key: ReceiptLine['key'], label: string, quantity: number, unitMinor: number) => ({
    key,
    label,
    quantity,
    unitMinor,
    amountMinor: quantity * unitMinor,
  })
  const extra = connections - CONNECTIONS.min
  return [
    line('days', days === 1 ? 'day' : 'days', days, dayMinor),
    ...(extra > 0
      ? [
          line(
            'connections',
            extra === 1 ? 'extra connection' : 'extra connections',
            extra,
            extraConnectionMinor,
          ),
        ]
      : []),
    ...FEATURES.filter((feature) => features[feature.key]).map((feature) =>
      line(feature.key, feature.label, 1, featuresMinor[feature.key]),
    ),
  ]
}

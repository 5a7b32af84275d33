import { dropPriceChange } from '@hedgerow/contract/console/settings'
import { formatMinor, readAmount } from '@hedgerow/domain/money'
import {
  comparePrices,
  isPriceSetting,
  PRICE_NAMES,
  PRICE_SETTINGS,
  type PriceSetting,
  type PriceValues,
  USUAL_PRICES,
  valuesAt,
} from '@hedgerow/domain/price-settings'
import { readRunningSetting } from '@hedgerow/domain/running-settings'
import { Table } from '@hedgerow/ui/table.tsx'
import { api, type ReplyOf } from '#lib/api.ts'
import { Act, type ActField, type Filled, Mistyped } from '#shared/act.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { dueOf, FROM } from '#shared/moment.ts'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Change = ReplyOf<'listPriceChanges'>[number]
type Setting = ReplyOf<'listRunningSettings'>[number]
type Prices = { set: PriceValues; changes: readonly Change[] }

const REFRESHED = ['listRunningSettings', 'listPriceChanges', 'getSetUp'] as const

const priceIn = (set: PriceValues, name: PriceSetting) => formatMinor(set[name] ?? USUAL_PRICES[name])

const fieldsOf = (set: PriceValues): ActField[] => [
  ...PRICE_SETTINGS.map(
    (name): ActField => ({
      name,
      label: PRICE_NAMES[name],
      kind: 'sum',
      isOptional: 'unsaid',
      hint: `${priceIn(set, name)} now`,
    }),
  ),
  FROM,
]

const read = (filled: Filled) =>
  PRICE_SETTINGS.filter((name) => filled[name]).map(
    (name) => [name, readRunningSetting(name, filled[name] ?? '')] as const,
  )

/** What was filled in, as far as it can be read. */
const readable = (filled: Filled): PriceValues =>
  Object.fromEntries(read(filled).flatMap(([name, one]) => ('value' in one ? [[name, one.value]] : [])))

const typedPrices = (filled: Filled): PriceValues => {
  for (const [name, one] of read(filled)) if ('fault' in one) throw new Mistyped(name, one.fault)
  const prices = readable(filled)
  if (Object.keys(prices).length === 0) throw new Mistyped('price-day', 'Please fill in at least one price.')
  return prices
}

type Comparison = { caption: string; before: PriceValues; after: PriceValues }

const Comparison = ({ caption, before, after }: Comparison) => (
  <Table
    caption={caption}
    isShort
    keyOf={({ text }) => text}
    rows={comparePrices(before, after)}
    columns={[
      { header: 'An order of', cell: ({ text }) => text },
      { header: 'Before', isNumber: true, cell: ({ beforeMinor }) => formatMinor(beforeMinor) },
      {
        header: 'After',
        isNumber: true,
        cell: ({ beforeMinor, afterMinor }) => (
          <span className={afterMinor === beforeMinor ? '' : 'font-semibold'}>{formatMinor(afterMinor)}</span>
        ),
      },
    ]}
  />
)

/** Now, or when the moment is that was chosen. */
const momentOf = (filled: Filled): string => dueOf(filled).dueAt ?? new Date().toISOString()

const ChangePrices = ({ set, changes }: Prices) => (
  <Act
    label="Change the prices"
    title="Change the prices of the calculator"
    may="settings.change"
    verb="Change"
    fields={fieldsOf(set)}
    shows={(filled) => {
      const before = valuesAt(set, changes, momentOf(filled))
      return (
        <Comparison
          caption="What typical orders cost"
          before={before}
          after={{ ...before, ...readable(filled) }}
        />
      )
    }}
    run={(filled) => api.call('changePrices', { body: { ...typedPrices(filled), ...dueOf(filled) } })}
    done="Saved. The calculator uses the new prices from the time you set."
    refreshes={REFRESHED}
  >
    <p>
      In whatever currency an order is, VAT included. What you leave out stays as it is. Orders that are there
      keep their total for their 24 hours.
    </p>
  </Act>
)

const ToCome = ({ set, changes }: Prices) => (
  <ul className="mt-3 divide-y divide-line">
    {changes.map((change, index) => {
      const before = valuesAt(set, changes.slice(0, index), change.dueAt)
      const names = PRICE_SETTINGS.filter((name) => change.prices[name] !== undefined)
      return (
        <li key={change.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
          <span>
            From{' '}
            <strong>
              <Time at={change.dueAt} />
            </strong>
            :{' '}
            {names
              .map(
                (name) =>
                  `${PRICE_NAMES[name]} ${priceIn(change.prices, name)} instead of ${priceIn(before, name)}`,
              )
              .join(', ')}
          </span>
          <CallAct
            call="dropPriceChange"
            endpoint={dropPriceChange}
            label="Take back"
            verb="Take the change back"
            params={{ changeId: change.id }}
            refreshes={REFRESHED}
          />
        </li>
      )
    })}
  </ul>
)

const setPrices = (settings: readonly Setting[]): PriceValues =>
  Object.fromEntries(
    settings.flatMap(({ name, value }) =>
      isPriceSetting(name) && value !== null ? [[name, readAmount(value)]] : [],
    ),
  )

/** What the calculator computes with: now, and from a moment on. */
export const CalculatorPrices = ({ settings }: { settings: readonly Setting[] }) => {
  const set = setPrices(settings)
  const settingOf = (name: PriceSetting) => settings.find((setting) => setting.name === name)
  const query = useData('listPriceChanges', {})
  return (
    <Loaded query={query}>
      {(changes) => (
        <Section
          isBare
          title="Prices of the calculator"
          actions={<ChangePrices set={set} changes={changes} />}
        >
          <Table
            caption="Prices of the calculator"
            isShort
            keyOf={(name) => name}
            rows={PRICE_SETTINGS}
            columns={[
              { header: 'Price of', isName: true, cell: (name) => PRICE_NAMES[name] },
              { header: 'Now', isNumber: true, cell: (name) => priceIn(set, name) },
              { header: 'Set by', cell: (name) => <WhoSet setting={settingOf(name)} /> },
            ]}
          />
          {changes.length > 0 && <ToCome set={set} changes={changes} />}
        </Section>
      )}
    </Loaded>
  )
}

const WhoSet = ({ setting }: { setting: Setting | undefined }) =>
  setting?.setAt ? (
    <>
      <Time at={setting.setAt} as="day" /> by {setting.by ?? 'a former operator'}
    </>
  ) : (
    'Default'
  )

import * as contract from '@hedgerow/contract/console/rates'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { CallAct } from '#shared/call-act.tsx'
import { columnsFor } from '#shared/call-list.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { useData } from '#shared/use-data.ts'

const KINDS = [
  {
    title: 'Blik, in złoty',
    lead: 'What one unit is worth in PLN, which Blik is paid in. Payments under way keep their rate.',
    none: 'Without a rate nobody can pay by Blik.',
    list: 'listBlikRates',
    listed: contract.listBlikRates,
    set: 'setBlikRate',
    act: contract.setBlikRate,
  },
  {
    title: 'Pounds in the books',
    lead: 'HMRC’s monthly rates, in EUR. Set each month’s rate on its first day: invoices use it.',
    none: 'Set the first one.',
    list: 'listSterlingRates',
    listed: contract.listSterlingRates,
    set: 'setSterlingRate',
    act: contract.setSterlingRate,
  },
  {
    title: 'Euros in a return of the One Stop Shop',
    lead: 'The European Central Bank’s rates of the last day of a quarter, in GBP.',
    none: 'Set the first one.',
    list: 'listEcbRates',
    listed: contract.listEcbRates,
    set: 'setEcbRate',
    act: contract.setEcbRate,
  },
] as const

const LISTED = 24

const Rates = ({ title, lead, none, list, listed, set, act }: (typeof KINDS)[number]) => {
  const query = useData(list, {})
  const refreshes = [list, 'getToday'] as const
  return (
    <Section
      title={title}
      actions={
        <span className="flex flex-wrap gap-2">
          {list === 'listSterlingRates' && (
            <CallAct
              call="importHmrcRates"
              endpoint={contract.importHmrcRates}
              label="HMRC’s file"
              verb="Import"
              says={({ set: taken, known }: { set: number; known: number }) =>
                `Imported: ${taken}. Already set: ${known}`
              }
              refreshes={refreshes}
            />
          )}
          <CallAct call={set} endpoint={act} label="Set a rate" verb="Save" refreshes={refreshes} />
        </span>
      }
    >
      <p className="mb-3 text-quiet-ink">{lead}</p>
      <Loaded query={query}>
        {(rates) =>
          rates.length === 0 ? (
            <EmptyState title="None is set">{none}</EmptyState>
          ) : (
            <Table
              caption={title}
              isShort
              keyOf={({ currency, when }) => `${currency} ${when}`}
              rows={rates.slice(0, LISTED)}
              columns={columnsFor<contract.RateView>(listed.columns).map(
                ({ title: header, cell, isName }) => ({
                  header,
                  cell,
                  ...(isName ? { isName } : {}),
                }),
              )}
            />
          )
        }
      </Loaded>
    </Section>
  )
}

const RatesPage = () => (
  <Page title="Rates">
    <div className="space-y-8">
      {KINDS.map((kind) => (
        <Rates key={kind.title} {...kind} />
      ))}
    </div>
  </Page>
)

export default RatesPage

import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { api, type ReplyOf } from '#lib/api.ts'
import { sentFile } from '#lib/sent-file.ts'
import { Act, type ActField } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Rate = ReplyOf<'listConsoleRates'>[number]

const REFRESHED = ['listConsoleRates', 'getToday'] as const

const MEANT: ActField = {
  name: 'isMeant',
  label: 'More than a tenth away from the last is meant',
  kind: 'check',
}
const CORRECTED: ActField = { name: 'mayCorrect', label: 'Replace one that is there', kind: 'check' }
const RATE = { name: 'rate', label: 'Rate' } as const

const KINDS = {
  blik: {
    title: 'Blik, in złoty',
    lead: 'What one unit is worth in PLN, which Blik is paid in. Payments under way keep their rate.',
    first: 'For one unit, in PLN',
    fields: [
      {
        name: 'currency',
        label: 'Currency',
        kind: 'choice',
        options: [
          ['EUR', 'EUR'],
          ['GBP', 'GBP'],
        ],
      },
      { ...RATE, hint: 'PLN for one unit, like 4.2512' },
      MEANT,
    ] as const satisfies readonly ActField[],
    currency: undefined,
  },
  sterling: {
    title: 'Pounds in the books',
    lead: 'HMRC’s monthly rates. Set each month’s on its first day: invoices are written with it.',
    first: 'EUR for £1',
    fields: [
      { name: 'when', label: 'Month', hint: 'Like 2026-11; at most one month ahead' },
      { ...RATE, hint: 'EUR for £1, like 1.1534' },
      MEANT,
      CORRECTED,
    ] as const satisfies readonly ActField[],
    currency: 'EUR',
  },
  ecb: {
    title: 'Euros in a return of the One Stop Shop',
    lead: 'The European Central Bank’s rates of the last day of a quarter.',
    first: 'GBP for €1',
    fields: [
      { name: 'when', label: 'Day', kind: 'day' },
      { ...RATE, hint: 'GBP for €1, like 0.8731' },
      MEANT,
      CORRECTED,
    ] as const satisfies readonly ActField[],
    currency: 'GBP',
  },
} as const

type Kind = keyof typeof KINDS

const SetAct = ({ kind }: { kind: Kind }) => {
  const { title, fields, currency } = KINDS[kind]
  return (
    <Act
      label="Set a rate"
      title={title}
      may="books.change"
      verb="Set it"
      fields={fields}
      run={({ currency: chosen, when, rate = '', isMeant, mayCorrect }) =>
        api.call('setConsoleRate', {
          body: {
            kind,
            currency: (currency ?? chosen) as 'EUR',
            rate,
            when: when || undefined,
            isMeant: isMeant === 'on',
            mayCorrect: mayCorrect === 'on',
          },
        })
      }
      done="Set"
      refreshes={REFRESHED}
    />
  )
}

const ImportAct = () => (
  <Act
    label="HMRC’s file"
    title="Take over HMRC’s monthly rates"
    may="books.change"
    verb="Take them over"
    fields={[
      { name: 'file', label: 'The file (CSV)', kind: 'file', accept: '.csv,text/csv' },
      MEANT,
      CORRECTED,
    ]}
    run={async ({ isMeant, mayCorrect }, files) =>
      api.call('importHmrcRates', {
        body: {
          file: await sentFile(files.get('file') as File),
          isMeant: isMeant === 'on',
          mayCorrect: mayCorrect === 'on',
        },
      })
    }
    done="Taken over"
    refreshes={REFRESHED}
  />
)

const Rates = ({ kind, rates }: { kind: Kind; rates: readonly Rate[] }) => {
  const { title, lead, first } = KINDS[kind]
  return (
    <Section
      title={title}
      actions={
        <span className="flex flex-wrap gap-2">
          {kind === 'sterling' && <ImportAct />}
          <SetAct kind={kind} />
        </span>
      }
    >
      <p className="mb-3 text-quiet-ink">{lead}</p>
      {rates.length === 0 ? (
        <EmptyState title="None is set">
          {kind === 'blik' ? 'Without one nobody can pay by Blik.' : 'Set the first one.'}
        </EmptyState>
      ) : (
        <Table
          caption={title}
          isShort
          keyOf={({ currency, when }) => `${currency} ${when}`}
          rows={rates.slice(0, 24)}
          columns={[
            {
              header: kind === 'blik' ? 'Currency' : 'For',
              isName: true,
              cell: ({ when, currency }) => when ?? currency,
            },
            { header: first, isNumber: true, cell: ({ rate }) => rate },
            { header: 'Set', cell: ({ setAt }) => <Time at={setAt} /> },
          ]}
        />
      )}
    </Section>
  )
}

const RatesPage = () => {
  const query = useData('listConsoleRates', {})
  return (
    <Page title="Rates">
      <Loaded query={query}>
        {(rates) => (
          <div className="space-y-8">
            {(['blik', 'sterling', 'ecb'] as const).map((kind) => (
              <Rates key={kind} kind={kind} rates={rates.filter((rate) => rate.kind === kind)} />
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default RatesPage

import { formatMinor, readAmount } from '@hedgerow/domain/money'
import { CONNECTIONS, DEFAULT_CHOICE, totalMinor } from '@hedgerow/domain/pricing'
import { pricesOf, RUNNING_SETTINGS, type RunningSetting } from '@hedgerow/domain/running-settings'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { useId } from 'react'
import { Link } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { Act, type ActField } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { useMay } from '#shared/session.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Setting = ReplyOf<'listRunningSettings'>[number]

const OPTION = 'Once for the whole order.'

const WORDS: Readonly<Record<RunningSetting, { title: string; what: string; none: string; unit?: string }>> =
  {
    announcement: {
      title: 'Announcement',
      what: 'A line above every page of the shop, for as long as it is set.',
      none: 'There is none.',
    },
    'announcement-link': {
      title: 'Where the announcement leads',
      what: 'A page of the shop like /products, or an address that begins with https://.',
      none: 'It leads nowhere.',
    },
    'partner-hold-days': {
      title: 'Days that an earning is held',
      what: 'Before a partner can ask for it. Those that are held already keep their day.',
      none: '',
      unit: 'days',
    },
    'partner-minimum-spend': {
      title: 'Least that an order costs to count for a partner',
      what: 'In whatever currency it is paid.',
      none: '',
    },
    'expired-grace-days': {
      title: 'Days that an expired connection reaches the page that says so',
      what: 'Then it reaches nothing.',
      none: '',
      unit: 'days',
    },
    'large-refund': {
      title: 'Largest refund that support may make',
      what: 'Of one payment in all, in whatever currency. More takes a manager or finance, who are asked again.',
      none: '',
    },
    'price-day': {
      title: 'Calculator: price of a day',
      what: `With ${CONNECTIONS.min} connections, in whatever currency. Orders that are there keep their total.`,
      none: '',
    },
    'price-connection': {
      title: 'Calculator: price of a further connection',
      what: `For each above ${CONNECTIONS.min}, once for the whole order.`,
      none: '',
    },
    'price-priority-bandwidth': { title: 'Calculator: price of priority bandwidth', what: OPTION, none: '' },
    'price-ad-filter': { title: 'Calculator: price of the advertisement filter', what: OPTION, none: '' },
    'price-malware-filter': {
      title: 'Calculator: price of the malicious content filter',
      what: OPTION,
      none: '',
    },
    'price-family-filter': {
      title: 'Calculator: price of the family content filter',
      what: OPTION,
      none: '',
    },
  }

const valueText = ({ name, value, usual }: Setting): string => {
  const { none, unit } = WORDS[name]
  const shown = value ?? usual
  if (shown === null) return none
  return unit ? `${shown} ${unit}` : shown
}

const fieldOf = ({ name, value, usual }: Setting): ActField => {
  const { title, what } = WORDS[name]
  const shared = { name: 'value', label: title, hint: what }
  const form = RUNNING_SETTINGS[name]
  if (form.kind === 'line') return { ...shared, kind: 'words', most: form.most, rows: 2, first: value ?? '' }
  const kind = form.kind === 'link' ? 'text' : form.kind
  return { ...shared, kind, first: value ?? usual ?? '' }
}

const REFRESHED = ['listRunningSettings'] as const

const One = ({ setting }: { setting: Setting }) => {
  const { name, value, usual, setAt, by } = setting
  const { title, what } = WORDS[name]
  const params = { name }
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card isSnug className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="text-lg">
            {title}
          </h2>
          <p className="text-quiet-ink">{what}</p>
          <p className="mt-2 font-medium wrap-anywhere">{valueText(setting)}</p>
          {setAt ? (
            <p className="text-sm text-quiet-ink">
              Set <Time at={setAt} /> by {by ?? 'somebody who has left'}
              {usual !== null && `; the shop was started with ${usual}`}
            </p>
          ) : (
            usual !== null && <p className="text-sm text-quiet-ink">As the shop was started</p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Act
            label={value === null ? 'Set' : 'Change'}
            title={title}
            may="settings.change"
            verb="Set it"
            fields={[fieldOf(setting)]}
            run={({ value: typed = '' }) => api.call('setRunningSetting', { params, body: { value: typed } })}
            done="Set. It counts from now on."
            refreshes={REFRESHED}
          />
          {value !== null && (
            <Act
              label="Take away"
              title={usual === null ? 'Take it away?' : `Go back to ${usual}?`}
              may="settings.change"
              tone="quiet"
              verb="Take it away"
              run={() => api.call('setRunningSetting', { params, body: { value: null } })}
              done="Taken away"
              refreshes={REFRESHED}
            />
          )}
        </div>
      </Card>
    </section>
  )
}

const EVERY_OPTION = { priorityBandwidth: true, adFilter: true, malwareFilter: true, familyFilter: true }
const EXAMPLE = { ...DEFAULT_CHOICE, connections: 4, features: EVERY_OPTION }

/** What the prices come to, as the calculator adds them up. */
const Example = ({ settings }: { settings: readonly Setting[] }) => {
  const set = new Map(settings.map(({ name, value }) => [name, value]))
  const prices = pricesOf((name) => readAmount(set.get(name) ?? ''))
  return (
    <p className="text-quiet-ink">
      At these prices {EXAMPLE.days} days and {EXAMPLE.connections} connections with every option cost{' '}
      <strong className="text-ink tabular-nums">{formatMinor(totalMinor(EXAMPLE, prices))}</strong>.
    </p>
  )
}

/** What may change while the shop runs. */
const SettingsPage = () => {
  const query = useData('listRunningSettings', {})
  const may = useMay()
  return (
    <Page
      title="Settings"
      lead={
        <>
          What may change while the shop runs. The rest is set at its start.
          {may('record.see') && (
            <>
              {' '}
              <Link to="/record?command=setting%20set" className="link">
                Who set what, and when
              </Link>
            </>
          )}
        </>
      }
    >
      <Loaded query={query}>
        {(settings) => (
          <div className="space-y-4">
            {settings.map((setting) => (
              <One key={setting.name} setting={setting} />
            ))}
            <Example settings={settings} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default SettingsPage

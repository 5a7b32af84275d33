import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'

type Action = ReplyOf<'listRecord'>['rows'][number]

const TONES: Readonly<Record<Action['outcome'], BadgeTone>> = {
  done: 'good',
  refused: 'warning',
  failed: 'bad',
  'under way': 'quiet',
}

const argumentsText = ({ arguments: given, subject }: Action) =>
  Object.entries(given)
    .filter(([, value]) => value !== subject)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/** What operators did, by the console, the tool and tokens. */
const RecordPage = () => (
  <Page
    title="Record"
    lead="Everything that changed something or opened somebody’s data. Nobody can change it; it is kept for two years."
  >
    <List<Action>
      call="listRecord"
      file="/api/v1/record.csv"
      caption="What operators did"
      keyOf={({ id }) => id}
      filters={[
        { name: 'who', label: 'Who', kind: 'text' },
        { name: 'command', label: 'What', kind: 'text' },
        { name: 'subject', label: 'To what', kind: 'text' },
        {
          name: 'outcome',
          label: 'Outcome',
          kind: 'choice',
          options: Object.keys(TONES).map((outcome) => [outcome, outcome]),
        },
        { name: 'since', label: 'From', kind: 'day' },
        { name: 'until', label: 'Before', kind: 'day' },
      ]}
      columns={[
        { name: 'at', title: 'Time', sort: 'at', cell: ({ at }) => <Time at={at} /> },
        { name: 'who', title: 'Who', cell: ({ who }) => who },
        { name: 'command', title: 'What', cell: ({ command }) => command },
        {
          name: 'subject',
          title: 'To what',
          cell: ({ subject }) => <span className="wrap-anywhere">{subject ?? '–'}</span>,
        },
        {
          name: 'outcome',
          title: 'Outcome',
          cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{outcome}</Badge>,
        },
        { name: 'arguments', title: 'With', cell: argumentsText, isExtra: true },
      ]}
    />
  </Page>
)

export default RecordPage

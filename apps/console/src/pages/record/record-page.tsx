import { listRecord } from '@hedgerow/contract/console/record'
import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { columnsFor, filtersFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

type Action = ReplyOf<'listRecord'>['rows'][number]

const TONES: Readonly<Record<Action['outcome'], BadgeTone>> = {
  done: 'good',
  refused: 'warning',
  failed: 'bad',
  'under way': 'quiet',
}

/** What operators did, by the console, the tool and tokens. */
const RecordPage = () => (
  <Page
    title="Record"
    lead="Everything that changed something or opened somebody’s data. Nobody can change it. It is kept for two years. Refused: nothing was changed."
  >
    <List<Action>
      call="listRecord"
      file="/api/v1/record.csv"
      caption="What operators did"
      keyOf={({ id }) => id}
      filters={filtersFor(listRecord.fields)}
      columns={columnsFor<Action>(listRecord.columns, {
        subject: ({ subject }) => <span className="wrap-anywhere">{subject ?? '–'}</span>,
        outcome: ({ outcome }) => <Badge tone={TONES[outcome]}>{outcome}</Badge>,
      })}
    />
  </Page>
)

export default RecordPage

import { listInbox } from '@hedgerow/contract/console/inbox'
import { Badge } from '@hedgerow/ui/badge.tsx'

const { kind: KIND, state: STATE } = listInbox.fields

export const KIND_WORDS: Readonly<Record<string, string>> = Object.fromEntries(KIND.options)
const STATE_WORDS: Readonly<Record<string, string>> = Object.fromEntries(STATE.options)

export const StateBadge = ({ state }: { state: string }) => (
  <Badge tone={state === 'new' ? 'warning' : state === 'closed' || state === 'refused' ? 'quiet' : 'good'}>
    {STATE_WORDS[state]}
  </Badge>
)

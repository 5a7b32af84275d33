import type { Profile } from '@hedgerow/contract/accounts'
import { ApplicationForm as Fields } from '@hedgerow/contract/conversations'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { ConversationForm } from '#features/conversations/conversation-form.tsx'
import { api } from '#lib/api.ts'

const resolver = checkedBy(Fields)

/** The white label application (spec §2, submit). */
export const ApplicationForm = ({ profile, onSent }: { profile: Profile; onSent: () => void }) => (
  <ConversationForm
    profile={profile}
    resolver={resolver}
    textName="commentary"
    textLabel="Commentary"
    textHint="Who you are, who you sell to, and what you have in mind."
    call={(body) => api.call('applyForWhiteLabel', { body })}
    onSent={onSent}
  />
)

import type { Profile } from '@hedgerow/contract/accounts'
import { SupportForm as Fields } from '@hedgerow/contract/conversations'
import { checkedBy } from '@hedgerow/web/form/checked-by.ts'
import { ConversationForm } from '#features/conversations/conversation-form.tsx'
import { api } from '#lib/api.ts'

const resolver = checkedBy(Fields)

/** The feedback form (spec §2, support). */
export const SupportForm = ({ profile, onSent }: { profile: Profile; onSent: () => void }) => (
  <ConversationForm
    profile={profile}
    resolver={resolver}
    textName="problem"
    textLabel="Describe your problem"
    textHint="What you did, what happened, and on which device. Never send us a password or a private key."
    call={(body) => api.call('contactSupport', { body })}
    onSent={onSent}
  />
)

import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { EmailForm } from '#features/accounts/email-form.tsx'
import { api } from '#lib/api.ts'

const ConfirmFailedPage = () => {
  const [sentTo, setSentTo] = useState<string>()
  const outcome = useRef<HTMLDivElement>(null)
  // The form is gone once it was sent, and with it the focus.
  useEffect(() => {
    if (sentTo) outcome.current?.focus()
  }, [sentTo])

  return (
    <NarrowPage
      title="This link no longer works"
      lead="A confirmation link works once, for 24 hours. This one has already been used, or has expired."
    >
      {sentTo ? (
        <div ref={outcome} tabIndex={-1} className="rounded-field">
          <Notice kind="done" title="Check your inbox">
            If {sentTo} still has to be confirmed, a new link is on its way. It works for 24 hours.
          </Notice>
        </div>
      ) : (
        <EmailForm
          label="Send a new link"
          failure="The link was not sent"
          call={(body) => api.call('resendConfirmation', { body })}
          onSent={setSentTo}
        />
      )}
      <p className="mt-6 text-quiet-ink">
        Your email may be confirmed already:{' '}
        <Link to="/login" className="link">
          log in
        </Link>
        .
      </p>
    </NarrowPage>
  )
}

export default ConfirmFailedPage

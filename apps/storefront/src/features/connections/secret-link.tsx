import { Button } from '@hedgerow/ui/button.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { FieldLine } from '@hedgerow/ui/form/field-line.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { isDeclined } from '@hedgerow/web/is-declined.ts'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

type Word = 'link' | 'address'

const NewLink = ({ url, word }: { url: string; word: Word }) => {
  const link = useRef<HTMLInputElement>(null)
  // Read out, chosen whole, and one step from being copied; the button that was pressed would end it.
  useEffect(() => {
    if (url) link.current?.focus()
  }, [url])
  return (
    <FieldLine
      field={
        <Field
          ref={link}
          label={word === 'link' ? 'Link' : 'Address'}
          hint="Shown only once. Copy it now."
          value={url}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      }
      button={<CopyButton text={url} of={`the ${word}`} />}
    />
  )
}

type SecretLinkProps<T> = {
  title: string
  /** What it opens, since when, and how it ends. */
  says: string
  /** As the page calls it. */
  word: Word
  isThere: boolean
  isExpired: boolean
  make: () => Promise<T>
  withdraw: () => Promise<unknown>
  onMade: (made: T) => void
  /** The connection is to be shown without one. */
  onWithdrawn: () => void
}

/** What opens a connection without a log-in: made, shown once, and withdrawn. */
export const SecretLink = <T extends { url: string }>({
  title,
  says,
  word,
  isThere,
  isExpired,
  onMade,
  onWithdrawn,
  ...calls
}: SecretLinkProps<T>) => {
  const toast = useToast()
  const makeButton = useRef<HTMLButtonElement>(null)
  const make = useMutation({ mutationFn: calls.make, onSuccess: onMade })
  const withdraw = useMutation({
    mutationFn: calls.withdraw,
    onSuccess: () => {
      make.reset()
      onWithdrawn()
      toast(`The ${word} has been withdrawn`)
      // The button that withdraws it goes.
      makeButton.current?.focus()
    },
  })
  const problem = [make, withdraw].find(
    ({ error, isPending }) => error && !isPending && !isDeclined(error),
  )?.error
  const url = isThere ? make.data?.url : undefined
  return (
    <section className="space-y-3">
      <h4 className="font-medium">{title}</h4>
      <p className="-mt-2 text-sm text-quiet-ink">{says}</p>
      {problem && (
        <Notice kind="problem" title={`The ${word} was not changed`}>
          {messageOf(problem)}
        </Notice>
      )}
      {url && <NewLink url={url} word={word} />}
      <div className="flex flex-wrap gap-3 pt-1">
        {!isExpired && (
          <Button
            ref={makeButton}
            variant="outline"
            busy={make.isPending}
            onClick={() => {
              withdraw.reset()
              make.mutate()
            }}
          >
            {isThere ? `Create a new ${word}` : `Create ${word === 'link' ? 'a' : 'an'} ${word}`}
          </Button>
        )}
        {isThere && (
          <Button variant="quiet" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {`Withdraw the ${word}`}
          </Button>
        )}
      </div>
    </section>
  )
}

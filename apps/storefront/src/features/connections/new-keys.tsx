import type { Connection } from '@hedgerow/contract/connections'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { isPublicKey } from '@hedgerow/domain/public-keys'
import { Button } from '@hedgerow/ui/button.tsx'
import { Dialog } from '@hedgerow/ui/dialog.tsx'
import { Checkbox } from '@hedgerow/ui/form/checkbox.tsx'
import { Field } from '@hedgerow/ui/form/field.tsx'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { isDeclined } from '@hedgerow/web/is-declined.ts'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { KeyChoice, type KeyMaker } from '#features/connections/key-choice.tsx'
import type { HeldKey } from '#features/connections/own-key.ts'
import type { OldCode } from '#features/connections/scan-again.tsx'
import { useShownConnection } from '#features/connections/use-shown-connection.ts'
import { api } from '#lib/api.ts'

type NewKeysFormProps = {
  connection: Connection
  /** `held`: the key that was made here. */
  onMade: (old: OldCode, held: HeldKey | undefined) => void
  onCancel: () => void
}

/** What the shop has whoever makes the key. */
const StillKnown = () => (
  <details className="group">
    <summary className="inline-flex min-h-11 list-none items-center gap-2 rounded-field font-semibold text-hedge hover:text-hedge-deep [&::-webkit-details-marker]:hidden">
      What we still know
      <ChevronDown className="size-5 shrink-0 transition-transform group-open:rotate-180" />
    </summary>
    <p className="text-quiet-ink">
      The public key, the preshared key, the address in the tunnel, and the last day it was used. We make the
      preshared key, so it hides nothing from us: it is there in case the public keys can be broken one day.
    </p>
  </details>
)

const OLD_WORDS = {
  works: 'What your device has now works until the new key is first used, for a day at most.',
  'cut-off': 'Any device using the old keys is cut off within seconds.',
} as const

const MAKER_WORDS: Readonly<Record<KeyMaker, ReactNode>> = {
  shop: 'Its code and file change. Scan the new code on your device, or import the new file there.',
  browser: (
    <>
      This page makes the key, and only the public one is sent to us. Then it shows the new code and file.{' '}
      <strong>Save the file there and then: we cannot show it again.</strong> Once you leave the page, the key
      is gone from it.
    </>
  ),
  customer: 'The private key stays on your device. We then show what else to type there.',
}

const NewKeysForm = ({ connection, onMade, onCancel }: NewKeysFormProps) => {
  const { _id, sharedAt, keyRenewal } = connection
  const changeShown = useShownConnection()
  const [maker, setMaker] = useState<KeyMaker>('shop')
  const [publicKey, setPublicKey] = useState('')
  const [fault, setFault] = useState<string>()
  const [cutOffOld, setCutOffOld] = useState(false)
  // Not in what the call is given and gives back, which is kept while the page is open.
  const made = useRef<string>(undefined)
  const keyOf = async (): Promise<{ publicKey?: string }> => {
    made.current = undefined
    if (maker === 'shop') return {}
    if (maker === 'customer') return { publicKey: publicKey.trim() }
    const { makeKeyPair } = await import('@hedgerow/wireguard/web-keys')
    const pair = await makeKeyPair()
    made.current = pair.privateKey
    return { publicKey: pair.publicKey }
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () =>
      api.call('replaceKeys', { params: { connectionId: _id }, body: { cutOffOld, ...(await keyOf()) } }),
    onSuccess: (connection) => {
      const privateKey = made.current
      changeShown(_id, {
        hasOwnKey: undefined,
        isUnreadable: undefined,
        fileAddress: undefined,
        ...connection,
      })
      onMade(
        cutOffOld ? 'cut-off' : 'works',
        privateKey === undefined ? undefined : { privateKey, presharedKey: connection.presharedKey },
      )
    },
  })
  const make = () => {
    const isRefused = maker === 'customer' && !isPublicKey(publicKey.trim())
    setFault(isRefused ? OUR_MESSAGES.publicKey : undefined)
    if (!isRefused) mutate()
  }
  return (
    <div className="space-y-4">
      {error && !isPending && !isDeclined(error) && (
        <Notice kind="problem" title="No new keys were made">
          {messageOf(error)}
        </Notice>
      )}
      <KeyChoice value={maker} isDisabled={isPending} onChange={setMaker} />
      {maker === 'customer' && (
        <Field
          label="Public key"
          hint="Not the private one: that stays on your device."
          value={publicKey}
          error={fault}
          disabled={isPending}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => {
            setFault(undefined)
            setPublicKey(target.value)
          }}
        />
      )}
      <p>
        <span key={maker}>{MAKER_WORDS[maker]}</span>{' '}
        <span>{OLD_WORDS[cutOffOld ? 'cut-off' : 'works']}</span>
      </p>
      {maker !== 'shop' && (
        <p>
          <span>
            {keyRenewal
              ? 'We cannot email or share its file then, and no longer renew its keys.'
              : 'We cannot email or share its file then.'}
          </span>{' '}
          You can go back to keys of the shop at any time.
        </p>
      )}
      {sharedAt && (
        <p>
          {maker === 'shop'
            ? 'Its link ends. Anyone who should see the new code needs a new link.'
            : 'Its link ends.'}
        </p>
      )}
      {maker !== 'shop' && <StillKnown />}
      <Checkbox
        label={
          <>
            Cut off the old keys now
            <span className="block text-sm text-quiet-ink">
              For a lost device, or a code that someone else has.
            </span>
          </>
        }
        checked={cutOffOld}
        disabled={isPending}
        onChange={({ target }) => setCutOffOld(target.checked)}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="quiet" onClick={onCancel}>
          Keep the old keys
        </Button>
        <Button busy={isPending} onClick={make}>
          <span key={maker}>{maker === 'customer' ? 'Use this key' : 'Make new keys'}</span>
        </Button>
      </div>
    </div>
  )
}

type NewKeysProps = { connection: Connection; onNewCode: (old: OldCode, held?: HeldKey) => void }

export const NewKeys = ({ connection, onNewCode }: NewKeysProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const made = useRef<{ old: OldCode; held: HeldKey | undefined }>(undefined)
  // The dialog has given the focus back by then: the new code may take it.
  const close = () => {
    setIsOpen(false)
    const fresh = made.current
    made.current = undefined
    if (fresh) onNewCode(fresh.old, fresh.held)
  }
  return (
    <section>
      <h4 className="font-medium">New keys</h4>
      <p className="mt-1 mb-3 text-sm text-quiet-ink">
        For when a device is lost, or someone has seen the code. You scan the new code afterwards.
      </p>
      <Button variant="outline" onClick={() => setIsOpen(true)}>
        Make new keys
      </Button>
      <Dialog open={isOpen} onClose={close} title={`New keys for ${connection.name}`}>
        <NewKeysForm
          connection={connection}
          onMade={(old, held) => {
            made.current = { old, held }
            setIsOpen(false)
          }}
          onCancel={() => setIsOpen(false)}
        />
      </Dialog>
    </section>
  )
}

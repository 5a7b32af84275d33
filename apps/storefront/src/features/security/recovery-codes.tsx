import { Button } from '@hedgerow/ui/button.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { Download } from '@hedgerow/ui/icons.tsx'
import { saveFile } from '@hedgerow/web/save-file.ts'
import { useEffect, useRef } from 'react'
import { brand } from '#shared/brand.ts'

type RecoveryCodesProps = { codes: readonly string[]; onKept: () => void }

const asFile = (codes: readonly string[]): string =>
  [
    `${brand.name}: recovery codes`,
    'Each works once, in place of a code from the authenticator app.',
    '',
    ...codes,
    '',
  ].join('\r\n')

/** Shown once. The heading takes the focus: what stood here before has gone. */
export const RecoveryCodes = ({ codes, onKept }: RecoveryCodesProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="space-y-4">
      <h3 ref={heading} tabIndex={-1} className="text-lg font-semibold">
        Keep these recovery codes
      </h3>
      <p className="max-w-measure">
        We show them only once. Each logs you in once if you lose your device. Keep them where your password
        is not: on paper, or in a password manager on another device.
      </p>
      <ol
        aria-label="Recovery codes"
        className="grid gap-x-8 gap-y-2 rounded-field border border-line bg-paper p-4 font-mono sm:grid-cols-2 sm:text-lg"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={codes.join('\n')} of="the recovery codes" />
        <Button
          variant="outline"
          onClick={() =>
            saveFile(`${brand.name.toLowerCase()}-recovery-codes.txt`, asFile(codes), 'text/plain')
          }
        >
          <Download className="size-4" />
          Download
        </Button>
        <Button onClick={onKept}>I have saved them</Button>
      </div>
    </section>
  )
}

import { inForm } from '@hedgerow/domain/file-form'
import { Button } from '@hedgerow/ui/button.tsx'
import { CopyButton } from '@hedgerow/ui/copy-button.tsx'
import { useToast } from '@hedgerow/ui/toast.tsx'
import { connectionFile, downloadConfig, type NamedConfig } from '#features/connections/connection-config.ts'
import { type OldCode, ScanAgain } from '#features/connections/scan-again.tsx'

type OwnKeyFieldsProps = {
  /** In the form that was chosen for its file. */
  config: NamedConfig
  newCode: { count: number; old: OldCode } | undefined
}

/** What to type into a device that has the private key already, each value to be copied; and the same as a file. */
export const OwnKeyFields = ({ config, newCode }: OwnKeyFieldsProps) => {
  const toast = useToast()
  const { address, dns, serverPublicKey, presharedKey, allowedIPs, endpoint } = inForm(
    config,
    config.fileForm ?? [],
  )
  const fields = [
    ['Address', address],
    ['DNS', dns],
    ['Server’s public key', serverPublicKey],
    ['Preshared key', presharedKey],
    ['Endpoint', endpoint],
    ['Allowed IPs', allowedIPs],
  ] as const
  return (
    <div className="space-y-4 pt-2">
      {newCode && <ScanAgain key={newCode.count} old={newCode.old} isTyped />}
      <dl className="divide-y divide-line">
        {fields.map(([term, value]) => (
          <div key={term} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 sm:flex-nowrap">
            <dt className="w-full shrink-0 text-quiet-ink sm:w-36">{term}</dt>
            <dd className="min-w-0 flex-1 wrap-anywhere">{value}</dd>
            <dd>
              <CopyButton text={value} of={`${term} of ${config.name}`} />
            </dd>
          </div>
        ))}
      </dl>
      {config.obfuscation && (
        <p>Its location needs an AmneziaWG app, and the settings for it that stand in the file.</p>
      )}
      <p className="text-quiet-ink">
        The file has all of it, and a marked place for the private key. No app takes it until you put the key
        in.
      </p>
      <Button
        variant="outline"
        onClick={() => {
          downloadConfig(config)
          toast(`Saved ${connectionFile(config).name}, without the private key`)
        }}
      >
        Download without the key
      </Button>
    </div>
  )
}

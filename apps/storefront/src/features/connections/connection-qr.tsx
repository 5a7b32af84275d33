import { fitsQrCode, QR } from '@hedgerow/domain/connections'
import { QrCode } from '@hedgerow/ui/qr-code.tsx'
import { connectionConfig, type NamedConfig } from '#features/connections/connection-config.ts'

export const ConnectionQr = ({ config }: { config: NamedConfig }) => {
  const text = connectionConfig(config)
  if (!fitsQrCode(text))
    return (
      <p className="grid size-70.5 max-w-full place-content-center rounded-field border border-dashed border-outline p-6 text-center text-quiet-ink">
        This file is too long for a code. Download it, or get it by email.
      </p>
    )
  return <QrCode value={text} label={`QR code of ${config.name}`} size={QR.size} level={QR.level} />
}

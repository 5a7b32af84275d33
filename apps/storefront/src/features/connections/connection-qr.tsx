import { QR } from '@hedgerow/domain/connections'
import { QrCode } from '@hedgerow/ui/qr-code.tsx'
import { connectionConfig, type NamedConfig } from '#features/connections/connection-config.ts'

export const ConnectionQr = ({ config }: { config: NamedConfig }) => (
  <QrCode
    value={connectionConfig(config)}
    label={`QR code of ${config.name}`}
    size={QR.size}
    level={QR.level}
  />
)

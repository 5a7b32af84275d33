import { QR } from '@hedgerow/domain/connections'
import { connectionConfig, type NamedConfig } from '#features/connections/connection-config.ts'
import { QrCode } from '#ui/qr-code.tsx'

export const ConnectionQr = ({ config }: { config: NamedConfig }) => (
  <QrCode
    value={connectionConfig(config)}
    label={`QR code of ${config.name}`}
    size={QR.size}
    level={QR.level}
  />
)

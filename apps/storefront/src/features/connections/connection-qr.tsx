import type { Connection } from '@hedgerow/contract/connections'
import { QR } from '@hedgerow/domain/connections'
import { configOf } from '#features/connections/config-of.ts'
import { QrCode } from '#ui/qr-code.tsx'

export const ConnectionQr = ({ connection }: { connection: Connection }) => (
  <QrCode
    value={configOf(connection)}
    label={`QR code of ${connection.name}`}
    size={QR.size}
    level={QR.level}
  />
)

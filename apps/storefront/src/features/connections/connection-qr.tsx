import { QR } from '@hedgerow/domain/connections'
import { configOf, type NamedConfig } from '#features/connections/config-of.ts'
import { QrCode } from '#ui/qr-code.tsx'

export const ConnectionQr = ({ config }: { config: NamedConfig }) => (
  <QrCode value={configOf(config)} label={`QR code of ${config.name}`} size={QR.size} level={QR.level} />
)

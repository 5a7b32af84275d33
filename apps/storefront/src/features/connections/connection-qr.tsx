import type { Connection } from '@hedgerow/contract/connections'
import { QR } from '@hedgerow/domain/connections'
import { QRCodeSVG } from 'qrcode.react'
import { configOf } from '#features/connections/config-of.ts'

/** Black on white with a white border in both schemes: a camera needs it so, whatever the page looks like. */
export const ConnectionQr = ({ connection }: { connection: Connection }) => (
  <div className="rounded-field bg-[white] p-4">
    <QRCodeSVG
      value={configOf(connection)}
      size={QR.size}
      level={QR.level}
      role="img"
      aria-label={`QR code of ${connection.name}`}
      className="h-auto max-w-full"
    />
  </div>
)

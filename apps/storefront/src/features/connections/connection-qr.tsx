import { fitsQrCode, QR } from '@hedgerow/domain/connections'
import { QrCode } from '@hedgerow/ui/qr-code.tsx'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { connectionFile, isForRouterOs, type NamedConfig } from '#features/connections/connection-config.ts'

/** In the code's room. */
const NoCode = ({ children }: { children: ReactNode }) => (
  <div className="grid size-70.5 max-w-full place-content-center rounded-field border border-dashed border-outline p-6 text-center text-quiet-ink">
    {children}
  </div>
)

export const ConnectionQr = ({ config }: { config: NamedConfig }) => {
  if (isForRouterOs(config))
    return (
      <NoCode>
        <p>Commands for a router have no code. Download the file, or get it by email.</p>
        <Link to="/manual/mikrotik" className="link inline-flex min-h-11 items-center justify-center">
          How to import it
        </Link>
      </NoCode>
    )
  const { text } = connectionFile(config)
  if (!fitsQrCode(text))
    return (
      <NoCode>
        <p>This file is too long for a code. Download it, or get it by email.</p>
      </NoCode>
    )
  return <QrCode value={text} label={`QR code of ${config.name}`} size={QR.size} level={QR.level} />
}

import { QRCodeSVG } from 'qrcode.react'
import type { ComponentProps } from 'react'

type QrCodeProps = Pick<ComponentProps<typeof QRCodeSVG>, 'size' | 'level'> & { value: string; label: string }

/** Black on white with a white border in both schemes and in a contrast theme: a camera needs it so, whatever the page looks like. */
export const QrCode = ({ value, label, size, level }: QrCodeProps) => (
  <div className="rounded-field bg-[white] p-4 forced-color-adjust-none">
    <QRCodeSVG
      value={value}
      size={size}
      level={level}
      role="img"
      aria-label={label}
      className="h-auto max-w-full"
    />
  </div>
)

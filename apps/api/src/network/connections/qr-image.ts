import { crc32, deflateSync } from 'node:zlib'
import { QR } from '@hedgerow/domain/connections'
import encodeQr from 'qr'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
/** Light modules around the code. */
const MARGIN = 2

const LEVELS = { M: 'medium' } as const

/** A part of a file: how long it is, its name, its content, and a sum of both. */
const part = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type), data])
  const whole = Buffer.alloc(4 + named.length + 4)
  whole.writeUInt32BE(data.length)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), 4 + named.length)
  return whole
}

/** A text as a QR code in a PNG, black on white, a bit a pixel: as large as in the profile, and each module as large as another. */
export const qrImage = (text: string): Buffer => {
  const modules = encodeQr(text, 'raw', { ecc: LEVELS[QR.level], border: MARGIN })
  const scale = Math.floor(QR.size / modules.length)
  const before = Math.floor((QR.size - modules.length * scale) / 2)
  const moduleAt = (pixel: number) => Math.floor((pixel - before) / scale)
  // Each row begins with the kind of its filter: none.
  const rows = Array.from({ length: QR.size }, (_, y) => {
    const row = Buffer.alloc(1 + Math.ceil(QR.size / 8), 0xff)
    row[0] = 0
    for (let x = 0; x < QR.size; x++)
      if (modules[moduleAt(y)]?.[moduleAt(x)])
        row[1 + (x >> 3)] = (row[1 + (x >> 3)] ?? 0) & ~(0x80 >> (x & 7))
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(QR.size, 0)
  header.writeUInt32BE(QR.size, 4)
  // A bit a pixel; the rest says grey, and nothing special.
  header[8] = 1
  return Buffer.concat([
    SIGNATURE,
    part('IHDR', header),
    part('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    part('IEND', Buffer.alloc(0)),
  ])
}

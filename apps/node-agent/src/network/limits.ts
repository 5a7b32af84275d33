import { connectionsAtOnce, ensureTableLength } from '#network/connection-room.ts'
import { ensurePieceRoom, piecesASecond } from '#network/piece-room.ts'
import type { Limits } from '#network/rules-options.ts'

/** Makes as much room as the kernel allows; returns what each of so many customers may have of it. */
export const ensureLimits = async (customers: number): Promise<Limits> => ({
  connectionsAtOnce: connectionsAtOnce(await ensureTableLength(), customers),
  piecesASecond: piecesASecond(await ensurePieceRoom()),
})

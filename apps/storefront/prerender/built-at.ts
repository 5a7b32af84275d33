const epoch = process.env.SOURCE_DATE_EPOCH

/** A release is dated by its commit (reproducible-builds.org), so that it can be built again, byte for byte. */
export const builtAt = epoch ? new Date(Number(epoch) * 1000) : new Date()

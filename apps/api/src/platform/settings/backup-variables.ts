import { isAbsolute } from 'node:path'
import type { Environment } from '@hedgerow/settings/read-variables'
import { SettingsError } from '@hedgerow/settings/settings-error'
import * as v from '@hedgerow/settings/variables'
import { isPlainToOthers, mustInProduction } from '#platform/settings/environment.ts'

/** Its own process reads it, wherever that was started. */
const wholePath = v.text.check(
  v.must(isAbsolute, (value) => `must be a whole path like /var/lib/hedgerow-backups, not ${value}`),
)

/** Signs that S3 and its relatives take anywhere. */
const IN_BUCKET = /^\/[\w.-]{3,63}(?:\/[\w.-]+)*$/

const bucketUrl = (env: Environment) =>
  v.baseUrl(v.HTTP).check(
    v.must((value) => {
      const { pathname, search, hash, username } = new URL(value)
      return IN_BUCKET.test(pathname) && !search && !hash && !username
    }, 'must be an address with a bucket and, if you like, folders: https://s3.eu-west-2.amazonaws.com/BUCKET/FOLDER'),
    mustInProduction(env, (address) => !isPlainToOthers(address), 'must begin with https:// in production'),
  )

export const bucketVariables = (env: Environment) => ({
  bucketUrl: v.optional('BACKUP_S3', bucketUrl(env)),
  bucketKey: v.optional('BACKUP_S3_KEY', v.text),
  bucketSecret: v.optional('BACKUP_S3_SECRET', v.secret),
  bucketRegion: v.optional('BACKUP_S3_REGION', v.text),
})

export const backupVariables = (env: Environment) => ({
  /** Where the running shop makes a backup each night; undefined: it makes none. */
  backupDir: v.optional('BACKUP_DIR', wholePath),
  /** So many are kept. */
  backupKeep: v.withDefault('BACKUP_KEEP', v.wholeNumber(1, 3650), 14),
  ...bucketVariables(env),
})

/** Where a copy of each backup goes, encrypted. */
export type Bucket = Readonly<{
  /** With bucket and folders, without a slash at its end. */
  url: string
  key: string
  secret: string
  region: string | undefined
}>

type Read = {
  bucketUrl: string | undefined
  bucketKey: string | undefined
  bucketSecret: string | undefined
  bucketRegion: string | undefined
}

/** What is set in part cannot be used. */
export const toBucket = ({
  bucketUrl: url,
  bucketKey: key,
  bucketSecret: secret,
  bucketRegion: region,
}: Read) => {
  if (url && key && secret) return { url, key, secret, region }
  if (url || key || secret)
    throw new SettingsError('BACKUP_S3, BACKUP_S3_KEY and BACKUP_S3_SECRET belong together: set all or none')
  return null
}

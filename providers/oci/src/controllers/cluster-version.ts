import { ownField } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock, KubeClient } from '@kerf/runtime'
import { type MinorVersion, minorVersion } from './oke-images.ts'

const READ_FOR = 5 * 60_000

/** Returns a function that reads the version of the API server. The function returns undefined if the server does not report a version. */
export const versionReader = (
  client: Pick<KubeClient, 'raw'>,
  clock: Clock,
): ((signal: AbortSignal) => Promise<MinorVersion | undefined>) => {
  const known = new ReadCache<MinorVersion | undefined>(clock, { ttl: READ_FOR })
  const ask = async (signal: AbortSignal): Promise<MinorVersion | undefined> => {
    const version = ownField(await client.raw('/version', { signal }), 'gitVersion')
    return typeof version === 'string' ? minorVersion(version) : undefined
  }
  return (signal) => known.read('', ask, signal)
}

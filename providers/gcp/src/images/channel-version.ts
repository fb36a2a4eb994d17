import { compareGkeVersions, parseGkeVersion } from './gke-version.ts'
import { ImageSelectionError } from './image-selection-error.ts'
import type { ImageSources } from './image-sources.ts'

/**
 * Returns the GKE version of a release channel for the cluster's minor version. This is the channel's default version if it has that minor
 * version, and otherwise the newest valid version that does.
 *
 * @param channel in lower case; `cluster` means the channel of the cluster
 * @throws ImageSelectionError if the cluster is in no channel, or the channel has no such version
 */
export const channelVersion = async (
  channel: string,
  { gke, kubernetesVersion }: Pick<ImageSources, 'gke' | 'kubernetesVersion'>,
  signal: AbortSignal,
): Promise<string> => {
  const name = channel === 'cluster' ? (await gke.cluster(signal)).releaseChannel : channel
  if (name === undefined)
    throw new ImageSelectionError(
      'the cluster is in no release channel; put it into one, or use "version: latest" instead of "channel: cluster"',
    )
  const found = (await gke.releaseChannels(signal)).find((each) => each.name === name)
  if (found === undefined) throw new ImageSelectionError(`GKE has no release channel ${name}`)
  const text = await kubernetesVersion(signal)
  const cluster = parseGkeVersion(text)
  const fits = (version: string): boolean => {
    const parsed = parseGkeVersion(version)
    return parsed !== undefined && parsed.major === cluster?.major && parsed.minor === cluster.minor
  }
  if (fits(found.defaultVersion)) return found.defaultVersion
  const [newest] = found.validVersions
    .filter(fits)
    .flatMap((version) => {
      const parsed = parseGkeVersion(version)
      return parsed === undefined ? [] : [{ version, parsed }]
    })
    .toSorted((a, b) => compareGkeVersions(b.parsed, a.parsed))
  if (newest === undefined)
    throw new ImageSelectionError(`the release channel ${name} has no version for the cluster's version ${text}`)
  return newest.version
}

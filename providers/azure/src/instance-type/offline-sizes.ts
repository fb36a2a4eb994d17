import { parseSizeName } from '../sizes/size-name.ts'
import { isSupportedSize } from '../sizes/supported-size.ts'
import type { VmSize } from '../sizes/vm-size.ts'
import { knownSizes } from '../tables/known-sizes.ts'

/** The assumed zones of a location. Most locations have three zones, and some have none. */
const ASSUMED_ZONES = ['1', '2', '3']

/**
 * Returns the sizes that come with Kerf and that Azure sells in a location. Their properties come from the sizes' names and the table. For
 * properties that only the account's API returns, assumes the minimum that still allows plans: no ephemeral OS disk, no Ultra SSD, no
 * restriction. Assumes that spot is available.
 */
export const offlineSizes = (isSold: (name: string) => boolean): readonly VmSize[] =>
  [...knownSizes].flatMap(([name, known]): VmSize[] => {
    const parts = parseSizeName(name.replace(/^Standard_/, ''))
    if (parts === undefined || !isSold(name)) return []
    const size: VmSize = {
      name,
      parts,
      quotaFamily: known.quotaFamily,
      vcpus: known.vcpus,
      memoryGiB: known.memoryMiB / 1024,
      gpus: known.gpus,
      arch: known.arch,
      zones: ASSUMED_ZONES,
      generations: known.arch === 'arm64' ? ['2'] : ['1', '2'],
      // An `s` among the features of the name means premium storage.
      premiumStorage: /\d[a-z]*s/.test(name),
      acceleratedNetworking: true,
      encryptionAtHost: true,
      trustedLaunch: known.arch !== 'arm64',
      spot: true,
      ultraSsd: { withoutZone: false, zones: [] },
    }
    return isSupportedSize(size) ? [size] : []
  })

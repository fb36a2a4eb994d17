import { parseSizeName } from '../sizes/size-name.ts'
import { isSupportedSize } from '../sizes/supported-size.ts'
import type { VmSize } from '../sizes/vm-size.ts'
import { knownSizes } from '../tables/known-sizes.ts'

/** The assumed zones of a location. Most locations have three, some have none. */
const ASSUMED_ZONES = ['1', '2', '3']

/**
 * Returns the sizes that come with Kerf and are sold in a location, with the facts from their names and the table. Facts that
 * only the account's API returns are assumed to be the minimum that still allows plans: no ephemeral OS disk, no Ultra SSD, no
 * restriction. Spot is assumed to be available.
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

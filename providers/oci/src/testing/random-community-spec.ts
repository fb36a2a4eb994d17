import { flag, listOf, maybe, number, one, type Random } from '@kerf/provider-kit/testing'
import type { CommunityNodeClassSpec } from '../node-class/community-node-class.ts'
import { randomCommunityKubelet } from './random-kubelet.ts'

const VOLUME_TYPES = ['ISCSI', 'SCSI', 'IDE', 'VFIO', 'PARAVIRTUALIZED'] as const

const named = (random: Random) => one(random, [{ name: 'nodes' }, { name: '' }, { id: 'ocid1.subnet.oc1.phx.aaaa' }])

/** Returns one to three entries, which may contain duplicates. */
const selector = <T>(random: Random, make: () => T): readonly T[] => [make(), ...listOf(random, 2, make)]

const image = (random: Random): CommunityNodeClassSpec['imageSelector'][number] => ({
  ...one(random, [{ name: 'Oracle-Linux-8.10-OKE-1.34.1' }, { id: 'ocid1.image.oc1.phx.aaaa' }]),
  ...maybe(random, 'compartmentId', () => one(random, ['', 'ocid1.compartment.oc1..aaaa'])),
})

const launchOptions = (random: Random): NonNullable<CommunityNodeClassSpec['launchOptions']> => ({
  ...maybe(random, 'bootVolumeType', () => one(random, VOLUME_TYPES)),
  ...maybe(random, 'firmware', () => one(random, ['BIOS', 'UEFI_64'] as const)),
  ...maybe(random, 'networkType', () => one(random, ['E1000', 'VFIO', 'PARAVIRTUALIZED'] as const)),
  ...maybe(random, 'remoteDataVolumeType', () => one(random, VOLUME_TYPES)),
  ...maybe(random, 'isConsistentVolumeNamingEnabled', () => flag(random)),
})

const tags = (random: Random) => ({
  ...maybe(random, 'definedTags', () => ({
    ops: { owner: one(random, ['', 'ü<&>']), ...maybe(random, '', () => 'empty key') },
    ...maybe(random, 'cost-centre', () => ({})),
  })),
  ...maybe(random, 'freeFormTags', () => ({ team: one(random, ['a', '']), [`key-${number(random, 1, 9)}`]: 'value' })),
  ...maybe(random, 'tags', () => ({ old: 'value' })),
})

/** Returns a random spec that the CRD of OciNodeClass accepts, with empty objects, zeros and repeated items. */
export const randomCommunitySpec = (random: Random): CommunityNodeClassSpec => ({
  vcnId: one(random, ['', 'ocid1.vcn.oc1.phx.aaaa']),
  imageFamily: one(random, ['OracleOKELinux', 'Ubuntu2204', 'Custom', 'other']),
  imageSelector: selector(random, () => image(random)),
  subnetSelector: selector(random, () => named(random)),
  securityGroupSelector: selector(random, () => named(random)),
  bootConfig: {
    bootVolumeSizeInGBs: one(random, [-1, 0, 50, 100, 4_294_967_296]),
    bootVolumeVpusPerGB: one(random, [0, 10, 15, 120]),
  },
  ...maybe(random, 'userData', () => one(random, ['', '#!/bin/bash\necho <&>'])),
  ...maybe(random, 'preInstallScript', () => one(random, ['', 'prepare'])),
  ...maybe(random, 'metaData', () => ({ ...maybe(random, 'own', () => one(random, ['', 'a\nb'])) })),
  ...tags(random),
  ...maybe(random, 'kubelet', () => randomCommunityKubelet(random)),
  ...maybe(random, 'launchOptions', () => launchOptions(random)),
  ...maybe(random, 'blockDevices', () =>
    listOf(random, 3, () => ({ sizeInGBs: one(random, [50, 100, 32_768]), vpusPerGB: one(random, [0, 10, 20]) })),
  ),
  ...maybe(random, 'agentList', () => listOf(random, 3, () => one(random, ['Bastion', 'Compute Instance Monitoring']))),
})

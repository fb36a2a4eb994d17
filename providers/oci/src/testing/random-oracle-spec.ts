import { flag, listOf, maybe, number, one, type Random } from '@kerf/provider-kit/testing'
import type { OracleNodeClassSpec } from '../node-class/oracle-node-class.ts'
import { randomOracleKubelet } from './random-kubelet.ts'

type Network = OracleNodeClassSpec['networkConfig']
type Vnic = Network['primaryVnicConfig']
type SecondaryVnic = NonNullable<Network['secondaryVnicConfigs']>[number]
type BootVolume = OracleNodeClassSpec['volumeConfig']['bootVolumeConfig']
type Filter = NonNullable<Vnic['subnetConfig']['subnetFilter']>

const freeform = (random: Random): Readonly<Record<string, string>> => ({
  ...maybe(random, 'team', () => one(random, ['a', 'ü<&>', ''])),
  ...maybe(random, 'env', () => 'prod'),
})

const defined = (random: Random): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  ...maybe(random, 'ops', () => ({ owner: one(random, ['', 'web']) })),
  ...maybe(random, 'cost', () => ({})),
})

const filter = (random: Random): Filter => ({
  ...one<Filter>(random, [{ displayName: 'nodes' }, { freeformTags: { a: 'b' } }, { definedTags: { a: { b: 'c' } } }]),
  ...maybe(random, 'compartmentId', () => 'ocid1.compartment.oc1..aaaa'),
})

const image = (random: Random): BootVolume['imageConfig'] => ({
  imageType: one(random, ['OKEImage', 'Custom']),
  ...(flag(random)
    ? { imageId: 'ocid1.image.oc1.phx.aaaa' }
    : {
        imageFilter: {
          osFilter: 'Oracle Linux',
          osVersionFilter: one(random, ['8', '']),
          ...maybe(random, 'freeformTags', () => freeform(random)),
        },
      }),
})

const vnic = (random: Random): Vnic => ({
  subnetConfig: flag(random) ? { subnetId: 'ocid1.subnet.oc1.phx.aaaa' } : { subnetFilter: filter(random) },
  ...maybe(random, 'networkSecurityGroupConfigs', () =>
    listOf(random, 2, () =>
      flag(random)
        ? { networkSecurityGroupId: 'ocid1.networksecuritygroup.oc1.phx.aaaa' }
        : { networkSecurityGroupFilter: {} },
    ),
  ),
  ...maybe(random, 'assignIpV6Ip', () => flag(random)),
  ...maybe(random, 'assignPublicIp', () => flag(random)),
  ...maybe(random, 'vnicDisplayname', () => one(random, ['a', 'x'.repeat(255)])),
  ...maybe(random, 'ipv6AddressIpv6SubnetCidrPairDetails', () =>
    listOf(random, 2, () => ({ ...maybe(random, 'ipv6SubnetCidr', () => one(random, ['', '2001:db8::/64'])) })),
  ),
  ...maybe(random, 'skipSourceDestCheck', () => flag(random)),
  ...maybe(random, 'securityAttributes', () => defined(random)),
})

const secondaryVnic = (random: Random): SecondaryVnic => ({
  ...vnic(random),
  ...maybe(random, 'applicationResource', () => 'oke'),
  ...maybe(random, 'ipCount', () => one(random, [1, 16, 33, 256])),
  ...maybe(random, 'nicIndex', () => one(random, [0, 1])),
})

/** Returns at most one of the three placement fields, because the CRD rejects more than one. */
const placement = (random: Random) =>
  one(random, [
    {},
    { capacityReservationConfigs: [{ capacityReservationId: 'ocid1.capacityreservation.oc1.phx.aaaa' }] },
    { capacityReservationConfigs: [] },
    { clusterPlacementGroupConfigs: [{ clusterPlacementGroupFilter: {} }] },
    { computeClusterConfig: { computeClusterFilter: { displayName: 'cluster' } } },
  ])

/** Returns a random spec that the CRD of OCINodeClass accepts, with empty objects, zeros and repeated items. */
export const randomOracleSpec = (random: Random): OracleNodeClassSpec => ({
  volumeConfig: {
    bootVolumeConfig: {
      imageConfig: image(random),
      ...maybe(random, 'sizeInGBs', () => one(random, [1, 50, 4_294_967_296])),
      ...maybe(random, 'vpusPerGB', () => one(random, [10, 20, 30, 47, 120])),
      ...maybe(random, 'kmsKeyConfig', () => ({ ...maybe(random, 'kmsKeyId', () => 'ocid1.key.oc1.phx.vault.aaaa') })),
      ...maybe(random, 'pvEncryptionInTransit', () => flag(random)),
    },
  },
  networkConfig: {
    primaryVnicConfig: vnic(random),
    ...maybe(random, 'secondaryVnicConfigs', () => listOf(random, 2, () => secondaryVnic(random))),
  },
  ...maybe(random, 'shapeConfigs', () =>
    listOf(random, 3, () => ({
      ...maybe(random, 'ocpus', () => one(random, [1, 1.5, 64, 33.3])),
      ...maybe(random, 'memoryInGbs', () => one(random, [1, 7.5, 1024])),
      ...maybe(random, 'baselineOcpuUtilization', () =>
        one(random, ['BASELINE_1_8', 'BASELINE_1_2', 'BASELINE_1_1'] as const),
      ),
    })),
  ),
  ...maybe(random, 'nodeCompartmentId', () => one(random, ['', 'ocid1.compartment.oc1..aaaa'])),
  ...placement(random),
  ...maybe(random, 'metadata', () => ({ ...maybe(random, 'own', () => one(random, ['', 'a\nb'])) })),
  ...maybe(random, 'freeformTags', () => freeform(random)),
  ...maybe(random, 'definedTags', () => defined(random)),
  ...maybe(random, 'kubeletConfig', () => {
    const { podsPerCore = 0, maxPods = 250, ...rest } = randomOracleKubelet(random)
    // The CRD requires that maxPods is at least podsPerCore.
    return { ...rest, podsPerCore: Math.min(podsPerCore, maxPods), maxPods }
  }),
  ...maybe(random, 'preBootstrapInitScript', () => one(random, ['', 'ZWNobyBhCg=='])),
  ...maybe(random, 'postBootstrapInitScript', () => one(random, ['plain text', 'ZWNobyBiCg=='])),
  ...maybe(random, 'sshAuthorizedKeys', () => listOf(random, 2, () => `ssh-ed25519 key-${number(random, 1, 3)}`)),
  ...maybe(random, 'launchOptions', () => ({
    ...maybe(random, 'firmware', () => one(random, ['UEFI_64', 'other'])),
    ...maybe(random, 'consistentVolumeNamingEnabled', () => flag(random)),
  })),
})

import { VirtualClock } from '@kerf/runtime'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { OciApi } from '../api/oci-api.ts'
import type { OciInstance } from '../api/oci-shapes.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { AVAILABILITY_DOMAINS, COMPARTMENT, IMAGE, SECURITY_GROUP, SUBNET } from '../testing/fake-oci/names.ts'
import { oracleClassSample } from '../testing/resolved-class-sample.ts'
import { oracleClass, sampleTypes } from '../testing/type-samples.ts'
import { AttachedParts } from './attached-parts.ts'
import { oracleDrift } from './oracle-drift.ts'

const { signal } = new AbortController()
const types = sampleTypes(['VM.Standard.E4.Flex'], oracleClass({ shapeConfigs: [{ ocpus: 2, memoryInGbs: 16 }] }))

const instance: OciInstance = {
  ...{ id: 'ocid1.instance.oc1..a', displayName: 'a', availabilityDomain: AVAILABILITY_DOMAINS[0] },
  ...{ compartmentId: COMPARTMENT, shape: 'VM.Standard.E4.Flex', shapeConfig: { ocpus: 2, memoryInGBs: 16 } },
  ...{ lifecycleState: 'RUNNING', timeCreated: '2026-11-30T00:00:00Z', imageId: IMAGE, isPreemptible: false },
  ...{ launchOptions: { firmware: 'UEFI_64' }, freeformTags: {}, definedTags: {} },
}

const attached = (nsgIds: readonly string[], sizeInGBs: number): AttachedParts => {
  const attachment = { instanceId: instance.id, lifecycleState: 'ATTACHED' }
  const api: Pick<OciApi, 'vnicAttachments' | 'vnic' | 'bootVolumeAttachments' | 'bootVolume'> = {
    vnicAttachments: async () => [{ ...attachment, vnicId: 'vnic' }],
    vnic: async (id) => ({ id, isPrimary: true, subnetId: SUBNET, nsgIds }),
    bootVolumeAttachments: async () => [{ ...attachment, bootVolumeId: 'volume' }],
    bootVolume: async (id) => ({ id, sizeInGBs, vpusPerGB: 10 }),
  }
  return new AttachedParts(api, new VirtualClock())
}

const options = {
  remoteDataVolumeType: undefined,
  firmware: undefined,
  networkType: undefined,
  bootVolumeType: undefined,
}
const place = { id: 'ocid1.x', name: undefined, availabilityDomain: AVAILABILITY_DOMAINS[0] }
const boot = oracleClassSample.bootVolume

const cases: readonly (readonly [string | undefined, Partial<ResolvedClass>, Partial<OciInstance>?])[] = [
  [undefined, {}],
  ['NodeClassStaticFieldDrift', { hash: '2' }],
  [undefined, { hash: '2', hashVersion: 'v2' }],
  ['CapacityReservationMismatch', {}, { capacityReservationId: 'ocid1.gone' }],
  ['instanceCompartmentMismatch', { compartmentId: 'ocid1.compartment.oc1..other' }],
  ['ocpuMismatch', {}, { shapeConfig: { ocpus: 4, memoryInGBs: 16 } }],
  ['memoryInGbsMismatch', {}, { shapeConfig: { ocpus: 2, memoryInGBs: 8 } }],
  [
    'cpuBaselineUtilizationMismatch',
    {},
    { shapeConfig: { ocpus: 2, memoryInGBs: 16, baselineOcpuUtilization: 'BASELINE_1_2' } },
  ],
  ['imageMismatch', {}, { imageId: 'ocid1.image.oc1..old' }],
  ['ClusterPlacementGroupMismatch', { placementGroups: [place] }],
  [
    'LaunchOptionMismatch',
    { launchOptions: { ...options, firmware: 'BIOS', isConsistentVolumeNamingEnabled: undefined } },
  ],
  // If the option is off, the API omits the field.
  [undefined, { launchOptions: { ...options, isConsistentVolumeNamingEnabled: false } }],
  [
    'PrimaryVnicMismatch',
    { primaryVnic: { ...oracleClassSample.primaryVnic, subnets: [{ id: 'other', name: undefined }] } },
  ],
  ['PrimaryVnicNsgIdsMismatch', { primaryVnic: { ...oracleClassSample.primaryVnic, nsgIds: ['other'] } }],
  [undefined, { primaryVnic: { ...oracleClassSample.primaryVnic, nsgIds: [] } }],
  ['PvEncryptionInTransitionMismatch', { bootVolume: { ...boot, pvEncryptionInTransit: true } }],
  ['BootVolumeSizeMismatch', { bootVolume: { ...boot, sizeInGBs: 200 } }],
  [undefined, { bootVolume: { ...boot, sizeInGBs: 50 } }],
  ['kmsKeyMismatch', { bootVolume: { ...boot, kmsKeyId: 'ocid1.key' } }],
  ['VpusPerGbMismatch', { bootVolume: { ...boot, vpusPerGB: 20 } }],
]

test.each(cases.map(([reason, changes, of = {}]) => ({ reason, changes, of })))(
  '$reason',
  async ({ reason, changes, of }) => {
    const { hash, version } = {
      hash: 'oci.oraclecloud.com/nodeclass-hash',
      version: 'oci.oraclecloud.com/nodeclass-hash-version',
    }
    const claim = nodeClaim('a', { metadata: { annotations: { [hash]: '1', [version]: 'v1' } } })
    const facts = { types, attached: attached([SECURITY_GROUP], 100), compartmentId: COMPARTMENT }
    expect(await oracleDrift(claim, { ...instance, ...of }, { ...oracleClassSample, ...changes }, facts, signal)).toBe(
      reason,
    )
  },
)

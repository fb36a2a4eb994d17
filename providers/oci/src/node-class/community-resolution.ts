import type { RequirementSpec } from '@kerf/engine'
import { communityHash } from './community-hash.ts'
import type { CommunityNodeClass, CommunityNodeClassSpec } from './community-node-class.ts'
import { kubeletSettings } from './kubelet-settings.ts'
import type { Bootstrap, ResolvedClass, ResolvedImage } from './resolved-class.ts'

type StatusImage = NonNullable<NonNullable<CommunityNodeClass['status']>['images']>[number]

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const
type Operator = (typeof OPERATORS)[number]
const isOperator = (operator: string): operator is Operator => OPERATORS.some((each) => each === operator)

const imageRequirements = ({ requirements = [] }: StatusImage): readonly RequirementSpec[] =>
  requirements.flatMap(({ key, operator, values }) =>
    isOperator(operator) ? [{ key, operator, ...(values === undefined ? {} : { values }) }] : [],
  )

const images = (list: readonly StatusImage[] = []): readonly ResolvedImage[] =>
  list.flatMap((image) =>
    image.id === undefined ? [] : [{ id: image.id, name: image.name, requirements: imageRequirements(image) }],
  )

const withId = (list: readonly { readonly id?: string; readonly name?: string }[] = []) =>
  list.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }]))

const bootstrap = ({ imageFamily, userData, preInstallScript }: Partial<CommunityNodeClassSpec>): Bootstrap => {
  if (imageFamily === 'Ubuntu2204') return { form: 'ubuntu', userData, preInstallScript }
  return imageFamily === 'Custom' ? { form: 'custom', userData } : { form: 'oke-mime', userData }
}

/** Translates an OciNodeClass. */
export const resolveCommunityClass = (nodeClass: CommunityNodeClass): ResolvedClass => {
  const { metadata, status = {} } = nodeClass
  const spec: Partial<CommunityNodeClassSpec> = nodeClass.spec ?? {}
  return {
    upstream: 'community',
    name: metadata.name,
    uid: metadata.uid ?? '',
    isDeleting: metadata.deletionTimestamp !== undefined,
    hash: communityHash.of(nodeClass),
    hashVersion: communityHash.version,
    compartmentId: undefined,
    bootstrap: bootstrap(spec),
    images: images(status.images),
    primaryVnic: {
      subnets: withId(status.subnets),
      nsgIds: withId(status.securityGroups).map(({ id }) => id),
      displayName: undefined,
      assignPublicIp: undefined,
      assignIpv6Ip: undefined,
      skipSourceDestCheck: undefined,
      securityAttributes: {},
      ipv6SubnetCidrs: [],
    },
    secondaryVnics: [],
    bootVolume: {
      sizeInGBs: spec.bootConfig?.bootVolumeSizeInGBs,
      vpusPerGB: spec.bootConfig?.bootVolumeVpusPerGB,
      kmsKeyId: undefined,
      pvEncryptionInTransit: undefined,
    },
    dataVolumes: spec.blockDevices ?? [],
    launchOptions:
      spec.launchOptions === undefined
        ? undefined
        : {
            bootVolumeType: spec.launchOptions.bootVolumeType,
            remoteDataVolumeType: spec.launchOptions.remoteDataVolumeType,
            firmware: spec.launchOptions.firmware,
            networkType: spec.launchOptions.networkType,
            isConsistentVolumeNamingEnabled: spec.launchOptions.isConsistentVolumeNamingEnabled,
          },
    agentPlugins: spec.agentList ?? [],
    definedTags: spec.definedTags ?? {},
    freeformTags: spec.freeFormTags ?? {},
    metadata: spec.metaData ?? {},
    sshAuthorizedKeys: [],
    kubelet: kubeletSettings(spec.kubelet),
    shapeSizes: undefined,
    capacityReservations: [],
    placementGroups: [],
    computeCluster: undefined,
  }
}

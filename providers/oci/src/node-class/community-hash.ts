import {
  type FieldHash,
  hashBoolean,
  hashEntries,
  hashField,
  hashInteger,
  hashMap,
  hashSet,
  hashStruct,
  hashText,
} from '@kerf/apis'
import type { NodeClassHash } from '@kerf/provider-contract'
import type { CommunityNodeClass, CommunityNodeClassSpec } from './community-node-class.ts'

const { text, plainText } = hashField
const plainNumber = (value: number | undefined): FieldHash =>
  value === undefined || value === 0 ? undefined : hashInteger(value)

type Item<List> = NonNullable<List> extends readonly (infer T)[] ? T : never
type Spec = Partial<CommunityNodeClassSpec>

const hashSelector =
  (type: string) =>
  ({ id, name }: { readonly id?: string; readonly name?: string }): bigint =>
    hashStruct(type, [
      ['Id', plainText(id)],
      ['Name', plainText(name)],
    ])

const hashImage = ({ id, name, compartmentId }: Item<Spec['imageSelector']>): bigint =>
  hashStruct('ImageSelectorTerm', [
    ['Id', plainText(id)],
    ['Name', plainText(name)],
    ['CompartmentId', plainText(compartmentId)],
  ])

const hashLaunchOptions = (options: NonNullable<Spec['launchOptions']>): bigint =>
  hashStruct('LaunchOptions', [
    ['BootVolumeType', text(options.bootVolumeType)],
    ['Firmware', text(options.firmware)],
    ['NetworkType', text(options.networkType)],
    ['RemoteDataVolumeType', text(options.remoteDataVolumeType)],
    [
      'IsConsistentVolumeNamingEnabled',
      options.isConsistentVolumeNamingEnabled === undefined
        ? undefined
        : hashBoolean(options.isConsistentVolumeNamingEnabled),
    ],
  ])

const hashSpec = (spec: Spec): bigint =>
  hashStruct('OciNodeClassSpec', [
    ['VcnId', plainText(spec.vcnId)],
    ['ImageSelector', hashSet(spec.imageSelector, hashImage)],
    ['SubnetSelector', hashSet(spec.subnetSelector, hashSelector('SubnetSelectorTerm'))],
    ['SecurityGroupSelector', hashSet(spec.securityGroupSelector, hashSelector('SecurityGroupSelectorTerm'))],
    ['UserData', text(spec.userData)],
    ['PreInstallScript', text(spec.preInstallScript)],
    ['MetaData', hashMap(spec.metaData)],
    ['ImageFamily', plainText(spec.imageFamily)],
    ['Tags', hashMap(spec.tags)],
    ['DefinedTags', hashEntries(spec.definedTags, (tags) => hashMap(tags) ?? 0n)],
    ['FreeFormTags', hashMap(spec.freeFormTags)],
    [
      'BootConfig',
      spec.bootConfig === undefined
        ? undefined
        : hashStruct('BootConfig', [
            ['BootVolumeSizeInGBs', plainNumber(spec.bootConfig.bootVolumeSizeInGBs)],
            ['BootVolumeVpusPerGB', plainNumber(spec.bootConfig.bootVolumeVpusPerGB)],
          ]),
    ],
    ['LaunchOptions', spec.launchOptions === undefined ? undefined : hashLaunchOptions(spec.launchOptions)],
    [
      'BlockDevices',
      hashSet(spec.blockDevices, ({ sizeInGBs, vpusPerGB }) =>
        hashStruct('VolumeAttributes', [
          ['SizeInGBs', plainNumber(sizeInGBs)],
          ['VpusPerGB', plainNumber(vpusPerGB)],
        ]),
      ),
    ],
    ['AgentList', hashSet(spec.agentList, hashText)],
  ])

/**
 * The hash of an OciNodeClass, equal to that of zoom/karpenter-oci (`providers/oci/docs/spec/oci.md#hashes`). The kubelet configuration is
 * not part of the hash. Lists are hashed as sets.
 */
export const communityHash: NodeClassHash<CommunityNodeClass> = {
  version: 'v1',
  of: ({ spec = {} }: { readonly spec?: Spec }) => hashSpec(spec).toString(),
}

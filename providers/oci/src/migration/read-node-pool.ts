import type { Taint } from '@kerf/apis'
import type { CapacityType, Question, ReadGroup, SourceGroup } from '@kerf/provider-contract'
import { asNumber, asObjects, asText, asTextMap, type Loose } from '@kerf/provider-kit/documents'
import { fieldConversion, fieldConversions } from '@kerf/provider-kit/migration'
import { zoneOfDomain } from '../availability-domain.ts'
import { PREEMPTIBLE_TAINT } from '../instance-types/offerings.ts'
import { gpuResource } from '../instance-types/shape-facts.ts'
import { typeName } from '../instance-types/sized-shape.ts'
import type { OracleNodeClassSpec } from '../node-class/oracle-node-class.ts'
import { parseTaint, readAutoscalerTags } from './autoscaler-tags.ts'
import { draftSpec, looseIn, nodeSubnets, placementsIn, shapeSize } from './draft-spec.ts'
import { configRules, metadataRule, placementRules, podNetworkRules, poolRules, sourceRules } from './field-rules.ts'

/** The fields of a node pool that only this provider reads. */
export interface OkeLaunch {
  readonly poolId: string | undefined
  /** The tags of the node pool: free-form tags by key, defined tags by `NAMESPACE.KEY`. */
  readonly tags: Readonly<Record<string, string>>
  readonly spec: Partial<OracleNodeClassSpec>
}

/** Matches the kubelet argument from which Cluster Autoscaler reads the taints of a node pool. */
const TAINTS = /\s*-?-register-with-taints[= ](\S*)/

/** Splits the kubelet's arguments into the taints and all other arguments. */
const readKubeletArgs = (
  args: string,
): { readonly taints: readonly Taint[]; readonly extraArgs: string | undefined } => ({
  taints: (TAINTS.exec(args)?.[1] ?? '').split(',').flatMap((text) => parseTaint(text.replaceAll(/["']/g, '')) ?? []),
  extraArgs: asText(args.replace(TAINTS, '').trim()),
})

const isPreemptible = (pool: Loose): boolean =>
  placementsIn(pool).some((each) => Object.keys(looseIn(each, 'preemptibleNodeConfig')).length > 0)

/** Returns the taints that OKE itself sets on nodes. Kerf offers such nodes only for NodePools with the same taints. */
const taintsOfOke = (shape: string, isSpot: boolean): readonly Taint[] => [
  ...(/GPU/.test(shape)
    ? [{ key: gpuResource({ name: shape, gpuDescription: undefined }), effect: 'NoSchedule' as const }]
    : []),
  ...(isSpot ? [{ key: PREEMPTIBLE_TAINT, effect: 'NoSchedule' as const }] : []),
]

const uniqueTaints = (taints: readonly Taint[]): readonly Taint[] => [
  ...new Map(taints.map((taint) => [`${taint.key}:${taint.effect}`, taint])).values(),
]

const readLabels = (pool: Loose): Readonly<Record<string, string>> =>
  Object.fromEntries(
    asObjects(pool['initialNodeLabels']).flatMap(({ key, value }) => {
      const name = asText(key)
      return name === undefined ? [] : [[name, asText(value) ?? '']]
    }),
  )

const poolTags = (pool: Loose): Readonly<Record<string, string>> => ({
  ...asTextMap(pool['freeformTags']),
  ...Object.fromEntries(
    Object.entries(looseIn(pool, 'definedTags')).flatMap(([namespace, tags]) =>
      Object.entries(asTextMap(tags)).map(([key, value]) => [`${namespace}.${key}`, value]),
    ),
  ),
})

const poolQuestions = (object: string, pool: Loose, spec: Partial<OracleNodeClassSpec>): readonly Question[] => {
  const subnets = nodeSubnets(pool)
  return [
    ...(spec.volumeConfig === undefined
      ? [
          {
            object,
            message: 'which image do its nodes need? The export has none: give the output of oci ce node-pool get',
          },
        ]
      : []),
    ...(subnets.length > 1
      ? [
          {
            object,
            message: `its nodes are in the subnets ${subnets.join(', ')}; an OCINodeClass has one, so the draft has the first. Is it regional?`,
          },
        ]
      : []),
    ...(spec.capacityReservationConfigs === undefined
      ? []
      : [{ object, message: 'it uses capacity reservations: add reserved to the capacity types of the NodePool' }]),
    ...(Object.hasOwn(looseIn(pool, 'nodeMetadata'), 'user_data')
      ? [
          {
            object,
            message:
              'its nodes start with their own cloud-init script: write its commands, except those that start OKE, into preBootstrapInitScript or postBootstrapInitScript in base64',
          },
        ]
      : []),
  ]
}

const poolConversions = (object: string, pool: Loose) => {
  const details = looseIn(pool, 'nodeConfigDetails')
  const network = looseIn(details, 'nodePoolPodNetworkOptionDetails')
  return [
    ...fieldConversions(object, pool, poolRules),
    ...fieldConversions(object, looseIn(pool, 'nodeSourceDetails'), sourceRules, 'nodeSourceDetails.'),
    ...fieldConversions(object, details, configRules, 'nodeConfigDetails.'),
    ...fieldConversions(object, network, podNetworkRules, 'nodeConfigDetails.nodePoolPodNetworkOptionDetails.'),
    ...placementsIn(pool).flatMap((each, index) =>
      fieldConversions(object, each, placementRules, `nodeConfigDetails.placementConfigs[${index}].`),
    ),
    ...Object.keys(looseIn(pool, 'nodeMetadata')).map((key) =>
      fieldConversion(object, `nodeMetadata.${key}`, metadataRule(key)),
    ),
  ]
}

/** Reads an OKE node pool in the API's format. */
export const readOkePool = (pool: Loose, at: string): ReadGroup<OkeLaunch> => {
  const poolId = asText(pool['id'])
  const name = asText(pool['name']) ?? poolId ?? ''
  const object = `OKE node pool ${name}`
  const shape = asText(pool['nodeShape']) ?? ''
  const size = shapeSize(pool)
  const tags = readAutoscalerTags(looseIn(pool, 'freeformTags'))
  const { taints, extraArgs } = readKubeletArgs(asText(looseIn(pool, 'nodeMetadata')['kubelet-extra-args']) ?? '')
  const spec = draftSpec(pool, extraArgs)
  const isSpot = isPreemptible(pool)
  const capacityTypes: readonly CapacityType[] = isSpot ? ['spot'] : ['on-demand']
  const count = asNumber(looseIn(pool, 'nodeConfigDetails')['size']) ?? 0
  const zones = placementsIn(pool).flatMap(({ availabilityDomain }) => asText(availabilityDomain) ?? [])
  const group: SourceGroup<OkeLaunch> = {
    ...{ name, at, origin: 'OKE node pool', desired: count, min: count, max: count, startupTaints: [] },
    instanceTypes:
      size === undefined
        ? [shape]
        : [
            typeName('oracle', shape, {
              ...{ ocpus: size.ocpus, memoryInGBs: size.memoryInGbs, baseline: 'BASELINE_1_1' },
            }),
          ],
    capacityTypes,
    zones: [...new Set(zones.map(zoneOfDomain))],
    labels: { ...tags.labels, ...readLabels(pool) },
    taints: uniqueTaints([...taintsOfOke(shape, isSpot), ...tags.taints, ...taints]),
    options: tags.options,
    launch: { poolId, spec, tags: poolTags(pool) },
    ...(poolId === undefined ? {} : { scalingGroups: [poolId] }),
  }
  return {
    group,
    questions: poolQuestions(object, pool, spec),
    conversions: [
      ...poolConversions(object, pool),
      ...tags.rules.map(({ tag, rule }) => fieldConversion(object, `freeformTags.${tag}`, rule)),
    ],
  }
}

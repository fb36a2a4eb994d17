import type { Taint } from '@kerf/apis'
import type { CapacityType, Question, ReadGroup, SourceGroup } from '@kerf/provider-contract'
import { asNumber, asObjects, asText, asTexts, isLoose, type Loose, looseAt } from '@kerf/provider-kit/documents'
import { fieldConversions, isEffect } from '@kerf/provider-kit/migration'
import type { ECSNodeClassSpec } from '../node-class/ecs-node-class.ts'
import { draftSpec } from './draft-spec.ts'
import { autoScalingRules, kubeletRules, kubernetesRules, poolRules, scalingGroupRules } from './pool-fields.ts'

/** The fields of a node pool that only this provider reads. */
export interface AckLaunch {
  readonly poolId: string | undefined
  readonly spec: Partial<ECSNodeClassSpec>
}

const looseIn = (source: Loose, field: string): Loose => {
  const value = looseAt(source, field)
  return isLoose(value) ? value : {}
}

const readTaints = (config: Loose): readonly Taint[] =>
  asObjects(config['taints']).flatMap((each) => {
    const [key, value, effect] = ['key', 'value', 'effect'].map((field) => asText(looseAt(each, field)))
    return key === undefined || !isEffect(effect) ? [] : [{ key, ...(value === undefined ? {} : { value }), effect }]
  })

const readLabels = (config: Loose): Readonly<Record<string, string>> =>
  Object.fromEntries(
    asObjects(config['labels']).flatMap((each) => {
      const key = asText(each['key'])
      return key === undefined ? [] : [[key, asText(each['value']) ?? '']]
    }),
  )

const readCapacityTypes = (scaling: Loose): readonly CapacityType[] => {
  const isSpot = (asText(scaling['spot_strategy']) ?? 'NoSpot') !== 'NoSpot'
  if (!isSpot) return ['on-demand']
  const hasOnDemand =
    scaling['compensate_with_on_demand'] === true ||
    (asNumber(scaling['on_demand_base_capacity']) ?? 0) > 0 ||
    (asNumber(scaling['on_demand_percentage_above_base_capacity']) ?? 0) > 0
  return hasOnDemand ? ['spot', 'on-demand'] : ['spot']
}

const poolQuestions = (object: string, scaling: Loose, spec: Partial<ECSNodeClassSpec>): readonly Question[] => [
  ...(spec.imageSelectorTerms === undefined
    ? [
        {
          object,
          message: `which image do its nodes need? Kerf knows AlibabaCloudLinux3, ContainerOS and image IDs; it has ${asText(scaling['image_type']) ?? 'none'}`,
        },
      ]
    : []),
  ...(asText(scaling['platform']) === 'Windows'
    ? [{ object, message: 'its nodes are Windows, which Kerf does not launch on Alibaba Cloud: keep it with --keep' }]
    : []),
  ...(asText(scaling['ram_role_name']) === undefined
    ? []
    : [
        {
          object,
          message: `do its pods use the RAM role ${asText(scaling['ram_role_name'])} of the instances? Instances of Kerf have none: give pods their roles with RRSA`,
        },
      ]),
]

/** Reads an ACK node pool in the format of DescribeClusterNodePools. */
export const readAckPool = (source: Loose, at: string): ReadGroup<AckLaunch> => {
  const info = looseIn(source, 'nodepool_info')
  const [scaling, sizes, config] = ['scaling_group', 'auto_scaling', 'kubernetes_config'].map((field) =>
    looseIn(source, field),
  )
  const { name: named, nodepool_id: id, type = 'ess' } = info
  const name = asText(named) ?? asText(id) ?? ''
  const object = `ACK node pool ${name}`
  const kubelet = looseIn(looseIn(source, 'node_config'), 'kubelet_configuration')
  const count = asNumber(looseIn(source, 'status')['total_nodes']) ?? asNumber(scaling?.['desired_size']) ?? 0
  const isScaled = sizes?.['enable'] === true
  const spec = draftSpec(scaling ?? {}, config ?? {}, kubelet)
  const poolId = asText(id)
  const scalingGroup = asText(scaling?.['scaling_group_id'])
  const group: SourceGroup<AckLaunch> = {
    ...{ name, at, origin: 'ACK node pool', desired: count, options: {}, zones: [], startupTaints: [] },
    min: isScaled ? (asNumber(sizes?.['min_instances']) ?? 0) : count,
    max: isScaled ? (asNumber(sizes?.['max_instances']) ?? count) : count,
    instanceTypes: asTexts(scaling?.['instance_types']),
    capacityTypes: readCapacityTypes(scaling ?? {}),
    labels: readLabels(config ?? {}),
    taints: readTaints(config ?? {}),
    launch: { poolId, spec },
    ...(poolId === undefined ? {} : { nodeLabels: { 'alibabacloud.com/nodepool-id': poolId } }),
    ...(scalingGroup === undefined ? {} : { scalingGroups: [scalingGroup] }),
    ...(type === 'ess' ? {} : { keptBecause: `its nodes are not ECS instances (type ${String(type)})` }),
  }
  return {
    group,
    questions: poolQuestions(object, scaling ?? {}, spec),
    conversions: [
      ...fieldConversions(object, source, poolRules),
      ...fieldConversions(object, sizes ?? {}, autoScalingRules, 'auto_scaling.'),
      ...fieldConversions(object, config ?? {}, kubernetesRules, 'kubernetes_config.'),
      ...fieldConversions(object, kubelet, kubeletRules, 'node_config.kubelet_configuration.'),
      ...fieldConversions(object, scaling ?? {}, scalingGroupRules, 'scaling_group.'),
    ],
  }
}

import type { Taint } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { Question, ReadGroup, SourceGroup } from '@kerf/provider-contract'
import {
  asNumber,
  asObjects,
  asText,
  asTextMap,
  asTexts,
  isLoose,
  type Loose,
  looseAt,
} from '@kerf/provider-kit/documents'
import { fieldConversion, fieldConversions } from '@kerf/provider-kit/migration'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { autoscalingRules, configRules, kubeletRules, networkRules, poolRules } from './field-rules.ts'
import { type ClusterDefaults, readClassSpec } from './read-class-spec.ts'

/** The cluster of a node pool. */
export interface GkeClusterFacts extends ClusterDefaults {
  readonly name?: string
  readonly project?: string
  /** Its region or zone. */
  readonly location?: string
  readonly zones: readonly string[]
}

/** The cluster of a node pool, and the launch settings of the pool's nodes. */
export interface GkeLaunch {
  readonly cluster: GkeClusterFacts
  readonly spec: GCENodeClassSpec
  readonly isScaled: boolean
  /** The number of zones to which each size limit of the node pool applies. 1 if the limits are totals. */
  readonly zonesOfBounds: number
}

const EFFECTS: Readonly<Record<string, Taint['effect']>> = {
  NO_SCHEDULE: 'NoSchedule',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
  NO_EXECUTE: 'NoExecute',
}

/** GKE sets this taint on nodes with GPUs, and adds the matching toleration to pods that request GPUs. */
const GPU_TAINT: Taint = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }

const taintsIn = (config: Loose): readonly Taint[] => {
  const own = asObjects(config['taints']).flatMap((taint): readonly Taint[] => {
    const [key, effect] = [asText(taint['key']), ownValue(EFFECTS, asText(taint['effect']) ?? '')]
    const value = asText(taint['value'])
    return key === undefined || effect === undefined ? [] : [{ key, ...(value === undefined ? {} : { value }), effect }]
  })
  const hasGpus = asObjects(config['accelerators']).some(({ acceleratorType }) =>
    (asText(acceleratorType) ?? '').startsWith('nvidia'),
  )
  return hasGpus && !own.some(({ key }) => key === GPU_TAINT.key) ? [...own, GPU_TAINT] : own
}

/** The machine type of a node pool that specifies none. */
const DEFAULT_TYPE = 'e2-medium'

const machineType = (config: Loose): string => asText(config['machineType']) ?? DEFAULT_TYPE

const isWindows = (config: Loose): boolean => (asText(config['imageType']) ?? '').toUpperCase().startsWith('WINDOWS')

/** Returns the reason why the node pool cannot be migrated at all, or undefined. */
const keptBecause = (config: Loose): string | undefined => {
  const type = machineType(config)
  if (/(?:^|-)custom-/.test(type)) return `Kerf launches no custom machine types such as ${type}`
  if (type.startsWith('n1-') && asObjects(config['accelerators']).length > 0)
    return 'its GPUs are attached to machines of the series N1, which a GCENodeClass cannot do'
  return undefined
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly isScaled: boolean
  readonly zonesOfBounds: number
}

const boundsIn = (pool: Loose, zones: readonly string[], count: number): Bounds => {
  const autoscaling = isLoose(pool['autoscaling']) ? pool['autoscaling'] : {}
  const numberIn = (field: string): number | undefined => asNumber(ownValue(autoscaling, field))
  if (autoscaling['enabled'] !== true) return { min: count, max: count, isScaled: false, zonesOfBounds: 1 }
  const total = numberIn('totalMaxNodeCount')
  if (total !== undefined && total > 0)
    return { min: numberIn('totalMinNodeCount') ?? 0, max: total, isScaled: true, zonesOfBounds: 1 }
  const each = Math.max(1, zones.length)
  const [min, max] = [numberIn('minNodeCount') ?? 0, numberIn('maxNodeCount') ?? 0]
  return { min: min * each, max: max * each, isScaled: true, zonesOfBounds: each }
}

/** Returns the name of an instance group, which is the last part of its URL. */
const groupName = (url: string): string => url.split('/').at(-1) ?? url

const POOL_LINK = /\/projects\/([^/]+)\/(?:locations|zones)\/([^/]+)\/clusters\/([^/]+)(?:\/nodePools\/|$)/

/** Returns the project, location and name of the cluster, from the link of a node pool or a cluster. */
export const clusterInLink = (link: unknown): Pick<GkeClusterFacts, 'project' | 'location' | 'name'> => {
  const [, project, location, name] = POOL_LINK.exec(asText(link) ?? '') ?? []
  return project === undefined || location === undefined || name === undefined ? {} : { project, location, name }
}

const questionsAbout = (object: string, config: Loose, hasZones: boolean): readonly Question[] => [
  ...(isWindows(config)
    ? [{ object, message: 'its nodes are Windows, which Kerf does not launch on Google Cloud: keep it with --keep' }]
    : []),
  ...(hasZones ? [] : [{ object, message: 'in which zones is it? The export has no locations, so all zones count' }]),
]

/**
 * Reads a node pool in the form of GKE's API, as gcloud prints it.
 *
 * @param nodes the number of nodes in the pool, if the cluster's nodes are known
 */
export const readGkePool = (
  pool: Loose,
  at: string,
  cluster: GkeClusterFacts,
  nodes: number | undefined,
): ReadGroup<GkeLaunch> => {
  const name = asText(pool['name']) ?? ''
  const object = `GKE node pool ${name}`
  const config = isLoose(pool['config']) ? pool['config'] : {}
  const own = asTexts(pool['locations'])
  const zones = own.length > 0 ? own : cluster.zones
  const count = nodes ?? (asNumber(pool['initialNodeCount']) ?? 0) * Math.max(1, zones.length)
  const { isScaled, zonesOfBounds, ...bounds } = boundsIn(pool, zones, count)
  const most = asNumber(looseAt(pool, 'upgradeSettings', 'maxUnavailable')) ?? 0
  const kept = keptBecause(config)
  const groups = asTexts(pool['instanceGroupUrls'])
  const group: SourceGroup<GkeLaunch> = {
    ...{ name, at, origin: 'GKE node pool', desired: count, ...bounds },
    instanceTypes: [machineType(config)],
    capacityTypes: config['spot'] === true || config['preemptible'] === true ? ['spot'] : ['on-demand'],
    zones,
    labels: asTextMap(config['labels']),
    taints: taintsIn(config),
    startupTaints: [],
    ...(isWindows(config) ? { isWindows: true } : {}),
    options: {},
    launch: { cluster, spec: readClassSpec(pool, cluster), isScaled, zonesOfBounds },
    nodeLabels: { 'cloud.google.com/gke-nodepool': name },
    ...(groups.length === 0 ? {} : { scalingGroups: groups.flatMap((url) => [url, groupName(url)]) }),
    ...(kept === undefined ? {} : { keptBecause: kept }),
    ...(most === 0 ? {} : { maxUnavailable: `${most}` }),
  }
  const { config: _config, networkConfig: _network, autoscaling: _autoscaling, ...rest } = pool
  const partConversions = (field: string, rules: typeof poolRules) => {
    const part = looseAt(pool, ...field.split('.'))
    return isLoose(part) ? fieldConversions(object, part, rules, `${field}.`) : []
  }
  const taints = asObjects(config['taints']).filter(({ effect }) => ownValue(EFFECTS, String(effect)) === undefined)
  return {
    group,
    questions: questionsAbout(object, config, zones.length > 0),
    conversions: [
      ...fieldConversions(object, rest, poolRules),
      ...partConversions('autoscaling', autoscalingRules),
      ...partConversions('networkConfig', networkRules),
      ...partConversions('config', configRules),
      ...partConversions('config.kubeletConfig', kubeletRules),
      ...taints.map(({ key }) => fieldConversion(object, `taint ${String(key)}`, { because: 'its effect is unknown' })),
    ],
  }
}

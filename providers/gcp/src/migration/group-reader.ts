import type { KubeObject } from '@kerf/apis'
import type { GroupReader, Question, ReaderTools, ReadGroup } from '@kerf/provider-contract'
import { asNumber, asObjects, asText, asTexts, isLoose, type Loose, looseAt } from '@kerf/provider-kit/documents'
import { fieldConversion, present } from '@kerf/provider-kit/migration'
import { clusterInLink, type GkeClusterFacts, type GkeLaunch, readGkePool } from './read-node-pool.ts'
import { clusterExport, poolExport } from './read-terraform.ts'

const CLUSTER_RESOURCE = 'google_container_cluster'
const POOL_RESOURCE = 'google_container_node_pool'
const POOL_LABEL = 'cloud.google.com/gke-nodepool'

const UNKNOWN_CLUSTER: GkeClusterFacts = { zones: [], hasChannel: false }

const clusterFacts = (source: Loose): GkeClusterFacts => ({
  ...clusterInLink(source['selfLink']),
  ...present({
    name: asText(source['name']),
    location: asText(source['location']) ?? asText(source['zone']),
    subnetwork: asText(source['subnetwork']),
    maxPods: asNumber(looseAt(source, 'defaultMaxPodsConstraint', 'maxPodsPerNode')),
  }),
  zones: asTexts(source['locations']),
  hasChannel: !['', 'UNSPECIFIED'].includes(asText(looseAt(source, 'releaseChannel', 'channel')) ?? ''),
})

/** Returns the number of nodes of each node pool, or undefined if the objects include no Nodes. */
const nodesByPool = (objects: readonly KubeObject[]): ReadonlyMap<string, number> | undefined => {
  const nodes = objects.filter(({ kind }) => kind === 'Node')
  if (nodes.length === 0) return undefined
  const counts = new Map<string, number>()
  for (const { metadata } of nodes) {
    const pool = metadata.labels?.[POOL_LABEL]
    if (pool !== undefined) counts.set(pool, (counts.get(pool) ?? 0) + 1)
  }
  return counts
}

/**
 * Returns the node pool whose template Kerf uses to start nodes (`providers/gcp/docs/spec/gcp.md#bootstrap`): `default-pool`, otherwise the
 * first one by name. The user must keep this pool, because GKE's own pods and Kerf itself also need a node pool.
 */
const sourcePool = (groups: readonly ReadGroup<GkeLaunch>[]): string | undefined => {
  const names = groups
    .filter(({ group }) => group.isWindows !== true)
    .map(({ group }) => group.name)
    .toSorted()
  return names.find((name) => name === 'default-pool') ?? names[0]
}

const SOURCE = 'Kerf starts its nodes from the template of this pool, and runs on it together with the pods of GKE'

const withSource = (groups: readonly ReadGroup<GkeLaunch>[]): readonly ReadGroup<GkeLaunch>[] => {
  const source = sourcePool(groups)
  return groups.map((each) =>
    each.group.name === source && each.group.keptBecause === undefined
      ? { ...each, group: { ...each.group, keptBecause: SOURCE } }
      : each,
  )
}

interface Found {
  readonly pool: Loose
  readonly at: string
  readonly cluster: GkeClusterFacts
}

const isPool = (value: Loose): boolean =>
  isLoose(value['config']) && asText(value['name']) !== undefined && !Array.isArray(value['nodePools'])

/** Returns a reader for GKE exports and Terraform resources. */
export const groupReader = ({ report }: Pick<ReaderTools, 'report'>): GroupReader<GkeLaunch> => {
  const pools = new Map<string, Found>()
  const questions: Question[] = []
  let clusterName: string | undefined

  const addPool = (pool: Loose, at: string, cluster: GkeClusterFacts): void => {
    const name = asText(pool['name'])
    if (name === undefined)
      report(fieldConversion(at, 'GKE node pool', { because: 'it has no name: the export is cut off' }))
    else {
      const linked = clusterInLink(pool['selfLink'])
      clusterName ??= cluster.name ?? linked.name
      pools.set(name, { pool, at, cluster: { ...linked, ...cluster } })
    }
  }

  /** Adds the node pools of a cluster, with the facts that the pools themselves do not contain. */
  const addCluster = (source: Loose, at: string): void => {
    const cluster = clusterFacts(source)
    clusterName ??= cluster.name
    const object = `GKE cluster ${cluster.name ?? ''}`
    if (looseAt(source, 'autopilot', 'enabled') === true)
      questions.push({
        object,
        message: 'it is an Autopilot cluster, whose nodes GKE runs itself: Kerf needs a Standard cluster',
      })
    const autoscaling = source['autoscaling']
    if (looseAt(autoscaling, 'enableNodeAutoprovisioning') === true)
      questions.push({
        object,
        message: `node auto-provisioning would create pools for the same pods: turn it off with gcloud container clusters update ${cluster.name ?? 'CLUSTER'} --location ${cluster.location ?? 'LOCATION'} --no-enable-autoprovisioning`,
      })
    if (asText(looseAt(autoscaling, 'autoscalingProfile')) !== undefined)
      report(
        fieldConversion(object, 'autoscaling.autoscalingProfile', {
          to: 'NodePool spec.disruption',
          because: 'consolidation compares costs; consolidateAfter says how soon',
        }),
      )
    for (const pool of asObjects(source['nodePools'])) addPool(pool, at, cluster)
  }

  return {
    read: (value, at) => {
      // This is a Kubernetes object.
      if (asText(value['apiVersion']) !== undefined && asText(value['kind']) !== undefined) return false
      const isCluster = asObjects(value['nodePools']).length > 0
      const isOwnPool =
        isPool(value) && (clusterInLink(value['selfLink']).name !== undefined || 'initialNodeCount' in value)
      if (isCluster) addCluster(value, at)
      else if (isOwnPool) addPool(value, at, UNKNOWN_CLUSTER)
      return isCluster || isOwnPool
    },
    readResources: (resources, at) => {
      const used = resources.filter(({ type }) => type === CLUSTER_RESOURCE || type === POOL_RESOURCE)
      const clusters = used.filter(({ type }) => type === CLUSTER_RESOURCE)
      for (const { values, address } of clusters) addCluster(clusterExport(values), `${at} ${address}`)
      // In Terraform's state, a cluster also lists node pools that have a resource of their own. That resource takes precedence.
      for (const { values, address } of used.filter(({ type }) => type === POOL_RESOURCE)) {
        const own = clusters.find((each) => each.values['name'] === String(values['cluster']).split('/').at(-1))
        const cluster = own === undefined ? UNKNOWN_CLUSTER : clusterFacts(clusterExport(own.values))
        const location = asText(values['location'])
        addPool(poolExport(values), `${at} ${address}`, { ...(location === undefined ? {} : { location }), ...cluster })
      }
      return new Set(used)
    },
    finish: (objects) => {
      const nodes = nodesByPool(objects)
      const read = withSource(
        [...pools.values()].map(({ pool, at, cluster }) =>
          readGkePool(pool, at, cluster, nodes === undefined ? undefined : (nodes.get(String(pool['name'])) ?? 0)),
        ),
      )
      return {
        groups: read.map(({ group }) => group),
        conversions: read.flatMap(({ conversions }) => conversions),
        questions: [...questions, ...read.flatMap((each) => each.questions)],
        ...(clusterName === undefined ? {} : { clusterName }),
      }
    },
  }
}

import type { GroupReader, ManagedAutoscaler, ReaderTools, ReadGroup } from '@kerf/provider-contract'
import { asObjects, asText, isLoose, type Loose, looseAt } from '@kerf/provider-kit/documents'
import { fieldConversion } from '@kerf/provider-kit/migration'
import { readProfile } from './autoscaler-profile.ts'
import { type AksCluster, type AksLaunch, readAksPool } from './read-node-pool.ts'
import { clusterExport, poolExport } from './read-terraform.ts'

const POOL = /^Microsoft\.ContainerService\/managedClusters\/agentPools$/i

const CLUSTER_RESOURCE = 'azurerm_kubernetes_cluster'
const POOL_RESOURCE = 'azurerm_kubernetes_cluster_node_pool'

/** Returns a reader for exports of AKS and resources of Terraform. */
export const groupReader = ({ report }: Pick<ReaderTools, 'report'>): GroupReader<AksLaunch> => {
  const pools: ReadGroup<AksLaunch>[] = []
  let clusterName: string | undefined
  let autoscaler: ManagedAutoscaler | undefined

  const addPool = (source: Loose, at: string, cluster: AksCluster = {}): void => {
    if (asText(source['name']) === undefined)
      report(fieldConversion(at, 'AKS node pool', { because: 'it has no name: the export is cut off' }))
    else pools.push(readAksPool(source, at, cluster))
  }

  /** Adds the node pools of `az aks show`, with the cluster's facts that the pools themselves do not contain. */
  const addCluster = (source: Loose, at: string): void => {
    const properties = isLoose(source['properties']) ? source['properties'] : source
    const [name, location] = [asText(source['name']), asText(source['location'])]
    const group =
      asText(source['resourceGroup']) ?? /\/resourceGroups\/([^/]+)\//i.exec(asText(source['id']) ?? '')?.[1]
    clusterName ??= name
    const cluster: AksCluster = {
      ...(name === undefined ? {} : { name }),
      ...(group === undefined ? {} : { resourceGroup: group }),
      ...(location === undefined ? {} : { location }),
    }
    const profile = properties['autoScalerProfile']
    if (isLoose(profile)) autoscaler ??= readProfile(profile, `AKS cluster ${name ?? ''}`)
    for (const pool of asObjects(properties['agentPoolProfiles'])) addPool(pool, at, cluster)
  }

  return {
    read: (value, at) => {
      // An object of Kubernetes.
      if (asText(value['apiVersion']) !== undefined && asText(value['kind']) !== undefined) return false
      const isCluster =
        asObjects(looseAt(value, 'properties', 'agentPoolProfiles') ?? value['agentPoolProfiles']).length > 0
      const isPool = POOL.test(asText(value['type']) ?? '')
      if (isCluster) addCluster(value, at)
      else if (isPool) addPool(value, at)
      return isCluster || isPool
    },
    readResources: (resources, at) => {
      const clusters = resources.filter(({ type }) => type === CLUSTER_RESOURCE)
      // If the state has one cluster, its location applies to every node pool.
      const location = clusters.length === 1 ? asText(clusters[0]?.values['location']) : undefined
      const used = resources.filter(({ type }) => type === CLUSTER_RESOURCE || type === POOL_RESOURCE)
      for (const { type, values, address } of used)
        if (type === CLUSTER_RESOURCE) addCluster(clusterExport(values), `${at} ${address}`)
        else addPool(poolExport(values), `${at} ${address}`, location === undefined ? {} : { location })
      return new Set(used)
    },
    finish: () => ({
      groups: pools.map(({ group }) => group),
      conversions: pools.flatMap(({ conversions }) => conversions),
      questions: pools.flatMap(({ questions }) => questions),
      ...(clusterName === undefined ? {} : { clusterName }),
      ...(autoscaler === undefined ? {} : { autoscaler }),
    }),
  }
}

import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { InstanceTemplate } from '../api/compute-shapes.ts'
import type { GcpApi } from '../api/gcp-api.ts'
import type { GkeNodePool } from '../api/gke-shapes.ts'
import { BootstrapSourceError } from './bootstrap-source-error.ts'

/** How long Kerf caches the template. GKE renews the credentials in its templates when it upgrades a node pool. */
const KEPT_FOR: Milliseconds = 5 * 60_000
const REFUSED_FOR: Milliseconds = 5_000
/** The node pool that upstream creates, and that a cluster may still have. Kerf prefers the user's own node pools. */
const FALLBACK = 'karpenter-fallback'
const USUAL = 'default-pool'
const POOL_SETTING = 'DEFAULT_NODEPOOL_TEMPLATE_NAME'
const POOL_LABEL = 'goog-k8s-node-pool-name'
const CLUSTER_ITEM = 'cluster-name'

export interface BootstrapSourceOptions {
  readonly cluster: string
  readonly region: string
  /** The name of the node pool to use. Empty if Kerf chooses the pool. */
  readonly pool: string
}

const isUsable = ({ status }: GkeNodePool): boolean => status === 'RUNNING' || status === 'RUNNING_WITH_ERROR'

/**
 * Returns the name of the pool from whose template Kerf copies the bootstrap metadata (`providers/gcp/docs/spec/gcp.md#source-pool`).
 *
 * @param pinned the pool of the setting, or an empty string
 * @throws BootstrapSourceError if no pool is usable
 */
export const sourcePool = (pools: readonly GkeNodePool[], pinned: string): string => {
  if (pinned !== '') {
    const pool = pools.find(({ name }) => name === pinned)
    if (pool !== undefined && isUsable(pool)) return pinned
    throw pool === undefined
      ? new BootstrapSourceError(`the cluster has no node pool ${pinned}`, `create it, or correct ${POOL_SETTING}`)
      : new BootstrapSourceError(
          `node pool ${pinned} of ${POOL_SETTING} is ${pool.status}`,
          `wait until it is RUNNING, or name another node pool in ${POOL_SETTING}`,
        )
  }
  const rank = (name: string): number => (name === USUAL ? 0 : name === FALLBACK ? 2 : 1)
  const [first] = pools
    .filter(isUsable)
    .map(({ name }) => name)
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  if (first === undefined)
    throw new BootstrapSourceError(
      pools.length === 0
        ? 'the cluster has no node pool'
        : `no node pool of the cluster is RUNNING: ${pools.map(({ name, status }) => `${name} is ${status}`).join(', ')}`,
      'create one, which may have no nodes: gcloud container node-pools create default-pool --num-nodes=0',
    )
  return first
}

/** Reads the bootstrap metadata of GKE's own nodes. It contains credentials of the cluster: never log it. */
export class BootstrapSource {
  readonly #api: GcpApi
  readonly #options: BootstrapSourceOptions
  readonly #answers: ReadCache<InstanceTemplate>

  constructor(api: GcpApi, clock: Clock, options: BootstrapSourceOptions) {
    this.#api = api
    this.#options = options
    this.#answers = new ReadCache(clock, { ttl: KEPT_FOR, refusedFor: REFUSED_FOR })
  }

  /**
   * Returns the metadata of the newest template of the source node pool.
   *
   * @throws BootstrapSourceError if there is no usable pool or no template
   */
  async metadata(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    const { metadata } = await this.#answers.read('template', (inner) => this.#read(inner), signal)
    return metadata
  }

  async #read(signal: AbortSignal): Promise<InstanceTemplate> {
    const { cluster, region } = this.#options
    const pool = sourcePool(await this.#api.gke.nodePools(signal), this.#options.pool)
    const templates = await this.#api.compute.instanceTemplates(region, signal)
    const [newest] = templates
      .filter(({ labels, metadata }) => labels[POOL_LABEL] === pool && metadata[CLUSTER_ITEM] === cluster)
      .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    if (newest === undefined)
      throw new BootstrapSourceError(
        `node pool ${pool} of cluster ${cluster} has no instance template in ${region}`,
        `check in "gcloud compute instance-templates list" that one has the label ${POOL_LABEL}=${pool}, or name another node pool in ${POOL_SETTING}`,
      )
    return newest
  }
}

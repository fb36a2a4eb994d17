import { type Milliseconds, ownField } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock, KubeClient } from '@kerf/runtime'
import { alibabaErrors } from '../alibaba-errors.ts'
import type { AlibabaApi, ClusterImage, ClusterNodePool } from '../api/actions.ts'
import type { ClusterNetwork } from '../instance-types/pod-count.ts'

const HOUR: Milliseconds = 3_600_000
const DEFAULT_MASK = 24

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/**
 * Returns the network of a cluster from its metadata. The plugin is `other` if the metadata contains neither Terway's ENI-IP mode nor
 * Flannel.
 */
export const clusterNetwork = (metadata: string | undefined, cidrMask: string | undefined): ClusterNetwork => {
  const plugin = ownField(ownField(parsed(metadata), 'Capabilities'), 'Network')
  if (plugin === 'terway-eniip') return { plugin }
  if (plugin !== 'Flannel') return { plugin: 'other' }
  const mask = Number(cidrMask)
  return { plugin: 'flannel', podsPerNode: 2 ** (32 - (mask >= 8 && mask <= 32 ? mask : DEFAULT_MASK)) }
}

/**
 * Cached facts about the ACK cluster. If `isManaged` is true, ACK manages the cluster, so its API returns images and scripts for new nodes.
 */
export class ClusterFacts {
  readonly #api: AlibabaApi
  readonly #client: KubeClient
  readonly #cluster: { readonly id: string; readonly region: string; readonly isManaged: boolean }
  readonly #networks: ReadCache<ClusterNetwork>
  readonly #versions: ReadCache<string>
  readonly #images: ReadCache<readonly ClusterImage[]>
  readonly #pools: ReadCache<readonly ClusterNodePool[]>
  readonly #scripts: ReadCache<string>

  constructor(
    { api, client, clock }: { readonly api: AlibabaApi; readonly client: KubeClient; readonly clock: Clock },
    cluster: { readonly id: string; readonly region: string; readonly isManaged: boolean },
  ) {
    this.#api = api
    this.#client = client
    this.#cluster = cluster
    const refusedFor = 5_000
    this.#networks = new ReadCache(clock, { ttl: 6 * HOUR, refusedFor })
    this.#versions = new ReadCache(clock, { ttl: HOUR / 4 })
    this.#images = new ReadCache(clock, { ttl: HOUR / 60 })
    this.#pools = new ReadCache(clock, { ttl: HOUR })
    this.#scripts = new ReadCache(clock, { ttl: 6 * HOUR })
  }

  get isManaged(): boolean {
    return this.#cluster.isManaged
  }

  /** Returns the network of the cluster. If ACK does not manage the cluster, the plugin is `other`. */
  network(signal: AbortSignal): Promise<ClusterNetwork> {
    if (!this.#cluster.isManaged) return Promise.resolve({ plugin: 'other' })
    const ask = async (inner: AbortSignal): Promise<ClusterNetwork> => {
      const detail = await this.#api.call('DescribeClusterDetail', { ClusterId: this.#cluster.id }, inner)
      return clusterNetwork(detail.meta_data, detail.node_cidr_mask)
    }
    return this.#networks.read('network', ask, signal)
  }

  /** Returns the images that ACK publishes for the version of the cluster. */
  images(signal: AbortSignal): Promise<readonly ClusterImage[]> {
    const ask = async (inner: AbortSignal): Promise<readonly ClusterImage[]> => {
      const KubernetesVersion = await this.#version(inner)
      const query = { Region: this.#cluster.region, ClusterType: 'ManagedKubernetes', KubernetesVersion }
      const [first] = await this.#api.call('DescribeKubernetesVersionMetadata', query, inner)
      return first?.images ?? []
    }
    return this.#images.read('images', ask, signal)
  }

  /** Returns the node pools: first the default node pool, then the others by descending number of healthy nodes. */
  nodePools(signal: AbortSignal): Promise<readonly ClusterNodePool[]> {
    const ask = async (inner: AbortSignal): Promise<readonly ClusterNodePool[]> => {
      const { nodepools = [] } = await this.#api.call(
        'DescribeClusterNodePools',
        { ClusterId: this.#cluster.id },
        inner,
      )
      const rank = ({ nodepool_info, status }: ClusterNodePool): number =>
        (nodepool_info?.is_default === true ? 1_000_000 : 0) + (status?.healthy_nodes ?? 0)
      return nodepools.toSorted((a, b) => rank(b) - rank(a))
    }
    return this.#pools.read('pools', ask, signal)
  }

  /** Returns the script with which an instance joins the cluster. It contains a token: never log it. */
  attachScript(
    of: { readonly formatsDisk: boolean; readonly arch: 'amd64' | 'arm64'; readonly poolId: string | undefined },
    signal: AbortSignal,
  ): Promise<string> {
    const request = {
      ...{ ClusterId: this.#cluster.id, keep_instance_name: true, format_disk: of.formatsDisk, arch: of.arch },
      ...(of.poolId === undefined ? {} : { nodepool_id: of.poolId }),
    }
    const key = `${of.formatsDisk} ${of.arch} ${of.poolId ?? ''}`
    return this.#scripts.read(key, (inner) => this.#api.call('DescribeClusterAttachScripts', request, inner), signal)
  }

  #version(signal: AbortSignal): Promise<string> {
    const ask = async (inner: AbortSignal): Promise<string> => {
      const version = ownField(await this.#client.raw('/version', { signal: inner }), 'gitVersion')
      if (typeof version !== 'string' || version === '')
        throw alibabaErrors.NothingKnown({ what: 'images', problem: 'the API server does not report its version' })
      return version.replace(/^v/, '')
    }
    return this.#versions.read('version', ask, signal)
  }
}

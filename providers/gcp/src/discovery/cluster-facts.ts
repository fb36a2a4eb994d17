import { type Milliseconds, ownField } from '@kerf/apis'
import { providerErrors } from '@kerf/provider-contract'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock, KubeClient } from '@kerf/runtime'
import type { GcpApi } from '../api/gcp-api.ts'
import type { GkeCluster, ReleaseChannel } from '../api/gke-shapes.ts'
import type { ImageSources } from '../images/image-sources.ts'

const MINUTE: Milliseconds = 60_000
/** How long Kerf caches an error. After a start, many callers read at once, and each of them would get the same error. */
const REFUSED_FOR: Milliseconds = 5_000

/** Facts about the cluster and the project, which Kerf reads rarely (`providers/gcp/docs/spec/gcp.md#calls`). */
export class ClusterFacts {
  readonly #api: GcpApi
  readonly #client: KubeClient
  readonly #region: string
  readonly #clusters: ReadCache<GkeCluster>
  readonly #channels: ReadCache<readonly ReleaseChannel[]>
  readonly #versions: ReadCache<string>
  readonly #zones: ReadCache<readonly string[]>
  readonly #accounts: ReadCache<string | undefined>

  constructor(
    { api, client, clock }: { readonly api: GcpApi; readonly client: KubeClient; readonly clock: Clock },
    region: string,
  ) {
    this.#api = api
    this.#client = client
    this.#region = region
    const cache = <V>(ttl: Milliseconds) => new ReadCache<V>(clock, { ttl, refusedFor: REFUSED_FOR })
    this.#clusters = cache(30 * MINUTE)
    this.#channels = cache(30 * MINUTE)
    this.#versions = cache(15 * MINUTE)
    this.#zones = cache(6 * 60 * MINUTE)
    this.#accounts = cache(60 * MINUTE)
  }

  cluster(signal: AbortSignal): Promise<GkeCluster> {
    return this.#clusters.read('cluster', (inner) => this.#api.gke.cluster(inner), signal)
  }

  releaseChannels(signal: AbortSignal): Promise<readonly ReleaseChannel[]> {
    return this.#channels.read('channels', (inner) => this.#api.gke.releaseChannels(inner), signal)
  }

  /** Returns all zones of the region. Instances may exist in any of them. */
  regionZones(signal: AbortSignal): Promise<readonly string[]> {
    return this.#zones.read('zones', (inner) => this.#api.compute.zones(this.#region, inner), signal)
  }

  /** Returns the zones in which Kerf launches nodes: the locations of the cluster, or all zones of the region if the cluster has none. */
  async nodeZones(signal: AbortSignal): Promise<readonly string[]> {
    const { zones } = await this.cluster(signal)
    return zones.length > 0 ? zones : this.regionZones(signal)
  }

  /** Returns the default service account of the project, which nodes use if no other account is configured. */
  defaultServiceAccount(signal: AbortSignal): Promise<string | undefined> {
    return this.#accounts.read('account', (inner) => this.#api.compute.defaultServiceAccount(inner), signal)
  }

  /** Returns the version of the API server, for example `v1.35.1-gke.1396002`. */
  kubernetesVersion(signal: AbortSignal): Promise<string> {
    const ask = async (inner: AbortSignal): Promise<string> => {
      const version = ownField(await this.#client.raw('/version', { signal: inner }), 'gitVersion')
      if (typeof version === 'string' && version !== '') return version
      throw providerErrors.KubernetesVersionUnknown({ problem: 'the API server does not report its version' })
    }
    return this.#versions.read('version', ask, signal)
  }

  /** The data sources for the selection of images. */
  get images(): ImageSources {
    return {
      compute: this.#api.compute,
      gke: {
        cluster: (signal) => this.cluster(signal),
        releaseChannels: (signal) => this.releaseChannels(signal),
      },
      kubernetesVersion: (signal) => this.kubernetesVersion(signal),
    }
  }
}

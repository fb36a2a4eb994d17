import { type Milliseconds, ownField } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock, KubeClient } from '@kerf/runtime'
import type { BizflyApi, KubernetesVersion } from '../api/bizfly-api.ts'
import { bizflyErrors } from '../bizfly-errors.ts'

const READ_FOR: Milliseconds = 5 * 60_000
const FLATCAR = '.flatcar'

interface Image {
  readonly id: string
  readonly os: 'flatcar' | 'ubuntu'
  /** For example `1.31`. */
  readonly minor: string
  readonly patch: number
}

const VERSION = /^v?(\d+\.\d+)\.(\d+)(?:\+.*)?$/

const imageOf = ({ kubernetes_version: name, worker_image_id: id = '' }: KubernetesVersion): readonly Image[] => {
  const isFlatcar = name.endsWith(FLATCAR)
  const [, minor, patch] = VERSION.exec(isFlatcar ? name.slice(0, -FLATCAR.length) : name) ?? []
  return minor === undefined || id === ''
    ? []
    : [{ id, os: isFlatcar ? 'flatcar' : 'ubuntu', minor, patch: Number(patch) }]
}

/**
 * Returns the ID of the worker image for a cluster version and an operating system. Prefers the image of exactly this version, and
 * otherwise uses the highest patch of the same minor version. Returns undefined if there is none.
 */
export const workerImage = (
  versions: readonly KubernetesVersion[],
  cluster: string,
  os: string,
): string | undefined => {
  const [, minor, patch] = VERSION.exec(cluster) ?? []
  const images = versions.flatMap(imageOf).filter((image) => image.os === os && image.minor === minor)
  const exact = images.find((image) => image.patch === Number(patch))
  return (exact ?? images.toSorted((a, b) => b.patch - a.patch)[0])?.id
}

/** Finds the worker images for the version of the cluster (`providers/bizfly/docs/spec/bizfly.md#images`). */
export class WorkerImages {
  readonly #api: BizflyApi
  readonly #client: Pick<KubeClient, 'raw'>
  readonly #versions: ReadCache<readonly KubernetesVersion[]>
  readonly #cluster: ReadCache<string>

  constructor({
    api,
    client,
    clock,
  }: { readonly api: BizflyApi; readonly client: Pick<KubeClient, 'raw'>; readonly clock: Clock }) {
    this.#api = api
    this.#client = client
    this.#versions = new ReadCache(clock, { ttl: READ_FOR, refusedFor: 5_000 })
    this.#cluster = new ReadCache(clock, { ttl: READ_FOR })
  }

  /** Returns the ID of the image for an operating system, or undefined if there is none. */
  async find(os: string, signal: AbortSignal): Promise<string | undefined> {
    const versions = await this.#versions.read('', (inner) => this.#api.kubernetesVersions(inner), signal)
    return workerImage(versions, await this.clusterVersion(signal), os)
  }

  /** Returns the version of the API server, for example `v1.31.5`. */
  clusterVersion(signal: AbortSignal): Promise<string> {
    const ask = async (inner: AbortSignal): Promise<string> => {
      const version = ownField(await this.#client.raw('/version', { signal: inner }), 'gitVersion')
      if (typeof version !== 'string' || version === '')
        throw bizflyErrors.NoBizflyAnswer({ what: 'images', problem: 'the API server does not report its version' })
      return version
    }
    return this.#cluster.read('', ask, signal)
  }
}

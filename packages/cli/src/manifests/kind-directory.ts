import type { ResourceKind } from '@kerf/apis'
import { isNotFound, type KubeClient, keptPromise } from '@kerf/runtime'

interface ApiResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[]
}

/** Looks up resource kinds in the API server's discovery. Sends one request per group version. */
export class KindDirectory {
  readonly #client: KubeClient
  readonly #known = new Map<string, Promise<ApiResourceList>>()

  constructor(client: KubeClient) {
    this.#client = client
  }

  /** Returns the kind, or undefined if the cluster does not serve it. Only existing kinds are cached, because CRDs can be added later. */
  async find(apiVersion: string, kind: string): Promise<ResourceKind | undefined> {
    const { resources } = await keptPromise(this.#known, apiVersion, () => this.#discover(apiVersion))
    const resource = resources?.find((each) => each.kind === kind && !each.name.includes('/'))
    if (resource === undefined) {
      this.#known.delete(apiVersion)
      return undefined
    }
    const [version = '', group = ''] = apiVersion.split('/').reverse()
    return { group, version, kind, plural: resource.name, namespaced: resource.namespaced }
  }

  async #discover(apiVersion: string): Promise<ApiResourceList> {
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    try {
      return (await this.#client.raw(path)) as ApiResourceList
    } catch (error) {
      if (isNotFound(error)) return {}
      throw error
    }
  }
}

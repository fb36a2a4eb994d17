import type { KubeObject } from '@kerf/apis'
import { type ControlPlane, callCluster } from '@kerf/control-plane'
import { untilTrue } from '@kerf/control-plane/progress'
import { definedKinds } from '../../../packages/cli/src/manifests/definitions.ts'

/** How the API server responds to a dry run. `unserved` means that it does not serve the kind. */
export type Verdict =
  | { readonly kind: 'accepted'; readonly object: KubeObject }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unserved' }

interface Served {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
}

const ALREADY_THERE = 409

/** Makes dry runs on a real API server, one request per object. */
export class ServerVerdicts {
  readonly #plane: ControlPlane
  readonly #served = new Map<string, readonly Served[]>()

  constructor(plane: ControlPlane) {
    this.#plane = plane
  }

  /** Waits until the API server serves each kind whose definition it has accepted. */
  async untilServed(definitions: readonly KubeObject[]): Promise<void> {
    let waiting: readonly string[] = []
    const isServed = async (): Promise<boolean> => {
      this.#served.clear()
      waiting = []
      for (const { group, version, kind } of definitions.flatMap(definedKinds)) {
        const object = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'any' } }
        if ((await this.#pathOf(object)) === undefined) waiting = [...waiting, `${kind} ${group}/${version}`]
      }
      return waiting.length === 0
    }
    await untilTrue(isServed, {
      what: 'the API server serves the kinds of the definitions',
      fingerprint: async () => waiting.join(),
      everyMs: 200,
    })
  }

  async #pathOf({ apiVersion, kind, metadata }: KubeObject): Promise<string | undefined> {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const known = this.#served.get(base)
    const resources =
      known ??
      ((await callCluster(this.#plane, 'GET', base)).body as { readonly resources?: readonly Served[] }).resources
    this.#served.set(base, resources ?? [])
    const found = resources?.find((each) => each.kind === kind && !each.name.includes('/'))
    if (found === undefined) return undefined
    return found.namespaced
      ? `${base}/namespaces/${metadata.namespace ?? 'default'}/${found.name}`
      : `${base}/${found.name}`
  }

  /** Creates the object. With `isDryRun`, only validates it strictly, without storing it. */
  async create(object: KubeObject, isDryRun: boolean): Promise<Verdict> {
    const path = await this.#pathOf(object)
    if (path === undefined) return { kind: 'unserved' }
    const query = isDryRun ? '?dryRun=All&fieldValidation=Strict' : ''
    const { status, body } = await callCluster(this.#plane, 'POST', `${path}${query}`, object)
    if (status < 300) return { kind: 'accepted', object: body as KubeObject }
    // An object with that name exists. The server checks this only after it has validated the new object, so the new object is valid.
    if (status === ALREADY_THERE) return { kind: 'accepted', object }
    const { message } = body as { readonly message?: unknown }
    return { kind: 'refused', message: typeof message === 'string' ? message : JSON.stringify(body) }
  }
}

import { ProblemError } from '@kerf/apis'
import { ApiProxy } from '@kinvolk/headlamp-plugin/lib'
import { controllerBase, listedBases, usualBases } from '../model/controller-address.ts'
import { firstResponse, identify } from '../model/controller-identity.ts'
import { readExposition, type Sample } from '../model/exposition.ts'
import { settingsNow } from '../settings/settings.ts'

declare global {
  interface Window {
    /** Names of the clusters whose Kerf runs in the process that served this page (`kerf up`). */
    kerfControllers?: readonly string[]
    headlampBaseUrl?: string
  }
}

/** A controller that this user can reach. Karpenter's own controller serves only metrics. */
export interface Controller {
  readonly isKerf: boolean
  /** Returns the text of the response. Throws the error of the request. */
  get(path: string): Promise<string>
}

const SEARCH_AGAIN_AFTER = 60_000
const found = new Map<string, { readonly at: number; readonly controller: Promise<Controller | undefined> }>()

const local = (cluster: string): Controller => ({
  isKerf: true,
  get: async (path) => {
    const answer = await fetch(`${window.headlampBaseUrl ?? ''}/controllers/${cluster}${path}`)
    if (!answer.ok) throw new ProblemError(`${answer.status} ${answer.statusText}`)
    return answer.text()
  },
})

const request = (cluster: string, path: string, isJSON: boolean): Promise<unknown> =>
  ApiProxy.clusterRequest(path, { cluster, isJSON, autoLogoutOnAuthError: false, timeout: 20_000 })

const textFrom = async (cluster: string, path: string): Promise<string> => {
  const answer = await request(cluster, path, false)
  return answer instanceof Response ? answer.text() : String(answer)
}

/** The charts of Karpenter and of Kerf both use this label, and this name for the metrics port. */
const SERVICES = '/api/v1/services?labelSelector=app.kubernetes.io%2Fname%3Dkarpenter'

const basesIn = async (cluster: string, address: string): Promise<readonly string[]> => {
  if (address !== '') {
    const base = controllerBase(address)
    return base === undefined ? [] : [base]
  }
  return request(cluster, SERVICES, true).then(listedBases, () => usualBases)
}

const throughTheApi = async (cluster: string, address: string): Promise<Controller | undefined> => {
  for (const base of await basesIn(cluster, address)) {
    const get = (path: string): Promise<string> => textFrom(cluster, `${base}${path}`)
    const identity = await identify(get)
    if (identity !== 'none') return { isKerf: identity === 'kerf', get }
  }
  return undefined
}

/** Returns the cluster's controller if this user can reach it. The result is cached for a minute. */
export const findController = (cluster: string): Promise<Controller | undefined> => {
  const address = settingsNow().controller
  const key = `${cluster} ${address}`
  const known = found.get(key)
  if (known !== undefined && Date.now() - known.at < SEARCH_AGAIN_AFTER) return known.controller
  const isLocal = window.kerfControllers?.includes(cluster) ?? false
  const controller = isLocal ? Promise.resolve(local(cluster)) : throughTheApi(cluster, address).catch(() => undefined)
  found.set(key, { at: Date.now(), controller })
  return controller
}

/**
 * Returns Kerf's response for a path. Returns undefined if the controller is unreachable or is not Kerf. `older` are
 * the paths of the same route in earlier versions of Kerf.
 */
export const askKerf = async (cluster: string, path: string, ...older: readonly string[]): Promise<unknown> => {
  const controller = await findController(cluster)
  if (controller === undefined || !controller.isKerf) return undefined
  try {
    return JSON.parse(await firstResponse(controller.get, [path, ...older]))
  } catch {
    return undefined
  }
}

/** Returns the controller's metrics. Returns an empty list if the controller is unreachable. */
export const controllerSamples = async (cluster: string): Promise<readonly Sample[]> => {
  const controller = await findController(cluster)
  if (controller === undefined) return []
  return readExposition(await controller.get('/metrics').catch(() => ''))
}

import { at, textAt } from './read.ts'

/** The process that serves a metrics port: Kerf, another controller with Karpenter's metrics, or something else. */
export type ControllerIdentity = 'kerf' | 'other' | 'none'

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Identifies the controller. `get` reads a path below the port's address and rejects if there is no response. A Kerf with the route
 * `/kerf/v1/version` is identified by it. An older Kerf is identified by its metrics, because no other controller with these metrics runs
 * on Node.js. If its metrics require a token, it is identified by its decisions.
 */
export const identify = async (get: (path: string) => Promise<string>): Promise<ControllerIdentity> => {
  const ask = (path: string): Promise<string> => get(path).catch(() => '')
  if (textAt(parsed(await ask('/kerf/v1/version')), 'name') === 'kerf') return 'kerf'
  const metrics = await ask('/metrics')
  if (metrics.includes('karpenter_'))
    return /^karpenter_build_info\{[^}]*goversion="node/m.test(metrics) ? 'kerf' : 'other'
  return Array.isArray(at(parsed(await ask('/kerf/v1/decisions')), 'decisions')) ? 'kerf' : 'none'
}

/**
 * Requests paths in order, a route's current name and then its older names, and returns the first response. Rejects
 * if there is none.
 */
export const firstResponse = async (
  get: (path: string) => Promise<string>,
  [path, ...older]: readonly [string, ...string[]],
): Promise<string> => {
  const [next, ...rest] = older
  return next === undefined ? get(path) : get(path).catch(() => firstResponse(get, [next, ...rest]))
}

import { at, textAt } from './read.ts'

/** What answers behind a metrics port: Kerf, another controller with Karpenter's metrics, or nothing of the kind. */
export type ControllerIdentity = 'kerf' | 'other' | 'none'

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Finds out what answers. `get` reads a path below the port's address and rejects when there is no answer. Every Kerf since
 * `/kerf/v1/version` says so itself. An older one is known by its metrics, where only Kerf runs on Node, or, where those
 * are kept for who shows a token, by its decisions.
 */
export const identify = async (get: (path: string) => Promise<string>): Promise<ControllerIdentity> => {
  const ask = (path: string): Promise<string> => get(path).catch(() => '')
  if (textAt(parsed(await ask('/kerf/v1/version')), 'name') === 'kerf') return 'kerf'
  const metrics = await ask('/metrics')
  if (metrics.includes('karpenter_'))
    return /^karpenter_build_info\{[^}]*goversion="node/m.test(metrics) ? 'kerf' : 'other'
  return Array.isArray(at(parsed(await ask('/kerf/v1/decisions')), 'decisions')) ? 'kerf' : 'none'
}

/** The first of the paths that has an answer: a route by its name and by those that it had. Rejects when none has. */
export const firstResponse = async (
  get: (path: string) => Promise<string>,
  [path, ...older]: readonly [string, ...string[]],
): Promise<string> => {
  const [next, ...rest] = older
  return next === undefined ? get(path) : get(path).catch(() => firstResponse(get, [next, ...rest]))
}

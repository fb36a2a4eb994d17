import { groupVersion, type ResourceKind } from '@kerf/apis'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import { isNotFound } from '../kube-client/api-error.ts'
import type { CallOptions, KubeClient } from '../kube-client/kube-client.ts'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns the plural names of the resource kinds in a group version, or an empty set if the server does not serve that version. */
const servedBy = async (
  client: KubeClient,
  apiVersion: string,
  options?: CallOptions,
): Promise<ReadonlySet<string>> => {
  try {
    const answer = await client.raw(apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`, options)
    const resources = isRecord(answer) && Array.isArray(answer['resources']) ? answer['resources'] : []
    return new Set(resources.filter(isRecord).map((resource) => String(resource['name'])))
  } catch (error) {
    if (isNotFound(error)) return new Set()
    throw error
  }
}

/** Returns those resource kinds that the API server does not serve, as `plural.group`. */
export const missingKinds = async (
  client: KubeClient,
  wanted: readonly ResourceKind[],
  options?: CallOptions,
): Promise<readonly string[]> => {
  const missing: string[] = []
  for (const [apiVersion, group] of Map.groupBy(wanted, (kind) => groupVersion(kind))) {
    const served = await servedBy(client, apiVersion, options)
    for (const kind of group) if (!served.has(kind.plural)) missing.push(`${kind.plural}.${kind.group}`)
  }
  return missing
}

/** Throws `MissingCrds` unless the API server serves all of the resource kinds. */
export const requireKinds = async (
  client: KubeClient,
  wanted: readonly ResourceKind[],
  options?: CallOptions,
): Promise<void> => {
  const names = await missingKinds(client, wanted, options)
  if (names.length > 0) throw runtimeErrors.MissingCrds({ names })
}

import { kinds, ownValue, ProblemError } from '@kerf/apis'
import { isForbidden, isNotFound, type KubeClient } from '@kerf/runtime'
import type { PriceBookSpec } from './price-document.ts'

/** What the price book needs to read its source. */
export interface PriceSourceDeps {
  readonly client: KubeClient
  /** The namespace of the ConfigMap, which is Kerf's own. */
  readonly namespace: string
  /** Reads a file of the process. Absent if the process reads no files. */
  readonly readFile?: (path: string) => Promise<string>
}

const readMap = async (
  { client, namespace }: PriceSourceDeps,
  { name, key }: { readonly name: string; readonly key: string },
  signal: AbortSignal,
): Promise<string> => {
  const found = await client.get(kinds.ConfigMap, { name, namespace }, { signal }).catch((error: unknown) => {
    if (isNotFound(error))
      throw new ProblemError(
        `ConfigMap ${name} does not exist in namespace ${namespace}. Create it, or correct spec.priceBook.configMap.name.`,
      )
    if (isForbidden(error))
      throw new ProblemError(
        `Kerf may not get ConfigMap ${name} in namespace ${namespace}. Allow its ServiceAccount to get this ConfigMap with a Role.`,
      )
    throw error
  })
  const text = ownValue(found.data ?? {}, key)
  if (text !== undefined) return text
  throw new ProblemError(
    `ConfigMap ${name} in namespace ${namespace} has no key ${key}. Add it, or correct spec.priceBook.configMap.key.`,
  )
}

const readMounted = async ({ readFile }: PriceSourceDeps, path: string): Promise<string> => {
  if (readFile === undefined) throw new ProblemError(`this process reads no files, so it cannot read ${path}`)
  try {
    return await readFile(path)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new ProblemError(
      `file ${path} cannot be read (${cause}). Mount it into the pod of Kerf, or correct spec.priceBook.file.`,
    )
  }
}

/**
 * Returns the text with the declared prices.
 *
 * @throws ProblemError if a user must act. Other errors are temporary.
 */
export const readPriceSource = (
  deps: PriceSourceDeps,
  { configMap, file }: PriceBookSpec,
  signal: AbortSignal,
): Promise<string> => (configMap === undefined ? readMounted(deps, file ?? '') : readMap(deps, configMap, signal))

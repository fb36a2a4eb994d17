import { kinds, ownValue, ProblemError } from '@kerf/apis'
import { isForbidden, isNotFound, type KubeClient } from '@kerf/runtime'

/** A ConfigMap or a file that a section of the ClusterPolicy refers to. */
export interface TextSource {
  /** The section, for messages: `spec.priceBook`. */
  readonly section: string
  readonly configMap?: { readonly name: string; readonly key: string } | undefined
  readonly file?: string | undefined
}

/** The dependencies of reading a source. */
export interface TextSourceDeps {
  readonly client: KubeClient
  /** The namespace of the ConfigMap. It is the namespace of Kerf. */
  readonly namespace: string
  /** Reads a file of the process. Absent if the process does not read files. */
  readonly readFile?: (path: string) => Promise<string>
}

const readMap = async (
  { client, namespace }: TextSourceDeps,
  { name, key }: { readonly name: string; readonly key: string },
  section: string,
  signal: AbortSignal,
): Promise<string> => {
  const found = await client.get(kinds.ConfigMap, { name, namespace }, { signal }).catch((error: unknown) => {
    if (isNotFound(error))
      throw new ProblemError(
        `ConfigMap ${name} does not exist in namespace ${namespace}. Create it, or correct ${section}.configMap.name.`,
      )
    if (isForbidden(error))
      throw new ProblemError(
        `Kerf is not allowed to get ConfigMap ${name} in namespace ${namespace}. Allow its ServiceAccount to get this ConfigMap with a Role.`,
      )
    throw error
  })
  const text = ownValue(found.data ?? {}, key)
  if (text !== undefined) return text
  throw new ProblemError(
    `ConfigMap ${name} in namespace ${namespace} has no key ${key}. Add it, or correct ${section}.configMap.key.`,
  )
}

const readMounted = async ({ readFile }: TextSourceDeps, path: string, section: string): Promise<string> => {
  if (readFile === undefined) throw new ProblemError(`this process reads no files, so it cannot read ${path}`)
  try {
    return await readFile(path)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new ProblemError(
      `file ${path} cannot be read (${cause}). Mount it into the pod of Kerf, or correct ${section}.file.`,
    )
  }
}

/**
 * Returns the text of a source.
 *
 * @throws ProblemError if a user must act. Other errors are temporary.
 */
export const readTextSource = (
  deps: TextSourceDeps,
  { section, configMap, file }: TextSource,
  signal: AbortSignal,
): Promise<string> =>
  configMap === undefined ? readMounted(deps, file ?? '', section) : readMap(deps, configMap, section, signal)

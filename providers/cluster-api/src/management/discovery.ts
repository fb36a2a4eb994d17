import { isNotFound, type KubeClient } from '@kerf/runtime'
import { CLUSTER_API_GROUP } from '../names.ts'
import { type ApiGroup, type ClusterApiVersion, parseClusterApiVersion } from '../objects/api-version.ts'

/**
 * Returns the version of Cluster API to use (`providers/cluster-api/docs/spec/cluster-api.md#api-versions`). Undefined if the API server serves none
 * that Kerf supports.
 *
 * @throws ApiError if discovery fails.
 */
export const discoverVersion = async (
  client: KubeClient,
  signal: AbortSignal,
): Promise<ClusterApiVersion | undefined> => {
  try {
    return parseClusterApiVersion(documentGroup(await client.raw(`/apis/${CLUSTER_API_GROUP}`, { signal })))
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

const documentGroup = (document: unknown): ApiGroup => {
  const versions: unknown =
    typeof document === 'object' && document !== null && 'versions' in document ? document.versions : []
  if (!Array.isArray(versions)) return { versions: [] }
  return {
    versions: versions.flatMap((each: unknown) =>
      typeof each === 'object' && each !== null && 'version' in each && typeof each.version === 'string'
        ? [{ version: each.version }]
        : [],
    ),
  }
}

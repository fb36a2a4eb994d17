import type { AlibabaApi } from '../api/actions.ts'
import { AlibabaApiError } from '../api/alibaba-api-error.ts'

/** The error code that a dry run returns if the caller has the permission. */
const ALLOWED = 'DryRunOperation'

/**
 * Checks that an empty list of instances really means that there are no instances. If the caller lacks the permission, the API returns an
 * empty list instead of an error (`providers/alibaba/docs/spec/alibaba.md#list-get-delete`). Without this check, Kerf would treat all
 * instances as deleted.
 *
 * @throws AlibabaApiError if the caller may not list instances
 */
export const confirmEmptyList = async (api: AlibabaApi, region: string, signal: AbortSignal): Promise<void> => {
  try {
    await api.call('DescribeInstances', { RegionId: region, MaxResults: 1, DryRun: true }, signal)
  } catch (error) {
    if (error instanceof AlibabaApiError && error.code === ALLOWED) return
    throw error
  }
}

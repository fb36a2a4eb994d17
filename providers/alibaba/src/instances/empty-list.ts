import type { AlibabaApi } from '../api/actions.ts'
import { AlibabaApiError } from '../api/alibaba-api-error.ts'

/** The refusal of a dry run whose caller has the permission. */
const ALLOWED = 'DryRunOperation'

/**
 * Checks that an empty list of instances means that there are none. A caller without the permission gets an empty list instead of a
 * refusal (`providers/alibaba/docs/spec/alibaba.md#list-get-delete`), and then all instances would look gone.
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

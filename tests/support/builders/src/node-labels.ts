import { labels } from '@kerf/apis'

/** The labels of a registered and initialized Node. */
export const readyNodeLabels = { [labels.registered]: 'true', [labels.initialized]: 'true' } as const

/** The default instance type of a managed node. */
export const DEFAULT_INSTANCE_TYPE = 's-4x'

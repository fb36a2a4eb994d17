import { labels } from '@kerf/apis'

/** The labels by which a Node shows that its NodeClaim has been registered and initialized. */
export const readyNodeLabels = { [labels.registered]: 'true', [labels.initialized]: 'true' } as const

/** The instance type of a managed node whose test does not name one. */
export const DEFAULT_INSTANCE_TYPE = 's-4x'

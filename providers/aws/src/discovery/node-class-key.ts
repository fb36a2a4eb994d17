import type { EC2NodeClass } from '@kerf/apis'

/** What was found for a node class, as it is written now: a change of its spec asks anew. */
export const nodeClassKey = ({ metadata }: Pick<EC2NodeClass, 'metadata'>): string =>
  `${metadata.uid ?? metadata.name}-${metadata.generation ?? 0}`

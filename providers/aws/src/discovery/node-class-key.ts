import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'

/** Returns the cache key for what was found for the current generation of a node class. If the spec changes, the key changes. */
export const nodeClassKey = ({ metadata }: Pick<EC2NodeClass, 'metadata'>): string =>
  `${metadata.uid ?? metadata.name}-${metadata.generation ?? 0}`

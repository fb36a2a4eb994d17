import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'

/** Returns a cache key for what was found for the current generation of a node class. A changed spec has another key. */
export const nodeClassKey = ({ metadata }: Pick<EC2NodeClass, 'metadata'>): string =>
  `${metadata.uid ?? metadata.name}-${metadata.generation ?? 0}`

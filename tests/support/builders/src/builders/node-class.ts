import type { MetadataOptions } from './metadata.ts'

/** The reference of NodePools and NodeClaims to the node class `default` of the tests' default provider. */
export const nodeClassRef = {
  group: 'karpenter.kwok.sh',
  kind: 'KWOKNodeClass',
  name: 'default',
} as const

/** The options of the builder of a node class. Each provider's testing folder has one. */
export interface NodeClassOptions<Spec, Status> extends MetadataOptions {
  readonly spec?: Readonly<Partial<Spec>> | undefined
  readonly status?: Readonly<Status> | undefined
}

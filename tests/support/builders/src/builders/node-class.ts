import type { MetadataOptions } from './metadata.ts'

/** The reference from NodePools and NodeClaims to the node class `default` of the provider that tests use by default. */
export const nodeClassRef = {
  group: 'karpenter.kwok.sh',
  kind: 'KWOKNodeClass',
  name: 'default',
} as const

/** The options of a node class builder. Each provider's testing folder has such a builder. */
export interface NodeClassOptions<Spec, Status> extends MetadataOptions {
  readonly spec?: Readonly<Partial<Spec>> | undefined
  readonly status?: Readonly<Status> | undefined
}

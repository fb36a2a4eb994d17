import type { FurtherKind, ProviderDescriptor } from './provider-descriptor.ts'

/** Returns the kinds of a provider: its node classes, and the kinds that they refer to. */
export const providerKinds = ({
  nodeClasses,
  furtherKinds = [],
}: Pick<ProviderDescriptor, 'nodeClasses' | 'furtherKinds'>): readonly FurtherKind[] => [
  ...nodeClasses,
  ...furtherKinds,
]

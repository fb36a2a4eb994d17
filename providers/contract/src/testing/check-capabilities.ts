import type { ProviderDescriptor } from '../provider-descriptor.ts'
import type { CheckId } from './checks.ts'

/** The fields of a descriptor that determine which checks apply. */
export type DescribedProvider = Pick<ProviderDescriptor, 'nodeClasses' | 'capabilities'>

/**
 * The reason that a provider in development gives for checks that are not applicable. This reason never counts as a contradiction. The
 * conformance matrix shows it.
 */
const NOT_WRITTEN_YET = 'not written yet'

interface Condition {
  /** The end of the sentence "the provider has …". */
  readonly what: string
  readonly holds: (provider: DescribedProvider) => boolean
}

const aHash: Condition = {
  what: 'a node class with a hash',
  holds: ({ nodeClasses }) => nodeClasses.some(({ hash }) => hash !== undefined),
}
const spotAndOnDemand: Condition = {
  what: 'spot and on-demand capacity',
  holds: ({ capabilities: { capacityTypes } }) => capacityTypes.includes('spot') && capacityTypes.includes('on-demand'),
}

/** Checks that apply if and only if the descriptor declares the capability. Whether any other check applies is up to the driver. */
const conditions: Partial<Readonly<Record<CheckId, Condition>>> = {
  C03: aHash,
  C05: { what: 'tags from the launch on', holds: ({ capabilities }) => capabilities.tagsAtLaunch },
  C11: spotAndOnDemand,
  C19: spotAndOnDemand,
  C28: {
    what: 'instances that are tagged after their launch',
    holds: ({ capabilities }) => !capabilities.tagsAtLaunch,
  },
  T09: { what: 'current prices', holds: ({ capabilities }) => capabilities.prices === 'current' },
  H02: aHash,
  H03: aHash,
  B06: { what: 'interruption notices', holds: ({ capabilities }) => capabilities.interruptionNotices },
}

const isCheckId = (id: string): id is CheckId => id in conditions

/**
 * Returns the contradictions between the driver's list of checks that are not applicable and the provider's descriptor, one sentence each.
 * A check contradicts the descriptor if it is not applicable although the provider has the capability, or if it runs although the provider
 * lacks the capability.
 */
export const capabilityProblems = (
  provider: DescribedProvider,
  notApplicable: Partial<Readonly<Record<CheckId, string>>>,
): readonly string[] =>
  Object.keys(conditions)
    .filter(isCheckId)
    .flatMap((id) => {
      const condition = conditions[id]
      const reason = notApplicable[id]
      if (condition === undefined || reason === NOT_WRITTEN_YET) return []
      if (condition.holds(provider) === (reason === undefined)) return []
      return reason === undefined
        ? [`${id} is run, but the descriptor does not say that the provider has ${condition.what}`]
        : [`${id} is not applicable (${reason}), but the descriptor says that the provider has ${condition.what}`]
    })
